"""Names of things: the grammars a caller's ids must fit, and the makers of our own.

Sources: contract/commands.md §1.1 (grammars), §3.8 and §4 (keys); contract/engine.md §4.1 and §5.1 (patterns).
Every grammar is ASCII, and a value that is not a string fits none.
"""

from __future__ import annotations

import re
import uuid

from coven_desktop.contract.sha256 import sha256_hex

_ADOPTION_KEY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{7,199}")
_AUTOMATION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}")
_ENTITY_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,159}")
_FLAT_ROUTINE_ID = re.compile(r"[A-Za-z0-9._-]{1,96}")
_CORRELATION_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,199}")
_PRINCIPAL_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}")
_EVENT_ID = re.compile(r"[A-Za-z0-9]{20,64}")


def is_adoption_key(value: object) -> bool:
    """8 to 200 of alphanumeric `. _ : -`, the first alphanumeric."""
    return _fits(_ADOPTION_KEY, value)


def is_automation_id(value: object) -> bool:
    """1 to 96 of alphanumeric `. _ -`, the first alphanumeric."""
    return _fits(_AUTOMATION_ID, value)


def is_entity_id(value: object) -> bool:
    """An occurrence, run, attempt or receipt id: as an automation id, but up to 160."""
    return _fits(_ENTITY_ID, value)


def is_flat_routine_id(value: object) -> bool:
    """1 to 96 of alphanumeric `. _ -` with any of them first: the reference's looser first layer."""
    return _fits(_FLAT_ROUTINE_ID, value)


def is_correlation_id(value: object) -> bool:
    """1 to 200 of alphanumeric `. _ : -`, the first alphanumeric."""
    return _fits(_CORRELATION_ID, value)


def is_principal_id(value: object) -> bool:
    """1 to 128 of alphanumeric `. _ : @ -`, the first alphanumeric."""
    return _fits(_PRINCIPAL_ID, value)


def is_event_id(value: object) -> bool:
    """20 to 64 alphanumerics."""
    return _fits(_EVENT_ID, value)


def scheduled_occurrence_id(automation_id: str, slot_ms: int) -> str:
    """The one id a slot can have: `{automationId}-{UTC milliseconds of the slot}`."""
    return f"{automation_id}-{slot_ms}"


def legacy_manual_occurrence_id() -> str:
    """A new id for a manual occurrence of the unversioned `run`: `occ-` and 32 random hex digits."""
    return f"occ-{uuid.uuid4().hex}"


def manual_occurrence_id(adoption_key: str) -> str:
    """The id that `occurrence.runNow.v1` derives from its key, so that a replay finds the same occurrence."""
    return f"occ-manual-{_sha256_hex(adoption_key)[:32]}"


def new_run_id() -> str:
    """A new `run-` id with 32 random hex digits."""
    return f"run-{uuid.uuid4().hex}"


def new_session_id() -> str:
    """A new `session-` id with 32 random hex digits."""
    return f"session-{uuid.uuid4().hex}"


def receipt_id(run_id: str) -> str:
    """The id of the one receipt of a run."""
    return f"receipt-{run_id}"


def new_checkpoint() -> str:
    """A new checkpoint of a reader of events: `ecp` and 32 random hex digits."""
    return f"ecp{uuid.uuid4().hex}"


def attempt_id(run_id: str, number: int) -> str:
    """`attempt-{runId}-{n}`; n counts from 1."""
    return f"attempt-{run_id}-{number}"


def attempt_key(run_id: str, number: int) -> str:
    """The adoption key of an attempt, in one name space with the keys of commands: `automation:{runId}:{n}`."""
    return f"automation:{run_id}:{number}"


def delegated_cancel_key(caller_key: str) -> str:
    """The key of the run.cancel that an occurrence or attempt cancellation sends (contract/commands.md §4.2)."""
    return f"rc:{_sha256_hex(caller_key)[:40]}"


def legacy_adoption_key(action: str, intent_id: str | None) -> str:
    """The adoption key of an unversioned create, update or delete.

    `action` is the full action id. With an intentId the same request finds its first answer again; without
    one the key is random.
    """
    if intent_id is None:
        return f"legacy:{uuid.uuid4().hex}"
    return "legacy:" + _sha256_hex(f"{action}\0{intent_id}")


def event_id(position: int) -> str:
    """`evt` and the feed position as 32 hex digits (contract/engine.md §10.7)."""
    return f"evt{position:032x}"


def _fits(grammar: re.Pattern[str], value: object) -> bool:
    return isinstance(value, str) and grammar.fullmatch(value) is not None


def _sha256_hex(text: str) -> str:
    return sha256_hex(text.encode("utf-8"))
