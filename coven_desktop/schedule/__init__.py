"""Recurrence: which instants a rule has. Pure, except that `zones.py` reads TZ and zone data; no clock is read here."""
