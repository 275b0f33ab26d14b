"""What the desktop offers and the app uses: tray host, theme, single instance, power and network.

Knows nothing of the engine.
"""
