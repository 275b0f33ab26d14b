"""Light or dark: of the app, which follows the system's palette, and of the panel, which must be guessed."""

from __future__ import annotations

import os

from coven_desktop.qt.gui import QGuiApplication, QPalette

# Desktops whose panel is dark whatever the applications look like.
_DARK_PANELS = frozenset({"gnome", "unity", "cinnamon", "xfce"})


def app_is_dark() -> bool:
    """Whether windows are light text on a dark ground."""
    return QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128


def panel_is_dark() -> bool:
    """Whether the panel that shows the tray icon is probably dark."""
    names = os.environ.get("XDG_CURRENT_DESKTOP", "").lower().split(":")
    return bool(_DARK_PANELS.intersection(names)) or app_is_dark()
