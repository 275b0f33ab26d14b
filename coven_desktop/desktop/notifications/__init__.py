"""Notifications: what is told and when (`rules`), and who shows it (`service`, with one file per way)."""
