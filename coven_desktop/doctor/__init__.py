"""The doctor: looks at the machine, the home and the database and says what is wrong and what to do. Never writes."""
