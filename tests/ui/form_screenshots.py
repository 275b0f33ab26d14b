"""Makes pictures of the form to look at: python tests/ui/form_screenshots.py FOLDER [light|dark|rtl]. Not in the suite.

Needs a display with a window manager, as screenshots.py does; QT_SCALE_FACTOR=2 for 200 %.
"""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtTest import QTest

from coven_desktop.contract import routine, timestamps
from coven_desktop.engine.beside import Beside
from coven_desktop.engine.listing import RoutineRow
from coven_desktop.qt.core import Qt
from coven_desktop.qt.widgets import QApplication
from coven_desktop.ui.conflict_dialog import ConflictDialog
from coven_desktop.ui.doors import RuntimeChoice
from coven_desktop.ui.form_doors import FormDoors, Subject
from coven_desktop.ui.routine_form import RoutineForm
from coven_desktop.ui.times import Times
from tests.ui.desk import definition
from tests.ui.screenshots import dark_palette, screen, shot, wait
from tests.ui.test_texts import StoppedClock

SPRING, AUTUMN, LORD_HOWE = "2027-03-25T09:12:00Z", "2027-10-28T09:12:00Z", "2027-09-30T09:12:00Z"
PROMPT = "Read the notes of yesterday.\nWrite a summary to summary.md.\nKeep it short."
RUNTIMES = (
    RuntimeChoice("shell", True, ("/bin/sh", "{prompt_file}"), "file"),
    RuntimeChoice("claude", True, ("/home/you/.local/bin/claude", "-p")),
    RuntimeChoice("codex", False, ("codex", "exec", "-")),
)


def row(revision: int = 3, **members: Any) -> RoutineRow:
    """A routine as it is stored."""
    given = {"runtime": "claude", "rrule": "FREQ=DAILY;BYHOUR=9", "timezone": "Europe/Berlin", **members}
    body = definition("Daily notes", given.pop("prompt", PROMPT), "/home/you/notes", **given)
    return RoutineRow(
        number=1, id=body["id"], name=body["name"], family="rrule", revision=revision, lifecycle="active",
        rrule=body["rrule"], timezone=body["timezone"], runtime=body["runtime"], tags=(), next_due_at=None,
        broken_reason=None, quarantine=None, open_state=None, run=None, last_results=(), deleted_at=None,
        managed=False, last_occurrence=None, body=body,
    )  # fmt: skip


def form(at: str, subject: Subject) -> RoutineForm:
    """A form, shown."""
    doors = FormDoors(lambda _: None, RUNTIMES, check_folder=lambda _, answer: answer(True))
    made = RoutineForm(Times(StoppedClock(at)), doors, subject)
    made.show()
    made.raise_()
    wait(0.5)
    return made


def edits(out: Path, name: str) -> None:
    """New, an edit with its changes, changed elsewhere, and both compared."""
    made = form(SPRING, Subject())
    shot(made, out / f"{name}-form-new.png")
    made.done(0)
    made = form(SPRING, Subject(row(), open_slots=(timestamps.parse("2027-03-25T08:00:00Z"),)))
    known = ("GITHUB_TOKEN", "OPENAI_KEY")
    made.show_beside(Beside({"LANG": "en_GB.UTF-8"}, ("GITHUB_TOKEN",), 1, known, ("display.description",)))
    made.inputs.prompt.setPlainText(PROMPT.replace("summary.md", "today.md") + "\nSay what is open.")
    made.inputs.schedule.take("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8")
    wait(0.4)
    shot(made, out / f"{name}-form-changes.png")
    made.inputs.more.setChecked(True)
    made.inputs.environment.setPlainText("LANG=C\nNOTES")
    wait(0.4)
    shot(made, out / f"{name}-form-more.png")
    made.look_again(replace(row(4, prompt="Read the notes of the week.", tags=["weekly"])), ())
    shot(made, out / f"{name}-form-elsewhere.png")
    made.notice.button.click()
    wait(0.4)
    dialog = made.findChildren(ConflictDialog)[0]
    shot(dialog, out / f"{name}-form-conflict.png")
    dialog.close()
    made.done(0)


def clock_changes(out: Path, name: str) -> None:
    """Previews across a change of the clocks."""
    for at, zone, what in (
        (SPRING, "Europe/Berlin", "gap"),
        (AUTUMN, "Europe/Berlin", "fold"),
        (LORD_HOWE, "Australia/Lord_Howe", "half-hour"),
    ):
        made = form(at, Subject(row(rrule="FREQ=DAILY;BYHOUR=2", timezone=zone)))
        shot(made, out / f"{name}-form-{what}.png")
        made.done(0)


CADENCES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("daily", {"mode": "daily", "anchor": "2027-01-01T02:30:00", "catchUp": "run-once"}),
    (
        "monthly",
        {
            "mode": "monthly",
            "anchor": "2026-01-31T09:00:00",
            "until": "2027-12-31T23:00:00",
            "maxRuns": 6,
            "catchUp": "run-all",
        },
    ),
    ("minutes", {"mode": "every_n_minutes", "minutes": 20, "anchor": "2027-01-01T00:00:00", "catchUp": "skip"}),
    ("once", {"mode": "once", "anchor": "2027-12-24T18:00:00", "catchUp": "run-once"}),
)
DELIVERY = {"kind": "file", "path": "/home/you/notes/today.md", "mode": "append"}


def ours(schedule: dict[str, Any], **members: Any) -> RoutineRow:
    """A cadence or cron routine as it is stored."""
    shared = row()
    body = {
        name: value for name, value in shared.body.items() if name not in ("rrule", "timezone", "misfire", "overlap")
    }
    body |= {"schemaVersion": routine.SCHEMA_VERSION, "schedule": {"timezone": "Europe/Berlin", **schedule}, **members}
    return replace(shared, family=str(schedule["kind"]), body=body)


def families(out: Path, name: str) -> None:
    """The editors of cadences and cron, with previews over both changes of the clocks, and what they refuse."""
    for what, at in (("spring", "2027-03-27T09:12:00Z"), ("autumn", "2027-10-30T09:12:00Z")):
        for mode, members in CADENCES:
            made = form(at, Subject(ours({"kind": "cadence", **members})))
            shot(made, out / f"{name}-form-cadence-{mode}-{what}.png")
            made.done(0)
        for expression, kind in (("30 2 * * *", "cron"), ("*/30 1-3 1-7 * sun", "cron-days")):
            subject = Subject(ours({"kind": "cron", "expression": expression}, delivery=DELIVERY))
            made = form(at, subject)
            shot(made, out / f"{name}-form-{kind}-{what}.png")
            made.done(0)
    made = form(SPRING, Subject())
    made.inputs.zone.setEditText("Europe/Berlin")
    made.inputs.schedule.buttons["cadence"].click()
    made.inputs.schedule.cadence.anchor.take("2027-03-28T02:30:00")
    wait(0.4)
    shot(made, out / f"{name}-form-cadence-refused.png")
    made.inputs.schedule.buttons["cron"].click()
    made.inputs.schedule.take("5/15 22-2 * * *")
    wait(0.4)
    shot(made, out / f"{name}-form-cron-refused.png")
    made.done(0)


def refusals(out: Path, name: str) -> None:
    """A zone that is searched, a runtime that is not here, and what is refused."""
    made = form(SPRING, Subject())
    line = made.inputs.zone.lineEdit()
    assert line is not None
    made.activateWindow()
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "pst")
    wait(0.4)
    screen(out / f"{name}-form-zones.png")
    made.inputs.name.setFocus()
    made.inputs.runtime.set_name("codex")
    made.inputs.take_folder("~/notes")
    made.inputs.schedule.take("RRULE:FREQ=DAILY;BYHOUR=7")
    wait(0.4)
    shot(made, out / f"{name}-form-refusals.png")
    made.done(0)


def main() -> None:
    """Make the pictures."""
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    os.environ["TZ"] = "America/New_York"
    app = QApplication(sys.argv[:1])
    app.setStyle("Fusion")
    name = sys.argv[2] if len(sys.argv) > 2 else "light"
    if name == "dark":
        app.setPalette(dark_palette())
    elif name == "rtl":
        app.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    for take in (edits, clock_changes, families, refusals):
        take(out, name)


if __name__ == "__main__":
    main()
