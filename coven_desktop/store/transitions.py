"""The only writer of states: row, event and fence in one transaction, checked against the machines.

A change of state is a compare-and-set on the row as it stands. A move that the machines of
contract/states.py do not record is a bug of ours and raises, before anything is written
(design/architecture.md, State; contract/recorded-states.md).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from coven_desktop.contract import states
from coven_desktop.store import events
from coven_desktop.store.errors import StoreBug
from coven_desktop.store.transactions import Row, Transaction, Value

Entity = Literal["occurrence", "run", "attempt"]

STATE_LIMIT = 32
REASON_LIMIT = 500


@dataclass(frozen=True)
class _Table:
    """Where an entity lies and which of its columns an event needs."""

    name: str
    state: str
    columns: str  # automation id, occurrence id, run id, attempt id, attempt number, reason


_TABLES: Mapping[Entity, _Table] = {
    "occurrence": _Table("occurrences", "state", "automation_id, id, NULL, NULL, NULL, failure_reason"),
    "run": _Table("runs", "status", "automation_id, occurrence_id, id, NULL, NULL, NULL"),
    "attempt": _Table(
        "attempts",
        "state",
        "(SELECT automation_id FROM runs WHERE runs.id = attempts.run_id), occurrence_id, run_id, id,"
        " attempt_number, coalesce(state_reason, failure_class)",
    ),
}


def create(tx: Transaction, entity: Entity, row: Mapping[str, Value], *, adoption_key: str | None = None) -> None:
    """Insert a row in its first state and tell of it. A conflict with an existing row raises StoreBug."""
    if not insert_new(tx, entity, row, adoption_key=adoption_key):
        raise StoreBug(f"{entity} {row['id']} exists already")


def insert_new(tx: Transaction, entity: Entity, row: Mapping[str, Value], *, adoption_key: str | None = None) -> bool:
    """Like `create`, but a row that conflicts with one already there changes nothing and returns False."""
    table = _TABLES[entity]
    state = str(row[table.state])
    _check(entity, "none", state)
    names = ", ".join(row)
    marks = ", ".join("?" for _ in row)
    written = tx.one(
        f"INSERT INTO {table.name} ({names}) VALUES ({marks}) ON CONFLICT DO NOTHING RETURNING {table.columns}",
        tuple(row.values()),
    )
    if written is None:
        return False
    _tell(tx, entity, written, "none", state, adoption_key)
    return True


def move(
    tx: Transaction,
    entity: Entity,
    entity_id: str,
    sources: Collection[str],
    target: str,
    *,
    changes: Mapping[str, Value] | None = None,
    adoption_key: str | None = None,
) -> bool:
    """Move one row from one of `sources` to `target`, with `changes` to its other columns.

    Returns False, with nothing written, when the row is in none of the sources. Writes one transition event.
    """
    table = _TABLES[entity]
    row = tx.one(f"SELECT {table.state} FROM {table.name} WHERE id = ?", (entity_id,))
    if row is None or row[0] not in sources:
        return False
    source = str(row[0])
    _check(entity, source, target)
    columns: dict[str, Value] = {table.state: target, **(changes or {})}
    if entity == "occurrence":
        columns["updated_at"] = tx.now_text
    assignments = ", ".join(f"{name} = ?" for name in columns)
    written = tx.one(
        f"UPDATE {table.name} SET {assignments} WHERE id = ? AND {table.state} = ? RETURNING {table.columns}",
        (*columns.values(), entity_id, source),
    )
    if written is None:
        raise StoreBug(f"{entity} {entity_id} changed under an open transaction")
    _tell(tx, entity, written, source, target, adoption_key)
    return True


def must_move(
    tx: Transaction,
    entity: Entity,
    entity_id: str,
    sources: Collection[str],
    target: str,
    *,
    changes: Mapping[str, Value] | None = None,
    adoption_key: str | None = None,
) -> None:
    """Like `move`, where the caller has already made sure of the source: anything else is a bug."""
    if not move(tx, entity, entity_id, sources, target, changes=changes, adoption_key=adoption_key):
        raise StoreBug(f"{entity} {entity_id} is not in {sorted(sources)}")


def _check(entity: Entity, source: str, target: str) -> None:
    if not states.lawful(entity, source, target):
        raise StoreBug(f"{entity}: {source} to {target} is not a recorded move")


def _tell(tx: Transaction, entity: Entity, row: Row, source: str, target: str, adoption_key: str | None) -> None:
    """The event of a move; `row` is the table's columns as they stand after it."""
    automation_id, occurrence_id, run_id, attempt_id, attempt_number, reason = row
    payload = {
        "entity": entity,
        "from": source[:STATE_LIMIT],
        "to": target[:STATE_LIMIT],
        "reason": (reason or f"Coven recorded the {entity} state")[:REASON_LIMIT],
    }
    if attempt_number is not None:
        payload["attemptNumber"] = attempt_number
    events.append(
        tx,
        stream_kind="occurrence" if entity == "occurrence" else "run",
        stream_id=str(occurrence_id if entity == "occurrence" else run_id),
        kind=f"{entity}.transitioned",
        summary=f"{entity} {target}",
        payload=payload,
        automation_id=automation_id,
        occurrence_id=occurrence_id,
        run_id=run_id,
        attempt_id=attempt_id,
        adoption_key=adoption_key,
    )
