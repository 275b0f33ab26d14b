"""Light or dark: of the app, which follows the system's palette, and of the panel, which must be guessed."""

from __future__ import annotations

import os

from coven_desktop.qt.gui import QGuiApplication, QPalette

# Desktops whose panel follows the applications; everywhere else panels are dark whatever the windows look like.
_FOLLOWING_PANELS = frozenset({"kde", "lxqt", "mate", "deepin", "budgie"})


def app_is_dark() -> bool:
    """Whether windows are light text on a dark ground."""
    return QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128


def panel_is_dark() -> bool:
    """Whether the panel that shows the tray icon is probably dark."""
    names = os.environ.get("XDG_CURRENT_DESKTOP", "").lower().split(":")
    return app_is_dark() or not _FOLLOWING_PANELS.intersection(names)
