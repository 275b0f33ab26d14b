"""The form by keyboard and wheel: Tab leads through all of it; neither Enter nor the wheel does anything unasked."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from coven_desktop.qt.core import QPoint, QPointF, Qt
from coven_desktop.qt.gui import QWheelEvent
from coven_desktop.qt.widgets import QApplication, QWidget
from coven_desktop.schedule.families import Kind
from coven_desktop.ui.form_doors import Wanted
from tests.ui.conftest import FormAt
from tests.ui.desk import until
from tests.ui.test_form import type_name
from tests.ui.test_form_families import cadence


@pytest.mark.parametrize("kind", ["rrule", "cadence", "cron"])
def test_tab_goes_through_the_whole_form(form_at: FormAt, qtbot: QtBot, kind: Kind) -> None:
    form = form_at()
    form.inputs.schedule.buttons[kind].click()
    form.activateWindow()
    until("it is the active window", form.isActiveWindow)
    form.inputs.name.setFocus()
    passed: list[QWidget] = []
    for _ in range(60):
        here = form.focusWidget()
        assert here is not None
        passed.append(here)
        qtbot.keyClick(here, Qt.Key.Key_Tab)  # type: ignore[no-untyped-call]
    assert passed.count(form.inputs.name) > 1, "it comes round"
    editor = form.inputs.schedule.cadence
    wanted: dict[Kind, tuple[QWidget, ...]] = {
        "rrule": (),
        "cadence": (editor.mode, editor.anchor.line, editor.until.line, editor.runs, editor.policy),
        "cron": (form.inputs.schedule.cron.text,),
    }
    assert [control for control in (*wanted[kind], form.inputs.zone, form.inputs.folder) if control not in passed] == []


def test_the_wheel_changes_nothing_that_has_no_focus(form_at: FormAt) -> None:
    form = form_at()
    cadence(form, "daily")
    form.activateWindow()
    until("it is the active window", form.isActiveWindow)
    form.inputs.name.setFocus()
    editor = form.inputs.schedule.cadence

    def entered() -> tuple[int, int, int, int]:
        return (
            editor.mode.currentIndex(),
            editor.policy.currentIndex(),
            editor.runs.value(),
            form.inputs.timeout.value(),
        )

    before = entered()
    for control in (editor.mode, editor.policy, editor.runs, form.inputs.timeout):
        wheel(control)
    assert entered() == before
    editor.policy.setFocus()
    wheel(editor.policy)
    assert entered() != before


def wheel(control: QWidget) -> None:
    """Turn the wheel one notch over a control."""
    at = QPointF(control.rect().center())
    turned = QWheelEvent(
        at,
        QPointF(control.mapToGlobal(control.rect().center())),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(control, turned)


def test_enter_saves_nothing(form_at: FormAt, qtbot: QtBot, tmp_path: Path) -> None:
    saved: list[Wanted] = []
    form = form_at(save=saved.append)
    type_name(form, "Notes")
    form.inputs.prompt.setPlainText("true")
    form.inputs.folder.setText(str(tmp_path))
    until("it could be saved", lambda: form.save_button.isEnabled())
    form.activateWindow()
    until("it is the active window", form.isActiveWindow)
    for place in (form, form.inputs.name):
        qtbot.keyClick(place, Qt.Key.Key_Return)  # type: ignore[no-untyped-call]
    assert saved == []
    assert form.isVisible()
