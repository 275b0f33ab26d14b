"""What a family of schedules offers to the engine, the preview and the form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from coven_desktop.schedule.zones import Zone


class Slot(NamedTuple):
    """A wall time of a rule, in seconds since 1970-01-01T00:00:00 local, and its instants in UTC seconds, ascending.

    No instant: clocks skip the wall time. Two: it comes twice.
    """

    wall: int
    instants: tuple[int, ...]


class Schedule(Protocol):
    """One rule in one zone. All instants are UTC milliseconds."""

    @property
    def zone(self) -> Zone:
        """The zone whose clocks the rule goes by."""

    def next_after(self, instant: int) -> int | None:
        """The first slot strictly after the instant; None when there is none."""

    def between(self, after: int, until: int) -> Iterator[int]:
        """The slots with after < slot <= until, ascending."""

    def slots(self, instant: int) -> Iterator[Slot]:
        """Wall times from the instant's local date on, those without an instant included, to the end of 9999."""
