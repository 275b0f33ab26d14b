"""The words in which an action is described: types, members, errors, and the description itself.

A type tells the same thing twice: in words for people, and as JSON Schema (2020-12) for programs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from coven_desktop.contract.errors import Code


@dataclass(frozen=True)
class Type:
    """A type of JSON values.

    `schema` is what a scalar must fit, or the bounds of a list; `members` are an object's (None: it is none), `each` is
    the type of a list's items, `values` that of every member of a map; `among` are the types that it is one of. An
    object with a `name` is told once, under that name. `closed`: it has no other members.
    """

    words: str
    schema: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    members: tuple[Member, ...] | None = None
    each: Type | None = None
    values: Type | None = None
    among: tuple[Type, ...] = ()
    closed: bool = False
    null: bool = False

    @property
    def or_null(self) -> Type:
        """The same type, or null."""
        return replace(self, null=True)


@dataclass(frozen=True)
class Member:
    """A member of a request or of an answer.

    `otherwise` is for requests: what happens to a value that is not of the type. `excludes` names a member of the
    request that it does not stand beside.
    """

    name: str
    type: Type
    words: str = ""
    required: bool = True
    otherwise: Literal["refused", "ignored"] = "refused"
    excludes: str = ""


@dataclass(frozen=True)
class Error:
    """A refusal that an action can answer, and when. `code` is None for one that has none: HTTP 400 and a reason."""

    code: Code | None
    when: str


@dataclass(frozen=True)
class Description:
    """One action.

    `answer` is the payload, which stands in `event.payload`, in `result`, or in both (unless something else stands
    `in_event`); `kind` is the event's kind. `closed`: the body takes no other members; otherwise none of those that
    are `forbidden`. `key` says by what a repeated request is known: the `adoptionKey`, the optional `intentId`, or
    nothing. `wakes`: success makes the scheduler look at once for what is to be done.
    """

    action: str
    summary: str
    fields: tuple[Member, ...]
    answer: Type
    errors: tuple[Error, ...] = ()
    words: str = ""
    in_event: Type | None = None
    answers_in: Literal["event", "result", "both"] = "event"
    kind: str = "automations.changed"
    closed: bool = False
    forbidden: tuple[str, ...] = ()
    key: Literal["none", "intentId", "adoptionKey"] = "none"
    wakes: bool = False


@dataclass(frozen=True)
class Route:
    """One path. `parameters` stand in the path or the query; `errors` are the codes of the route error shape."""

    path: str
    summary: str
    answer: Type
    alias: str = ""
    method: Literal["get", "post"] = "get"
    status: int = 200
    path_parameters: tuple[Member, ...] = ()
    query: tuple[Member, ...] = ()
    body: Type | None = None
    errors: tuple[tuple[int, str, str], ...] = ()
    words: str = ""


def optional(
    name: str,
    of: Type,
    words: str = "",
    *,
    otherwise: Literal["refused", "ignored"] = "refused",
    excludes: str = "",
) -> Member:
    """A member that may be absent."""
    return Member(name, of, words, required=False, otherwise=otherwise, excludes=excludes)


def shape(*members: Member, name: str = "", words: str = "object", closed: bool = False) -> Type:
    """An object with these members."""
    return Type(words, name=name, members=members, closed=closed)


def list_of(each: Type, least: int = 0, most: int | None = None) -> Type:
    """A list of so many of these."""
    bounds = {"minItems": least} | ({} if most is None else {"maxItems": most})
    count = "" if most is None else f"{least:,} to {most:,} "
    return Type(f"list of {count}", bounds, each=each)


def map_of(values: Type, words: str) -> Type:
    """An object whose members all have this type; `words` say what their names are."""
    return Type(words, values=values)


def any_of(*among: Type) -> Type:
    """A value of one of these types."""
    return Type(" or ".join(of.words for of in among), among=among)


def choice(*values: str) -> Type:
    """One of these texts."""
    return Type(" or ".join(f"`{value}`" for value in values), {"enum": list(values)})
