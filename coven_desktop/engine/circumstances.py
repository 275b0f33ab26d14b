"""What a person is told before deciding about a run: who is stopping it, what is left of it, how it failed before.

`Circumstances` reads by key, from any thread's own connection. `remains` and `ends` read files and the process table:
never on the GUI thread.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Literal

from coven_desktop.contract import timestamps
from coven_desktop.engine.reads import Reads
from coven_desktop.home import Home
from coven_desktop.runtime import session_files, survivors
from coven_desktop.runtime.output_log import Record
from coven_desktop.store import circumstances, stops
from coven_desktop.store.transactions import Reader


@dataclass(frozen=True)
class Stop:
    """The newest stop of an attempt. Instants are UTC milliseconds.

    `owner` says who holds the run's stop fence until `until`; None when nobody does any more. `outcome` is the state of
    the cancellation: requested or stopping while it is open, cancelled (proven), recovery_required (not proven), or
    rejected (the run ended by itself first). A deadline stops without one.
    """

    owner: Literal["timeout", "cancellation", "recovery"] | None
    since: int
    until: int | None
    outcome: str | None
    reason: str
    ended_at: int | None


@dataclass(frozen=True)
class FailedRun:
    """A run that failed, with its newest attempt. Instants are UTC milliseconds."""

    occurrence_id: str
    scheduled_for: int
    attempts: int
    failure_class: str
    reason: str
    ended_at: int | None
    session_id: str | None


@dataclass(frozen=True)
class Remains:
    """What is left of a session: what its files prove, and the processes (pid, name) that still carry its id.

    `ended` are those that did when the session was found vanished, and were ended by the app.
    """

    found: Literal["alive", "ended", "never_started", "vanished"]
    host_pid: int | None
    of_another_boot: bool
    processes: tuple[tuple[int, str], ...]
    ended: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Ends:
    """The beginning and the end of an output; `between` bytes of it are left out here."""

    first: tuple[Record, ...]
    last: tuple[Record, ...]
    between: int


class Circumstances:
    """Reads by key on one connection."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def stop_of(self, run_id: str, attempt_id: str) -> Stop | None:
        """The stop of a run's newest attempt, whoever asked for it; None when it was never stopped."""
        fence = stops.fence(self._reader, run_id)
        cancellation = stops.latest_cancellation(self._reader, attempt_id)
        if fence is None and cancellation is None:
            return None
        owners: dict[str, Literal["timeout", "cancellation", "recovery"]] = {
            "timeout": "timeout",
            "cancellation": "cancellation",
            "recovery": "recovery",
        }
        since = fence.taken_at if fence is not None else cancellation.requested_at if cancellation is not None else ""
        return Stop(
            owner=owners[fence.owner] if fence is not None else None,
            since=timestamps.parse(since),
            until=timestamps.parse(fence.expires_at) if fence is not None else None,
            outcome=cancellation.state if cancellation is not None else None,
            reason=cancellation.reason if cancellation is not None else "",
            ended_at=_instant(cancellation.reconciled_at if cancellation is not None else None),
        )

    def note_of(self, occurrence_id: str) -> str | None:
        """The note with which an occurrence was started by hand."""
        return circumstances.note_of_start(self._reader, occurrence_id) or None

    def failed_runs(self, automation_id: str, limit: int) -> tuple[FailedRun, ...]:
        """The newest runs of a routine that failed, newest first."""
        return tuple(
            FailedRun(
                occurrence_id=found.occurrence_id,
                scheduled_for=timestamps.parse(found.scheduled_for),
                attempts=found.attempt_number,
                failure_class=found.failure_class or "",
                reason=found.state_reason or "",
                ended_at=_instant(found.settled_at),
                session_id=found.session_id,
            )
            for found in circumstances.failed_runs(self._reader, automation_id, limit)
        )


def remains(home: Home, session_id: str) -> Remains:
    """What is left of a session now. Looks at every process of this user."""
    folder = home.session(session_id)
    found, _ = session_files.find(folder)
    starting = session_files.read_starting(folder)
    other = session_files.is_of_another_boot(folder)
    return Remains(
        found=found,
        host_pid=starting.pid if starting is not None else None,
        of_another_boot=other,
        processes=() if other else tuple((each.pid, each.name) for each in survivors.carriers(session_id)),
        ended=survivors.recorded(folder),
    )


def ends(reads: Reads, session_id: str, size: int = 4_096) -> Ends:
    """The first `size` bytes of what a session printed, and the last `size`; a character may be cut off between.

    Raises OSError and ValueError when the output cannot be read.
    """
    first: list[Record] = []
    last: deque[Record] = deque()
    taken = held = between = 0
    records, position = reads.session_output(session_id)
    while records:
        for record in records:
            if taken < size and not last:
                head = record._replace(data=record.data[: size - taken])
                first.append(head)
                taken += len(head.data)
                if len(head.data) == len(record.data):
                    continue
                record = record._replace(data=record.data[len(head.data) :])
            last.append(record)
            held += len(record.data)
            while held > size:
                left = last.popleft()
                over = min(held - size, len(left.data))
                if over < len(left.data):
                    last.appendleft(left._replace(data=left.data[over:]))
                held -= over
                between += over + left.dropped
        records, position = reads.session_output(session_id, position)
    return Ends(tuple(first), tuple(last), between)


def _instant(text: str | None) -> int | None:
    return None if text is None else timestamps.parse(text)
