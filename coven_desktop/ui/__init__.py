"""Tray, window, form and run view: what the person sees. Asks the engine by commands and reads; owns no state."""
