"""Where the output of a routine's runs goes: the `delivery` of cadence and cron routines (design/schedules.md).

A document of a routine is judged by itself here; whether a folder is there is seen when something is delivered.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NoReturn, cast

import msgspec

from coven_desktop.contract.definition import DefinitionError, refuse_unknown

Kind = Literal["file", "notification"]
Mode = Literal["replace", "append"]

_MEMBERS: Mapping[str, tuple[str, ...]] = {"file": ("kind", "path", "mode"), "notification": ("kind",)}
MODES: tuple[Mode, ...] = ("replace", "append")
PATH_LIMIT = 4_095
"""In bytes of UTF-8: what Linux takes as a path."""


class Delivery(msgspec.Struct, frozen=True):
    """Into the file at `path`, in place of what is there or behind it; or as a notification, without the other two."""

    kind: Kind
    path: str | None = None
    mode: Mode | None = None


def parse(raw: Any) -> Delivery:
    """The delivery that a JSON object describes. Raises DefinitionError for the first fault, as `delivery.path`."""
    if not isinstance(raw, Mapping):
        _refuse("delivery", "delivery must be an object with kind file or notification")
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in _MEMBERS:
        _refuse("delivery.kind", "delivery.kind must be file or notification")
    for name in raw:
        if name not in _MEMBERS[kind]:
            if name in _MEMBERS["file"]:
                _refuse(f"delivery.{name}", f"delivery.{name} is for kind file; leave it out")
            refuse_unknown("delivery.", name, _MEMBERS[kind])
    if kind == "notification":
        return Delivery(kind="notification")
    path = _path(raw.get("path"))
    mode = raw.get("mode")
    if mode not in MODES:
        _refuse("delivery.mode", "delivery.mode must be replace or append")
    return Delivery(kind="file", path=path, mode=cast(Mode, mode))


def stored(delivery: Delivery) -> dict[str, str]:
    """The form that is stored and echoed: members sorted by name."""
    members = {"kind": delivery.kind, "path": delivery.path, "mode": delivery.mode}
    return {name: value for name, value in sorted(members.items()) if value is not None}


def _path(value: Any) -> str:
    if not isinstance(value, str) or not value:
        _refuse("delivery.path", "delivery.path must be the whole path of a file, such as /home/me/report.txt")
    if value.startswith("~"):
        _refuse("delivery.path", "delivery.path must be written out: `~` is not replaced by a home folder")
    if not value.startswith("/"):
        _refuse("delivery.path", "delivery.path must be absolute: it begins with /")
    if any(ord(letter) < 0x20 or ord(letter) == 0x7F for letter in value):
        _refuse("delivery.path", "delivery.path must be one line without control characters")
    if value.rsplit("/", 1)[1] in ("", ".", ".."):
        _refuse("delivery.path", "delivery.path must name a file; this names a folder")
    if len(value.encode("utf-8")) > PATH_LIMIT:
        _refuse("delivery.path", f"delivery.path must have at most {PATH_LIMIT} bytes")
    return value


def _refuse(field: str, text: str) -> NoReturn:
    raise DefinitionError(field, f"routine definition failed validation: {text}")
