"""pause, resume, disable and delete: which API moves a routine, what is asked before, and what is said of each."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.cli import pausing
from coven_desktop.contract import timestamps
from tests.cli.covenctl import Result, covenctl, on_a_terminal
from tests.cli.stand_in import HUNG_UP, StandIn, completed, rejected
from tests.cli.test_reading import HELD, ROUTINE
from tests.rig import App, routine

SELDOM = {"rrule": "FREQ=WEEKLY;BYDAY=MO;BYHOUR=3", "timezone": "Pacific/Kiritimati"}


def entry(identity: str = "daily-notes", **members: Any) -> dict[str, Any]:
    """A routine as `coven.desktop.routine.list.v1` tells it."""
    return {
        "id": identity,
        "family": "rrule",
        "revision": 3,
        "lifecycle": "active",
        "managed": "legacy",
        "definition": {**ROUTINE, "id": identity},
        "settings": {"environment": {}, "secrets": []},
        **members,
    }


def versioned(revision: int) -> tuple[int, bytes]:
    return completed({"outcome": "committed", "revision": revision, "result": {}})


@pytest.fixture
def known(app: StandIn) -> StandIn:
    """A stand-in that knows daily-notes, active and changed by nobody but unversioned clients."""
    app.routines(entry())
    app.payload("update", {"routine": {}, "updatedAt": "x"})
    app.payload("health", {"health": {"nextDueAt": None}})
    return app


# --- against the real app ---------------------------------------------------------------------------------------------


def call(app: App, *arguments: str) -> Result:
    return covenctl(*arguments, home=app.home.root)


def make(app: App, *names: str) -> None:
    for name in names:
        app.act("create", definition=routine(name, "true", app.home.root) | SELDOM)


def managed(app: App, name: str) -> tuple[str, str, int]:
    (found,) = app.client.desktop("routine.list.v1", ids=[name])["routines"]
    return found["managed"], found["lifecycle"], found["revision"]


def test_several_are_paused_and_resumed_and_stay_with_their_other_clients(served: App) -> None:
    make(served, "one", "two")
    paused = call(served, "pause", "one", "two", "one")
    assert (paused.code, paused.err) == (0, "")
    assert paused.out == "Paused: one\nPaused: two\n"
    assert [managed(served, name) for name in ("one", "two")] == [("legacy", "paused", 2)] * 2
    again = call(served, "pause", "one", "--json")
    assert (again.code, again.json) == (0, {"routines": [{"id": "one", "outcome": "already", "revision": 2}]})
    resumed = call(served, "resume", "one", "two")
    assert resumed.code == 0
    assert resumed.out.startswith("Resumed: one; next Sun ")
    assert managed(served, "one") == ("legacy", "active", 3)
    # Nothing was taken away from who uses the unversioned actions.
    changed = routine("one", "false", served.home.root) | SELDOM
    assert served.act("update", definition=changed)["routine"]["prompt"] == "false"


def test_what_the_versioned_api_manages_is_moved_by_it(served: App) -> None:
    body = routine("versioned", "true", served.home.root) | SELDOM
    served.act("definition.create.v1", adoptionKey="adopt:moving:0001", definition=body)
    assert call(served, "pause", "versioned").code == 0
    assert managed(served, "versioned") == ("v1", "paused", 2)
    assert call(served, "resume", "versioned", "--json").json["routines"][0]["outcome"] == "done"
    assert managed(served, "versioned") == ("v1", "active", 3)
    deleted = call(served, "delete", "versioned", "--yes")
    assert (deleted.code, deleted.out) == (0, "Deleted: versioned\n")
    assert served.act("get", id="versioned")["routine"] is None


def test_one_that_is_not_there_does_not_keep_the_others_from_being_done(served: App) -> None:
    make(served, "backup-home")
    result = call(served, "pause", "backup-hom", "backup-home")
    assert result.code == 1
    assert result.out == "Paused: backup-home\n"
    assert result.err == (
        "covenctl: refused (NOT_FOUND): There is no routine backup-hom. covenctl list shows them all.\n"
        "Instead: backup-home\n"
    )
    as_json = call(served, "resume", "backup-hom", "backup-home", "--json").json["routines"]
    assert [one["outcome"] for one in as_json] == ["refused", "done"]
    assert as_json[0]["error"]["suggestion"] == "backup-home"


def test_a_routine_is_deleted_so_that_its_id_can_be_used_again(served: App) -> None:
    make(served, "gone")
    refused = call(served, "delete", "gone")
    assert refused.code == 1
    assert "covenctl delete --yes. There is no undo" in refused.err
    assert served.act("get", id="gone")["routine"] is not None
    assert call(served, "delete", "gone", "--yes", "--json").json == {
        "routines": [{"id": "gone", "outcome": "done", "revision": 2}]
    }
    assert call(served, "delete", "gone", "--yes").code == 1
    make(served, "gone")
    assert managed(served, "gone") == ("legacy", "active", 3)


def test_a_disabled_routine_stays_disabled(served: App) -> None:
    make(served, "ended")
    assert call(served, "disable", "ended").code == 1
    assert call(served, "disable", "ended", "--yes").out == "Disabled: ended\n"
    assert managed(served, "ended") == ("v1", "disabled", 2)
    assert call(served, "disable", "ended", "--yes").out == "Already disabled: ended\n"
    resumed = call(served, "resume", "ended")
    assert (resumed.code, "refused (ILLEGAL_TRANSITION): ended: " in resumed.err) == (1, True)


def test_a_quarantined_routine_is_resumed_and_says_that_nothing_is_due(served: App) -> None:
    once = {"maxAttempts": 1, "backoffPolicy": "none", "retryableClasses": ["runtime_unavailable"]}
    body = routine("absent", "true", served.home.root) | SELDOM | {"runtime": "coven-code", "retry": once}
    served.act("create", definition=body)
    assert call(served, "run", "absent").code == 1
    assert call(served, "pause", "absent").code == 0
    assert "nothing is due: covenctl release absent" in call(served, "resume", "absent").out
    assert call(served, "cancel", "absent").code == 0


# --- against the stand-in: what the app is not brought to -------------------------------------------------------------


def test_it_pauses_what_somebody_changed_in_between(home: Path, known: StandIn) -> None:
    conflict = rejected(409, "at revision 4", code="REVISION_CONFLICT", currentRevision=4)
    known.answers("update", conflict, conflict, completed({"routine": {}, "updatedAt": "x"}))
    assert covenctl("pause", "daily-notes", home=home).code == 0
    assert [sent["expectedRevision"] for sent in known.sent("update")] == [3, 3, 3]
    known.answers("update", conflict)
    refused = covenctl("pause", "daily-notes", home=home)
    assert (refused.code, "refused (REVISION_CONFLICT): daily-notes: at revision 4" in refused.err) == (1, True)


def test_it_says_what_goes_on(home: Path, known: StandIn) -> None:
    known.state(HELD)
    assert "; its run run-1 stays: held for your retry until " in covenctl("pause", "daily-notes", home=home).out
    known.state({**HELD, "phase": "live"})
    assert covenctl("pause", "daily-notes", home=home).out == "Paused: daily-notes; its run run-1 goes on\n"


def test_a_draft_says_what_it_lacks(home: Path, app: StandIn) -> None:
    app.routines(entry(lifecycle="draft", managed="v1"))
    result = covenctl("resume", "daily-notes", home=home)
    assert result.code == 1
    assert "covenctl edit daily-notes --cwd DIR" in result.err


def test_a_delete_that_the_versioned_api_must_do(home: Path, known: StandIn) -> None:
    known.payload("delete", {"deleted": False, "id": "daily-notes"})
    known.answers("definition.tombstone.v1", versioned(4))
    assert covenctl("delete", "daily-notes", "--yes", home=home).code == 0
    (sent,) = known.sent("definition.tombstone.v1")
    assert (sent["id"], sent["expectedRevision"]) == ("daily-notes", 3)
    gone = rejected(410, "it was deleted", code="GONE_TOMBSTONED", currentRevision=4)
    known.answers("definition.tombstone.v1", gone)
    assert covenctl("delete", "daily-notes", "--yes", home=home).out == "Already deleted: daily-notes\n"


def test_a_connection_that_breaks_ends_it_and_says_how_far_it_came(home: Path, app: StandIn) -> None:
    app.routines(entry("a"), entry("b"), entry("c"))
    app.answers("update", completed({"routine": {}, "updatedAt": "x"}), HUNG_UP)
    result = covenctl("pause", "a", "b", "c", "--json", home=home)
    assert result.code == 3
    error = result.json["error"]
    assert [one["id"] for one in error["routines"]] == ["a"]
    assert "It was asked for b; whether it was done is not known: covenctl show b" in error["message"]
    assert len(app.sent("update")) == 2


@pytest.mark.parametrize("typed", ["\n", "yes\n", "disable\n", "\x04", "delet\n"])
def test_anything_but_the_word_deletes_nothing(home: Path, known: StandIn, typed: str) -> None:
    code, shown = on_a_terminal(home, ["delete", "daily-notes"], typed)
    assert code == 1
    assert "This will delete 1 routine. There is no undo; the history stays." in shown
    assert "Nothing was changed." in shown
    assert not known.sent("delete")


def test_the_word_deletes(home: Path, app: StandIn) -> None:
    app.routines(entry("a"), entry("b", definition={**ROUTINE, "name": "日本 \x1b[31m"}))
    app.payload("delete", {"deleted": True, "id": "x"})
    code, shown = on_a_terminal(home, ["delete", "a", "nobody", "b"], "delete\n")
    assert code == 1
    assert "This will delete 2 routines." in shown
    assert "日本 \\x1b[31m" in shown
    assert [sent["id"] for sent in app.sent("delete")] == ["a", "b"]
    assert "There is no routine nobody" in shown


def test_nobody_is_asked_when_a_program_wants_json(home: Path, known: StandIn) -> None:
    code, shown = on_a_terminal(home, ["delete", "daily-notes", "--json"], "")
    assert (code, "NOT_CONFIRMED" in shown) == (1, True)


# --- everything at once -----------------------------------------------------------------------------------------------


def test_everything_pauses_and_resumes_and_no_routine_is_changed(served: App) -> None:
    make(served, "kept")
    revision = managed(served, "kept")
    paused = call(served, "pause", "--all")
    assert (paused.code, paused.err) == (0, "")
    assert paused.out.startswith("Paused: everything, until covenctl resume --all\n")
    assert "All paused" in call(served, "status").out
    assert managed(served, "kept") == revision
    resumed = call(served, "resume", "--all", "--json")
    assert (resumed.code, resumed.json) == (0, {"outcome": "committed", "result": {"resumed": True}})
    assert "All paused" not in call(served, "status").out
    assert call(served, "resume", "--all").out == "Nothing was paused as a whole\n"


def test_everything_pauses_for_a_while(served: App) -> None:
    asked = call(served, "pause", "--all", "--until", "2h", "--json").json["result"]["pauseAll"]
    since, until = (timestamps.parse(asked[name]) for name in ("since", "until"))
    assert 0 <= since + 7_200_000 - until < 60_000
    assert call(served, "resume", "--all").out.startswith("Resumed: everything\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pause", "--all", "some"], "not both"),
        (["pause"], "name one or more routines"),
        (["resume"], "covenctl resume --all"),
        (["pause", "some", "--until", "18:00"], "--until goes with --all"),
        (["pause", "--all", "--until", "soon"], "--until does not understand 'soon'; write 18:00"),
        (["pause", "--all", "--until", "25:00"], "--until does not understand"),
        (["pause", "--all", "--until", "2026-02-30 10:00"], "--until does not understand"),
        (["pause", "--all", "--until", "2020-01-01 10:00"], "--until 2020-01-01 10:00 is over"),
    ],
)
def test_what_is_not_clear_is_not_guessed(served: App, words: list[str], said: str) -> None:
    result = call(served, *words)
    assert result.code == 2
    assert said in result.err
    assert served.client.get("/api/v1/health")["desktop"]["pauseAll"] is None


def test_a_time_without_a_day_is_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        now = timestamps.parse("2026-09-01T10:00:00Z")  # noon there
        for text, at in (
            ("18:00", "2026-09-01T16:00:00.000Z"),
            ("12:00", "2026-09-02T10:00:00.000Z"),
            ("8:05", "2026-09-02T06:05:00.000Z"),
            ("2026-12-24 18:00", "2026-12-24T17:00:00.000Z"),
            ("30min", "2026-09-01T10:30:00.000Z"),
            ("2026-12-24T17:00:00+01:00", "2026-12-24T16:00:00.000Z"),
        ):
            assert timestamps.to_text(pausing.instant_of(text, now)) == at
    finally:
        monkeypatch.undo()
        time.tzset()
