"""Every description is held against what the socket does: documentation cannot lie.

For each action the example is asked and its whole answer must be the recorded one, with the members described and no
others; then each field is left out, and is sent as everything that its type says it is not.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping
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
from tests.engine.held_runs import BUSY, policy, quarantine

RECORDED: Mapping[str, Any] = json.loads(scenes.EXAMPLES.read_text(encoding="utf-8"))
RECORD_ANEW = "the example has changed: run `python -m tests.api.scenes`, then `python -m coven_desktop.api.reference`"
ACTIONS = sorted(actions.ALL)
UNKNOWN = "notKnownAtAll"

ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 7, 1.5, 10**15, "", " ", "x", "\u00e9 \u00e9", "x" * 2_000),
    *([], [1], [None], ["x"], {}, {"x": 1}),
)
# What stands in for an optional member that the example does not bring, so that its own members can be looked at.
STAND_INS: Mapping[str, Any] = {
    "retry": {"maxAttempts": 2, "backoffPolicy": "fixed", "backoffSeconds": 5},
    "after": 1,
    "from": "2026-09-01T09:00:00Z",
    "before": "2026-09-02T09:00:00Z",
    "checkpoint": "ecp00000000000000000000000000000000",
    "runLogs": {"classification": "standard"},
    "receipts": {"classification": "standard"},
    "delivery": {"outputTarget": "notes.md", "mode": "atomic"},
    "deletion": {"tombstoned": True, "requestedAt": "2026-09-01T09:00:00Z"},
    "activation": {},
    "requestedBy": {"principalId": "principal:example"},
    "updatedBy": {"principalId": "principal:example"},
}

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


def _rich_then_deleted(served: Served) -> None:
    request = SCENES[scenes.AUTOMATIONS + "command.v1"](served)
    assert served.act("command.v1", **request).status == 200
    asked = {"adoptionKey": "adopt:deleted:01", "id": "morning-notes", "expectedRevision": 1}
    assert served.act("definition.tombstone.v1", **asked).status == 200


def _cancelled(served: Served) -> None:
    request = SCENES[scenes.AUTOMATIONS + "run.cancel.v1"](served)
    assert served.act("run.cancel.v1", **request).status == 200


def _quarantined(served: Served) -> None:
    scenes.held(served)
    for _ in range(3):
        quarantine(served.bench, "morning-notes")


def _waiting(served: Served) -> None:
    served.bench.runtime.refuse = BUSY
    scenes.live(served, retry=policy())


def _retried(served: Served) -> None:
    request = SCENES[scenes.AUTOMATIONS + "attempt.retry.v1"](served)
    assert served.act("attempt.retry.v1", **request).status == 200
    served.bench.turn()


def _recovered(served: Served) -> None:
    request = SCENES[scenes.AUTOMATIONS + "occurrence.recover.v1"](served)
    request["evidenceDetermination"] = "failed_deterministic"
    assert served.act("occurrence.recover.v1", **request).status == 200


def _started_by_hand(served: Served) -> None:
    scenes.created(served, familiarId="charm", tags=["notes"], model="large")
    served.payload("run", id="morning-notes")
    served.bench.end()


@pytest.mark.parametrize(
    "happen",
    [
        *(_rich_then_deleted, _cancelled, _quarantined, _waiting, _retried, _recovered, _started_by_hand),
        *(scenes.held, scenes.unknown, scenes.live),
    ],
)
def test_what_is_read_in_other_states_is_as_described(happen: Callable[[Served], object], tmp_path: Path) -> None:
    with stage(tmp_path) as served:
        happen(served)

        def read(action: str, **members: Any) -> Any:
            described = actions.ALL[action]
            reply = ask(served, action, members)
            assert reply.status == 200, reply.body
            fits_exactly(service.success(described), reply.body)
            return reply.body["result" if described.answers_in == "result" else "event"]

        def automations(name: str, **members: Any) -> Any:
            return read(scenes.AUTOMATIONS + name, **members)

        automations("list")
        automations("scheduler.status.v1")
        automations("definition.list.v1", includeTombstoned=True)
        automations("definition.get.v1", id="morning-notes")
        read(scenes.DESKTOP + "state.v1")
        read(scenes.DESKTOP + "routine.list.v1")
        read(scenes.DESKTOP + "runtimes.list.v1")
        if automations("get", id="morning-notes")["payload"]["routine"] is not None:
            automations("health", id="morning-notes")
            automations("definition.health.v1", id="morning-notes")
        for view in ("due", "eligible", "claimed", "running", "recovery_required"):
            automations("occurrence.list.v1", view=view)
        automations("run.history.v1", automationId="morning-notes")
        automations("occurrence.history.v1", automationId="morning-notes")
        for found in automations("runs", id="morning-notes")["payload"]["runs"]:
            automations("run.get.v1", id=found["id"])
            automations("occurrence.get.v1", id=found["occurrenceId"])
            if found["receiptId"] is not None:
                automations("receipt.get.v1", id=found["receiptId"])
        for name in ("run.get.v1", "occurrence.get.v1", "definition.get.v1", "runs"):
            automations(name, id="nobody")


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
    if described.closed and "envelope" not in request:
        assert "reason" in again.body
    else:
        assert again.body["result"]["outcome"] == "replayed"
        assert again.body["result"]["result"] == first["result"]["result"]
    if [one.name for one in described.fields] == ["adoptionKey"]:
        # nothing in it can differ: another action is another request
        other = ask(served, scenes.DESKTOP + "pauseAll.v1", request)
    else:
        other = ask(served, described.action, {**request, **_another(described, request)})
    assert (other.status, other.body["error"]["code"]) == (409, "ADOPTION_REPLAY_MISMATCH")


def _another(described: Description, request: Mapping[str, Any]) -> dict[str, Any]:
    """A change that makes it another request."""
    if "envelope" in request:
        other = {"command": "definition.pause.v1", "expectedRevision": 1, "payload": {"automationId": "morning-notes"}}
        return {"envelope": {**request["envelope"], **other}}
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
        for number, (path, changed) in enumerate(_faults(described, request)):
            if path[-1] != "adoptionKey":
                changed = _under(described, changed, f"adopt:fault:{number:06}")
            reply = ask(served, action, changed)
            code = reply.body.get("error", {}).get("code")
            told = f"{'.'.join(path)}: {json.dumps(changed)[:600]}"
            assert (reply.status, code) in refused, f"{told}: {reply.body}"
            assert reply.status in (400, 422), told
            fits_exactly(service.REJECTION, reply.body)
            assert any(name in reply.body["reason"] for name in _named(described, path)), f"{told}: {reply.body}"
        # nothing of all that did anything, and what may be left out or be anything may
        lenient = _under(described, _lenient(described, request), "adopt:lenient:0001")
        reply = ask(served, action, lenient)
        assert reply.status == 200, (lenient, reply.body)
        fits_exactly(service.success(described), reply.body)
        # what is just within its bounds has no fault of its own, whatever else is said to it by now
        for number, (path, changed) in enumerate(_edges(described, request)):
            reply = ask(served, action, _under(described, changed, f"adopt:edge:{number:06}"))
            told = f"{'.'.join(path)}: {json.dumps(changed)[:600]}: {reply.body}"
            assert reply.status != 400 or path[-1] not in reply.body["reason"], told


def _edges(described: Description, request: Mapping[str, Any]) -> Iterator[tuple[Steps, dict[str, Any]]]:
    """Requests with one value that is just within the bounds of its type; nothing is waited for meanwhile."""
    if "waitSeconds" in request:
        request = {**request, "waitSeconds": 0}
    for path, member in _members(described.fields, (), request):
        if path == ("envelope", "expectedRevision"):
            continue  # other commands need it, and the example's has none
        for value in _at_the_edge(member.type):
            yield path, _with(_with_parents(described, request, path), path, value)


def _at_the_edge(of: Type) -> Iterator[Any]:
    yield from of.schema.get("enum", ())
    yield from (of.schema[bound] for bound in ("const", "minimum", "maximum") if bound in of.schema)
    yield from ("x" * of.schema[bound] for bound in ("minLength", "maxLength") if bound in of.schema)


def _named(described: Description, path: Steps) -> tuple[str, ...]:
    """What the reason of a refusal names: the member, or that which takes no such member."""
    if path[0] == "definition" and described.key == "adoptionKey":
        # the versioned actions have one sentence for all faults of a definition, or name the variant
        return path
    return path[-2:] if path[-1] == UNKNOWN else path[-1:]


def _faults(described: Description, request: Mapping[str, Any]) -> Iterator[tuple[Steps, dict[str, Any]]]:
    """Requests with one fault each, and where it is."""
    for path, member in _members(described.fields, (), request):
        around = _with_parents(described, request, path)
        if member.excludes:
            yield path, {**around, **{name: STAND_INS[name] for name in (member.name, member.excludes)}}
        if member.required:
            yield path, _without(around, path)
        if member.otherwise == "ignored":
            continue
        for value in _values(member.type):
            if not fits(member.type, value):
                yield path, _with(around, path, value)
        if member.type.closed:
            yield (*path, UNKNOWN), _with(_with_parents(described, request, (*path, UNKNOWN)), (*path, UNKNOWN), 1)
    for name in (UNKNOWN, "origin", "intentId") if described.closed else described.forbidden:
        for value in (None, 1, "x"):
            yield (name,), {**request, name: value}


def _under(described: Description, request: dict[str, Any], key: str) -> dict[str, Any]:
    """The request under a key of its own, if it takes one."""
    if described.key != "adoptionKey":
        return request
    if described.fields[0].name != "envelope":
        return {**request, "adoptionKey": key}
    envelope = request.get("envelope")
    return {**request, "envelope": {**envelope, "adoptionKey": key}} if isinstance(envelope, dict) else request


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


def _members(fields: tuple[Member, ...], path: Steps, request: Mapping[str, Any]) -> Iterator[tuple[Steps, Member]]:
    """Every member that a request can have; of a type that is one of several, those of the example's."""
    for member in fields:
        place = (*path, member.name)
        yield place, member
        of = member.type
        if of.among:
            of = next(inner for inner in of.among if fits(inner, _at(request, place)))
        yield from _members(of.members or (), place, request)


def _with_parents(described: Description, request: Mapping[str, Any], path: Steps) -> dict[str, Any]:
    """The request with everything that the member stands in, and without what it does not stand beside."""
    beside = {member.excludes for member in described.fields if member.name == path[0]}
    beside |= {member.name for member in described.fields if member.excludes == path[0]}
    found = {name: copy.deepcopy(value) for name, value in request.items() if name not in beside}
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
