"""coven.desktop.export.v1 and import.v1: routines of every family as one document, and such a document taken over.

What is taken over rests, paused, under the actions that managed it; whatever would not be created again, as a cadence
that has ended, is taken over all the same. What is there already is skipped (product.md, 11; decisions.md 26).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from coven_desktop import __version__
from coven_desktop.contract import definition as flat
from coven_desktop.contract import exported, fingerprint, routine_settings, timestamps
from coven_desktop.contract import routine as routines
from coven_desktop.contract.definition import Definition, DefinitionError
from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.contract.negotiation import Unsupported, negotiate
from coven_desktop.contract.routine import AnyRoutine, Routine
from coven_desktop.contract.routine_settings import RoutineSettings, SettingsError
from coven_desktop.contract.text import echo
from coven_desktop.engine import inventory, revisions
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import definition_requests, fields, versioned
from coven_desktop.engine.engine import Engine
from coven_desktop.schedule import families
from coven_desktop.schedule.zones import ZoneError
from coven_desktop.store import definitions
from coven_desktop.store import routine_settings as settings_store
from coven_desktop.store.transactions import Transaction

IMPORT = "desktop.import.v1"
EXISTS = "already exists"
_NAMES = ("document", "dryRun", "expectedRevision")


def export(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """The routines as one document (contract/exported.py). Body: `ids?`, as of routine.list.v1."""
    now = timestamps.to_text(engine.core.clock.wall())
    found = inventory.routines(engine.core.store, body, now)
    return Answer(exported.document(found, exported_at=now, version=__version__), kind="desktop.export")


def import_document(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Take over the routines of an export, paused, once per key. Body: `adoptionKey`, `document`, `dryRun?`.

    Inner result: `dryRun`, and `routines` with `id`, `outcome` (imported, skipped, failed) and, where there are any,
    `reason`, `error` and `warnings`. One that cannot be taken over keeps no other from it; a dry run tells the same.
    """
    key = definition_requests.adoption_key(body)
    covered = {"request": fingerprint.lossless({name: body[name] for name in _NAMES if name in body})}

    def apply(tx: Transaction, key: str) -> Answer:
        entries, dry = _asked(body)
        told = []
        given: set[str] = set()
        for entry in entries:
            engine.core.loop.breathe()
            told.append(_import(tx, entry, given, key, dry=dry))
        result = {"dryRun": dry, "routines": told}
        return Answer({"outcome": "committed", "revision": None, "result": result}, in_result=True)

    return definition_requests.spend(engine, key, f"coven.{IMPORT}", covered, None, apply)


def _asked(body: Mapping[str, Any]) -> tuple[Sequence[Mapping[str, Any]], bool]:
    document = body.get("document")
    if not isinstance(document, Mapping):
        raise fields.invalid(f"coven.{IMPORT} requires object field `document`, an export")
    dry = fields.dry_run(body, f"coven.{IMPORT}")
    try:
        return exported.entries(document), dry
    except exported.ExportError as error:
        message = f"document is no export: {error}"
        raise TypedRefusal(Code.VALIDATION_FAILED, message, details={"field": f"document.{error.field}"}) from error


class _Read(NamedTuple):
    """A routine of an export, understood; `managed` as definitions have it."""

    routine: AnyRoutine
    settings: RoutineSettings
    managed: str
    warnings: tuple[str, ...]


def _import(tx: Transaction, entry: Mapping[str, Any], given: set[str], key: str, *, dry: bool) -> dict[str, Any]:
    """Take over one routine, unless it is dry; what is told of it. `given` are the ids that the document has had."""
    automation_id = exported.id_of(entry)
    current = definitions.get(tx, automation_id)
    if automation_id in given or (current is not None and current.tombstoned_at is None):
        return {"id": automation_id, "outcome": "skipped", "reason": EXISTS}
    try:
        read = _read(entry)
        if read.managed == versioned.MANAGED or (current is not None and current.managed == versioned.MANAGED):
            # an id that a versioned command has deleted is not used again (contract/recorded-states.md)
            versioned.check_absent(tx, automation_id)
    except TypedRefusal as refusal:
        return {"id": automation_id, "outcome": "failed", "reason": refusal.reason, "error": refusal.to_wire()}
    given.add(automation_id)
    if not dry:
        revisions.commit(
            tx,
            current,
            "imported",
            read.routine,
            managed=read.managed,
            adoption_key=key,
            imported_from=exported.SCHEMA,
        )
        settings_store.put(tx, automation_id, read.settings, adoption_key=key)
    warnings = [*read.warnings, *_secrets(read)]
    return {"id": automation_id, "outcome": "imported", **({"warnings": warnings} if warnings else {})}


def _read(entry: Mapping[str, Any]) -> _Read:
    """The routine of an entry, paused. Raises TypedRefusal, which names the field."""
    family = entry.get("family", "rrule")
    if family not in families.KINDS:
        raise fields.invalid(f"the family {echo(str(family))} is not known to this version")
    if entry["definition"] is None:
        raise fields.invalid("its definition was not understood any more when it was exported")
    body = {**entry["definition"], "status": "PAUSED"}
    managed = versioned.MANAGED if entry.get("managed") == versioned.MANAGED else "legacy"
    dropped: tuple[str, ...] = ()
    try:
        routine: AnyRoutine
        if body.get("schemaVersion") == routines.SCHEMA_VERSION:
            routine = routines.parse(body)
        elif managed == versioned.MANAGED:
            routine = negotiate(body)
        else:
            routine, dropped = flat.parse(body, drop_unknown=True)
        if isinstance(routine, Definition):
            routine = revisions.resolved(routine)
        else:
            managed = versioned.MANAGED
        settings = routine_settings.of_export(entry.get("settings"))
    except DefinitionError as error:
        raise _invalid(error.field, error.message, error.suggestion) from error
    except ZoneError as error:
        raise _invalid("timezone", error.message, error.suggestion) from error
    except Unsupported as error:
        raise versioned.unsupported(error) from error
    except SettingsError as error:
        raise _invalid(f"settings.{error.member}", f"settings.{error}", None) from error
    return _Read(routine, settings, managed, tuple(f"unknown member `{name}` was left out" for name in dropped))


def _invalid(field: str, message: str, suggestion: str | None) -> TypedRefusal:
    details = {"field": field} if suggestion is None else {"field": field, "suggestion": suggestion}
    return TypedRefusal(Code.VALIDATION_FAILED, message, details=details)


def _secrets(read: _Read) -> list[str]:
    """Secrets come by name only."""
    own = read.routine.secrets if isinstance(read.routine, Routine) else ()
    names = dict.fromkeys((*read.settings.secrets, *own))
    return [f"see that the keyring has its secrets: {', '.join(names)}"] if names else []
