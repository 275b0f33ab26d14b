"""Output that comes faster than anybody reads: the newest is shown, and what is left out is said."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.runtime.output_log import Record
from coven_desktop.ui.output_text import LINES
from coven_desktop.ui.output_view import BATCH_CHARACTERS, LIVE_LINES, OutputView
from coven_desktop.ui.reader import ReaderThread

LINE = b"line of a command that prints far too much\n"


class Endless:
    """A log into which more is written with every look at it."""

    def __init__(self) -> None:
        self.end = 0
        self.looks = 0

    def session_output_end(self, session_id: str) -> int:
        return self.end

    def session_output(self, session_id: str, after: int | None) -> tuple[list[Record], int]:
        self.looks += 1
        assert self.looks < 500, "the reader is never given back"
        start = after or 0
        if start >= self.end:
            return [], start
        self.end += 1
        return [Record(start, 0, "stdout", LINE * 1_000, 0)], start + 1


class Direct:
    """Answers at once, in this thread."""

    def __init__(self, reads: Endless) -> None:
        self._sources = SimpleNamespace(reads=reads)

    def ask(
        self, key: str, question: Callable[[Any], Any], answer: Callable[[Any], None], refused: object = None
    ) -> None:
        answer(question(self._sources))

    def forget(self, key: str) -> None:
        pass


@pytest.fixture
def log() -> Endless:
    return Endless()


@pytest.fixture
def view(qtbot: QtBot, log: Endless) -> OutputView:
    made = OutputView(cast(ReaderThread, Direct(log)))
    qtbot.addWidget(made)
    return made


def test_what_is_written_faster_than_it_is_read_does_not_hold_the_reader(view: OutputView, log: Endless) -> None:
    log.end = 3
    view.show_session("ses-1", live=True)
    assert log.looks == 3
    log.end += 40
    view._ask()
    assert log.looks < 60


def test_a_flood_is_shown_by_its_newest_lines_and_says_what_is_left_out(
    qtbot: QtBot, view: OutputView, log: Endless
) -> None:
    log.end = 1
    view.show_session("ses-1", live=True)
    log.end += 40
    view._ask()
    qtbot.waitUntil(lambda: not view._waiting, timeout=20_000)
    assert view.blockCount() <= 1_000 + LIVE_LINES + 10
    assert "characters before this are in the log and not shown here" in view.toPlainText()
    assert view.bounded


def test_once_all_lines_are_there_the_oldest_go_and_a_batch_stays_small(
    qtbot: QtBot, view: OutputView, log: Endless
) -> None:
    log.end = 25
    view.show_session("ses-1", live=True)
    qtbot.waitUntil(lambda: not view._waiting, timeout=30_000)
    assert view.blockCount() == LINES
    shown: list[int] = []
    view._append_batch()
    log.end += 2
    view.grown.connect(lambda: shown.append(sum(len(piece.text) for piece in view._waiting)))
    view._ask()
    qtbot.waitUntil(lambda: not view._waiting, timeout=20_000)
    steps = [before - after for before, after in pairwise(shown)]
    assert view.blockCount() == LINES
    assert len(steps) >= 2
    assert max(steps) <= BATCH_CHARACTERS
