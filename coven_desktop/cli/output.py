"""Everything covenctl prints goes through here, so that no terminal, pipe or encoding can bring it down.

People's text goes to stdout, remarks and errors to stderr; programs get one JSON value on stdout. What the output's
encoding cannot show is replaced, never raised; a reader that went away ends the command quietly (`ReaderGone`).
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from typing import Any, TextIO

_COLOURS = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
_PLAIN = str.maketrans({"…": "...", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"', "→": "->", "·": "|", "×": "x"})


class ReaderGone(Exception):
    """Nobody reads what we print any more, as with `covenctl list | head`."""


class CannotPrint(Exception):
    """What we print cannot be written, as on a full disk. The text is the system's reason."""


class Output:
    """Where a command prints. `json_wanted` is `--json`."""

    def __init__(self, out: TextIO, err: TextIO, *, json_wanted: bool, no_color: str) -> None:
        self._out = out
        self._err = err
        self.json_wanted = json_wanted
        self.is_terminal = _isatty(out)
        self._colours = self.is_terminal and not no_color and os.environ.get("TERM") != "dumb"
        self._unicode = _is_unicode(out)
        self._in_line = False
        self._err_unicode = _is_unicode(err)

    @property
    def width(self) -> int | None:
        """The columns of the terminal, or None where there is no terminal and nothing needs to be cut."""
        if not self.is_terminal:
            return None
        try:
            return max(40, os.get_terminal_size(self._out.fileno()).columns)
        except (OSError, ValueError):
            return None

    def style(self, text: str, colour: str) -> str:
        """`text` in a colour of ours, or as it is when colours are not wanted."""
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if self._colours and text else text

    def line(self, text: str = "") -> None:
        """One line for people on stdout."""
        self._write(self._out, (text if self._unicode else text.translate(_PLAIN)) + "\n")

    def raw(self, text: str) -> None:
        """Text on stdout as it is, without a line end of ours: what a run printed."""
        self._write(self._out, text)
        self._in_line = not text.endswith("\n") if text else self._in_line

    def end_line(self) -> None:
        """On a terminal, end a line that raw text left open, so that the prompt stands on its own."""
        if self.is_terminal and self._in_line:
            self.line()

    def ask(self, question: str) -> None:
        """A question on stdout, the answer to which is typed behind it."""
        self._write(self._out, question if self._unicode else question.translate(_PLAIN))
        self.flush()

    def note(self, text: str) -> None:
        """A remark on stderr. It must not spoil what a program reads, and it may be lost."""
        try:
            self._write(self._err, (text if self._err_unicode else text.translate(_PLAIN)) + "\n")
            self._err.flush()
        except (ReaderGone, CannotPrint):
            return

    def json(self, value: Any, *, indent: int | None = None) -> None:
        """One JSON value on stdout: on one line, or for a person to read with an indent."""
        separators = (",", ":") if indent is None else (",", ": ")
        text = json.dumps(value, ensure_ascii=not self._unicode, indent=indent, separators=separators)
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:  # a lone surrogate: only an escape can carry it
            text = json.dumps(value, indent=indent, separators=separators)
        self._write(self._out, text + "\n")

    def flush(self) -> None:
        """Hand everything to the reader now. Raises ReaderGone or CannotPrint."""
        self._guard(self._out.flush)

    def _write(self, stream: TextIO, text: str) -> None:
        self._guard(lambda: stream.write(text))

    def _guard(self, write: Callable[[], object]) -> None:
        try:
            write()
        except BrokenPipeError:
            raise ReaderGone from None
        except OSError as error:
            raise CannotPrint(error.strerror or type(error).__name__) from None


def standard_streams() -> None:
    """Make the standard streams safe to use.

    They are present, never raise for a character they cannot show or read, and are buffered whatever PYTHONUNBUFFERED
    says: without a buffer Python forgets the rest of a write that a pipe took only in part, and nobody hears of it.
    """
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        try:
            os.fstat(number)
        except OSError:
            # Closed by whoever started us: the number must not fall to a socket or a file of ours.
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8"))
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper):
            if mode == "w" and stream.write_through:
                setattr(sys, name, os.fdopen(number, mode, encoding=stream.encoding, closefd=False))
            getattr(sys, name).reconfigure(errors="backslashreplace")


def drop_standard_output() -> None:
    """Send what is still buffered nowhere, so that the interpreter's own last flush finds nothing to complain about."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)


def _isatty(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:
        return False


def _is_unicode(stream: TextIO) -> bool:
    return (getattr(stream, "encoding", None) or "").lower().replace("-", "").startswith("utf")
