"""What the person asks of the engine, at the outcomes that a real engine gives too seldom to wait for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.contract.errors import Code, TypedRefusal
from coven_desktop.engine.answers import Answer, Outcome
from coven_desktop.engine.listing import StoreFault
from coven_desktop.qt.core import QObject, Signal
from coven_desktop.ui import acts
from coven_desktop.ui.acts import Acts, Stop
from tests.ui.desk import until


class Scripted(QObject):
    """A gateway that answers what the test says, in order, and remembers what was asked."""

    changed = Signal()

    def __init__(self, *outcomes: Outcome) -> None:
        super().__init__()
        self._outcomes = iter(outcomes)
        self.bodies: list[Mapping[str, Any]] = []

    def submit(self, command: Callable[..., Any], body: Mapping[str, Any], done: Callable[[Outcome], None]) -> None:
        self.bodies.append(dict(body))
        done(next(self._outcomes))


def pending(*, retryable: bool) -> TypedRefusal:
    return TypedRefusal(Code.CANCEL_PENDING, "the stop is under way", retryable=retryable)


@pytest.fixture(autouse=True)
def _soon(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acts, "ASK_AGAIN_MS", 1)


@pytest.mark.parametrize(
    ("outcome", "stop"),
    [
        (Answer({"status": "cancelled"}), Stop("confirmed")),
        (Answer({"status": "recovery_required"}), Stop("unconfirmed")),
        (TypedRefusal(Code.ILLEGAL_TRANSITION, "completion won"), Stop("too_late", "Completion won.")),
        (TypedRefusal(Code.NOT_FOUND, "no occurrence"), Stop("refused", "It is not in the database any more.")),
        (StoreFault("busy", "It is in use.", "Close it."), Stop("refused", "It is in use. Close it.")),
    ],
)
def test_a_stop_is_what_its_answer_says(outcome: Outcome, stop: Stop) -> None:
    asked = Acts(Scripted(outcome))
    progress: list[Stop | None] = []
    asked.stop_changed.connect(lambda occurrence: progress.append(asked.stop_of(occurrence)))
    asked.stop("occ-1")
    assert progress == [Stop("asked"), stop]


def test_a_stop_that_is_being_published_is_asked_again_with_the_same_key() -> None:
    gateway = Scripted(pending(retryable=True), pending(retryable=True), Answer({"status": "cancelled"}))
    asked = Acts(gateway)
    asked.stop("occ-1")
    assert asked.stop_of("occ-1") == Stop("asked")
    until("it is confirmed", lambda: asked.stop_of("occ-1") == Stop("confirmed"))
    assert len({body["adoptionKey"] for body in gateway.bodies}) == 1


def test_a_spent_key_is_replaced() -> None:
    gateway = Scripted(pending(retryable=False), Answer({"status": "cancelled"}))
    asked = Acts(gateway)
    asked.stop("occ-1")
    until("it is confirmed", lambda: asked.stop_of("occ-1") == Stop("confirmed"))
    assert len({body["adoptionKey"] for body in gateway.bodies}) == 2


def test_asking_for_a_stop_twice_asks_once() -> None:
    gateway = Scripted(pending(retryable=True), Answer({"status": "cancelled"}))
    asked = Acts(gateway)
    asked.stop("occ-1")
    asked.stop("occ-1")
    assert len(gateway.bodies) == 1


def test_a_stop_that_stays_pending_is_given_up_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acts, "ASK_AGAIN_TIMES", 2)
    asked = Acts(Scripted(*[pending(retryable=True)] * 3))
    asked.stop("occ-1")
    until("it is given up", lambda: (stop := asked.stop_of("occ-1")) and stop.progress == "refused")
    stop = asked.stop_of("occ-1")
    assert stop is not None
    assert stop.reason == "A stop of this run has no outcome yet. Wait for it, then ask again."


def test_what_could_not_be_deleted_comes_back_with_the_reason() -> None:
    asked = Acts(Scripted(TypedRefusal(Code.REVISION_CONFLICT, "it is at revision 3")))
    refusals: list[tuple[str, str]] = []
    asked.refused.connect(lambda what, why: refusals.append((what, why)))
    asked.delete("notes", "Notes")
    assert list(asked.hidden) == ["notes"]
    asked.send_deletions()
    assert list(asked.hidden) == []
    assert refusals == [("Delete “Notes”", "It was changed elsewhere meanwhile. Look at it again.")]


def test_what_was_deleted_elsewhere_meanwhile_is_no_refusal() -> None:
    asked = Acts(Scripted(Answer({"deleted": False})))
    refusals: list[tuple[str, str]] = []
    asked.refused.connect(lambda what, why: refusals.append((what, why)))
    asked.delete("notes", "Notes")
    asked.send_deletions()
    assert (refusals, list(asked.hidden)) == ([], [])


def test_the_newest_deletion_is_undone_first() -> None:
    asked = Acts(Scripted())
    asked.delete("a", "A")
    asked.delete("b", "B")
    asked.undo()
    assert [deletion.automation_id for deletion in asked.deletions] == ["a"]
    asked.undo()
    assert not asked.deletions
    asked.undo()


def test_a_start_that_was_refused_at_the_last_moment_is_not_called_a_start() -> None:
    asked = Acts(Scripted(Answer({"occurrenceId": "occ-1", "error": "the working folder is missing"})))
    said: list[tuple[str, ...]] = []
    asked.started.connect(lambda *what: said.append(("started", what[0])))
    asked.not_started.connect(lambda *what: said.append(what))
    asked.run_now("notes", "Notes")
    assert said == [("notes", "Notes", "The working folder is missing.")]


def test_whoever_waits_for_an_answer_is_told_it_and_nobody_else() -> None:
    busy = TypedRefusal(Code.DEADLINE_EXCEEDED, "the run's deadline has passed")
    asked = Acts(Scripted(busy, busy, Answer({"attemptNumber": 2}), busy, Answer({"released": True})))
    told: list[str] = []
    elsewhere: list[str] = []
    asked.refused.connect(lambda what, why: elsewhere.append(what))
    asked.not_started.connect(lambda *what: elsewhere.append(what[0]))
    asked.decide("occ-1", "failed_deterministic", "it did", told.append)
    asked.retry("occ-1", "run-1", 1, "failed", "", told.append)
    asked.retry("occ-1", "run-1", 1, "failed", "", told.append)
    asked.run_now("notes", "Notes", "", told.append)
    asked.release("notes", "Notes", told.append)
    late = "Its deadline has passed, so nothing of it is tried again."
    assert told == [late, late, "", late, ""]
    assert elsewhere == []


def test_notes_and_statements_go_with_the_command_without_their_blanks() -> None:
    gateway = Scripted(*[Answer({"attemptNumber": 2, "released": True})] * 4)
    asked = Acts(gateway)
    asked.run_now("notes", "Notes", "  after the login ")
    asked.run_now("notes", "Notes", "  ")
    asked.retry("occ-1", "run-1", 1, "failed", " mended ")
    asked.decide("occ-1", "failed_deterministic", " it did ")
    first, second, retry, decision = gateway.bodies
    assert (first["note"], retry["note"], decision["statement"]) == ("after the login", "mended", "it did")
    assert "note" not in second
