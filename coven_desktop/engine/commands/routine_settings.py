"""coven.desktop.routine.settings.v1: what a routine's runs are given beside its definition (decisions.md 41).

Adoption keys, codes and replays as those of the versioned definition commands. The settings have a revision of their
own, so that what somebody else changed in between is never overwritten; reading them is for routine.list.v1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.contract import fingerprint
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.contract.routine_settings import RoutineSettings, SettingsError, parse
from coven_desktop.contract.strict_json import INTEGER_LIMIT
from coven_desktop.contract.text import echo, trim
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import definition_requests, fields
from coven_desktop.engine.engine import Engine
from coven_desktop.store import definitions, routine_settings
from coven_desktop.store.transactions import Transaction

COMMAND = "desktop.routine.settings.v1"
KIND = "desktop.routine.settings"
_NAMES = ("automationId", "settings", "expectedRevision")


def put(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Give a routine these settings in place of those it had. Body: `adoptionKey`, `automationId`, `settings`
    (`environment` and `secrets`), `expectedRevision` (of the settings; 0 when they were never set).

    Inner result: `automationId`, `settings` with their `revision`. The same settings again are no new revision.
    """
    fault: TypedRefusal | None = None
    settings = RoutineSettings()
    automation_id, expected = "", 0
    try:
        automation_id, settings, expected = _asked(body)
        covered: dict[str, Any] = {
            "automationId": automation_id,
            "settings": fingerprint.lossless(settings.to_json()),
            "expectedRevision": expected,
        }
    except TypedRefusal as refused:
        fault = refused
        covered = {"request": fingerprint.lossless({name: body[name] for name in _NAMES if name in body})}

    def apply(tx: Transaction, key: str) -> Answer:
        if fault is not None:
            raise fault
        row = definitions.get(tx, automation_id)
        if row is None:
            raise TypedRefusal(Code.NOT_FOUND, f"no routine with id `{echo(automation_id)}`")
        if row.tombstoned_at is not None:
            raise TypedRefusal(Code.GONE_TOMBSTONED, f"routine `{row.id}` was deleted", current_revision=row.revision)
        stored = routine_settings.get(tx, row.id).revision
        if stored != expected:
            raise TypedRefusal(
                Code.REVISION_CONFLICT,
                f"the settings of routine `{row.id}` are at revision {stored}, not {expected}",
                details={"settingsRevision": stored},
                current_revision=row.revision,
            )
        revision = routine_settings.put(tx, row.id, settings, adoption_key=key).revision
        told = {"automationId": row.id, "settings": {"revision": revision, **settings.to_json()}}
        return Answer({"outcome": "committed", "revision": row.revision, "result": told}, kind=KIND, in_result=True)

    key = definition_requests.adoption_key(body)
    return definition_requests.spend(engine, key, COMMAND, covered, automation_id, apply)


def _asked(body: Mapping[str, Any]) -> tuple[str, RoutineSettings, int]:
    asked = body.get("automationId")
    automation_id = trim(asked) if isinstance(asked, str) else ""
    if not automation_id:
        raise fields.invalid(f"coven.{COMMAND} needs automationId, the id of a routine")
    try:
        settings = parse(body.get("settings"))
    except SettingsError as error:
        raise fields.invalid(str(error) if error.member == "settings" else f"settings.{error}") from error
    expected = body.get("expectedRevision")
    if type(expected) is not int or not 0 <= expected <= INTEGER_LIMIT:
        raise fields.invalid("expectedRevision must be an integer from 0: the revision of the settings that were read")
    return automation_id, settings, expected
