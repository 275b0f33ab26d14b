"""The form for cadences and cron: its own editors, one preview, refusals at their members, and what becomes of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from coven_desktop.contract.routine import SCHEMA_VERSION
from coven_desktop.engine.commands import desktop_routines
from coven_desktop.engine.listing import RoutineRow
from coven_desktop.qt.core import QDate
from coven_desktop.ui import changes
from coven_desktop.ui.conflict_dialog import ConflictDialog
from coven_desktop.ui.form_doors import Wanted
from coven_desktop.ui.routine_form import RoutineForm
from coven_desktop.ui.shell import Shell
from tests.ui.conftest import FormAt
from tests.ui.desk import Desk, until
from tests.ui.test_form import marks, rows, type_name


def cadence(form: RoutineForm, mode: str, **members: Any) -> None:
    """Choose a cadence by hand."""
    form.inputs.schedule.buttons["cadence"].click()
    editor = form.inputs.schedule.cadence
    editor.mode.setCurrentIndex(editor.mode.findData(mode))
    editor.mode.activated.emit(0)
    for name, value in members.items():
        if name == "anchor":
            editor.anchor.take(value)
        elif name == "until":
            editor.until.take(value)
        elif name == "policy":
            editor.policy.setCurrentIndex(editor.policy.findData(value))
            editor.policy.activated.emit(0)
        else:
            {"minutes": editor.minutes, "runs": editor.runs}[name].setValue(value)


def cron(form: RoutineForm, expression: str) -> None:
    """Choose cron by hand."""
    form.inputs.schedule.buttons["cron"].click()
    form.inputs.schedule.cron.take(expression)


def previewed(form: RoutineForm, beginning: str) -> list[str]:
    """The rows of the preview once its sentence begins so."""
    until("the preview is there", lambda: form.preview.sentence.startswith(beginning) and rows(form.preview))
    return rows(form.preview)


def test_the_preview_says_why_there_is_none_as_the_field_does(form_at: FormAt) -> None:
    form = form_at()
    form.inputs.schedule.rrule.take("RRULE:FREQ=DAILY")
    until("it says that there is none", lambda: form.preview.sentence.startswith("No preview: "))
    assert form.preview.sentence.removeprefix("No preview: ") in form.inputs.fields["schedule"].message


def test_a_cadence_is_saved_in_our_own_form_with_what_its_mode_has(form_at: FormAt, tmp_path: Path) -> None:
    saved: list[Wanted] = []
    form = form_at(save=saved.append)
    type_name(form, "Daily notes")
    form.inputs.prompt.setPlainText("true")
    form.inputs.take_folder(str(tmp_path))
    cadence(form, "every_n_minutes", minutes=45, anchor="2027-03-25T08:00:00", policy="run-all", runs=9)
    form.inputs.schedule.cadence.until.take("2027-12-31T00:00:00")
    assert form.reason == ""
    form.save_button.click()
    assert saved[0].definition == {
        "schemaVersion": SCHEMA_VERSION,
        "id": "daily-notes",
        "name": "Daily notes",
        "status": "ACTIVE",
        "schedule": {
            "kind": "cadence",
            "mode": "every_n_minutes",
            "minutes": 45,
            "anchor": "2027-03-25T08:00:00",
            "until": "2027-12-31T00:00:00",
            "maxRuns": 9,
            "catchUp": "run-all",
            "timezone": "Europe/Berlin",
        },
        "timeoutMinutes": 30,
        "runtime": "shell",
        "prompt": "true",
        "cwd": str(tmp_path),
    }
    cadence(form, "once")
    assert set(form.entered()["schedule"]) == {"kind", "mode", "anchor", "catchUp", "timezone"}


def test_switching_keeps_what_was_entered_and_says_so(form_at: FormAt) -> None:
    form = form_at()
    type_name(form, "Daily notes")
    form.inputs.prompt.setPlainText("a long one")
    form.inputs.zone.setEditText("Europe/Paris")
    form.inputs.schedule.rrule.take("FREQ=DAILY;BYHOUR=22")
    cron(form, "5 4 * * *")
    assert "Nothing is lost until you save" in form.inputs.schedule.hint.text()
    entered = form.entered()
    assert (entered["name"], entered["prompt"]) == ("Daily notes", "a long one")
    assert entered["schedule"] == {"kind": "cron", "expression": "5 4 * * *", "timezone": "Europe/Paris"}
    cadence(form, "weekly", anchor="2027-04-01T10:00:00")
    form.inputs.schedule.buttons["rrule"].click()
    assert form.entered()["rrule"] == "FREQ=DAILY;BYHOUR=22"
    assert "schedule" not in form.entered()
    form.inputs.schedule.buttons["cron"].click()
    assert form.entered()["schedule"]["expression"] == "5 4 * * *"
    form.inputs.schedule.buttons["cadence"].click()
    assert form.entered()["schedule"]["anchor"] == "2027-04-01T10:00:00"
    assert form.unsaved


def test_each_family_tells_by_example_what_becomes_of_missed_times(form_at: FormAt) -> None:
    form = form_at(failures=3)
    schedule = form.inputs.schedule
    assert "only the latest of them runs" in schedule.policy.text()
    cron(form, "5 4 * * *")
    assert "the two before it are recorded as missed" in schedule.policy.text()
    assert "that time is skipped, and recorded" in schedule.policy.text()
    assert "3 runs in a row that fail pause it" in schedule.policy.text()
    cadence(form, "daily", policy="run-once")
    field = schedule.cadence.fields["catchUp"]
    assert "Asleep over three of its times: runs once, for the latest of them" in field.message
    cadence(form, "daily", policy="run-all")
    assert "runs three times, the oldest first" in field.message
    cadence(form, "daily", policy="skip")
    assert "none of them runs" in field.message
    cadence(form, "once", policy="run-once")
    assert "runs as soon as the computer is awake" in field.message
    assert not schedule.policy.isVisible()


def test_an_anchor_that_clocks_skip_is_refused_where_it_stands_with_the_next_valid_time(form_at: FormAt) -> None:
    form = form_at()
    cadence(form, "daily", anchor="2027-03-28T02:30:00")
    field = form.inputs.schedule.cadence.fields["anchor"]
    assert "does not exist in Europe/Berlin" in field.message
    assert field._suggestion == "2027-03-28T03:00:00"
    field._use.click()
    assert form.inputs.schedule.cadence.anchor.text() == "2027-03-28T03:00:00"
    assert "does not exist" not in field.message
    assert form.entered()["schedule"]["anchor"] == "2027-03-28T03:00:00"


def test_each_refusal_of_a_cadence_stands_at_its_member(form_at: FormAt) -> None:
    form = form_at()
    fields = form.inputs.schedule.cadence.fields
    cadence(form, "once", anchor="2027-03-25T10:00:00")
    assert "in the past" in fields["anchor"].message
    cadence(form, "daily", anchor="2027-03-25T10:00:00", until="2027-03-01T00:00:00")
    assert "before the anchor" in fields["until"].message
    assert "past" not in fields["anchor"].message
    cadence(form, "daily", until="2027-03-25T11:00:00")
    assert "until is over" in fields["until"].message
    cadence(form, "daily", until="31.12.2027")
    assert "until must be a wall time" in fields["until"].message
    cadence(form, "daily", until="2027-12-31 10:00")
    fields["until"]._use.click()
    assert form.entered()["schedule"]["until"] == "2027-12-31T10:00:00"
    cadence(form, "cron")
    form.inputs.schedule.cadence.expression.setText("5/15 * * * *")
    form.inputs.schedule.cadence.expression.textEdited.emit("")
    assert "write 5-59/15" in fields["expression"].message
    fields["expression"]._use.click()
    assert form.entered()["schedule"]["expression"] == "5-59/15 * * * *"
    assert form.reason == "Save is off: it needs a name"


def test_cron_is_refused_by_name_with_what_to_write(form_at: FormAt) -> None:
    form = form_at()
    field = form.inputs.schedule.cron.field
    cron(form, "0 22-2 * * *")
    assert field._suggestion == "0 22-23,0-2 * * *"
    cron(form, "@daily")
    assert field._suggestion == "0 0 * * *"
    field._use.click()
    assert form.entered()["schedule"]["expression"] == "0 0 * * *"
    assert field.message.startswith("Minute, hour")
    cron(form, "0 0 30 2 *")
    type_name(form, "x")
    form.inputs.prompt.setPlainText("true")
    assert form.reason.startswith("Save is off: ")
    assert not form.save_button.isEnabled()


def test_a_wrong_zone_is_refused_at_the_zone_and_a_wrong_rule_still_at_the_rule(form_at: FormAt) -> None:
    form = form_at()
    cadence(form, "daily", anchor="tomorrow")
    form.inputs.zone.setEditText("Europe/Berlim")
    problems = form.problems()
    assert {"schedule", "timezone"} <= set(problems)
    assert problems["timezone"].suggestion == "Europe/Berlin"


def test_the_preview_of_a_cadence_moves_what_clocks_skip(form_at: FormAt) -> None:
    form = form_at("2027-03-27T12:00:00Z")
    cadence(form, "daily", anchor="2027-01-01T02:30:00")
    shown = previewed(form, "Every day at 02:30")
    assert shown[0].startswith("02:30 on Sunday 28 March 2027 does not exist in Europe/Berlin")
    assert shown[1] == "Sun 28 Mar, 03:00 | Sun 28 Mar, 03:00"
    assert marks(form.preview) == {1: "Moved"}
    assert "Sat 27 Mar 2027, 02:30" in form.preview.before.replace("\u00a0", " ")
    assert "A time that clocks skip runs at the moment they go forward" in form.preview.details


def test_the_preview_of_cron_marks_what_comes_twice(form_at: FormAt) -> None:
    form = form_at("2027-10-30T12:00:00Z")
    cron(form, "30 2 * * *")
    shown = previewed(form, "Every day at 02:30")
    assert "comes twice in Europe/Berlin" in shown[1]
    assert marks(form.preview) == {0: "Comes twice"}
    assert "the first time only" in form.preview.details
    cron(form, "30 2 1 * mon")
    until("the day rule is told", lambda: "Either day field is enough" in form.preview.details)


def test_the_preview_tells_shorter_months_and_the_last_run(form_at: FormAt) -> None:
    form = form_at("2027-02-10T12:00:00Z")
    cadence(form, "monthly", anchor="2027-01-31T09:00:00", runs=3)
    shown = previewed(form, "Every month on day 31")
    assert [row for row in shown if row.startswith(("Sun 28 Feb", "Wed 31 Mar", "Fri 30 Apr"))] == [
        "Sun 28 Feb, 09:00 | Sun 28 Feb, 09:00",
        "Wed 31 Mar, 09:00 | Wed 31 Mar, 09:00",
        "Fri 30 Apr, 09:00 | Fri 30 Apr, 09:00",
    ]
    assert marks(form.preview) == {0: "Moved", 3: "The last"}
    assert shown[-1] == "This is the last run."


def test_a_slot_at_the_very_anchor_is_shown(form_at: FormAt) -> None:
    form = form_at("2027-03-25T08:00:00Z")
    cadence(form, "once", anchor="2027-03-25T10:00:00")
    assert previewed(form, "Once, at 10:00")[0] == "Thu 25 Mar, 10:00 | Thu 25 Mar, 10:00"
    cadence(form, "once", anchor="2027-03-25T09:00:00")
    assert previewed(form, "Once, at 09:00")[0] == "Thu 25 Mar, 09:00 | Thu 25 Mar, 09:00"


def test_a_day_from_the_calendar_keeps_the_time(form_at: FormAt) -> None:
    form = form_at()
    cadence(form, "daily", anchor="2027-04-01T07:15:00")
    editor = form.inputs.schedule.cadence
    editor.anchor.take_day(QDate(2027, 5, 2))
    editor.until.take_day(QDate(2027, 6, 3))
    assert editor.anchor.text() == "2027-05-02T07:15:00"
    assert editor.until.text() == "2027-06-03T12:00:00"


def test_output_goes_into_a_file_for_cadence_and_cron_only(form_at: FormAt) -> None:
    form = form_at()
    delivery = form.inputs.delivery
    assert not delivery.isVisible()
    cron(form, "0 9 * * *")
    assert delivery.isVisible()
    delivery.where.setCurrentIndex(1)
    delivery.where.activated.emit(1)
    delivery.take("~/notes/today.md")
    field = form.inputs.fields["delivery"]
    assert "written out" in field.message
    field._use.click()
    delivery.mode.setCurrentIndex(1)
    delivery.mode.activated.emit(1)
    expected = {"kind": "file", "path": str(Path("~/notes/today.md").expanduser()), "mode": "append"}
    assert form.entered()["delivery"] == expected
    assert field.message == "After a run that succeeded, in one piece."
    form.inputs.schedule.buttons["rrule"].click()
    assert "delivery" not in form.entered()
    assert "delivery" not in form.problems()
    form.inputs.schedule.buttons["cron"].click()
    assert form.entered()["delivery"] == expected


# --- with the engine --------------------------------------------------------------------------------------------------


def routine(desk: Desk, schedule: dict[str, Any], **members: Any) -> str:
    """Create a routine of ours; returns its id."""
    body = {
        "schemaVersion": SCHEMA_VERSION,
        "id": "notes",
        "name": "Notes",
        "status": "ACTIVE",
        "schedule": {"timezone": "Europe/Paris", **schedule},
        "timeoutMinutes": 30,
        "runtime": "shell",
        "prompt": "true",
        "cwd": str(desk.home.root),
        **members,
    }
    desk.do(desktop_routines.create, {"adoptionKey": "test:create:" + body["id"], "routine": body})
    return str(body["id"])


CRON = {"kind": "cron", "expression": "0 3 * * *"}


def stored(shell: Shell, automation_id: str) -> RoutineRow:
    row = shell._listing.routine(automation_id)
    assert row is not None
    return row


def opened(shell: Shell, automation_id: str) -> RoutineForm:
    shell.forms.edit(automation_id)
    return shell.forms.shown[0]


def test_a_cron_routine_is_made_by_the_form(desk: Desk, shell: Shell) -> None:
    shell.forms.new()
    form = shell.forms.shown[0]
    type_name(form, "Night watch")
    form.inputs.prompt.setPlainText("true")
    cron(form, "*/10 1-3 * * mon-fri")
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    row = stored(shell, "night-watch")
    assert (row.family, row.lifecycle, row.body["schedule"]["expression"]) == ("cron", "active", "*/10 1-3 * * mon-fri")


def test_an_edit_makes_a_revision_and_says_what_it_changes(desk: Desk, shell: Shell) -> None:
    routine(desk, CRON, delivery={"kind": "notification"})
    form = opened(shell, "notes")
    assert form.reason == "Save is off: nothing is changed"
    form.inputs.schedule.cron.take("30 4 * * *")
    until("it is told", lambda: "revision 2" in form.changes.text)
    assert "Every day at 03:00 (Europe/Paris)" in form.changes.text
    assert "Every day at 04:30 (Europe/Paris)" in form.changes.text
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    row = stored(shell, "notes")
    assert (row.revision, row.family, row.body["schedule"]["expression"]) == (2, "cron", "30 4 * * *")
    assert row.body["delivery"] == {"kind": "notification"}


def test_a_cadence_becomes_cron_and_the_policy_is_told_as_changed(desk: Desk, shell: Shell) -> None:
    schedule = {"kind": "cadence", "mode": "daily", "anchor": "2026-01-01T09:00:00"}
    routine(desk, schedule)
    form = opened(shell, "notes")
    editor = form.inputs.schedule.cadence
    editor.policy.setCurrentIndex(editor.policy.findData("run-all"))
    editor.policy.activated.emit(0)
    until("it is told", lambda: "Missed times: each of them runs" in form.changes.text)
    assert "one run for all of them" in form.changes.text
    cron(form, "0 3 * * *")
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    assert stored(shell, "notes").family == "cron"


def test_what_is_planned_is_lost_only_with_the_schedule_of_a_cadence_and_never_of_cron() -> None:
    daily = {"schedule": {"kind": "cadence", "mode": "daily", "anchor": "2026-01-01T09:00:00"}}
    later = {"schedule": {**daily["schedule"], "anchor": "2026-01-01T10:00:00"}}
    assert changes.withdraws(daily, later)
    assert not changes.withdraws(daily, {**daily, "prompt": "another"})
    assert not changes.withdraws({"schedule": CRON}, later)
    assert changes.withdraws({"rrule": "FREQ=DAILY"}, {"rrule": "FREQ=DAILY", "prompt": "another"})


def test_a_coven_rule_stays_one_and_no_other_becomes_one(desk: Desk, shell: Shell) -> None:
    desk.routine("Daily notes")
    form = opened(shell, "daily-notes")
    buttons = form.inputs.schedule.buttons
    assert [kind for kind, button in buttons.items() if button.isEnabled()] == ["rrule"]
    assert "Duplicate it" in buttons["cron"].toolTip()
    form.done(0)
    routine(desk, CRON)
    form = opened(shell, "notes")
    buttons = form.inputs.schedule.buttons
    assert [kind for kind, button in buttons.items() if button.isEnabled()] == ["cadence", "cron"]


def test_a_duplicate_keeps_schedule_and_delivery_and_may_become_any_family(desk: Desk, shell: Shell) -> None:
    routine(desk, CRON, delivery={"kind": "notification"}, secrets=["TOKEN"])
    shell.forms.duplicate("notes")
    form = shell.forms.shown[0]
    until("its secrets are there", lambda: form.inputs.secrets.names())
    assert list(form.inputs.secrets.names()) == ["TOKEN"]
    assert form.entered()["schedule"] == {**CRON, "timezone": "Europe/Paris"}
    assert form.entered()["delivery"] == {"kind": "notification"}
    assert "secrets" not in form.entered()
    assert all(button.isEnabled() for button in form.inputs.schedule.buttons.values())
    form.inputs.schedule.buttons["rrule"].click()
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    assert stored(shell, "copy-of-notes").family == "rrule"


def test_what_somebody_else_changed_is_compared_and_merged(desk: Desk, shell: Shell) -> None:
    routine(desk, CRON)
    form = opened(shell, "notes")
    form.inputs.prompt.setPlainText("echo mine")
    theirs = dict(stored(shell, "notes").body) | {
        "schedule": {"kind": "cadence", "mode": "daily", "anchor": "2026-01-01T09:00:00", "timezone": "utc"}
    }
    desk.do(desktop_routines.revise, {"adoptionKey": "test:theirs", "routine": theirs, "expectedRevision": 1})
    until("it is told", lambda: "changed elsewhere" in form.notice.text.text())
    assert "Schedule" in form.notice.text.text()
    form._compare()
    dialog = form.findChildren(ConflictDialog)[0]
    assert dialog.merged()["schedule"]["kind"] == "cadence"
    assert dialog.merged()["prompt"] == "echo mine"
    dialog.use.click()
    assert form.inputs.schedule.kind == "cadence"
    assert form.inputs.zone.name() == "utc"
    form.save_button.click()
    until("the form is done", lambda: not shell.forms.shown)
    row = stored(shell, "notes")
    assert (row.revision, row.family, row.body["prompt"]) == (3, "cadence", "echo mine")


def test_pausing_a_cron_routine_by_a_key_keeps_its_schedule(desk: Desk, shell: Shell) -> None:
    routine(desk, CRON)
    until("it is listed", lambda: shell.window.routines.model.rowCount() == 1)
    shell.window.pause_asked.emit("notes")
    until("it is paused", lambda: stored(shell, "notes").lifecycle == "paused")
    row = stored(shell, "notes")
    assert (row.family, row.body["schedule"]["expression"], row.by_scheduler) == ("cron", "0 3 * * *", False)


def test_the_engines_refusal_stands_at_the_member_it_names(form_at: FormAt) -> None:
    form = form_at()
    cadence(form, "daily", anchor="2027-03-25T10:00:00")
    form.refuse("until is over before the next time", "schedule.until")
    assert form.inputs.schedule.cadence.fields["until"].message == "until is over before the next time"
