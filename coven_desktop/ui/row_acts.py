"""What can be done with the selected rows: the actions, when they are on, why they are off, and several at once.

What a person asks for goes out as signals, one for each row, or to `Acts` where it is the same for all. What does not
apply to some of the rows is left out and said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coven_desktop.engine.listing import OccurrenceRow, RoutineRow
from coven_desktop.qt.core import QObject, Signal
from coven_desktop.qt.gui import QAction
from coven_desktop.qt.widgets import QWidget
from coven_desktop.ui import ending, lawful, plain
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.cells import Cells
from coven_desktop.ui.table_page import MOST_SELECTED, act

Why = str | None


class RowActs(QObject):
    """See the file's docstring. `parent` is the window, in which the shortcuts work."""

    edit_asked = Signal(str)
    duplicate_asked = Signal(str)
    run_asked = Signal(str, str, bool)
    pause_asked = Signal(str)
    output_asked = Signal(str)
    stop_asked = Signal(str, str)
    decide_asked = Signal(str)
    release_asked = Signal(str)
    enable_asked = Signal(str)
    note_asked = Signal(str)  # routine id: run it now, after saying what is in the way, with a note
    several_asked = Signal(str, object)  # run, stop, release or retry; the ids of the routines or occurrences
    history_asked = Signal(str)  # routine id
    page_asked = Signal(str)  # routine id
    fold_asked = Signal(object)  # OccurrenceRow
    told = Signal(str)  # what was left out

    def __init__(self, acts: Acts, parent: QWidget) -> None:
        super().__init__(parent)
        self._acts = acts
        self._window = parent
        self._routines: list[RoutineRow] = []
        self._occurrences: list[OccurrenceRow] = []
        self._amount = 0
        make = self._make
        self.edit = make(self.tr("&Edit…"), "Ctrl+E", self._edit, self.tr("Change the selected routine"))
        self.duplicate = make(
            self.tr("D&uplicate…"), "Ctrl+D", self._duplicate, self.tr("Make a new routine like this one")
        )
        self.run = make(self.tr("&Run now"), "Ctrl+R", self._run, self.tr("Run the selected routines now"))
        self.run_with_note = make(
            self.tr("Run now with a no&te…"),
            "Ctrl+Shift+R",
            self._run_with_note,
            self.tr("Run the selected routine now, with a note; says what stands in its way"),
        )
        self.pause = make(self.tr("&Pause"), "Ctrl+P", self._pause, self.tr("Pause or resume the schedule"))
        self.delete = make(self.tr("De&lete"), "Del", self._delete, self.tr("Delete the selected routines"))
        self.page = make(
            self.tr("Show its pa&ge"), "Ctrl+G", self._page, self.tr("What is to come of it, and what has been")
        )
        self.history = make(
            self.tr("Show its &occurrences"), "Ctrl+H", self._history, self.tr("What this routine has done")
        )
        self.output = make(
            self.tr("Show &output"), "Ctrl+O", self._output, self.tr("Attempts, timing and output of this run")
        )
        self.stop = make(self.tr("&Stop…"), "Ctrl+T", self._stop, self.tr("Stop the selected runs"))
        self.decide = make(
            self.tr("&Decide…"), "Ctrl+J", self.take_step, self.tr("The next step of the row: what it waits for")
        )

    def _make(self, text: str, shortcut: str, does: Callable[[], None], tip: str) -> QAction:
        action = act(self._window, text, shortcut, does, tip)
        action.setData(action.toolTip())
        return action

    # --- what is selected --------------------------------------------------------------------------------------------

    def select(self, rows: Sequence[Cells], amount: int) -> None:
        """These rows are selected, of so many; everything that cannot be done with them is off and says why."""
        self._routines = [cells.row for cells in rows if isinstance(cells.row, RoutineRow)]
        self._occurrences = [cells.row for cells in rows if isinstance(cells.row, OccurrenceRow)]
        self._amount = amount
        routine, occurrence = self._one_routine(), self._one_occurrence()
        one = self.tr("Select one routine.")
        for action in (self.duplicate, self.history, self.page, self.run_with_note):
            self._turn(action, None if routine is not None else one)
        self._turn(self.edit, one if routine is None else lawful.why_not_edit(routine))
        self._turn(self.run, self._why_none(lawful.why_not_run))
        self._turn(self.delete, self._why_none(lawful.why_not_delete))
        self._turn(self.pause, self._why_none(lawful.why_not_pause))
        pausable = [row for row in self._routines if lawful.why_not_pause(row) is None]
        resumes = bool(pausable) and all(row.lifecycle == "paused" for row in pausable)
        self.pause.setText(self.tr("Resum&e") if resumes else self.tr("&Pause"))
        self._turn(self.output, None if self._one_run() is not None else self.tr("Select one run."))
        phases = {row.phase for row in self._occurrences}
        self.stop.setText(ending.verb(phases.pop()) if len(phases) == 1 else ending.verb(""))
        self._turn(self.stop, self._why_not_stop())
        if occurrence is not None and lawful.only_given_up(occurrence):
            # its next step says so already
            self.stop.setText(ending.verb(""))
            self._turn(self.stop, self.tr("Its next step is to give it up."))
        step = self._step()
        self._turn(self.decide, None if step is not None else self.tr("Nothing here waits for you."))
        self.decide.setText(step.verb if step is not None else self.tr("&Decide…"))
        if step is not None:
            self.decide.setToolTip(plain.tip(f"{step.hint}\n{self.decide.data()}"))

    def _one_routine(self) -> RoutineRow | None:
        return self._routines[0] if len(self._routines) == 1 and not self._occurrences else None

    def _one_occurrence(self) -> OccurrenceRow | None:
        return self._occurrences[0] if len(self._occurrences) == 1 and not self._routines else None

    def _one_run(self) -> str | None:
        """The occurrence of the one selected row: of a routine, the one whose run is open."""
        if (occurrence := self._one_occurrence()) is not None:
            return occurrence.id
        routine = self._one_routine()
        return routine.run.occurrence_id if routine is not None and routine.run is not None else None

    def _turn(self, action: QAction, why_not: Why) -> None:
        """On, or off with the reason where one looks for it."""
        action.setEnabled(why_not is None)
        tip = str(action.data())
        action.setToolTip(plain.tip(tip if why_not is None else f"{tip}\n{why_not}"))
        action.setStatusTip(why_not or "")

    def _why_none(self, why_not: Callable[[RoutineRow], Why]) -> Why:
        """Why something can be done with none of the selected routines."""
        if not self._routines:
            return self.tr("Select a routine.")
        reasons = [why_not(row) for row in self._routines]
        return None if None in reasons else reasons[0]

    def _why_not_stop(self) -> Why:
        if not self._occurrences:
            return self.tr("Select a run.")
        reasons = [lawful.why_not_stop(row, row.phase in ending.ENDABLE) for row in self._occurrences]
        return None if None in reasons else reasons[0]

    def _step(self) -> lawful.Step | None:
        routine, occurrence = self._one_routine(), self._one_occurrence()
        if routine is not None:
            return lawful.next_step(routine)
        return lawful.step_of_occurrence(occurrence) if occurrence is not None else self._step_of_several()

    def _step_of_several(self) -> lawful.Step | None:
        """Releases and retries are taken for several at once; recovery never is: its evidence is looked at first."""
        steps = [lawful.next_step(row) for row in self._routines]
        steps += [lawful.step_of_occurrence(row) for row in self._occurrences]
        for wanted in ("release", "retry"):
            found = next((step for step in steps if step is not None and step.act == wanted), None)
            if found is not None:
                return found
        return None

    # --- one row -----------------------------------------------------------------------------------------------------

    def _edit(self) -> None:
        if (routine := self._one_routine()) is not None:
            self.edit_asked.emit(routine.id)

    def _duplicate(self) -> None:
        if (routine := self._one_routine()) is not None:
            self.duplicate_asked.emit(routine.id)

    def _history(self) -> None:
        if (routine := self._one_routine()) is not None:
            self.history_asked.emit(routine.id)

    def _page(self) -> None:
        if (routine := self._one_routine()) is not None:
            self.page_asked.emit(routine.id)

    def _output(self) -> None:
        if (occurrence_id := self._one_run()) is not None:
            self.output_asked.emit(occurrence_id)

    def open(self, cells: Cells) -> None:
        """A row was opened: by Enter or a double click."""
        row = cells.row
        if isinstance(row, RoutineRow):
            self.page_asked.emit(row.id)
        elif isinstance(row, OccurrenceRow):
            self.fold_asked.emit(row) if row.folded else self.output_asked.emit(row.id)

    def take_step(self) -> None:
        """Take the next step of the selected row."""
        if (routine := self._one_routine()) is not None:
            self.step(routine)
        elif (occurrence := self._one_occurrence()) is not None:
            self.step(occurrence)
        elif (step := self._step_of_several()) is not None:
            if step.act == "release":
                ids = [row.id for row in self._routines] + [row.automation_id for row in self._occurrences]
            else:
                runs = [row.run for row in self._routines] + [row.run for row in self._occurrences]
                ids = [run.occurrence_id for run in runs if run is not None]
            self.several_asked.emit(step.act, list(dict.fromkeys(ids)))

    def step(self, row: RoutineRow | OccurrenceRow) -> None:
        """Take the next step of a row."""
        if isinstance(row, OccurrenceRow):
            step, routine_id, occurrence_id = lawful.step_of_occurrence(row), row.automation_id, row.id
        else:
            step, routine_id = lawful.next_step(row), row.id
            occurrence_id = row.run.occurrence_id if row.run is not None else ""
        if step is None:
            return
        if step.act in ("decide", "retry"):
            self.decide_asked.emit(occurrence_id)
        elif step.act == "show":
            self.output_asked.emit(occurrence_id)
        else:
            asked = {
                "release": self.release_asked,
                "edit": self.edit_asked,
                "resume": self.pause_asked,
                "duplicate": self.duplicate_asked,
                "enable": self.enable_asked,
            }[step.act]
            asked.emit(routine_id)

    # --- several rows ------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        able = [row for row in self._routines if lawful.why_not_run(row) is None]
        if len(self._routines) == 1 and able:
            self.run_asked.emit(able[0].id, able[0].name, able[0].lifecycle == "paused")
            return
        self.several_asked.emit("run", [row.id for row in self._routines])
        self._tell_rest(0, "")

    def _run_with_note(self) -> None:
        if (routine := self._one_routine()) is not None:
            self.note_asked.emit(routine.id)

    def _pause(self) -> None:
        able = [row for row in self._routines if lawful.why_not_pause(row) is None]
        resumes = bool(able) and all(row.lifecycle == "paused" for row in able)
        chosen = able if resumes else [row for row in able if row.lifecycle == "active"]
        for row in chosen:
            self.pause_asked.emit(row.id)
        rest = self.tr("neither active nor paused") if resumes else self.tr("not active")
        self._tell_rest(len(self._routines) - len(chosen), rest)

    def _delete(self) -> None:
        able = [row for row in self._routines if lawful.why_not_delete(row) is None]
        self._acts.delete_all([(row.id, row.name, row.live) for row in able])
        self._tell_rest(len(self._routines) - len(able), self.tr("deleted already"))

    def _stop(self) -> None:
        able = [row for row in self._occurrences if row.phase in ending.ENDABLE and not row.stopping]
        if len(self._occurrences) == 1 and able:
            self.stop_asked.emit(able[0].id, able[0].name)
            return
        self.several_asked.emit("stop", [row.id for row in self._occurrences])
        self._tell_rest(0, "")

    def _tell_rest(self, rest: int, why: str) -> None:
        """Say what was left out, and that only so many rows are taken at once."""
        lines = []
        if rest == 1:
            lines.append(self.tr("1 of the selected rows was left as it is: {why}.").format(why=why))
        elif rest > 1:
            lines.append(
                self.tr("{number} of the selected rows were left as they are: {why}.").format(number=rest, why=why)
            )
        if self._amount > MOST_SELECTED:
            text = self.tr("Only the first {number} rows were taken; do the same again for the others.")
            lines.append(text.format(number=MOST_SELECTED))
        if lines:
            self.told.emit(" ".join(lines))
