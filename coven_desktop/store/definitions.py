"""Definitions and the body of every revision.

One row a routine, one row a revision. Every commit raises the revision by exactly one, keeps the body
it commits and appends one definition event, in the caller's transaction (contract/commands.md §3.4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from coven_desktop.contract import states
from coven_desktop.store import events
from coven_desktop.store.errors import StoreBug
from coven_desktop.store.transactions import Reader, Transaction

EventKind = Literal[
    "created", "revised", "activated", "paused", "disabled", "reenabled", "invalidated", "tombstoned", "imported"
]

_COLUMNS = (
    "number, id, family, name, body, revision, digest, lifecycle, managed, tombstoned_at, created_at, revised_at,"
    " next_due_at, broken_reason"
)


@dataclass(frozen=True)
class DefinitionRow:
    """One stored definition; instants are text."""

    number: int
    id: str
    family: str
    name: str
    body: str
    revision: int
    digest: str
    lifecycle: str
    managed: str
    tombstoned_at: str | None
    created_at: str
    revised_at: str
    next_due_at: str | None
    broken_reason: str | None

    @property
    def state(self) -> str:
        """The state of the definition machine: its lifecycle, or tombstoned."""
        return "tombstoned" if self.tombstoned_at else self.lifecycle


def get(reader: Reader, automation_id: str) -> DefinitionRow | None:
    """The row of an id, tombstoned ones too."""
    row = reader.one(f"SELECT {_COLUMNS} FROM definitions WHERE id = ?", (automation_id,))
    return DefinitionRow(*row) if row else None


def live(reader: Reader) -> list[DefinitionRow]:
    """All definitions that are not tombstoned, by name in byte order, then id."""
    rows = reader.query(f"SELECT {_COLUMNS} FROM definitions WHERE tombstoned_at IS NULL ORDER BY name, id")
    return [DefinitionRow(*row) for row in rows]


def live_bodies(reader: Reader, family: str) -> list[str]:
    """The stored JSON of all definitions of a family that are not tombstoned, by name in byte order, then id."""
    rows = reader.query(
        "SELECT body FROM definitions WHERE tombstoned_at IS NULL AND family = ? ORDER BY name, id", (family,)
    )
    return [row[0] for row in rows]


def every(reader: Reader) -> list[DefinitionRow]:
    """All definitions, tombstoned ones too, by name in byte order, then id."""
    rows = reader.query(f"SELECT {_COLUMNS} FROM definitions ORDER BY name, id")
    return [DefinitionRow(*row) for row in rows]


def due(reader: Reader, now_text: str, limit: int, after: tuple[str, str] = ("", "")) -> list[DefinitionRow]:
    """Routines whose next slot has come, earliest first, those behind `after`: a time and the id of a routine."""
    rows = reader.query(
        f"SELECT {_COLUMNS} FROM definitions WHERE next_due_at <= ?1 AND next_due_at >= ?3"
        " AND (next_due_at, id) > (?3, ?4) ORDER BY next_due_at, id LIMIT ?2",
        (now_text, limit, *after),
    )
    return [DefinitionRow(*row) for row in rows]


def next_due(reader: Reader) -> str | None:
    """The earliest next slot of all routines."""
    row = reader.one("SELECT min(next_due_at) FROM definitions WHERE next_due_at IS NOT NULL")
    return row[0] if row else None


def paused_count(reader: Reader) -> int:
    """Live paused routines (decisions.md 10)."""
    return reader.number("SELECT count(*) FROM definitions WHERE lifecycle = 'paused' AND tombstoned_at IS NULL")


def fenced_ids(reader: Reader, now_text: str) -> set[str]:
    """Active, unquarantined routines whose newest slot of this revision is not in the future (decisions.md 2)."""
    rows = reader.query(
        "SELECT d.id FROM definitions d WHERE d.lifecycle = 'active' AND d.tombstoned_at IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM retry_state q WHERE q.automation_id = d.id AND q.quarantined_at IS NOT NULL)"
        " AND (SELECT max(o.scheduled_for) FROM occurrences o WHERE o.automation_id = d.id AND o.kind = 'scheduled'"
        "      AND o.automation_revision = d.revision) <= ?",
        (now_text,),
    )
    return {row[0] for row in rows}


def broken(reader: Reader) -> list[DefinitionRow]:
    """Active routines that could not be understood when they were last read."""
    rows = reader.query(
        # every pass asks this: by itself SQLite would look at all active routines
        f"SELECT {_COLUMNS} FROM definitions INDEXED BY definitions_broken WHERE broken_reason IS NOT NULL"
        " AND lifecycle = 'active' AND tombstoned_at IS NULL ORDER BY name, id"
    )
    return [DefinitionRow(*row) for row in rows]


def stored_local(reader: Reader) -> list[DefinitionRow]:
    """Live rrule routines whose stored zone is `local`, by id; not those that are invalid already (decisions.md 32)."""
    # the words of the index, or it is not used
    rows = reader.query(
        f"SELECT {_COLUMNS} FROM definitions"
        " WHERE CASE WHEN json_valid(body) THEN json_extract(body, '$.timezone') END = 'local'"
        " AND family = 'rrule' AND lifecycle <> 'invalid' AND tombstoned_at IS NULL ORDER BY id"
    )
    return [DefinitionRow(*row) for row in rows]


def body_of(reader: Reader, automation_id: str, revision: int) -> str | None:
    """The body of a revision, as it was committed."""
    row = reader.one(
        "SELECT body FROM definition_revisions WHERE automation_id = ? AND revision = ?", (automation_id, revision)
    )
    return row[0] if row else None


def set_next_due(tx: Transaction, automation_id: str, next_due_at: str | None) -> None:
    """Move the timer of a routine that can be understood; not a revision."""
    tx.change("UPDATE definitions SET next_due_at = ?, broken_reason = NULL WHERE id = ?", (next_due_at, automation_id))


def stop_timer(tx: Transaction, automation_id: str) -> None:
    """Keep a routine from being planned until its timer is set again."""
    tx.change("UPDATE definitions SET next_due_at = NULL WHERE id = ?", (automation_id,))


def set_broken(tx: Transaction, automation_id: str, reason: str) -> None:
    """Keep a routine that can no longer be understood out of planning, with the reason (decisions.md 31)."""
    tx.change(
        "UPDATE definitions SET broken_reason = ?, next_due_at = NULL WHERE id = ?", (reason[:1000], automation_id)
    )


def commit(
    tx: Transaction,
    current: DefinitionRow | None,
    event: EventKind,
    *,
    automation_id: str,
    name: str,
    body: str,
    digest: str,
    lifecycle: str,
    managed: str,
    next_due_at: str | None,
    family: str = "rrule",
    tombstoned: bool = False,
    adoption_key: str | None = None,
    imported_from: str | None = None,
) -> tuple[int, int]:
    """Commit the next revision of a definition; returns (revision, sequence of its event).

    `current` is the row as it stands, None for a new id. A tombstoned `current` is a revival
    (contract/recorded-states.md: a new creation with the next revision).
    """
    revived = current is not None and current.tombstoned_at is not None
    # the migration finds an old row whose body never was one of the machine's states (contract/recorded-states.md)
    source = "none" if current is None or revived or event == "invalidated" else current.lifecycle
    target = "tombstoned" if tombstoned else lifecycle
    if source != target and not states.lawful("definition", source, target):
        raise StoreBug(f"definition: {source} to {target} is not a recorded move")
    revision = 1 if current is None else current.revision + 1
    # The commit never precedes what it builds on, also when the clock was set back (commands.md §3.4).
    at = tx.now_text if current is None else max(tx.now_text, current.revised_at)
    if current is None:
        tx.change(
            "INSERT INTO definitions (id, family, name, body, revision, digest, lifecycle, managed, created_at,"
            " revised_at, next_due_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (automation_id, family, name, body, revision, digest, lifecycle, managed, at, at, next_due_at),
        )
    else:
        tx.change(
            "UPDATE definitions SET family = ?, name = ?, body = ?, revision = ?, digest = ?, lifecycle = ?,"
            " managed = ?, tombstoned_at = ?, created_at = ?, revised_at = ?, next_due_at = ?,"
            " broken_reason = NULL WHERE id = ?",
            (
                family,
                name,
                body,
                revision,
                digest,
                lifecycle,
                managed,
                at if tombstoned else None,
                at if revived else current.created_at,
                at,
                next_due_at,
                automation_id,
            ),
        )
    tx.change(
        "INSERT INTO definition_revisions (automation_id, revision, digest, body, lifecycle, recorded_at) VALUES"
        " (?, ?, ?, ?, ?, ?)",
        (automation_id, revision, digest, body, target, at),
    )
    sequence = events.append(
        tx,
        stream_kind="automation",
        stream_id=automation_id,
        kind=f"definition.{event}",
        summary=f"definition {event}",
        payload={
            "revision": revision,
            "definitionDigest": {"algorithm": "sha256", "canonicalization": "jcs-rfc8785", "value": digest},
            "lifecycleState": target,
            **({} if imported_from is None else {"importedFrom": imported_from}),
        },
        automation_id=automation_id,
        adoption_key=adoption_key,
    )
    return revision, sequence


def quarantined(reader: Reader, automation_id: str) -> bool:
    """Whether the routine waits for an explicit release."""
    return bool(
        reader.number(
            "SELECT count(*) FROM retry_state WHERE automation_id = ? AND quarantined_at IS NOT NULL", (automation_id,)
        )
    )
