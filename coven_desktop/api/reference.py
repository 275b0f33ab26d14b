"""Writes the reference in README.md and the document openapi.json from the descriptions: `python -m` this module.

Run it after a description, an example or the version has changed; tests/api/test_reference.py fails until then. The
app serves the document as it lies here, so that neither it nor the descriptions are in memory before it is asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from coven_desktop.api.described import actions, errors, openapi, routes, schemas, service
from coven_desktop.api.described.guide import GUIDE
from coven_desktop.api.described.model import Description, Member, Route, Type
from coven_desktop.contract.errors import HTTP_STATUS

README = Path(__file__).with_name("README.md")
DOCUMENT = Path(__file__).with_name("openapi.json")
EXAMPLES = Path(__file__).with_name("described") / "examples.json"
BEGIN = "<!-- Written by `python -m coven_desktop.api.reference`; change coven_desktop/api/described/ instead. -->"
END = "<!-- The end of what is written by coven_desktop.api.reference. -->"

WIDTH = 100

Examples = Mapping[str, Mapping[str, Any]]


def reference(examples: Examples) -> str:
    """The reference, from its table of contents to the shapes."""
    shapes = _shapes()
    parts = [
        *_contents(shapes),
        *(_guide()),
        "## Actions",
        "",
        *_overview(),
        *(line for subject, found in actions.SUBJECTS.items() for line in _subject(subject, found, examples)),
        "## Paths",
        "",
        *(line for route in routes.ALL for line in _route(route)),
        "## Shapes",
        "",
        "Members that are not described here may be added at any time: leave alone what you do not know.",
        "",
        *(line for name, of in shapes.items() for line in _shape(name, of)),
    ]
    return "\n".join(parts)


def with_reference(readme: str, examples: Examples) -> str:
    """A README with its reference written anew; what stands around it is left as it is."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"README.md needs the two lines {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{reference(examples)}\n{END}{after}"


def recorded() -> dict[str, Any]:
    """The examples: for each action its `request` and the whole `answer`."""
    found: dict[str, Any] = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return found


def write() -> None:
    """Write both files."""
    examples = recorded()
    README.write_text(with_reference(README.read_text(encoding="utf-8"), examples), encoding="utf-8")
    DOCUMENT.write_text(openapi.text(examples), encoding="utf-8")


def anchor(heading: str) -> str:
    """What a link to a heading says, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def links(readme: str) -> list[str]:
    """The anchors that a README's links within it lead to."""
    return re.findall(r"\]\(#([^)]+)\)", readme)


# --- its parts --------------------------------------------------------------------------------------------------------


def _shapes() -> dict[str, Type]:
    answers = [found.answer for found in actions.ALL.values()]
    asked = [member.type for found in actions.ALL.values() for member in found.fields]
    told = [*(route.answer for route in routes.ALL), service.REJECTION, service.ROUTE_ERROR]
    return schemas.named([*answers, *asked, *told])


def _contents(shapes: Iterable[str]) -> Iterator[str]:
    yield "## Contents"
    yield ""
    for heading in re.findall(r"^## (.+)$", GUIDE, re.MULTILINE):
        yield f"- {_link(heading)}"
    yield f"- {_link('Actions')}"
    for subject, found in actions.SUBJECTS.items():
        yield f"  - {subject}: " + ", ".join(_link(f"`{described.action}`") for described in found)
    yield f"- {_link('Paths')}: " + ", ".join(_link(_path_heading(route)) for route in routes.ALL)
    yield f"- {_link('Shapes')}: " + ", ".join(_link(name) for name in shapes)
    yield ""


def _guide() -> list[str]:
    told = GUIDE.replace("{errors}", "\n".join(_codes()))
    return told.replace("{transport}", "\n".join(_route_errors(routes.TRANSPORT))).split("\n")


def _codes() -> Iterator[str]:
    yield "| code | HTTP | `retryable` | meaning |"
    yield "|---|---|---|---|"
    for code in errors.answered():
        retryable, meaning = errors.MEANINGS[code]
        yield f"| `{code}` | {HTTP_STATUS[code]} | {retryable} | {meaning} |"


def _overview() -> Iterator[str]:
    common = ", ".join(f"`{error.code}`" for error in errors.COMMON)
    yield f"Beside the errors that are listed, every action can answer {common}."
    yield "A body that is not strict JSON, not an object, or without `action` is refused without a code, as is an"
    yield "action that nobody knows. A field that is not called required may be left out. The field that names the"
    yield "routine is `id` in most actions and `automationId` in some; in envelopes it is always `automationId`."
    yield ""
    yield "| action | answers in | known by | wakes |"
    yield "|---|---|---|---|"
    for found in actions.ALL.values():
        key = "" if found.key == "none" else f"`{found.key}`"
        yield f"| {_link(f'`{found.action}`')} | {_answers_in(found)} | {key} | {'yes' if found.wakes else ''} |"
    yield ""
    yield "*Known by*: what makes a repeated request the same one. *Wakes*: the scheduler looks at once for what it can"
    yield "do; otherwise a change takes effect when it looks next, within a minute."
    yield ""


def _subject(subject: str, found: Iterable[Description], examples: Examples) -> Iterator[str]:
    yield f"### {subject}"
    yield ""
    for described in found:
        yield from _action(described, examples[described.action])


def _action(described: Description, example: Mapping[str, Any]) -> Iterator[str]:
    yield f"#### `{described.action}`"
    yield ""
    yield described.summary + (f" {described.words}" if described.words else "")
    yield ""
    if described.fields:
        yield "| field | type | |"
        yield "|---|---|---|"
        yield from _rows(described.fields, asked=True)
    else:
        yield "No fields beside `action`."
    yield ""
    others = "Any other member is refused." if described.closed else "Other members are ignored."
    if described.forbidden:
        others = f"{' and '.join(f'`{name}`' for name in described.forbidden)} must be absent. {others}"
    kind = "" if described.answers_in == "result" else f", in an event of the kind `{described.kind}`"
    yield f"{others} It answers in {_answers_in(described)}{kind}:"
    yield ""
    yield from _answer(described.answer)
    if described.errors:
        yield "| error | when |"
        yield "|---|---|"
        for error in described.errors:
            code = "400 without a code" if error.code is None else f"{HTTP_STATUS[error.code]} `{error.code}`"
            yield f"| {code} | {error.when} |"
        yield ""
    yield "<details><summary>Example</summary>"
    yield ""
    yield from _json(example["request"])
    yield from _json(example["answer"])
    yield "</details>"
    yield ""


def _answer(of: Type) -> Iterator[str]:
    if of.name or of.members is None:
        yield f"{_told(of)}."
    else:
        yield "| member | type | |"
        yield "|---|---|---|"
        yield from _rows(of.members, asked=False)
    yield ""


def _route(route: Route) -> Iterator[str]:
    yield f"### {_path_heading(route)}"
    yield ""
    alias = f" Also at `{route.alias}`." if route.alias else ""
    yield route.summary + (f" {route.words}" if route.words else "") + alias
    yield ""
    asked = (*route.path_parameters, *route.query, *((route.body.members or ()) if route.body else ()))
    if asked:
        yield "| parameter | type | |"
        yield "|---|---|---|"
        yield from _rows(asked, asked=True)
        yield ""
    yield f"Answers {route.status}: {_told(route.answer)}."
    yield ""
    if route.errors:
        yield from _route_errors(route.errors)
        yield ""


def _route_errors(found: Iterable[tuple[int, str, str]]) -> Iterator[str]:
    yield "| error | when |"
    yield "|---|---|"
    for status, code, when in found:
        yield f"| {status} `{code}` | {when} |"


def _shape(name: str, of: Type) -> Iterator[str]:
    yield f"### {name}"
    yield ""
    yield of.words
    yield ""
    yield "| member | type | |"
    yield "|---|---|---|"
    yield from _rows(of.members or (), asked=False)
    yield ""


def _rows(members: Iterable[Member], *, asked: bool, place: str = "") -> Iterator[str]:
    """A row for each member; those of an object without a name follow it."""
    for member in members:
        if member.required:
            need = "Required. " if asked else ""
        else:
            need = "" if asked else "May be absent. "
        beside = f" Not together with `{member.excludes}`." if member.excludes else ""
        ignored = " A value of another type counts as absent." if member.otherwise == "ignored" else ""
        yield f"| `{place}{member.name}` | {_told(member.type)} | {need}{member.words}{beside}{ignored} |".replace(
            "  ", " "
        )
        inner, step = member.type, "."
        if inner.each is not None:
            inner, step = inner.each, "[]."
        if inner.members and not inner.name:
            yield from _rows(inner.members, asked=asked, place=f"{place}{member.name}{step}")


def _told(of: Type) -> str:
    """A type in words, with a link to its shape."""
    if of.each is not None:
        told = of.words + _told(of.each)
    elif of.among:
        told = " or ".join(_told(inner) for inner in of.among)
    elif of.name:
        told = _link(of.name)
    else:
        told = of.words
    return f"{told} or null" if of.null else told


def _answers_in(described: Description) -> str:
    return {"event": "`event.payload`", "result": "`result`", "both": "`result` and `event.payload`"}[
        described.answers_in
    ]


def _path_heading(route: Route) -> str:
    return f"`{route.method.upper()} {route.path}`"


def _json(value: Any) -> Iterator[str]:
    yield "```json"
    yield from _laid_out(value, "").split("\n")
    yield "```"
    yield ""


def _laid_out(value: Any, margin: str) -> str:
    """JSON with everything on one line that fits there."""
    line = json.dumps(value, ensure_ascii=False)
    if len(margin) + len(line) <= WIDTH or not isinstance(value, dict | list):
        return line
    inner = margin + "  "
    if isinstance(value, list):
        parts = [_laid_out(part, inner) for part in value]
    else:
        parts = [f"{json.dumps(name)}: {_laid_out(part, inner)}" for name, part in value.items()]
    first, last = ("[", "]") if isinstance(value, list) else ("{", "}")
    return f"{first}\n" + ",\n".join(inner + part for part in parts) + f"\n{margin}{last}"


def _link(heading: str) -> str:
    return f"[{heading}](#{anchor(heading)})"


if __name__ == "__main__":
    write()
