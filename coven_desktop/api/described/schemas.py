"""Types as JSON Schema 2020-12, the dialect of OpenAPI 3.1."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from coven_desktop.api.described.model import Member, Type

COMPONENTS = "#/components/schemas/"


def schema(of: Type, *, exact: bool = False) -> dict[str, Any]:
    """The schema of a type; a type with a name is referred to.

    With `exact` every object has just the members that are described: for tests. Without it an object that is not
    closed may have others, which clients ignore, so that members can be added.
    """
    found = _reference(of) if of.name else body(of, exact=exact)
    return _or_null(found) if of.null else found


def body(of: Type, *, exact: bool = False) -> dict[str, Any]:
    """The schema of a type, written out even if it has a name; without null."""
    if of.each is not None:
        found: dict[str, Any] = {"type": "array", "items": schema(of.each, exact=exact), **of.schema}
        return {name: value for name, value in found.items() if (name, value) != ("minItems", 0)}
    if of.values is not None:
        return {"type": "object", "additionalProperties": schema(of.values, exact=exact)}
    if of.among:
        return {"anyOf": [schema(inner, exact=exact) for inner in of.among]}
    if of.members is None:
        return dict(of.schema)
    return _object(of, of.members, exact=exact)


def named(types: Iterable[Type]) -> dict[str, Type]:
    """Every type with a name that stands in these, by name."""
    found: dict[str, Type] = {}
    for of in types:
        for inner in _within(of):
            if inner.name:
                found[inner.name] = inner
    return dict(sorted(found.items()))


def _within(of: Type) -> Iterator[Type]:
    yield of
    inside = [member.type for member in of.members or ()]
    inside += [part for part in (of.each, of.values, *of.among) if part is not None]
    for inner in inside:
        yield from _within(inner)


def _object(of: Type, members: tuple[Member, ...], *, exact: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"type": "object"}
    if of.name:
        found["description"] = of.words
    found["properties"] = {member.name: _property(member, exact=exact) for member in members}
    required = [member.name for member in members if member.required]
    if required:
        found["required"] = required
    if of.closed or exact:
        found["additionalProperties"] = False
    return found


def _property(member: Member, *, exact: bool) -> dict[str, Any]:
    if member.otherwise == "ignored":
        # whatever else is sent counts as absent, so nothing is wrong
        return {"description": member.words}
    found = schema(member.type, exact=exact)
    return {**found, "description": member.words} if member.words else found


def _reference(of: Type) -> dict[str, Any]:
    return {"$ref": COMPONENTS + of.name}


def _or_null(found: dict[str, Any]) -> dict[str, Any]:
    if not found:
        return found
    if isinstance(found.get("type"), str) and "enum" not in found:
        return {**found, "type": [found["type"], "null"]}
    if "enum" in found:
        return {**found, "enum": [*found["enum"], None]}
    return {"anyOf": [found, {"type": "null"}]}
