"""The run view: one occurrence with its attempts, its timing, its proven outcome, and its output as it comes."""

from __future__ import annotations

import json

from coven_desktop.contract import timestamps
from coven_desktop.engine.listing import AttemptRow, Listing, OccurrenceRow, RunDetail, StoreFault
from coven_desktop.qt.core import QEvent, Qt, QTimer, Signal
from coven_desktop.qt.gui import QCloseEvent, QGuiApplication, QKeySequence, QPalette, QShortcut
from coven_desktop.qt.widgets import (
    QAbstractItemView,
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)
from coven_desktop.ui import ending, texts, tones
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.decide_dialog import DecideDialog
from coven_desktop.ui.output_view import OutputView
from coven_desktop.ui.reader import ReaderThread
from coven_desktop.ui.retry_dialog import RetryDialog
from coven_desktop.ui.times import Times, duration, elapsed

TICK_MS = 1_000


class RunWindow(QWidget):
    """A window of its own for one occurrence. `closed` when it is gone; `refresh` after every change."""

    closed = Signal(str)

    def __init__(
        self,
        occurrence_id: str,
        listing: Listing,
        reader: ReaderThread,
        acts: Acts,
        times: Times,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Window)
        self.occurrence_id = occurrence_id
        self._listing = listing
        self._acts = acts
        self._times = times
        self.detail: RunDetail | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(860, 640)
        self._build(reader)
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._say_state)
        acts.stop_changed.connect(self._stop_changed)
        self.refresh()

    # --- building ----------------------------------------------------------------------------------------------------

    def _build(self, reader: ReaderThread) -> None:
        self._name = QLabel(self)
        font = self._name.font()
        font.setPointSizeF(font.pointSizeF() * 1.35)
        self._name.setFont(font)
        self._mark = QLabel(self)
        self.state = QLabel(self)
        self.state.setAccessibleName(self.tr("State"))
        self._reason = QLabel(self)
        self._reason.setWordWrap(True)
        self._reason.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.stop_button = QPushButton(self.tr("&Stop…"), self)
        self.stop_button.clicked.connect(self._ask_stop)
        self.decide_button = QPushButton(self.tr("&Decide…"), self)
        self.decide_button.clicked.connect(self.decide)
        self.retry_button = QPushButton(self.tr("&Retry…"), self)
        self.retry_button.clicked.connect(self.decide)
        self.copy_button = QPushButton(self.tr("&Copy diagnostics"), self)
        self.copy_button.clicked.connect(self._copy)
        for button in (self.stop_button, self.decide_button, self.retry_button, self.copy_button):
            button.setAutoDefault(False)
        state_line = QHBoxLayout()
        state_line.setSpacing(6)
        state_line.addWidget(self._mark)
        state_line.addWidget(self.state, 1)
        title = QVBoxLayout()
        title.setSpacing(2)
        title.addWidget(self._name)
        title.addLayout(state_line)
        top = QHBoxLayout()
        top.addLayout(title, 1)
        for button in (self.decide_button, self.retry_button, self.stop_button, self.copy_button):
            top.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self._facts = QGridLayout()
        self._facts.setHorizontalSpacing(10)
        self._facts.setVerticalSpacing(3)
        self._facts.setColumnStretch(1, 1)
        self._facts.setColumnStretch(3, 2)
        self._fact_labels: list[tuple[QLabel, QLabel]] = []
        self.attempts = self._attempts_table()
        self.output = OutputView(reader, self)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(14, 12, 14, 12)
        whole.setSpacing(8)
        whole.addLayout(top)
        whole.addWidget(self._reason)
        whole.addLayout(self._facts)
        whole.addWidget(self.attempts)
        whole.addLayout(self._output_bar())
        whole.addWidget(self.output, 1)

    def _attempts_table(self) -> QTableWidget:
        table = QTableWidget(0, 6, self)
        table.setAccessibleName(self.tr("Attempts"))
        table.setHorizontalHeaderLabels(
            [
                self.tr("Attempt"),
                self.tr("State"),
                self.tr("Started"),
                self.tr("Took"),
                self.tr("Ended with"),
                self.tr("Reason"),
            ]
        )
        table.verticalHeader().hide()
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().setMinimumSectionSize(0)
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 10)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setStretchLastSection(True)
        return table

    def _output_bar(self) -> QHBoxLayout:
        heading = QLabel(self.tr("Output"), self)
        self.follow = QCheckBox(self.tr("&Follow"), self)
        self.follow.setChecked(True)
        self.follow.setToolTip(self.tr("Keep the newest output in view"))
        self.follow.toggled.connect(self._set_follow)
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(self.tr("Search the output"))
        self.search.setAccessibleName(self.tr("Search the output"))
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(240)
        self.search.returnPressed.connect(self._search_next)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.search.setFocus)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self, self.close)
        bar = QHBoxLayout()
        bar.addWidget(heading)
        bar.addStretch(1)
        bar.addWidget(self.search)
        bar.addWidget(self.follow)
        return bar

    # --- showing -----------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read the occurrence again, by its key."""
        try:
            detail = self._listing.run_detail(self.occurrence_id)
        except StoreFault as fault:
            self._reason.setText(str(fault))
            return
        self.detail = detail
        if detail is None:
            self.state.setText(self.tr("This run is not in the database any more."))
            return
        row = detail.occurrence
        time = self._times.day_and_time(row.scheduled_for)
        self.setWindowTitle(self.tr("{name}: run of {time}").format(name=row.name, time=time))
        self._name.setText(row.name)
        self._say_state()
        self._say_facts(detail)
        self._say_attempts(detail.attempts)
        self.stop_button.setVisible(row.phase in ending.ENDABLE)
        self.stop_button.setText(ending.verb(row.phase))
        self.decide_button.setVisible(row.state == "recovery_required")
        self.retry_button.setVisible(row.phase == "held")
        for dialog in self.findChildren(RetryDialog):
            dialog.show_detail(detail)
        self.output.show_session(detail.session_id, live=row.live)
        self._placeholder(detail)
        self._tick.start() if row.phase in ending.ENDABLE else self._tick.stop()

    def _placeholder(self, detail: RunDetail) -> None:
        if detail.session_id is None:
            text = self.tr("Nothing was started yet, so there is no output.")
        elif detail.occurrence.live:
            text = self.tr("Nothing printed yet.")
        else:
            text = self.tr("Nothing was printed.")
        self.output.setPlaceholderText(text)

    def _say_state(self) -> None:
        detail = self.detail
        if detail is None:
            return
        row = detail.occurrence
        text = texts.occurrence_state(row, self._times)
        if row.live and row.started_at is not None:
            text += "  ·  " + elapsed(self._times.now() - row.started_at)
        elif row.exit_code is not None and row.state in ("succeeded", "failed"):
            text += "  ·  " + self.tr("exit {code}").format(code=row.exit_code)
        self.state.setText(text)
        tone = texts.occurrence_tone(row)
        self._mark.setPixmap(tones.mark(tone, self.palette()).pixmap(16, 16))
        sentences = [sentence for sentence in (self._stop_sentence(), self._wait_sentence()) if sentence]
        reason = "\n".join(sentences) or row.reason or ""
        self._reason.setText(reason)
        self._reason.setVisible(bool(reason))
        palette = self._reason.palette()
        palette.setColor(QPalette.ColorRole.WindowText, tones.colour(tone, self.palette()))
        self._reason.setPalette(palette)
        stop = self._acts.stop_of(self.occurrence_id)
        self.stop_button.setEnabled(not row.stopping and (stop is None or stop.progress != "asked"))

    def _stop_sentence(self) -> str:
        """Asked, confirmed, or unconfirmed: never just "stopped"."""
        stop = self._acts.stop_of(self.occurrence_id)
        detail = self.detail
        if stop is None or detail is None:
            return ""
        if stop.progress == "asked":
            return self.tr("The stop was asked for. Waiting for the proof that nothing is left running…")
        if stop.progress == "refused":
            return self.tr("Not stopped: {reason}").format(reason=stop.reason)
        if stop.progress == "unconfirmed" and detail.occurrence.state == "recovery_required":
            return self.tr("The stop could not be confirmed: something may still run. It waits for your decision.")
        if stop.progress == "confirmed" and detail.occurrence.state == "cancelled":
            if detail.session_id is None:
                return self.tr("Stopped before anything was started.")
            if detail.attempts[-1].state == "failed":
                return self.tr("Given up: nothing of this run was running any more.")
            if detail.attempts[-1].session_id is None:
                return self.tr("The retry was cancelled before it began; nothing of this run was running any more.")
            return self.tr("The stop is confirmed: nothing of this run is left.")
        return ""

    def _wait_sentence(self) -> str:
        """Why it failed, what happens now, and how long that is open."""
        row = self.detail.occurrence if self.detail is not None else None
        run = row.run if row is not None else None
        if row is None or run is None or row.phase not in ("held", "waiting"):
            return ""
        if row.phase == "waiting":
            return row.reason or ""
        sentence = texts.failed_because(run)
        if run.deadline is not None:
            left = self._times.relative(run.deadline)
            sentence += ". " + self.tr("It can be retried until its deadline, {left}.").format(left=left)
        return sentence + " " + self.tr("While it is held, no other run of this routine starts.")

    def _say_facts(self, detail: RunDetail) -> None:
        row = detail.occurrence
        last = detail.attempts[-1] if detail.attempts else None
        facts = [
            (self.tr("Due"), self._times.exact(row.scheduled_for)),
            (self.tr("Started"), self._times.exact(row.started_at) if row.started_at is not None else "–"),
            self._end(detail),
            (self.tr("How"), self.tr("by hand") if row.kind == "manual" else self.tr("on schedule")),
            (self.tr("Runtime"), (last.runtime if last else None) or "–"),
            (self.tr("Folder"), (last.folder if last else None) or "–"),
        ]
        while len(self._fact_labels) < len(facts):
            place = len(self._fact_labels)
            name, value = QLabel(self), QLabel(self)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            name.setForegroundRole(QPalette.ColorRole.PlaceholderText)
            self._facts.addWidget(name, place % 3, place // 3 * 2)
            self._facts.addWidget(value, place % 3, place // 3 * 2 + 1)
            self._fact_labels.append((name, value))
        for (name, value), (title, text) in zip(self._fact_labels, facts, strict=True):
            name.setText(title)
            value.setText(text)

    def _end(self, detail: RunDetail) -> tuple[str, str]:
        """When it ended; while it is open, when its time ends."""
        row = detail.occurrence
        if row.finished_at is None and row.run is not None and row.run.deadline is not None:
            return self.tr("Deadline"), self._times.exact(row.run.deadline)
        return self.tr("Ended"), self._times.exact(row.finished_at) if row.finished_at is not None else "–"

    def _say_attempts(self, attempts: tuple[AttemptRow, ...]) -> None:
        self.attempts.setVisible(bool(attempts))
        self.attempts.setRowCount(len(attempts))
        for place, attempt in enumerate(attempts):
            started = attempt.started_at
            ended = attempt.ended_at
            cells = (
                str(attempt.number),
                texts.attempt_state(attempt),
                self._times.exact(started) if started is not None else "–",
                duration(ended - started) if started is not None and ended is not None else "",
                texts.attempt_end(attempt),
                texts.attempt_reason(attempt),
            )
            for column, text in enumerate(cells):
                item = QTableWidgetItem(text)
                item.setToolTip(text)
                self.attempts.setItem(place, column, item)
        rows = min(len(attempts), 4)
        height = self.attempts.horizontalHeader().sizeHint().height() + 4
        height += rows * self.attempts.verticalHeader().defaultSectionSize()
        self.attempts.setFixedHeight(height)

    # --- acting ------------------------------------------------------------------------------------------------------

    def _ask_stop(self) -> None:
        ending.ask(self._row, self._acts, self._times, self)

    def _row(self) -> OccurrenceRow | None:
        self.refresh()
        return self.detail.occurrence if self.detail is not None else None

    def decide(self) -> None:
        """Open what the run waits for: a decision, or a retry."""
        if self.detail is None:
            return
        if self.detail.occurrence.state == "recovery_required":
            DecideDialog(self.detail, self._times, self._acts, self).open()
        elif self.detail.occurrence.phase == "held":
            RetryDialog(self.detail, self._times, self._acts, self._ask_stop, self).open()

    def _stop_changed(self, occurrence_id: str) -> None:
        if occurrence_id == self.occurrence_id:
            self.refresh()

    def _set_follow(self, on: bool) -> None:
        self.output.follow = on
        if on:
            bar = self.output.verticalScrollBar()
            bar.setValue(bar.maximum())

    def _search_next(self) -> None:
        text = self.search.text()
        if not text:
            return
        self.follow.setChecked(False)
        if not self.output.find(text):
            cursor = self.output.textCursor()
            cursor.movePosition(cursor.MoveOperation.Start)
            self.output.setTextCursor(cursor)
            self.output.find(text)

    def diagnostics(self) -> str:
        """What somebody who helps needs to know; no output, no prompt, no environment."""
        detail = self.detail
        if detail is None:
            return self.occurrence_id
        row = detail.occurrence
        lines = [
            f"routine     {row.automation_id} (revision {row.revision})",
            f"occurrence  {row.id}  {row.kind}  {row.state}",
            f"due         {timestamps.to_text(row.scheduled_for)}",
            f"run         {row.run_id or '-'}  {row.run_status or '-'}  exit {row.exit_code}",
            f"started     {_instant(row.started_at)}",
            f"finished    {_instant(row.finished_at)}",
            f"stop        {row.cancellation or '-'}",
            f"deadline    {_instant(row.run.deadline) if row.run is not None else '-'}",
            f"waits       {row.phase if row.phase in ('held', 'waiting') else '-'}",
            f"reason      {row.reason or '-'}",
        ]
        for attempt in detail.attempts:
            lines += [
                f"attempt {attempt.number}   {attempt.state}  {attempt.failure_class or '-'}  {attempt.reason or '-'}",
                f"  session   {attempt.session_id or '-'}  {attempt.session_status or '-'}  pid {attempt.pid}",
                f"  times     {_instant(attempt.started_at)} – {_instant(attempt.ended_at)}",
                f"  evidence  {json.dumps(attempt.evidence, sort_keys=True) if attempt.evidence else 'none'}",
            ]
        return "\n".join(lines) + "\n"

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.diagnostics())

    # --- events ------------------------------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask for nothing more."""
        self._tick.stop()
        self.output.stop()
        self.closed.emit(self.occurrence_id)
        super().closeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """A new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_tick"):
            self._say_state()


def _instant(ms: int | None) -> str:
    return "-" if ms is None else timestamps.to_text(ms)
