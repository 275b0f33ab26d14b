"""A routine's page, beside the table: when it runs, what has been, how long it took, and what it is told to do."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from coven_desktop.engine.listing import RoutineRow
from coven_desktop.engine.overview import LastRun, RoutinePage
from coven_desktop.qt.core import QEvent, QPointF, QRectF, QSize, Qt, Signal
from coven_desktop.qt.gui import QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from coven_desktop.qt.widgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QToolTip,
    QVBoxLayout,
    QWidget,
)
from coven_desktop.ui import lawful, texts, tones
from coven_desktop.ui.cells import schedule_of
from coven_desktop.ui.plain import tip
from coven_desktop.ui.prompt_edit import PromptEdit
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import Times, duration
from coven_desktop.ui.tray_state import pause_line

if TYPE_CHECKING:
    from coven_desktop.engine.pause_all import Pause

SHOWN_RESULTS = 6
PLOT_HEIGHT = 72
# The contract's states of a run, as those of an occurrence have them.
_OUTCOMES = {"timed_out": "failed", "ambiguous": "recovery_required", "accepted": "claimed"}


Result = tuple[str, Tone, str | None]
"""One of the last results: in words, its tone, and the occurrence it leads to."""


def _outcome(status: str) -> str:
    return _OUTCOMES.get(status, status)


class DurationsPlot(QWidget):
    """How long the last runs took, the oldest on the left; each can be pointed at and clicked."""

    run_asked = Signal(str)  # occurrence id

    def __init__(self, times: Times, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._times = times
        self._runs: list[LastRun] = []
        self.setFixedHeight(PLOT_HEIGHT)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(self.tr("Durations of the last runs"))

    def show_runs(self, runs: tuple[LastRun, ...]) -> None:
        """Show runs, newest first as they come."""
        self._runs = [run for run in reversed(runs) if run.took is not None]
        took = sorted(run.took for run in self._runs if run.took is not None)
        if len(took) == 1:
            said = self.tr("1 run, {duration}").format(duration=duration(took[0]))
        elif took:
            text = self.tr("{number} runs, from {least} to {most}, half of them within {middle}")
            said = text.format(
                number=len(took),
                least=duration(took[0]),
                most=duration(took[-1]),
                middle=duration(took[len(took) // 2]),
            )
        else:
            said = self.tr("No run has ended yet")
        self.setAccessibleDescription(said)
        self.update()

    def sizeHint(self) -> QSize:
        """See `QWidget`."""
        return QSize(240, PLOT_HEIGHT)

    def _longest(self) -> int:
        return max((run.took or 0 for run in self._runs), default=0)

    def _width(self) -> float:
        return min(14.0, (self.width() - 4) / max(len(self._runs), 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        """See `QWidget`."""
        painter = QPainter(self)
        palette = self.palette()
        ground = self.height() - 2
        painter.setPen(QPen(tones.colour(Tone.QUIET, palette), 1))
        painter.drawLine(QPointF(0, ground), QPointF(self.width(), ground))
        longest, width = max(self._longest(), 1), self._width()
        for place, run in enumerate(self._runs):
            height = max(3.0, (ground - 16) * (run.took or 0) / longest)
            box = QRectF(2 + place * width, ground - height, max(width - 2, 1), height)
            painter.fillRect(box, tones.colour(texts.outcome_tone(_outcome(run.status)), palette))
        painter.setPen(tones.colour(Tone.QUIET, palette))
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 0.85)
        painter.setFont(font)
        said = self.tr("longest {duration}").format(duration=duration(longest))
        painter.drawText(QPointF(2, 11), said if self._runs else self.tr("No run has ended yet"))
        painter.end()

    def _run_at(self, x: float) -> LastRun | None:
        place = int((x - 2) // self._width())
        return self._runs[place] if 0 <= place < len(self._runs) else None

    def event(self, event: QEvent) -> bool:
        """Tooltips are made where the mouse is."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            run = self._run_at(event.pos().x())
            if run is not None:
                text = self.tr("{time}: {outcome} after {duration}").format(
                    time=self._times.day_and_time(run.started_at),
                    outcome=texts.outcome(_outcome(run.status)).lower(),
                    duration=duration(run.took or 0),
                )
                QToolTip.showText(event.globalPos(), tip(text), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click shows the run."""
        run = self._run_at(event.position().x())
        if run is not None and run.occurrence_id is not None:
            self.run_asked.emit(run.occurrence_id)


class RoutinePanel(QFrame):
    """See the file's docstring."""

    run_asked = Signal(str)  # occurrence id
    step_asked = Signal(object)  # RoutineRow
    edit_asked = Signal(str)
    history_asked = Signal(str)
    closed = Signal()

    def __init__(self, times: Times, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._times = times
        self._row: RoutineRow | None = None
        self._page: RoutinePage | None = None
        self._pause: Pause | None = None
        self._results_said: list[Result] | None = None
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAccessibleName(self.tr("Page of the routine"))
        self.setMinimumWidth(260)
        self.title = self._label(1.25)
        self.state = self._label()
        self.step = QPushButton(self)
        self.step.setAccessibleName(self.tr("The next step"))
        self.step.setAutoDefault(False)
        self.step.clicked.connect(lambda: self.step_asked.emit(self._row))
        self.when = self._label()
        self.firings = self._label()
        self.facts = self._label()
        self.plot = DurationsPlot(times, self)
        self.plot.run_asked.connect(self.run_asked)
        self.results = QVBoxLayout()
        self.results.setSpacing(0)
        self.prompt = PromptEdit(self)
        self.prompt.setReadOnly(True)
        self.prompt.setTabChangesFocus(True)
        self.prompt.setAccessibleName(self.tr("Prompt"))
        self.prompt.setMinimumHeight(90)
        self.prompt.setMaximumHeight(180)
        self._build()

    def _label(self, size: float = 1.0) -> QLabel:
        label = QLabel(self)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setTextFormat(Qt.TextFormat.PlainText)
        if size != 1.0:
            font = label.font()
            font.setPointSizeF(font.pointSizeF() * size)
            label.setFont(font)
        return label

    def _build(self) -> None:
        close = QToolButton(self)
        close.setText("×")
        close.setAutoRaise(True)
        close.setAccessibleName(self.tr("Close the routine's page"))
        close.setToolTip(self.tr("Close the routine's page (Esc)"))
        close.clicked.connect(self.closed)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        inner = QWidget(self)
        column = QVBoxLayout(inner)
        column.setContentsMargins(12, 10, 8, 10)
        column.setSpacing(5)
        column.addLayout(head)
        column.addWidget(self.state)
        column.addWidget(self.step, 0, Qt.AlignmentFlag.AlignLeft)
        for title, part in (
            (self.tr("When"), self.when),
            (self.tr("Next, in your time"), self.firings),
            (self.tr("How long it took"), self.plot),
            (self.tr("Last results"), self.results),
            (self.tr("What it is told"), self.prompt),
            (self.tr("How"), self.facts),
        ):
            heading = self._label()
            font = heading.font()
            font.setBold(True)
            heading.setFont(font)
            heading.setText(title)
            column.addSpacing(5)
            column.addWidget(heading)
            if isinstance(part, QVBoxLayout):
                column.addLayout(part)
            else:
                column.addWidget(part)
        buttons = QHBoxLayout()
        for text, asked in (
            (self.tr("Edit…"), self.edit_asked),
            (self.tr("All occurrences"), self.history_asked),
        ):
            button = QPushButton(text, self)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, asked=asked: self._row and asked.emit(self._row.id))
            buttons.addWidget(button)
            if asked is self.edit_asked:
                self.edit = button
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addStretch(1)
        scroll = QScrollArea(self)
        scroll.setAccessibleName(self.tr("Page of the routine"))
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inner)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    @property
    def routine_id(self) -> str | None:
        """Whose page is shown."""
        return self._row.id if self._row is not None else None

    def show_row(self, row: RoutineRow) -> None:
        """Show a routine; what of its page is not read yet follows by `show_page`."""
        changed = self._row is None or self._row.id != row.id
        self._row = row
        self.title.setText(row.name)
        state, _ = texts.routine_state(row, self._times)
        self.state.setText(state)
        step = lawful.next_step(row)
        self.step.setVisible(step is not None)
        if step is not None:
            self.step.setText(step.verb)
            self.step.setAccessibleName(self.step.text().replace("&", "") or self.tr("The next step"))
            self.step.setToolTip(tip(step.hint))
            self.step.setAccessibleDescription(step.hint)
        reason = lawful.why_not_edit(row)
        self.edit.setEnabled(reason is None)
        self.edit.setToolTip(tip(reason or ""))
        self.when.setText(schedule_of(row))
        prompt = str(row.body.get("prompt", ""))
        if self.prompt.toPlainText() != prompt:
            self.prompt.setPlainText(prompt)
        facts = [
            self.tr("Runtime: {name}").format(name=row.runtime),
            self.tr("Folder: {path}").format(path=row.body.get("cwd") or self.tr("none")),
            self.tr("At most {minutes} minutes").format(minutes=row.body.get("timeoutMinutes", "")),
            self.tr("Revision {number}, id {id}").format(number=row.revision, id=row.id),
        ]
        if row.tags:
            facts.insert(2, self.tr("Tags: {names}").format(names=", ".join(row.tags)))
        self.facts.setText("\n".join(facts))
        if changed:
            self._page, self._results_said = None, None
        self._say_page()

    def show_page(self, page: RoutinePage) -> None:
        """What is to come and what has been, when it is of the routine that is shown."""
        if page.automation_id == self.routine_id and page != self._page:
            self._page = page
            self._say_page()

    def restate(self) -> None:
        """Time has passed."""
        if self._row is not None:
            self.show_row(self._row)

    def show_pause(self, pause: Pause | None) -> None:
        """Whether everything pauses: then no times are promised."""
        if pause != self._pause:
            self._pause = pause
            if self._row is not None:
                self._say_page()

    def _say_page(self) -> None:
        row, page = self._row, self._page
        assert row is not None
        firings = page.firings if page is not None else ()
        lines = [f"{self._times.day_and_time(at)}  ·  {self._times.relative(at)}" for at in firings]
        if not lines:
            lines = [texts.why_no_date(row) if row.next_due_at is None else "…"]
        if self._pause is not None and row.next_due_at is not None:
            lines = [pause_line(self._pause, self._times)]
        self.firings.setText("\n".join(lines))
        runs = page.runs if page is not None else ()
        self.plot.show_runs(runs)
        said = [self._result_of(run) for run in runs[:SHOWN_RESULTS]]
        if said == self._results_said and page is not None:
            return  # as they are: the focus stays on the one that has it
        self._results_said = said
        while (item := self.results.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for text, tone, occurrence_id in said:
            self.results.addWidget(self._result(text, tone, occurrence_id))
        if not said:
            none = self._label()
            none.setText(self.tr("Not run yet") if page is not None else "…")
            self.results.addWidget(none)

    def _result_of(self, run: LastRun) -> Result:
        outcome, tone = self._said(run)
        text = self.tr("{outcome}, {time}").format(outcome=outcome, time=self._times.day_and_time(run.started_at))
        if run.took is not None:
            text += f", {duration(run.took)}"
        return text, tone, run.occurrence_id

    def _result(self, text: str, tone: Tone, occurrence_id: str | None) -> QToolButton:
        """One of the last results: a button that shows the run."""
        button = QToolButton(self)
        button.setText(text)
        button.setIcon(tones.mark(tone, self.palette()))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolTip(tip(self.tr("Show this run: {text}").format(text=text)))
        # as wide as the page is, not as its text
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        if occurrence_id is not None:
            button.clicked.connect(partial(self._show_run, occurrence_id))
        else:
            button.setEnabled(False)
        return button

    def _said(self, run: LastRun) -> tuple[str, Tone]:
        """How a run ended, or what it waits for."""
        opened = self._row.run if self._row is not None else None
        if opened is not None and opened.run_id == run.run_id:
            if opened.phase in ("held", "waiting"):
                return texts.waits_for(opened, self._times), Tone.ASKS if opened.phase == "held" else Tone.BUSY
            if opened.phase in ("recovery_required", "lost"):
                return texts.outcome(opened.phase), texts.outcome_tone(opened.phase)
        outcome = _outcome(run.status)
        return texts.outcome(outcome), texts.outcome_tone(outcome)

    def _show_run(self, occurrence_id: str, _checked: bool = False) -> None:
        self.run_asked.emit(occurrence_id)
