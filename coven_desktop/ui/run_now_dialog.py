"""Running a routine by hand with a note, and what stands in the way, said before anything is asked of the engine."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from coven_desktop.engine.listing import OccurrenceRow, RoutineRow
from coven_desktop.qt.core import Qt, QTimer
from coven_desktop.qt.gui import QIcon
from coven_desktop.qt.widgets import QGridLayout, QLabel, QPushButton, QWidget
from coven_desktop.ui import tones
from coven_desktop.ui.acts import Acts, Then
from coven_desktop.ui.deciding_dialog import DecidingDialog, step_button
from coven_desktop.ui.doors import Runtimes
from coven_desktop.ui.note_field import NoteField
from coven_desktop.ui.obstacles import Obstacle, Step, Surroundings, Weight, folder_of, look_around, obstacles
from coven_desktop.ui.reader import ReaderThread
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import Times

NOTE_LIMIT = 500
# The folder, the network disk it may be on and the pause are looked at this often while the dialog is open.
LOOK_MS = 5_000

Read = Callable[[], tuple[RoutineRow | None, OccurrenceRow | None]]
TakeStep = Callable[[Step, str], None]

_TONES: dict[Weight, Tone] = {"refused": Tone.ASKS, "fails": Tone.BAD, "asks": Tone.ASKS, "tells": Tone.QUIET}


class RunNowDialog(DecidingDialog):
    """What stands in the way, each with its next step; a note; Run. `refresh` reads the routine again.

    `read` gives the routine and the occurrence of its open run; `take_step` carries out what an obstacle offers.
    """

    def __init__(
        self,
        row: RoutineRow,
        read: Read,
        take_step: TakeStep,
        runtimes: Runtimes,
        times: Times,
        acts: Acts,
        reader: ReaderThread,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(
            acts,
            self.tr("Run “{name}” now").format(name=row.name),
            self.tr("Run “{name}” now?").format(name=row.name),
            parent,
        )
        self.automation_id = row.id
        self._name = row.name
        self._read = read
        self._take_step = take_step
        self._runtimes = runtimes
        self._times = times
        self._reader = reader
        self._key = f"around {id(self)}"
        self._row: RoutineRow | None = row
        self._open: OccurrenceRow | None = None
        self._around: Surroundings | None = None
        self._obstacles: list[Obstacle] | None = None
        self._lines: list[QWidget] = []
        self._list = QWidget(self)
        self._list.setAccessibleName(self.tr("What stands in the way"))
        self._grid = QGridLayout(self._list)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        self.clear = self.paragraph(
            self.tr("Nothing in the way"), self.tr("Nothing stands in the way: it starts at once.")
        )
        self.note = NoteField(
            self.tr("&Note (kept with the run)"), NOTE_LIMIT, self.tr("Why you run it now, if you like"), self
        )
        self.note.changed.connect(self.restate)
        self.no_note = self.paragraph(self.tr("No note"), self.tr("The run of a paused routine takes no note."))
        self.run = QPushButton(self.tr("&Run now"), self)
        cancel = QPushButton(self.tr("&Cancel"), self)
        self.run.clicked.connect(self._run)
        cancel.clicked.connect(self.reject)
        for part in (self.clear, self._list, self.note, self.no_note):
            self.column.addWidget(part)
        self.finish(self.run, cancel)
        self.refresh()
        looks = QTimer(self)
        looks.setInterval(LOOK_MS)
        looks.timeout.connect(self.refresh)
        looks.start()

    @property
    def obstacles(self) -> list[Obstacle]:
        """What stands in the way, as it is shown."""
        return self._obstacles or []

    def refresh(self) -> None:
        """The routine, its open run, its folder or the pause may have changed."""
        self._row, self._open = self._read()
        folder = folder_of(self._row) if self._row is not None else ""
        self._reader.ask(self._key, partial(look_around, folder=folder), self._looked, lambda sentence: None)
        self.restate()

    def _looked(self, around: Surroundings) -> None:
        self._around = around
        self.restate()

    def restate(self) -> None:
        """See `DecidingDialog`."""
        found = obstacles(self._row, self._open, self._around, self._runtimes(), self._times)
        if found != self._obstacles:
            self._obstacles = found
            self._show(found)
        paused = self._row is not None and self._row.lifecycle == "paused"
        self.note.setVisible(not paused)
        self.no_note.setVisible(paused)
        off = ""
        if self.asked:
            off = self.tr("It is being started.")
        elif any(obstacle.weight == "refused" for obstacle in found):
            off = self.tr("What is said above stands in the way.")
        elif self.note.too_long and not paused:
            off = self.tr("The note is too long to be kept.")
        once = self.tr("&Run it once") if paused else self.tr("&Run now")
        step_button(self.tr("Starting…") if self.asked else once, off, self.run)

    def _show(self, found: list[Obstacle]) -> None:
        for old in self._lines:
            self._grid.removeWidget(old)
            old.deleteLater()
        self._lines = []
        self.clear.setVisible(not found)
        self._list.setVisible(bool(found))
        for place, obstacle in enumerate(found):
            mark = QLabel(self._list)
            mark.setPixmap(self._mark(obstacle).pixmap(16, 16))
            text = self.paragraph(self.tr("What stands in the way"), obstacle.text)
            self._grid.addWidget(mark, place, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(text, place, 1, Qt.AlignmentFlag.AlignTop)
            self._lines += [mark, text]
            if obstacle.step:
                button = QPushButton(self._step_text(obstacle.step), self._list)
                button.setAutoDefault(False)
                button.clicked.connect(partial(self._step, obstacle))
                self._grid.addWidget(button, place, 2, Qt.AlignmentFlag.AlignTop)
                self._lines.append(button)
        self.adjustSize()

    def _mark(self, obstacle: Obstacle) -> QIcon:
        return tones.mark(_TONES[obstacle.weight], self.palette())

    def _step_text(self, step: Step) -> str:
        return {
            "show": self.tr("&Show it"),
            "retry": self.tr("Re&try…"),
            "decide": self.tr("&Decide…"),
            "release": self.tr("Re&lease…"),
            "edit": self.tr("&Edit…"),
        }[step]

    def _step(self, obstacle: Obstacle, _checked: bool = False) -> None:
        self._take_step(obstacle.step, obstacle.occurrence_id)

    def _run(self) -> None:
        paused = self._row is not None and self._row.lifecycle == "paused"
        note = self.note.text()

        def start(then: Then) -> None:
            if paused:
                self._acts.run_paused(self.automation_id, self._name, then)
            else:
                self._acts.run_now(self.automation_id, self._name, note, then)

        self.act(start)

    def done(self, result: int) -> None:
        """See `QDialog`; nothing is looked for any more."""
        self._reader.forget(self._key)
        super().done(result)
