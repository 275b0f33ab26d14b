"""What the desktop offers and the app uses: tray host, theme, single instance. Knows nothing of the engine."""
