"""The reader thread: answers come on the GUI thread, the newest question wins, and nothing comes after the end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial

import pytest

from coven_desktop.engine.listing import StoreFault
from coven_desktop.engine.reads import open_reads
from coven_desktop.ui.reader import ReaderThread, Sources
from tests.conftest import LoggedWarnings
from tests.ui.desk import Desk, until


@pytest.fixture
def reader(desk: Desk) -> Iterator[ReaderThread]:
    made = ReaderThread(partial(open_reads, desk.home, desk.clock))
    yield made
    made.close()


def test_questions_are_asked_on_another_thread_and_answered_on_this_one(reader: ReaderThread) -> None:
    seen: list[tuple[int, int]] = []

    def question(sources: Sources) -> int:
        assert sources.reads.state_summary().active == 0
        return threading.get_ident()

    reader.ask("who", question, lambda asked_on: seen.append((asked_on, threading.get_ident())))
    until("the answer", lambda: seen)
    asked_on, answered_on = seen[0]
    assert answered_on == threading.get_ident() != asked_on


def test_the_newest_question_of_a_key_wins_and_others_are_not_disturbed(reader: ReaderThread) -> None:
    gate = threading.Event()
    asked: list[str] = []
    answers: list[str] = []

    def ask(key: str, name: str) -> None:
        def question(_: Sources) -> str:
            gate.wait(10)
            asked.append(name)
            return name

        reader.ask(key, question, answers.append)

    ask("rows", "begun")
    for name in ("second", "third", "newest"):
        ask("rows", name)
    ask("status", "status")
    gate.set()
    until("the last answer", lambda: "status" in answers)
    assert answers == ["newest", "status"]
    assert "third" not in asked


def test_an_answer_that_is_not_wanted_any_more_does_not_come(reader: ReaderThread) -> None:
    answers: list[str] = []
    reader.ask("a", lambda _: "a", answers.append)
    reader.forget("a")
    reader.ask("b", lambda _: "b", answers.append)
    until("the other answer", lambda: answers)
    assert answers == ["b"]


def test_a_fault_of_the_store_is_told_as_a_sentence(reader: ReaderThread) -> None:
    refusals: list[str] = []

    def question(_: Sources) -> None:
        raise StoreFault("busy", "The database is in use by another program.", "Close it.")

    reader.ask("rows", question, lambda _: None, refusals.append)
    until("the refusal", lambda: refusals)
    assert refusals == ["The database is in use by another program. Close it."]


def test_a_bug_in_one_question_is_logged_and_does_not_end_the_thread(
    reader: ReaderThread, logged: LoggedWarnings
) -> None:
    logged.expect("a question to the database failed: bad")
    answers: list[object] = []
    reader.ask("bad", lambda _: 1 // 0, answers.append, answers.append)
    reader.ask("good", lambda _: "still here", answers.append)
    until("the good answer", lambda: "still here" in answers)
    assert len(answers) == 2


def test_closing_breaks_off_a_question_that_takes_long(reader: ReaderThread) -> None:
    begun = threading.Event()

    def question(sources: Sources) -> None:
        begun.set()
        endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"
        sources.reads.reader.query(endless)

    reader.ask("for ever", question, lambda _: pytest.fail("it was answered"))
    assert begun.wait(10)
    reader.close()
