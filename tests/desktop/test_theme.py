"""Light and dark by the person's choice: live, readable, and given back to the system."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.desktop import theme
from coven_desktop.qt.gui import QColor, QPalette
from coven_desktop.qt.widgets import QApplication, QPushButton, QWidget
from tests.ui.desk import until

Role = QPalette.ColorRole


@pytest.fixture(autouse=True)
def _as_before(qtbot: QtBot) -> Iterator[None]:
    yield
    theme.follow("system")


def brightness(color: QColor) -> float:
    """Relative luminance, as WCAG 2 has it."""
    parts = (color.redF(), color.greenF(), color.blueF())
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: QColor, other: QColor) -> float:
    high, low = sorted((brightness(one), brightness(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("text", "ground", "least"),
    [
        (Role.WindowText, Role.Window, 7.0),
        (Role.Text, Role.Base, 7.0),
        (Role.Text, Role.AlternateBase, 7.0),
        (Role.ButtonText, Role.Button, 7.0),
        (Role.HighlightedText, Role.Highlight, 4.0),
        (Role.PlaceholderText, Role.Base, 4.5),
        (Role.ToolTipText, Role.ToolTipBase, 7.0),
        (Role.Link, Role.Window, 4.5),
    ],
)
def test_text_is_readable(scheme: theme.Scheme, text: Role, ground: Role, least: float) -> None:
    palette = theme._palette(scheme)
    assert contrast(palette.color(text), palette.color(ground)) >= least


def test_every_widget_changes_at_once_and_goes_back(qtbot: QtBot) -> None:
    before = QApplication.palette()
    widget = QWidget()
    qtbot.addWidget(widget)
    styled = QPushButton("x", widget)
    styled.setStyleSheet("QPushButton:checked { color: red }")
    with qtbot.waitExposed(widget):
        widget.show()
    ground = widget.palette().color(Role.Window)
    theme.follow("dark")
    assert theme.app_is_dark()
    until("the window is dark", lambda: widget.palette().color(Role.Window).lightness() < 128)
    assert styled.styleSheet() == "QPushButton:checked { color: red }"
    theme.follow("light")
    assert not theme.app_is_dark()
    theme.follow("system")
    until("it is as it was", lambda: widget.palette().color(Role.Window) == ground)
    assert QApplication.palette().color(Role.Base) == before.color(Role.Base)


def test_what_a_style_sheet_draws_changes_too(qtbot: QtBot) -> None:
    button = QPushButton("x")
    qtbot.addWidget(button)
    button.setStyleSheet("QPushButton { border: none; background: palette(base) }")
    button.resize(40, 40)
    theme.follow("dark")
    button.show()
    dark = button.grab().toImage().pixelColor(2, 2)
    theme.follow("light")
    light = button.grab().toImage().pixelColor(2, 2)
    assert dark.lightness() < 80
    assert light.lightness() > 200
