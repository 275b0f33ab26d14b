"""What the window says of a run whose routine was deleted after it began, and of a routine whose clock was ahead."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from coven_desktop.engine.commands import definitions, execution
from coven_desktop.engine.listing import Question, RoutineRow, open_listing
from coven_desktop.home import Home, prepare
from coven_desktop.loop.manual import ManualClock
from coven_desktop.ui import cells, choices, lawful
from coven_desktop.ui.times import Times
from tests.engine.conftest import DAY, Bench


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """An engine on an empty home."""
    home = Home(tmp_path / "home")
    prepare(home)
    made = Bench(home, ManualClock())
    made.start()
    yield made
    made.engine.stop()
    made.store.close()


@pytest.mark.parametrize("used_again", [False, True])
def test_the_failed_run_of_a_deleted_routine_can_only_be_given_up(bench: Bench, used_again: bool) -> None:
    bench.create()
    bench.done(execution.run(bench.engine, {"id": "notes"}))
    bench.end(3)
    definitions.delete(bench.engine, {"id": "notes"})
    if used_again:
        bench.create()
    with closing(open_listing(bench.home)) as listing:
        (number,) = listing.attention_page(Question(order="since"), 0).numbers
        row = listing.attention_rows([number])[number]
        assert isinstance(row, RoutineRow)
        assert row.run is not None
        run = listing.occurrence(row.run.occurrence_id)
        assert run is not None
        for step in (lawful.next_step(row), lawful.step_of_occurrence(run)):
            assert step is not None
            assert (step.act, step.verb) == ("retry", "&Give up…")
        assert choices.why_no_retry(run, Times(bench.clock)) == "Its routine is deleted."


def test_until_when_the_clock_was_ahead_stands_beside_the_next_run(bench: Bench) -> None:
    bench.run_due()
    bench.end()
    with closing(open_listing(bench.home)) as listing:
        for ahead in (False, True):
            row = listing.routine("notes")
            assert row is not None
            told = cells.routine_cells(row, Times(bench.clock)).cells[4].text
            assert ("the clock was ahead until Tue" in told) == ahead
            bench.sleep(-2 * DAY)
