"""What a command printed, made fit for a text widget: decoded, without control sequences, in lines that end.

Used on the reader thread: a long log is decoded there, and only its end is handed to the window.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable
from typing import Literal, NamedTuple, Protocol

from coven_desktop.qt.core import QCoreApplication
from coven_desktop.ui.times import grouped

Style = Literal["out", "err", "mark"]

# escape sequences of terminals: CSI, OSC, and the two-character ones
_ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[@-Z\\^_]")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# A line longer than this is broken: one endless line makes a text widget crawl.
LONGEST_LINE = 2_000
_LONG = re.compile(rf"[^\n]{{{LONGEST_LINE + 1}}}")
# How much the window shows at most; more stays in the file.
SHOWN, LINES = 2_000_000, 20_000


class OutputRecord(Protocol):
    """A record of the output log, as `Reads.session_output` gives it."""

    @property
    def stream(self) -> str:
        """stdout, stderr, or mark for what is not kept."""

    @property
    def data(self) -> bytes:
        """What was printed."""

    @property
    def dropped(self) -> int:
        """For a mark: how many bytes are missing."""


class Piece(NamedTuple):
    """A stretch of text of one style."""

    style: Style
    text: str


class OutputText:
    """Makes pieces of records, in order; a character may be split over two records."""

    def __init__(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")
        self._decoders = {"stdout": decoder("replace"), "stderr": decoder("replace")}
        self._column = 0

    def feed(self, records: Iterable[OutputRecord]) -> list[Piece]:
        """The records as pieces, neighbours of one style joined."""
        pieces: list[Piece] = []
        for record in records:
            if record.stream == "mark":
                start = "" if self._column == 0 else "\n"
                self._column = 0
                left_out = QCoreApplication.translate("OutputText", "[… {count} bytes are not kept …]")
                pieces.append(Piece("mark", f"{start}{left_out.format(count=grouped(record.dropped))}\n"))
                continue
            text = self._tame(self._decoders[record.stream].decode(record.data))
            style: Style = "err" if record.stream == "stderr" else "out"
            if pieces and pieces[-1].style == style:
                pieces[-1] = Piece(style, pieces[-1].text + text)
            elif text:
                pieces.append(Piece(style, text))
        return pieces

    def _tame(self, text: str) -> str:
        if "\x1b" in text:
            text = _ESCAPES.sub("", text)
        text = _CONTROL.sub("�", text.replace("\r\n", "\n").replace("\r", "\n"))
        first = text.find("\n")
        if self._column + (len(text) if first < 0 else first) <= LONGEST_LINE and not _LONG.search(text):
            # no line is too long: they are not looked at one by one, for that holds up the window
            self._column = self._column + len(text) if first < 0 else len(text) - text.rfind("\n") - 1
            return text
        lines = text.split("\n")
        for place, line in enumerate(lines):
            start = self._column if place == 0 else 0
            if start + len(line) > LONGEST_LINE:
                first = LONGEST_LINE - start
                parts = [line[:first]]
                parts += [line[at : at + LONGEST_LINE] for at in range(first, len(line), LONGEST_LINE)]
                lines[place] = "\n".join(parts)
                self._column = len(parts[-1])
            else:
                self._column = start + len(line)
        return "\n".join(lines)


def newest(pieces: list[Piece], limit: int = SHOWN, lines: int = LINES) -> tuple[list[Piece], int]:
    """The end of the pieces, at most `limit` characters and `lines` lines, and how many characters were left out."""
    kept: list[Piece] = []
    for piece in reversed(pieces):
        text = piece.text[-limit:] if limit else ""
        ends = text.count("\n")
        if ends > lines:
            # cut behind the newline before the last `lines` of them
            start = len(text)
            for _ in range(lines + 1):
                start = text.rfind("\n", 0, start)
            text, ends = text[start + 1 :], lines
        if text:
            kept.append(Piece(piece.style, text))
        limit, lines = limit - len(text), lines - ends
        if len(text) < len(piece.text):
            break
    total = sum(len(piece.text) for piece in pieces)
    return kept[::-1], total - sum(len(piece.text) for piece in kept)
