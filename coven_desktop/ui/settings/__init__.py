"""The settings window: one page a file, and what the app hands in for them (`doors.py`)."""
