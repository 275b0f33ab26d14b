"""Tables and fields for people: columns aligned by what a terminal shows, not by characters.

A cell is one line: control characters, which could move the cursor or reorder the text, are shown as escapes.
"""

from __future__ import annotations

from collections.abc import Sequence

from coven_desktop.cli.output import Output

_GAP = "  "
_SMALLEST_COLUMN = 12
# Not "printable" to Python, yet harmless: the spaces of other scripts and the joiner inside emoji.
_HARMLESS = frozenset("\u00a0\u3000\u200d")


class Cell:
    """A text and the colour it has on a terminal."""

    __slots__ = ("colour", "text")

    def __init__(self, text: str, colour: str | None = None) -> None:
        self.text = text
        self.colour = colour


def print_table(
    output: Output,
    head: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    give: Sequence[int],
    below: Sequence[str | None] | None = None,
) -> None:
    """Print rows below a head line. On a terminal the columns `give` are cut, the widest first, until a row fits.

    `below` has for each row what is said whole on a line of its own after it, or None.
    """
    texts = [[one_line(cell.text) for cell in row] for row in rows]
    widths = [max(display_width(text) for text in column) for column in zip(head, *texts, strict=True)]
    if output.width is not None:
        _fit(widths, give, output.width)
    _print_row(output, [Cell(title, "dim") for title in head], head, widths)
    for row, shown, more in zip(rows, texts, below or [None] * len(rows), strict=True):
        _print_row(output, row, shown, widths)
        if more is not None:
            output.line(f"{_GAP}{one_line(more)}")


def print_fields(output: Output, fields: Sequence[tuple[str, Cell]]) -> None:
    """Print `name  value` lines with the values below one another."""
    width = max(display_width(name) for name, _ in fields)
    for name, cell in fields:
        text = one_line(cell.text)
        value = output.style(text, cell.colour) if cell.colour else text
        output.line(f"{output.style(_pad(name, width), 'dim')}{_GAP}{value}")


def display_width(text: str) -> int:
    """How many columns a terminal uses for the text: wide characters two, combining and invisible ones none."""
    if text.isascii():
        return len(text)
    import unicodedata  # only names in other scripts pay for it

    width = 0
    for character in text:
        if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
            continue
        width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return width


def cut(text: str, width: int) -> str:
    """The text in at most `width` columns, with an ellipsis where something is left out."""
    if display_width(text) <= width:
        return text
    kept = ""
    used = 0
    for character in text:
        used += display_width(character)
        if used > width - 1:
            break
        kept += character
    return kept + "…"


def one_line(text: str) -> str:
    """The text with everything that is not plainly printable as an escape."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one in _HARMLESS else _escape(one) for one in text)


def _escape(character: str) -> str:
    code = ord(character)
    if character in "\n\r\t":
        return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}[character]
    if code <= 0xFF:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _pad(text: str, width: int) -> str:
    return text + " " * (width - display_width(text))


def _fit(widths: list[int], give: Sequence[int], available: int) -> None:
    excess = sum(widths) + len(_GAP) * (len(widths) - 1) - available
    for _ in range(excess):
        widest = max(give, key=lambda column: widths[column])
        if widths[widest] <= _SMALLEST_COLUMN:
            return
        widths[widest] -= 1


def _print_row(output: Output, cells: Sequence[Cell], texts: Sequence[str], widths: Sequence[int]) -> None:
    shown = []
    for column, (cell, text, width) in enumerate(zip(cells, texts, widths, strict=True)):
        short = cut(text, width)
        padding = "" if column == len(texts) - 1 else " " * (width - display_width(short))
        shown.append((output.style(short, cell.colour) if cell.colour else short) + padding)
    output.line(_GAP.join(shown).rstrip())
