"""The ids-only model: whole tables of numbers are never held, and selection and scroll stay with their rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import apsw
import pytest
from PySide6.QtTest import QAbstractItemModelTester, QTest

from coven_desktop.engine.listing import PAGE, parse_filter
from coven_desktop.qt.core import QPoint, Qt
from coven_desktop.ui.cells import Cells
from coven_desktop.ui.paged_model import PagedModel
from coven_desktop.ui.rows_model import BATCH, KEPT, RowsModel
from coven_desktop.ui.shell import Shell
from coven_desktop.ui.table_page import TablePage
from tests.ui.desk import Desk, until
from tests.ui.past import add_occurrences, add_routine, past

COUNT = 3 * PAGE


@pytest.fixture
def busy(desk_after: Callable[[Callable[[apsw.Connection], None]], Desk]) -> Desk:
    """Many occurrences of one routine."""

    def fill(connection: apsw.Connection) -> None:
        add_routine(connection, "busy")
        add_occurrences(connection, "busy", COUNT)

    return desk_after(fill)


def text(model: RowsModel, row: int, column: int = 0) -> str:
    return str(model.data(model.index(row, column), Qt.ItemDataRole.DisplayRole))


def page_of(shell: Shell) -> TablePage:
    """The occurrences, with their first page there."""
    shell.window.tabs.setCurrentIndex(1)
    page = shell.window.occurrences
    until("the rows are there", lambda: page.model.rowCount() >= COUNT)
    return page


def test_the_model_keeps_qts_own_rules(desk: Desk) -> None:
    with past(desk.home) as connection:
        add_routine(connection, "some")
        add_occurrences(connection, "some", 80)
        add_occurrences(connection, "some", 20, state="failed", first=80)
    shell = desk.shell()
    model = shell.window.occurrences.model
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    shell.start()
    shell.window.tabs.setCurrentIndex(1)
    until("the rows are there", lambda: model.rowCount() == 100)
    for filter_text, count in (("status:failed", 20), ("", 100), ("nothing", 0), ("some", 100)):
        model.ask(**parse_filter(filter_text))
        until("the filter is applied", partial(_has_rows, model, count))
    del tester


def _has_rows(model: RowsModel, count: int) -> bool:
    return model.rowCount() == count


def test_rows_that_are_not_here_are_asked_for_when_they_are_shown(busy: Desk) -> None:
    model = page_of(busy.shell_started()).model
    last = COUNT - 1
    assert text(model, 0) != "…"
    assert text(model, last) == "…"
    until("the last row is here", lambda: text(model, last) != "…")
    assert model.number_at(last) is not None


def test_rows_are_fetched_a_screenful_at_a_time_and_few_are_kept(busy: Desk) -> None:
    shell = busy.shell_started()
    model = page_of(shell).model
    fetched: list[int] = []
    inner = model._rows

    def counting(numbers: Sequence[int]) -> Mapping[int, Cells]:
        fetched.append(len(numbers))
        return inner(numbers)

    model._rows = counting
    for row in range(PAGE):
        text(model, row)
    assert max(fetched) <= BATCH
    assert len(model._cells) <= KEPT + BATCH
    assert isinstance(model, PagedModel)
    assert len(model._pages) <= 4


def test_selection_and_scroll_stay_with_their_rows_when_newer_ones_come(busy: Desk) -> None:
    page = page_of(busy.shell_started())
    table, model = page.table, page.model
    table.selectRow(120)
    bar = table.verticalScrollBar()
    height = table.verticalHeader().defaultSectionSize()
    bar.setValue(110 * height + 3)
    chosen = page.selected()
    at_top = model.number_at(110)
    assert chosen is not None
    with past(busy.home) as connection:
        add_occurrences(connection, "busy", 5, first=COUNT + 10)
    model.refresh()
    until("the new rows are there", lambda: model.rowCount() == COUNT + 5)
    selected = page.selected()
    assert selected is not None
    assert selected.id == chosen.id
    assert table.selectionModel().selectedRows()[0].row() == 125
    assert model.number_at(bar.value() // height) == at_top
    assert bar.value() % height == 3


def test_at_the_very_top_new_rows_are_shown(busy: Desk) -> None:
    page = page_of(busy.shell_started())
    first = text(page.model, 0)
    with past(busy.home) as connection:
        add_occurrences(connection, "busy", 1, first=COUNT + 10)
    page.model.refresh()
    until("the new row is there", lambda: page.model.rowCount() == COUNT + 1)
    assert page.table.verticalScrollBar().value() == 0
    assert text(page.model, 0) != first


def test_a_row_that_leaves_the_rows_leaves_the_selection(busy: Desk) -> None:
    page = page_of(busy.shell_started())
    page.table.selectRow(3)
    page.model.ask(**parse_filter("status:failed"))
    until("the filter is applied", lambda: page.model.rowCount() == 0)
    assert page.selected() is None
    page.model.ask(**parse_filter(""))
    until("the rows are back", lambda: page.model.rowCount() == COUNT)
    assert page.selected() is None


def test_a_header_click_sorts_in_the_database_and_a_second_one_turns_it_round(desk: Desk) -> None:
    with past(desk.home) as connection:
        for name in ("b", "c", "a"):
            add_routine(connection, name)
    page = desk.shell_started().window.routines
    until("the rows are there", lambda: page.model.rowCount() == 3)
    assert [text(page.model, row) for row in range(3)] == ["a", "b", "c"]
    header = page.table.horizontalHeader()
    left, no_keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(header.viewport(), left, no_keys, QPoint(header.sectionViewportPosition(0) + 20, 8))
    until("it is turned round", lambda: text(page.model, 0) == "c")
    assert header.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder
    # the schedule's words are no order of the database
    QTest.mouseClick(header.viewport(), left, no_keys, QPoint(header.sectionViewportPosition(2) + 20, 8))
    assert page.model.question.order == "name"
    assert header.sortIndicatorSection() == 0
