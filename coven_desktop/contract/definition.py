"""A routine as people and clients write it: the flat definition, its limits and its stored form.

One parser for everything that enters: create and update, the window's form, the store's own rows, whose body
may have been broken by another hand. Sources: contract/commands.md §3.7 (fields), contract/engine.md §1.4 (order
of checks, texts), contract/api.md e3 to e5 (what was measured). Limits are in UTF-8 bytes.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any, NoReturn

import msgspec

from coven_desktop.contract import digest, ids
from coven_desktop.contract.text import byte_length, echo, is_blank, is_unicode, trim
from coven_desktop.schedule import rrule, zones

STATUSES = ("ACTIVE", "PAUSED", "DISABLED")
BACKOFF_POLICIES = ("none", "fixed", "exponential")
RETRYABLE_CLASSES = ("transient_dispatch", "lease_expired", "runtime_unavailable")

LIFECYCLE_OF_STATUS: Mapping[str, str] = MappingProxyType(
    {"ACTIVE": "active", "PAUSED": "paused", "DISABLED": "disabled"}
)

ID_LIMIT = 96
NAME_LIMIT = 160
RUNTIME_LIMIT = 64
FAMILIAR_ID_LIMIT = 64
TIMEOUT_MINUTES_LIMIT = 44_640
MAX_ATTEMPTS_LIMIT = 10
BACKOFF_SECONDS_LIMIT = 86_400

# In the order in which a missing one is reported.
_REQUIRED = (
    "schemaVersion",
    "id",
    "name",
    "status",
    "rrule",
    "timezone",
    "misfire",
    "overlap",
    "timeoutMinutes",
    "runtime",
    "prompt",
)
_OPTIONAL = ("retry", "familiarId", "cwd", "outputTarget", "model", "tags")
_MEMBERS = frozenset((*_REQUIRED, *_OPTIONAL, "authority"))
_RETRY_MEMBERS = frozenset({"maxAttempts", "backoffPolicy", "backoffSeconds", "retryableClasses"})
_TEXTS = ("id", "name", "status", "rrule", "timezone", "misfire", "overlap", "runtime", "prompt")
_NULLABLE_TEXTS = ("familiarId", "cwd", "model")
_CHOICES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"status": STATUSES, "misfire": ("latest",), "overlap": ("forbid",)}
)


class RetryPolicy(msgspec.Struct, frozen=True, rename="camel"):
    """When a launch that began nothing is tried again; the default is never.

    `backoff_seconds` is seconds (None: not given, counts as 1), `retryable_classes` stand in the contract's order.
    """

    max_attempts: int = 1
    backoff_policy: str = "none"
    backoff_seconds: int | None = None
    retryable_classes: tuple[str, ...] = ()


class Definition(msgspec.Struct, frozen=True, rename="camel"):
    """A valid routine. `timezone` may still be `local`: the command resolves it before storing."""

    schema_version: int
    id: str
    name: str
    status: str
    rrule: str
    timezone: str
    misfire: str
    overlap: str
    timeout_minutes: int
    runtime: str
    prompt: str
    retry: RetryPolicy = RetryPolicy()
    familiar_id: str | None = None
    cwd: str | None = None
    model: str | None = None
    tags: tuple[str, ...] = ()


class DefinitionError(ValueError):
    """A body that is not a routine.

    `field` is the member at fault (`retry.maxAttempts` within retry, empty for the whole body), `message` a
    complete sentence, `suggestion` what was probably meant, where that can be known.
    """

    def __init__(self, field: str, message: str, suggestion: str | None = None) -> None:
        super().__init__(message)
        self.field = field
        self.message = message
        self.suggestion = suggestion


def parse(raw: Mapping[str, Any], *, drop_unknown: bool) -> tuple[Definition, tuple[str, ...]]:
    """The routine that a JSON object describes, and the names of unknown members that were dropped.

    With `drop_unknown` false an unknown member is refused; inside `retry` it always is. Raises DefinitionError
    for the first fault: shape first (in the order of the fields), then the limits in the contract's order.
    """
    dropped = _check_members(raw, drop_unknown)
    _check_shape(raw)
    _check_id(raw["id"])
    _check_text_length("name", trim(raw["name"]), NAME_LIMIT)
    _check_rrule(raw["rrule"])
    _check_range("timeoutMinutes", raw["timeoutMinutes"], TIMEOUT_MINUTES_LIMIT)
    retry = parse_retry(raw["retry"]) if "retry" in raw else RetryPolicy()
    if is_blank(raw["runtime"]):
        _refuse("runtime", "runtime must not be blank")
    _check_text_length("runtime", raw["runtime"], RUNTIME_LIMIT)
    if is_blank(raw["prompt"]):
        _refuse("prompt", "prompt must not be blank")
    if raw.get("familiarId") is not None:
        _check_text_length("familiarId", trim(raw["familiarId"]), FAMILIAR_ID_LIMIT)
    if raw.get("outputTarget") is not None:
        _refuse("outputTarget", "outputTarget is not supported until atomic delivery is certified")
    definition = Definition(
        schema_version=raw["schemaVersion"],
        id=raw["id"],
        name=raw["name"],
        status=raw["status"],
        rrule=raw["rrule"],
        timezone=raw["timezone"],
        misfire=raw["misfire"],
        overlap=raw["overlap"],
        timeout_minutes=raw["timeoutMinutes"],
        runtime=raw["runtime"],
        prompt=raw["prompt"],
        retry=retry,
        familiar_id=raw.get("familiarId"),
        cwd=raw.get("cwd"),
        model=raw.get("model"),
        tags=tuple(raw.get("tags", ())),
    )
    return definition, dropped


def parse_retry(raw: Any) -> RetryPolicy:
    """The retry policy that a JSON value describes: a closed object. DefinitionError for the first fault."""
    if not isinstance(raw, Mapping):
        _refuse("retry", f"retry must be an object, got {_kind(raw)}")
    for name in raw:
        if name not in _RETRY_MEMBERS:
            refuse_unknown("retry.", name, _RETRY_MEMBERS)
    for name in ("maxAttempts", "backoffPolicy"):
        if name not in raw:
            _refuse(f"retry.{name}", f"missing field `retry.{name}`")
    attempts, policy, seconds = raw["maxAttempts"], raw["backoffPolicy"], raw.get("backoffSeconds")
    classes = raw.get("retryableClasses", ())
    _check_integer("retry.maxAttempts", attempts)
    _check_text("retry.backoffPolicy", policy)
    _check_choice("retry.backoffPolicy", policy, BACKOFF_POLICIES)
    if seconds is not None:
        _check_integer("retry.backoffSeconds", seconds)
    if not isinstance(classes, list | tuple):
        _refuse("retry.retryableClasses", f"retry.retryableClasses must be a list of strings, got {_kind(classes)}")
    for name in classes:
        _check_text("retry.retryableClasses", name)
        _check_choice("retry.retryableClasses", name, RETRYABLE_CLASSES)
    _check_range("retry.maxAttempts", attempts, MAX_ATTEMPTS_LIMIT)
    if seconds is not None:
        _check_range("retry.backoffSeconds", seconds, BACKOFF_SECONDS_LIMIT)
    elif policy == "fixed":
        _refuse("retry.backoffSeconds", "retry.backoffSeconds is needed when retry.backoffPolicy is fixed")
    return RetryPolicy(attempts, policy, seconds, tuple(name for name in RETRYABLE_CLASSES if name in classes))


def stored(definition: Definition) -> dict[str, Any]:
    """The form that is stored and echoed: members sorted by name, absent ones and defaults left out."""
    members: dict[str, Any] = {
        "id": definition.id,
        "misfire": definition.misfire,
        "name": definition.name,
        "overlap": definition.overlap,
        "prompt": definition.prompt,
        "rrule": definition.rrule,
        "runtime": definition.runtime,
        "schemaVersion": definition.schema_version,
        "status": definition.status,
        "timeoutMinutes": definition.timeout_minutes,
        "timezone": definition.timezone,
    }
    for name, value in (("cwd", definition.cwd), ("familiarId", definition.familiar_id), ("model", definition.model)):
        if value is not None:
            members[name] = value
    if definition.tags:
        members["tags"] = list(definition.tags)
    if definition.retry != RetryPolicy():
        members["retry"] = _stored_retry(definition.retry)
    return dict(sorted(members.items()))


def stored_json(definition: Definition) -> str:
    """The canonical JSON text of the stored form: what the store keeps and the digest is taken of."""
    return digest.canonical(stored(definition)).decode("utf-8")


def definition_digest(definition: Definition) -> str:
    """SHA-256 (64 lower-case hex digits) of the canonical stored form."""
    return digest.digest(stored(definition))


def from_stored(text: str) -> Definition:
    """The routine of a stored body. DefinitionError when it is no longer a routine (decisions.md 31)."""
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError):
        raw = None
    if not isinstance(raw, dict):
        raise DefinitionError("", _sentence("the stored body is not a JSON object"))
    return parse(raw, drop_unknown=False)[0]


def with_timezone(definition: Definition, zone: str) -> Definition:
    """The same routine in another zone: `utc`, `local` or an exact IANA name. DefinitionError for anything else."""
    _check_timezone(zone)
    return msgspec.structs.replace(definition, timezone=zone)


def with_status(definition: Definition, status: str) -> Definition:
    """The same routine with another status: ACTIVE, PAUSED or DISABLED. DefinitionError for anything else."""
    _check_choice("status", status, STATUSES)
    return msgspec.structs.replace(definition, status=status)


def _check_members(raw: Mapping[str, Any], drop_unknown: bool) -> tuple[str, ...]:
    unknown = tuple(name for name in raw if name not in _MEMBERS)
    if unknown and not drop_unknown:
        refuse_unknown("", unknown[0], _MEMBERS)
    if raw.get("authority") is not None:
        # the contract's text, without the usual beginning
        raise DefinitionError("authority", "authority can only be declared through the versioned definition API")
    return tuple(echo(name) for name in unknown)


def _check_shape(raw: Mapping[str, Any]) -> None:
    for name in _REQUIRED:
        if name not in raw:
            _refuse(name, f"missing field `{name}`")
        if name in _TEXTS:
            _check_text(name, raw[name])
        else:
            _check_integer(name, raw[name])
        if name in _CHOICES:
            _check_choice(name, raw[name], _CHOICES[name])
        elif name == "schemaVersion" and raw[name] != 1:
            _refuse(name, "schemaVersion must be 1")
        elif name == "timezone":
            _check_timezone(raw[name])
    for name in _NULLABLE_TEXTS:
        if raw.get(name) is not None:
            _check_text(name, raw[name])
    if "tags" in raw:
        tags = raw["tags"]
        if not isinstance(tags, list | tuple):
            _refuse("tags", f"tags must be a list of strings, got {_kind(tags)}")
        for tag in tags:
            _check_text("tags", tag)


def _stored_retry(retry: RetryPolicy) -> dict[str, Any]:
    members: dict[str, Any] = {"backoffPolicy": retry.backoff_policy}
    if retry.backoff_seconds is not None:
        members["backoffSeconds"] = retry.backoff_seconds
    members["maxAttempts"] = retry.max_attempts
    if retry.retryable_classes:
        members["retryableClasses"] = list(retry.retryable_classes)
    return members


def _check_id(value: str) -> None:
    # One rule and one message: the reference refuses a leading `.`, `_` or `-` too, but in a second layer.
    if not ids.is_automation_id(value):
        _refuse("id", f"id must be 1 to {ID_LIMIT} letters, digits, `.`, `_` or `-`, beginning with a letter or digit")


def _check_rrule(text: str) -> None:
    try:
        rrule.parse(text)
    except rrule.RruleError as error:
        raise DefinitionError("rrule", f"rrule failed validation: {error.message}", error.suggestion) from None


def _check_timezone(name: str) -> None:
    if name == "local":
        return
    try:
        zones.require_name(name)
    except zones.ZoneError as error:
        _refuse("timezone", error.message, error.suggestion)


def _check_text(name: str, value: Any) -> None:
    if not isinstance(value, str):
        _refuse(name, f"{name} must be a string, got {_kind(value)}")
    if not is_unicode(value):
        _refuse(name, f"{name} holds half of a surrogate pair, which is not text")


def _check_integer(name: str, value: Any) -> None:
    # `type`, not `isinstance`: true is not 1
    if type(value) is not int:
        _refuse(name, f"{name} must be an integer, got {_kind(value)}")


def _check_text_length(name: str, value: str, limit: int) -> None:
    if is_blank(value):
        _refuse(name, f"{name} must not be blank")
    if byte_length(value) > limit:
        _refuse(name, f"{name} must be at most {limit} bytes long, got {byte_length(value)}")


def _check_range(name: str, value: int, limit: int) -> None:
    if not 1 <= value <= limit:
        _refuse(name, f"{name} must be between 1 and {limit}, got {echo(str(value))}")


def _check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value in choices:
        return
    meant = [choice for choice in choices if choice.lower() == trim(value).lower()]
    wanted = choices[0] if len(choices) == 1 else f"{', '.join(choices[:-1])} or {choices[-1]}"
    _refuse(name, f"{name} must be {wanted}, got `{echo(value)}`", meant[0] if meant else None)


def refuse_unknown(place: str, name: str, known: Collection[str]) -> NoReturn:
    """Refuse a member that a closed document does not have, with the known one that was probably meant.

    `place` is the path before the name, empty or ending in a full stop. Raises DefinitionError.
    """
    shown = echo(name)
    import difflib  # only a slip of the pen needs it

    close = difflib.get_close_matches(shown, known, n=1)
    _refuse(f"{place}{shown}", f"unknown field `{place}{shown}`", f"{place}{close[0]}" if close else None)


def _refuse(field: str, text: str, suggestion: str | None = None) -> NoReturn:
    raise DefinitionError(field, _sentence(text), suggestion)


def _sentence(text: str) -> str:
    return f"routine definition failed validation: {text}"


def _kind(value: Any) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list() | tuple():
            return "a list"
        case _:
            return "an object"
