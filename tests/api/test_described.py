"""Every description is held against what the socket does: documentation cannot lie.

For each action the example is asked and its whole answer must be the recorded one, with the members described and no
others; then each field is left out, and is sent as everything that its type says it is not.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.api.described import actions, events, service
from coven_desktop.api.described.model import Description, Member, Type
from coven_desktop.contract.errors import HTTP_STATUS
from tests.api import scenes
from tests.api.conftest import Served
from tests.api.scenes import SCENES, ask, stage
from tests.api.schemas import fits, fits_exactly
from tests.engine.conftest import HOUR, MINUTE

RECORDED: Mapping[str, Any] = json.loads(scenes.EXAMPLES.read_text(encoding="utf-8"))
RECORD_ANEW = "the example has changed: run `python -m tests.api.scenes`, then `python -m coven_desktop.api.reference`"
ACTIONS = sorted(actions.ALL)
UNKNOWN = "notKnownAtAll"

ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 7, 1.5, 10**15, "", " ", "x", "\u00e9 \u00e9", "x" * 2_000),
    *([], [1], [None], ["x"], {}, {"x": 1}),
)
# What stands in for an optional member that the example does not bring, so that its own members can be looked at.
STAND_INS: Mapping[str, Any] = {"retry": {"maxAttempts": 2, "backoffPolicy": "fixed", "backoffSeconds": 5}}

Steps = tuple[str, ...]


def test_every_action_is_described_and_every_description_is_an_action(served: Served) -> None:
    offered = {action for entry in served.get("/capabilities").body["capabilities"] for action in entry["actions"]}
    assert offered == set(actions.ALL), "describe it in coven_desktop/api/described/, or take its description away"
    assert len(actions.ALL) == sum(len(subject) for subject in actions.SUBJECTS.values())


def test_every_action_has_an_example() -> None:
    assert set(SCENES) == set(actions.ALL), "give it a scene in tests/api/scenes.py"
    assert set(RECORDED) == set(SCENES), RECORD_ANEW


@pytest.mark.parametrize("action", ACTIONS)
def test_the_example_is_what_happens(action: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    described = actions.ALL[action]
    with stage(tmp_path) as served:
        request = SCENES[action](served)
        assert {"action": action, **request} == RECORDED[action]["request"], RECORD_ANEW
        wakes = _count_wakes(served, monkeypatch)
        adopted = _adopted(served)
        reply = ask(served, action, request)
        woken = len(wakes)
        assert reply.body == RECORDED[action]["answer"], RECORD_ANEW
        fits_exactly(service.success(described), reply.body)
        assert (woken > 0) is described.wakes
        assert (_adopted(served) > adopted) is (described.key != "none")
        if described.key != "none":
            _replays(served, described, request, reply.body)


def test_events_are_as_described(tmp_path: Path) -> None:
    with stage(tmp_path) as served:
        scenes.versioned(served)
        served.bench.clock.advance(5 * 24 * HOUR)
        served.bench.advance(MINUTE)
        served.bench.end(3)
        found = scenes.run(served)
        asked = {"adoptionKey": "adopt:busy:0001", "occurrenceId": found["occurrenceId"]}
        assert served.act("occurrence.cancel.v1", **asked).status == 200
        asked = {"adoptionKey": "adopt:busy:0002", "id": "morning-notes"}
        assert served.act("definition.tombstone.v1", **asked, expectedRevision=1).status == 200
        page = served.act("events.read.v1", stream={"kind": "feed", "id": "all"}, limit=1_000).body["result"]
        fits_exactly(events.PAGE, page)
        kinds = {event["kind"] for event in page["events"]}
        assert {"definition.tombstoned", "occurrence.misfire_recorded", "attempt.transitioned"} <= kinds
        for event in page["events"]:
            fits_exactly(events.PAYLOADS[event["kind"].partition(".")[0]], event["payload"])


def _replays(served: Served, described: Description, request: dict[str, Any], first: dict[str, Any]) -> None:
    """The same request again is a replay, and another one under its key is refused."""
    adopted = _adopted(served)
    again = ask(served, described.action, request)
    fits_exactly(service.success(described), again.body)
    assert _adopted(served) == adopted
    if described.key == "intentId":
        assert again.body == first
        other = ask(served, described.action, {**request, **_another(described, request)})
        assert (other.status, other.body.get("error")) == (400, None)
        return
    if described.closed:
        assert "reason" in again.body
    else:
        assert again.body["result"]["outcome"] == "replayed"
        assert again.body["result"]["result"] == first["result"]["result"]
    other = ask(served, described.action, {**request, **_another(described, request)})
    assert (other.status, other.body["error"]["code"]) == (409, "ADOPTION_REPLAY_MISMATCH")


def _another(described: Description, request: Mapping[str, Any]) -> dict[str, Any]:
    """A change that makes it another request."""
    if "definition" in request:
        return {"definition": {**request["definition"], "name": "Other"}}
    last = described.fields[-1].name
    return {"expectedRevision": 9} if last == "expectedRevision" else {last: "other"}


@pytest.mark.parametrize("action", ACTIONS)
def test_its_fields_are_as_described(action: str, tmp_path: Path) -> None:
    described = actions.ALL[action]
    refused = {(_status(code), code) for code in (error.code for error in described.errors)}
    with stage(tmp_path) as served:
        request = SCENES[action](served)
        for path, changed in _faults(described, request):
            reply = ask(served, action, changed)
            code = reply.body.get("error", {}).get("code")
            told = f"{'.'.join(path)}: {json.dumps(changed)[:600]}"
            assert (reply.status, code) in refused, f"{told}: {reply.body}"
            assert reply.status in (400, 422), told
            fits_exactly(service.REJECTION, reply.body)
            # only the versioned actions have one sentence for all faults of a definition
            names = path[1:] if code is None and path[1:] else path
            assert any(name in reply.body["reason"] for name in names), f"{told}: {reply.body}"
        # nothing of all that did anything, and what may be left out or be anything may
        lenient = _lenient(described, request)
        if described.key == "adoptionKey":
            lenient["adoptionKey"] = "adopt:lenient:0001"
        reply = ask(served, action, lenient)
        assert reply.status == 200, (lenient, reply.body)
        fits_exactly(service.success(described), reply.body)


def _faults(described: Description, request: Mapping[str, Any]) -> Iterator[tuple[Steps, dict[str, Any]]]:
    """Requests with one fault each, and where it is."""
    whole = dict(request)
    number = 0

    def fresh(changed: dict[str, Any]) -> dict[str, Any]:
        nonlocal number
        number += 1
        spent = described.key == "adoptionKey" and changed.get("adoptionKey") == request["adoptionKey"]
        return {**changed, "adoptionKey": f"adopt:fault:{number:06}"} if spent else changed

    for path, member in _members(described.fields, ()):
        around = _with_parents(whole, path)
        if member.required:
            yield path, fresh(_without(around, path))
        if member.otherwise == "ignored":
            continue
        for value in _values(member.type):
            if not fits(member.type, value):
                yield path, fresh(_with(around, path, value))
        if member.type.closed:
            yield (*path, UNKNOWN), fresh(_with(_with_parents(whole, (*path, UNKNOWN)), (*path, UNKNOWN), 1))
    for name in (UNKNOWN, "origin", "intentId") if described.closed else described.forbidden:
        for value in (None, 1, "x"):
            yield (name,), fresh({**whole, name: value})


def _values(of: Type) -> Iterator[Any]:
    """Odd values, and those just beyond the bounds of a type."""
    yield from ODD
    least, most, longest = (of.schema.get(name) for name in ("minimum", "maximum", "maxLength"))
    if least is not None:
        yield least - 1
    if most is not None and most < 2**53 - 1:
        yield most + 1
    if longest is not None:
        yield "x" * (longest + 1)


def _members(fields: tuple[Member, ...], path: Steps) -> Iterator[tuple[Steps, Member]]:
    for member in fields:
        yield (*path, member.name), member
        yield from _members(member.type.members or (), (*path, member.name))


def _with_parents(request: Mapping[str, Any], path: Steps) -> dict[str, Any]:
    """The request with everything that the member stands in."""
    found = copy.deepcopy(dict(request))
    inner: Any = found
    for name in path[:-1]:
        inner = inner.setdefault(name, copy.deepcopy(STAND_INS.get(name)))
    return found


def _with(request: Mapping[str, Any], path: Steps, value: Any) -> dict[str, Any]:
    found = copy.deepcopy(dict(request))
    _at(found, path[:-1])[path[-1]] = value
    return found


def _without(request: Mapping[str, Any], path: Steps) -> dict[str, Any]:
    found = copy.deepcopy(dict(request))
    del _at(found, path[:-1])[path[-1]]
    return found


def _at(request: Mapping[str, Any], path: Steps) -> Any:
    found: Any = request
    for name in path:
        found = found[name]
    return found


def _lenient(described: Description, request: Mapping[str, Any]) -> dict[str, Any]:
    """The request without what is optional, with null where null is the same, and with members that nobody knows."""
    found: dict[str, Any] = {}
    for member in described.fields:
        if member.required:
            found[member.name] = request[member.name]
        elif member.otherwise == "ignored":
            found[member.name] = {"odd": True}
        elif member.type.null:
            found[member.name] = None
    return found if described.closed else {**found, UNKNOWN: 1, "origin": 7, "intentId": ["x"]}


def _status(code: Any) -> int:
    return 400 if code is None else HTTP_STATUS[code]


def _adopted(served: Served) -> int:
    ((count,),) = served.bench.rows("SELECT count(*) FROM adoptions")
    return int(count)


def _count_wakes(served: Served, monkeypatch: pytest.MonkeyPatch) -> list[None]:
    found: list[None] = []
    wake = served.bench.engine.wake

    def counted() -> None:
        found.append(None)
        wake()

    monkeypatch.setattr(served.bench.engine, "wake", counted)
    return found
