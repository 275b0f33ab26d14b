"""Tooltips say names, reasons and output as they are: nothing in them is markup.

Qt reads a tooltip that looks like HTML as HTML, and loads what it names: a routine called `<img src=…>` opened a file.
Labels are plain by themselves (coven_desktop/qt/widgets.py).
"""

from __future__ import annotations

from html import escape

from coven_desktop.qt.shown import shown


def tip(text: str) -> str:
    """The text as a tooltip that shows exactly it."""
    text = shown(text)
    if "<" not in text:
        return text  # Qt takes nothing else for markup
    return "<qt>" + escape(text).replace("\n", "<br>") + "</qt>"
