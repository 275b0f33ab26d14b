"""The descriptions as an OpenAPI 3.1 document."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from coven_desktop import __version__
from coven_desktop.api.described import actions, errors, routes, service
from coven_desktop.api.described.model import Description, Member, Route, Type, shape
from coven_desktop.api.described.scalars import TEXT, exactly
from coven_desktop.api.described.schemas import COMPONENTS, body, named, schema
from coven_desktop.contract.errors import HTTP_STATUS

ACTIONS = routes.PREFIX + "/actions"


def document(examples: dict[str, Any]) -> dict[str, Any]:
    """The whole document. `examples` has `request` and `answer` for each action."""
    paths: dict[str, Any] = {}
    for path in (ACTIONS, ACTIONS.removeprefix(routes.PREFIX)):
        paths[path] = {"post": _actions(examples, alias=path != ACTIONS)}
    for route in routes.ALL:
        for path in (route.path, route.alias):
            if path:
                paths.setdefault(path, {})[route.method] = _route(route, alias=path != route.path)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Coven Desktop",
            "version": __version__,
            "summary": "Recurring work of command-line agents, over a Unix socket.",
            "description": "Spoken over the Unix socket `coven.sock` in the home of the app, by the same user alone.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "http://coven", "description": "The Unix socket; the name of the host does not matter."}],
        "security": [],
        "tags": [{"name": "actions"}, {"name": "reads"}],
        "paths": paths,
        "components": {"schemas": _components()},
    }


def text(examples: dict[str, Any]) -> str:
    """The document as it stands in openapi.json."""
    return json.dumps(document(examples), indent=1, ensure_ascii=False) + "\n"


def request(described: Description) -> Type:
    """The whole body of a request for an action."""
    common = () if described.closed else COMMON
    members = (Member("action", exactly(described.action)), *described.fields, *common)
    return shape(*members, name=_component("request", described), words=described.summary, closed=described.closed)


COMMON = (
    Member("origin", TEXT, "Who asks; told back in the event.", required=False, otherwise="ignored"),
    Member("intentId", TEXT, "Names the request; told back in the event.", required=False, otherwise="ignored"),
)


def _component(what: str, described: Description) -> str:
    return f"{what}.{described.action}"


def _answer(described: Description) -> Type:
    found = service.success(described)
    return shape(*(found.members or ()), name=_component("answer", described), words=described.summary)


def _types() -> Iterable[Type]:
    for described in actions.ALL.values():
        yield request(described)
        yield _answer(described)
    for route in routes.ALL:
        yield route.answer
        if route.body is not None:
            yield route.body
    yield from (service.REJECTION, service.ROUTE_ERROR)


def _components() -> dict[str, Any]:
    return {name: body(of) for name, of in named(_types()).items()}


def _actions(examples: dict[str, Any], *, alias: bool) -> dict[str, Any]:
    """The one path of all actions; which it is stands in the body."""
    statuses = {400, *(HTTP_STATUS[code] for code in errors.answered()), *(status for status, _, _ in routes.TRANSPORT)}
    return {
        "operationId": "actions" + ("Alias" if alias else ""),
        "summary": "Carry out an action.",
        "tags": ["actions"],
        "requestBody": {"required": True, "content": _told("request", {} if alias else examples)},
        "responses": {
            "200": {"description": "It was carried out.", "content": _told("answer", {} if alias else examples)},
            **{str(status): _refused(status) for status in sorted(statuses)},
        },
    }


def _told(what: str, examples: dict[str, Any]) -> dict[str, Any]:
    content = _json(_one_of(what))
    if examples:
        content["application/json"]["examples"] = {action: {"value": examples[action][what]} for action in actions.ALL}
    return content


def _refused(status: int) -> dict[str, Any]:
    """A refusal by an action, by the transport, or by either."""
    codes = [code.value for code in errors.answered() if HTTP_STATUS[code] == status]
    transport = [code for other, code, _ in routes.TRANSPORT if other == status]
    shapes = [service.REJECTION] if codes or status == 400 else []
    shapes += [service.ROUTE_ERROR] if transport else []
    found = schema(shapes[0]) if len(shapes) == 1 else {"anyOf": [schema(of) for of in shapes]}
    return {"description": ", ".join([*codes, *transport]), "content": _json(found)}


def _one_of(what: str) -> dict[str, Any]:
    mapping = {action: COMPONENTS + _component(what, described) for action, described in actions.ALL.items()}
    return {
        "oneOf": [{"$ref": reference} for reference in mapping.values()],
        "discriminator": {"propertyName": "action", "mapping": mapping},
    }


def _route(route: Route, *, alias: bool) -> dict[str, Any]:
    parts = [part for part in route.path.removeprefix(routes.PREFIX).split("/") if part]
    name = "".join(part.strip("{}").title().replace("-", "").replace(".", "") for part in parts)
    operation: dict[str, Any] = {
        "operationId": route.method + name + ("Alias" if alias else ""),
        "summary": route.summary,
        "tags": ["reads"],
    }
    if route.words:
        operation["description"] = route.words
    parameters = [_parameter(member, "path") for member in route.path_parameters]
    parameters += [_parameter(member, "query") for member in route.query]
    if parameters:
        operation["parameters"] = parameters
    if route.body is not None:
        operation["requestBody"] = {"required": True, "content": _json(schema(route.body))}
    responses = {str(route.status): {"description": route.summary, "content": _json(schema(route.answer))}}
    by_status: dict[int, list[str]] = {}
    for status, code, when in route.errors:
        by_status.setdefault(status, []).append(f"`{code}`: {when}.")
    for status, told in by_status.items():
        responses[str(status)] = {"description": " ".join(told), "content": _json(schema(service.ROUTE_ERROR))}
    others = {"description": "See the errors of the transport.", "content": _json(schema(service.ROUTE_ERROR))}
    operation["responses"] = {**dict(sorted(responses.items())), "default": others}
    return operation


def _parameter(member: Member, place: str) -> dict[str, Any]:
    found = {"name": member.name, "in": place, "required": member.required, "schema": schema(member.type)}
    return {**found, "description": member.words} if member.words else found


def _json(of: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": of}}
