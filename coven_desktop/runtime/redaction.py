"""Known secret values in what a command prints become `[secret NAME]`, before anything of it is kept.

A value is known as its bytes in UTF-8, without white space around it; of one with several lines each line as well.
Values and lines shorter than `SHORTEST` bytes are left alone: they would riddle ordinary words. What a command encodes
(base64, percent signs) is not recognised: this mends carelessness, it is no wall against the command itself.

What may be the beginning of a value is held until more comes. `release` gives it up after a while, so that a last
line is never kept from whoever waits for it; should the value then go on, its rest is still replaced. Part of the host:
imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SHORTEST = 4
SHORTEST_LINE = 8


class Redactor:
    """One stream of one command. `values` are the secrets it was given, by name."""

    def __init__(self, values: Mapping[str, str]) -> None:
        marks: dict[bytes, bytes] = {}
        for name, value in sorted(values.items()):
            whole = value.strip()
            lines = whole.splitlines() if "\n" in whole else []
            for text, shortest in ((whole, SHORTEST), *((line.strip(), SHORTEST_LINE) for line in lines)):
                pattern = text.encode("utf-8", "surrogateescape")
                if len(pattern) >= shortest:
                    marks.setdefault(pattern, b"[secret " + name.encode() + b"]")
        # of those that begin at the same place the longest counts
        self._marks = sorted(marks.items(), key=lambda entry: (-len(entry[0]), entry[0]))
        self._held = b""
        self._shown = 0

    @property
    def holds(self) -> bool:
        """Whether something was read and not given out: the beginning of what may become a value."""
        return len(self._held) > self._shown

    def feed(self, data: bytes | bytearray) -> bytes:
        """What can be given out now that this was read. In all, a value is replaced wherever the reads were cut."""
        return self._give_out(self._held + data, everything=False) if self._marks else bytes(data)

    def release(self) -> bytes:
        """What is held, given out although it may yet become a value; it is remembered, and its rest replaced."""
        return self._give_out(self._held, everything=True)

    def _give_out(self, text: bytes, *, everything: bool) -> bytes:
        out: list[bytes] = []
        position, shown = 0, self._shown
        places = [text.find(pattern) for pattern, _ in self._marks]
        hold = self._first_beginning(text, 0)
        while True:
            start, which = self._leftmost(text, places, position)
            # a value that begins where another one may still begin, or after it, is not decided before that one is
            if start < 0 or (start >= hold and not everything):
                break
            end = start + len(self._marks[which][0])
            out.append(text[max(position, shown) : max(start, shown)])
            out.append(self._marks[which][1])
            position = end
            if end > hold:
                hold = self._first_beginning(text, end)
        told = len(text) if everything else hold
        out.append(text[max(position, shown) : max(told, shown)])
        self._held = text[hold:]
        self._shown = max(0, max(told, shown) - hold)
        return b"".join(out)

    def _leftmost(self, text: bytes, places: list[int], position: int) -> tuple[int, int]:
        """Where the next value begins, and which it is; (-1, -1) when there is none any more."""
        best, which = -1, -1
        for number, place in enumerate(places):
            if 0 <= place < position:
                place = places[number] = text.find(self._marks[number][0], position)
            if place >= 0 and (best < 0 or place < best):
                best, which = place, number
        return best, which

    def _first_beginning(self, text: bytes, position: int) -> int:
        """Where the first value that is not complete yet may begin; the end of the text if nowhere."""
        first = len(text)
        for pattern, _ in self._marks:
            place = text.find(pattern[:1], max(position, len(text) - len(pattern) + 1), first)
            while place >= 0:
                if pattern.startswith(text[place:]):
                    first = place
                    break
                place = text.find(pattern[:1], place + 1, first)
        return first
