"""Event loops: `Loop` on Qt for the app, a manual one for tests, and the thread the engine lives in."""
