"""The run view: one occurrence with its attempts, its timing, its proven outcome, and its output as it comes."""

from __future__ import annotations

from coven_desktop.engine.circumstances import Circumstances, Stop
from coven_desktop.engine.listing import Listing, OccurrenceRow, RunDetail, StoreFault
from coven_desktop.engine.settlement import CANCELLED
from coven_desktop.qt.core import QEvent, Qt, QTimer, QUrl, Signal
from coven_desktop.qt.gui import QCloseEvent, QDesktopServices, QGuiApplication, QKeySequence, QPalette, QShortcut
from coven_desktop.qt.widgets import QCheckBox, QComboBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget
from coven_desktop.ui import delivery_words, diagnostics, ending, lawful, refusals, stop_line, texts, tones
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.attempts_table import AttemptsTable
from coven_desktop.ui.bounded import room_for
from coven_desktop.ui.decide_dialog import DecideDialog
from coven_desktop.ui.deciding_dialog import DecidingDialog
from coven_desktop.ui.facts import Facts
from coven_desktop.ui.output_search import OutputSearch
from coven_desktop.ui.output_text import LINES
from coven_desktop.ui.output_view import OutputView
from coven_desktop.ui.reader import ReaderThread
from coven_desktop.ui.retry_dialog import RetryDialog
from coven_desktop.ui.stop_line import StopLine
from coven_desktop.ui.times import Times, elapsed, grouped

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
        self._circumstances = Circumstances(listing.reader)
        self._reader = reader
        self._acts = acts
        self._times = times
        self.detail: RunDetail | None = None
        self._stop: Stop | None = None
        self._note: str | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(room_for(self, 860, 680))
        self._build(reader)
        self._tick = QTimer(self)
        self._tick.setInterval(TICK_MS)
        self._tick.timeout.connect(self._say_state)
        acts.stop_changed.connect(self._stop_changed)
        self._note = self._read_note()
        self.refresh()

    # --- building ----------------------------------------------------------------------------------------------------

    def _build(self, reader: ReaderThread) -> None:
        self._name = QLabel(self)
        self._name.setTextFormat(Qt.TextFormat.PlainText)
        font = self._name.font()
        font.setPointSizeF(font.pointSizeF() * 1.35)
        self._name.setFont(font)
        self._mark = QLabel(self)
        self.state = QLabel(self)
        self.state.setAccessibleName(self.tr("State"))
        self.stop_line = StopLine(self._times, self)
        self.reason = QLabel(self)
        self.reason.setWordWrap(True)
        self.reason.setTextFormat(Qt.TextFormat.PlainText)
        self.reason.setAccessibleName(self.tr("Reason"))
        self.reason.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.stop_button = QPushButton(self.tr("&Stop…"), self)
        self.stop_button.clicked.connect(self._ask_stop)
        self.decide_button = QPushButton(self.tr("&Decide…"), self)
        self.decide_button.clicked.connect(self.decide)
        self.retry_button = QPushButton(self.tr("&Retry…"), self)
        self.retry_button.clicked.connect(self.decide)
        self.folder_button = QPushButton(self.tr("&Open folder"), self)
        self.folder_button.clicked.connect(self._open_folder)
        self.copy_button = QPushButton(self.tr("Cop&y diagnostics"), self)
        self.copy_button.setToolTip(self.tr("Ids, times, exits and versions as text; no output, prompt or environment"))
        self.copy_button.clicked.connect(self._copy)
        buttons = (self.decide_button, self.retry_button, self.stop_button, self.folder_button, self.copy_button)
        for button in buttons:
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
        for button in buttons:
            top.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        self.facts = Facts(2, self)
        self.attempts = AttemptsTable(self._times, self)
        self.output = OutputView(reader, self)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(14, 12, 14, 12)
        whole.setSpacing(8)
        whole.addLayout(top)
        for part in (self.stop_line, self.reason, self.facts, self.attempts):
            whole.addWidget(part)
        whole.addLayout(self._output_bar())
        whole.addWidget(self.output, 1)

    def _output_bar(self) -> QHBoxLayout:
        self.streams = QComboBox(self)
        self.streams.addItem(self.tr("All output"), "all")
        self.streams.addItem(self.tr("Standard output alone"), "out")
        self.streams.addItem(self.tr("Error output alone"), "err")
        self.streams.setAccessibleName(self.tr("Which output is shown"))
        self.streams.setAccessibleDescription(self.tr("Which output is shown"))
        self.streams.setToolTip(self.tr("Error output is slanted"))
        self.streams.currentIndexChanged.connect(lambda _: self.output.show_only(self.streams.currentData()))
        self.extent = QLabel(self)
        self.extent.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.extent.setAccessibleName(self.tr("How much output is shown"))
        self.output.grown.connect(self._say_extent)
        self.follow = QCheckBox(self.tr("&Follow"), self)
        self.follow.setChecked(True)
        self.follow.setToolTip(self.tr("Keep the newest output in view"))
        self.follow.toggled.connect(self._set_follow)
        self.search = OutputSearch(self.output, self)
        self.search.moved.connect(lambda: self.follow.setChecked(False))
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self, self.search.begin)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Close), self, self.close)
        bar = QHBoxLayout()
        bar.addWidget(self.streams)
        bar.addWidget(self.extent)
        bar.addStretch(1)
        bar.addWidget(self.search)
        bar.addWidget(self.follow)
        return bar

    # --- showing -----------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read the occurrence again, by its key; what has not changed is not shown anew."""
        try:
            detail = self._listing.run_detail(self.occurrence_id)
            stop = None
            if detail is not None and detail.attempts:
                stop = self._circumstances.stop_of(detail.attempts[-1].run_id, detail.attempts[-1].id)
        except StoreFault as fault:
            self.reason.setText(str(fault))
            self.reason.show()
            return
        if (detail, stop) != (self.detail, self._stop) or detail is None:
            self.detail, self._stop = detail, stop
            self._show(detail)
        else:
            self._say_state()

    def _show(self, detail: RunDetail | None) -> None:
        if detail is None:
            self.state.setText(self.tr("This run is not in the database any more."))
            for button in (self.stop_button, self.decide_button, self.retry_button):
                button.hide()
            self._tick.stop()
            return
        row = detail.occurrence
        time = self._times.day_and_time(row.scheduled_for)
        self.setWindowTitle(self.tr("{name}: run of {time}").format(name=row.name, time=time))
        self._name.setText(row.name)
        self._say_state()
        self.facts.show_facts(self._facts(detail))
        self.attempts.show_attempts(detail.attempts)
        self.stop_button.setVisible(row.phase in ending.ENDABLE)
        self.stop_button.setText(ending.verb(row.phase))
        self.decide_button.setVisible(row.phase == "recovery_required")
        # of a deleted routine's run there is nothing to retry: it is given up with the button beside
        self.retry_button.setVisible(row.phase == "held" and not lawful.only_given_up(row))
        self.folder_button.setVisible(bool(self._folder()))
        for dialog in self._dialogs():
            if isinstance(dialog, RetryDialog | DecideDialog):
                dialog.show_detail(detail)
        self.output.show_session(detail.session_id, live=row.live)
        self._placeholder(detail)
        self._tick.start() if row.phase in ending.ENDABLE else self._tick.stop()

    def _dialogs(self) -> list[DecidingDialog]:
        return [dialog for dialog in self.findChildren(DecidingDialog) if dialog.isVisible()]

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
        began = detail.attempts[-1].started_at if detail.attempts else None
        if row.live and began is not None:
            # since this attempt began: between two of them the run may have been held for hours
            text += "  ·  " + elapsed(self._times.now() - began)
        elif row.exit_code is not None and row.state in ("succeeded", "failed"):
            text += "  ·  " + self.tr("exit {code}").format(code=row.exit_code)
        self.state.setText(text)
        tone = texts.occurrence_tone(row)
        self._mark.setPixmap(tones.mark(tone, self.palette()).pixmap(16, 16))
        asked = self._acts.stop_of(self.occurrence_id)
        said = stop_line.sentence(detail, self._stop, asked, self._times)
        self.stop_line.show_stop(said, self._stop)
        reason = self._wait_sentence() or refusals.sentence(row.reason or "")
        if said and row.reason == CANCELLED:
            reason = ""  # the line above says more
        self.reason.setText(reason)
        self.reason.setVisible(bool(reason))
        palette = self.reason.palette()
        palette.setColor(QPalette.ColorRole.WindowText, tones.colour(tone, self.palette()))
        self.reason.setPalette(palette)
        stopping = row.stopping or (self._stop is not None and self._stop.owner is not None)
        self.stop_button.setEnabled(not stopping and (asked is None or asked.progress != "asked"))

    def _wait_sentence(self) -> str:
        """Why it failed, what happens now, and how long that is open."""
        row = self.detail.occurrence if self.detail is not None else None
        run = row.run if row is not None else None
        if row is None or run is None or row.phase not in ("held", "waiting"):
            return ""
        if row.phase == "waiting":
            return refusals.sentence(row.reason or "")
        sentence = refusals.sentence(texts.failed_because(run))
        if run.deadline is not None:
            left = self._times.relative(run.deadline)
            sentence += " " + self.tr("It can be retried until its deadline, {left}.").format(left=left)
        return sentence + " " + self.tr("While it is held, no other run of this routine starts.")

    def _facts(self, detail: RunDetail) -> list[tuple[str, str]]:
        row = detail.occurrence
        last = detail.attempts[-1] if detail.attempts else None
        return [
            (self.tr("Due"), self._times.exact(row.scheduled_for)),
            (self.tr("Started"), self._times.exact(row.started_at) if row.started_at is not None else "–"),
            self._end(detail),
            (self.tr("How"), self.tr("by hand") if row.kind == "manual" else self.tr("on schedule")),
            (self.tr("Runtime"), (last.runtime if last else None) or "–"),
            (self.tr("Folder"), (last.folder if last else None) or "–"),
            (self.tr("Output"), delivery_words.of_run(detail.delivery)),
            (self.tr("Note"), self._note or ""),
        ]

    def _read_note(self) -> str | None:
        try:
            return self._circumstances.note_of(self.occurrence_id)
        except StoreFault:
            return None  # the run itself is read next, and says so

    def _say_extent(self) -> None:
        lines = self.output.blockCount() - (self.output.document().lastBlock().length() <= 1)
        if self.output.bounded:
            text = self.tr("The newest {count} lines at most; more is in the log").format(count=grouped(LINES))
        elif lines == 1:
            text = self.tr("1 line")
        elif lines:
            text = self.tr("{count} lines").format(count=grouped(lines))
        else:
            text = ""
        self.extent.setText(text)

    def _end(self, detail: RunDetail) -> tuple[str, str]:
        """When it ended; while it is open, when its time ends."""
        row = detail.occurrence
        if row.finished_at is None and row.run is not None and row.run.deadline is not None:
            return self.tr("Deadline"), self._times.exact(row.run.deadline)
        return self.tr("Ended"), self._times.exact(row.finished_at) if row.finished_at is not None else "–"

    # --- acting ------------------------------------------------------------------------------------------------------

    def _ask_stop(self) -> None:
        ending.ask(self._row, self._acts, self._times, self)

    def _row(self) -> OccurrenceRow | None:
        self.refresh()
        return self.detail.occurrence if self.detail is not None else None

    def decide(self) -> None:
        """Open what the run waits for: a decision, or a retry. An open one of the kind is brought to the front."""
        detail = self.detail
        if detail is None or detail.occurrence.phase not in ("recovery_required", "held"):
            return
        undecided = detail.occurrence.phase == "recovery_required"
        for open_dialog in self._dialogs():
            if isinstance(open_dialog, DecideDialog if undecided else RetryDialog):
                open_dialog.raise_()
                open_dialog.activateWindow()
                return
            open_dialog.done(0)  # about what the run was before
        dialog: DecidingDialog
        if undecided:
            dialog = DecideDialog(detail, self._times, self._acts, self._reader, self._look_at_output, self)
        else:
            dialog = RetryDialog(detail, self._times, self._acts, self._reader, self._ask_stop, self)
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()  # this window may have been opened just before, and would keep the keys

    def _look_at_output(self) -> None:
        self.raise_()
        self.activateWindow()
        self.output.setFocus()

    def _folder(self) -> str:
        detail = self.detail
        return (detail.attempts[-1].folder or "") if detail is not None and detail.attempts else ""

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(self._folder()))

    def _stop_changed(self, occurrence_id: str) -> None:
        if occurrence_id == self.occurrence_id:
            self.refresh()

    def _set_follow(self, on: bool) -> None:
        self.output.follow = on
        if on:
            bar = self.output.verticalScrollBar()
            bar.setValue(bar.maximum())

    def diagnostics(self) -> str:
        """What somebody who helps needs to know; no output, no prompt, no environment."""
        return diagnostics.of_run(self.detail, self._stop) if self.detail is not None else self.occurrence_id

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.diagnostics())

    # --- events ------------------------------------------------------------------------------------------------------

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask for nothing more."""
        self._tick.stop()
        for dialog in self._dialogs():
            dialog.done(0)
        self.output.stop()
        self.closed.emit(self.occurrence_id)
        super().closeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """A new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_tick"):
            self._say_state()
