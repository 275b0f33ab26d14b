"""What stands beside a routine's closed definition: environment variables, and secrets by name (decisions.md 41).

A secret is named as the environment variable that its value reaches the command in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from coven_desktop.contract.text import byte_length, echo, is_unicode

VARIABLES_LIMIT = 64
SECRETS_LIMIT = 32
NAME_LIMIT = 96
VALUE_LIMIT = 8_192
"""Bytes in UTF-8, of a variable's value and of a secret's."""
IDS = frozenset({"COVEN_AUTOMATION_ID", "COVEN_RUN_ID", "COVEN_SESSION_ID", "COVEN_FAMILIAR_ID"})
"""What every run is told of itself."""
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_VARIABLE_WORDS = f"1 to {NAME_LIMIT} letters, digits and _, not a digit first"


class SettingsError(ValueError):
    """`member` is what is wrong (`environment.NAME`, `secrets`), the text says what would be right."""

    def __init__(self, member: str, sentence: str) -> None:
        super().__init__(sentence)
        self.member = member


@dataclass(frozen=True)
class RoutineSettings:
    """`secrets` are names in their order. Without anything it is what a routine has that nobody gave any."""

    environment: Mapping[str, str] = field(default_factory=dict)
    secrets: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """As it stands in a request, an answer and an export."""
        return {"environment": dict(self.environment), "secrets": list(self.secrets)}


def is_variable(name: object) -> bool:
    """Whether a variable or a secret may be called so."""
    return isinstance(name, str) and len(name) <= NAME_LIMIT and _VARIABLE.fullmatch(name) is not None


def parse(raw: object) -> RoutineSettings:
    """The settings of a JSON value, which has both members. Raises SettingsError, which never repeats a value."""
    if not isinstance(raw, Mapping):
        raise SettingsError("settings", "settings must be an object with environment and secrets")
    for member in raw:
        if member not in ("environment", "secrets"):
            raise SettingsError(
                "settings", f"settings has no member {echo(str(member))}; it takes environment and secrets"
            )
    environment = _environment(raw.get("environment"))
    return RoutineSettings(environment, _secrets(raw.get("secrets"), environment))


def of_export(found: object) -> RoutineSettings:
    """The settings of a routine as the app and an export tell them, which have more, or none. Raises SettingsError."""
    told = found if isinstance(found, Mapping) else {}
    return parse({"environment": told.get("environment", {}), "secrets": told.get("secrets", [])})


def check_value(value: object, member: str) -> str:
    """A value as a command can be given it. Raises SettingsError, which never repeats it."""
    if not isinstance(value, str) or "\0" in value or not is_unicode(value) or byte_length(value) > VALUE_LIMIT:
        raise SettingsError(member, f"{member} must be text without NUL, of at most {VALUE_LIMIT:,} bytes")
    return value


def _environment(raw: object) -> dict[str, str]:
    if not isinstance(raw, Mapping):
        raise SettingsError("environment", "environment must be an object of names and texts")
    if len(raw) > VARIABLES_LIMIT:
        raise SettingsError("environment", f"environment must have at most {VARIABLES_LIMIT} variables, got {len(raw)}")
    for name, value in raw.items():
        _check_name(name, "environment")
        check_value(value, f"environment.{name}")
    return dict(raw)


def _secrets(raw: object, environment: Mapping[str, str]) -> tuple[str, ...]:
    if not isinstance(raw, list) or not all(isinstance(name, str) for name in raw):
        raise SettingsError("secrets", "secrets must be a list of names")
    if len(raw) > SECRETS_LIMIT:
        raise SettingsError("secrets", f"secrets must have at most {SECRETS_LIMIT} names, got {len(raw)}")
    for name in raw:
        _check_name(name, "secrets")
        if name in environment:
            raise SettingsError("secrets", f"secrets has {name}, which environment has too: use one of the two")
    return tuple(dict.fromkeys(raw))


def _check_name(name: str, member: str) -> None:
    if not is_variable(name):
        raise SettingsError(member, f"{member} has the name `{echo(name)}`; a name has {_VARIABLE_WORDS}")
    if name in IDS:
        raise SettingsError(member, f"{member} has the name {name}, which every run is given already")
