"""What stands beside the definitions: environment, secret names, and each change (decisions.md 41)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from coven_desktop.contract.routine_settings import RoutineSettings
from coven_desktop.store.transactions import Reader, Row, Transaction


class SettingsRow(NamedTuple):
    """The settings of a routine as JSON texts, and how often they were changed: 0 when never."""

    environment: str
    secrets: str
    revision: int


class ChangeRow(NamedTuple):
    """One change, by names; `feed_position` is that of the event before it, 0 before the first."""

    number: int
    automation_id: str
    revision: int
    environment_set: tuple[str, ...]
    environment_removed: tuple[str, ...]
    secrets_added: tuple[str, ...]
    secrets_removed: tuple[str, ...]
    feed_position: int
    adoption_key: str | None
    recorded_at: str


NONE = SettingsRow("{}", "[]", 0)
_REVISION = "(SELECT ifnull(max(c.revision), 0) FROM routine_settings_changes c WHERE c.automation_id = {0})"


def get(reader: Reader, automation_id: str) -> SettingsRow:
    """The settings of one routine. Those of a deleted one are kept until its id is used anew."""
    row = reader.one(
        f"SELECT ifnull(s.environment, '{{}}'), ifnull(s.secrets, '[]'), {_REVISION.format('?1')}"
        " FROM (SELECT 1) LEFT JOIN routine_settings s ON s.automation_id = ?1",
        (automation_id,),
    )
    return NONE if row is None else SettingsRow(*row)


def every(reader: Reader) -> dict[str, SettingsRow]:
    """The settings of every routine that has or had any, by its id."""
    rows = reader.query(
        "SELECT c.automation_id, ifnull(s.environment, '{}'), ifnull(s.secrets, '[]'), max(c.revision)"
        " FROM routine_settings_changes c LEFT JOIN routine_settings s ON s.automation_id = c.automation_id"
        " GROUP BY c.automation_id"
    )
    return {row[0]: SettingsRow(*row[1:]) for row in rows}


def of(row: SettingsRow) -> RoutineSettings:
    """The settings as they are worked with."""
    return RoutineSettings(json.loads(row.environment), tuple(json.loads(row.secrets)))


def put(tx: Transaction, automation_id: str, settings: RoutineSettings, *, adoption_key: str | None) -> SettingsRow:
    """Give the routine these settings; the same ones again are no change."""
    current = get(tx, automation_id)
    before = of(current)
    if (before.environment, before.secrets) == (settings.environment, settings.secrets):
        return current
    tx.change(
        "INSERT INTO routine_settings (automation_id, environment, secrets, updated_at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (automation_id) DO UPDATE SET environment = excluded.environment, secrets = excluded.secrets,"
        " updated_at = excluded.updated_at",
        (automation_id, _text(settings.environment), _text(settings.secrets), tx.now_text),
    )
    tx.change(
        "INSERT INTO routine_settings_changes (automation_id, revision, changes, feed_position, adoption_key,"
        " recorded_at) SELECT ?, ?, ?, ifnull(max(position), 0), ?, ? FROM events",
        (automation_id, current.revision + 1, _text(_changes(before, settings)), adoption_key, tx.now_text),
    )
    return get(tx, automation_id)


def changes(
    reader: Reader, *, automation_id: str | None = None, before: int | None = None, limit: int = 100
) -> list[ChangeRow]:
    """The newest changes first, of one routine or of all; those with a smaller number than `before`."""
    rows = reader.query(
        "SELECT number, automation_id, revision, changes, feed_position, adoption_key, recorded_at"
        " FROM routine_settings_changes WHERE (?1 IS NULL OR automation_id = ?1) AND (?2 IS NULL OR number < ?2)"
        " ORDER BY number DESC LIMIT ?3",
        (automation_id, before, limit),
    )
    return [_change(row) for row in rows]


def _change(row: Row) -> ChangeRow:
    number, automation_id, revision, text, *rest = row
    told = json.loads(text)
    names = (tuple(told[member]) for member in _MEMBERS)
    return ChangeRow._make((number, automation_id, revision, *names, *rest))


_MEMBERS = ("environmentSet", "environmentRemoved", "secretsAdded", "secretsRemoved")


def _changes(before: RoutineSettings, after: RoutineSettings) -> Mapping[str, list[str]]:
    told = (
        [name for name, value in after.environment.items() if before.environment.get(name) != value],
        [name for name in before.environment if name not in after.environment],
        [name for name in after.secrets if name not in before.secrets],
        [name for name in before.secrets if name not in after.secrets],
    )
    return dict(zip(_MEMBERS, told, strict=True))


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
