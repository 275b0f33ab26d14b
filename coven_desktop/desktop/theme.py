"""Light or dark: of the app, which follows the system unless the person says otherwise, and of the panel, which must be
guessed.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Literal

from coven_desktop.qt.gui import QColor, QGuiApplication, QPalette
from coven_desktop.qt.widgets import QApplication

Scheme = Literal["system", "light", "dark"]

_ROLES = (
    *(
        "Window",
        "WindowText",
        "Base",
        "AlternateBase",
        "Text",
        "Button",
        "ButtonText",
        "BrightText",
        "Light",
        "Midlight",
    ),
    *("Mid", "Dark", "Shadow", "Highlight", "HighlightedText", "Link", "LinkVisited", "PlaceholderText", "ToolTipBase"),
    *("ToolTipText", "Accent"),
)
_SHADES: Mapping[Scheme, tuple[str, ...]] = {
    "light": (
        *("#f3f4f6", "#1f2328", "#ffffff", "#f6f7f9", "#1f2328", "#f3f4f6", "#1f2328", "#ffffff", "#ffffff", "#e5e7eb"),
        *("#b8bcc2", "#9aa0a6", "#6b7280", "#2f6fb5", "#ffffff", "#1d4ed8", "#6d28d9", "#6b7280", "#fffbe6"),
        *("#1f2328", "#2f6fb5"),
    ),
    "dark": (
        *("#2f3338", "#eff0f1", "#1b1e21", "#22262a", "#eff0f1", "#3a3f45", "#eff0f1", "#ffffff", "#5a6068", "#3f4349"),
        *("#24272b", "#1a1c1f", "#101214", "#2f7fb5", "#ffffff", "#7cb7f0", "#b79cf2", "#9aa0a6", "#32353a"),
        *("#eff0f1", "#2f7fb5"),
    ),
}
_DISABLED: Mapping[Scheme, str] = {"light": "#8a9099", "dark": "#7a7e83"}

# Desktops whose panel follows the applications; everywhere else panels are dark whatever the windows look like.
_FOLLOWING_PANELS = frozenset({"kde", "lxqt", "mate", "deepin", "budgie"})


def follow(scheme: Scheme) -> None:
    """Look so from now on, in every window at once; `system` gives the word back to the desktop.

    Qt asks the desktop's own theme for the scheme. Where there is none, a palette of ours does it.
    """
    from coven_desktop.qt.core import Qt  # 40 ms, which the icon in the tray need not wait for

    schemes = {"system": Qt.ColorScheme.Unknown, "light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
    QGuiApplication.styleHints().setColorScheme(schemes[scheme])
    QApplication.setPalette(QPalette())
    if scheme != "system" and app_is_dark() != (scheme == "dark"):
        QApplication.setPalette(_palette(scheme))
    for widget in QApplication.allWidgets():
        sheet = widget.styleSheet()
        if sheet:
            # what is drawn by a style sheet keeps the palette of the moment in which it was set
            widget.setStyleSheet("")
            widget.setStyleSheet(sheet)


def _palette(scheme: Scheme) -> QPalette:
    palette = QPalette()
    for role, shade in zip(_ROLES, _SHADES[scheme], strict=True):
        palette.setColor(QPalette.ColorRole[role], QColor(shade))
    for name in ("WindowText", "Text", "ButtonText"):
        palette.setColor(QPalette.ColorGroup.Disabled, QPalette.ColorRole[name], QColor(_DISABLED[scheme]))
    return palette


def app_is_dark() -> bool:
    """Whether windows are light text on a dark ground."""
    return QGuiApplication.palette().color(QPalette.ColorRole.Window).lightness() < 128


def panel_is_dark() -> bool:
    """Whether the panel that shows the tray icon is probably dark."""
    names = os.environ.get("XDG_CURRENT_DESKTOP", "").lower().split(":")
    return app_is_dark() or not _FOLLOWING_PANELS.intersection(names)
