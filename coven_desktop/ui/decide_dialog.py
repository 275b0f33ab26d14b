"""Deciding about a run whose outcome is unknown: the evidence first, then the lawful choices, none a default."""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.engine import circumstances
from coven_desktop.engine.circumstances import Remains
from coven_desktop.engine.listing import AttemptRow, RunDetail
from coven_desktop.qt.core import QTimer
from coven_desktop.qt.widgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget
from coven_desktop.ui import choices, refusals, texts
from coven_desktop.ui.acts import Acts, Determination
from coven_desktop.ui.deciding_dialog import DecidingDialog, step_button
from coven_desktop.ui.facts import Facts
from coven_desktop.ui.note_field import NoteField
from coven_desktop.ui.output_ends import OutputEnds
from coven_desktop.ui.reader import ReaderThread, Sources
from coven_desktop.ui.times import Times, duration

STATEMENT_LIMIT = 1_000
# What is left of a session can end at any time; the process table is looked at this often while the dialog is open.
LOOK_MS = 3_000
TICK_MS = 1_000


class DecideDialog(DecidingDialog):
    """Shows what is known about an occurrence in recovery_required and takes the person's decision.

    `show_detail` tells it what has become of the run meanwhile; `show_all` opens the whole output.
    """

    def __init__(
        self,
        detail: RunDetail,
        times: Times,
        acts: Acts,
        reader: ReaderThread,
        show_all: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(
            acts,
            self.tr("What became of “{name}”?").format(name=detail.occurrence.name),
            self.tr("How this run of “{name}” ended is not known").format(name=detail.occurrence.name),
            parent,
        )
        self._times = times
        self._reader = reader
        self._detail = detail
        self._remains: Remains | None = None
        self._key = f"remains {id(self)}"
        self.evidence = Facts(parent=self)
        self.evidence.setAccessibleName(self.tr("Evidence"))
        self.output = OutputEnds(reader, self.tr("Beginning and end of its output"), parent=self)
        self.all_output = QPushButton(self.tr("Look at all of its &output"), self)
        self.all_output.clicked.connect(show_all)
        self.all_output.setAutoDefault(False)
        self.effects = self.paragraph(self.tr("Side effects"))
        self.choices = Facts(parent=self)
        self.choices.setAccessibleName(self.tr("What follows from each choice"))
        self.statement = NoteField(
            self.tr("&What you found (needed; kept with the run)"),
            STATEMENT_LIMIT,
            self.tr("For example: the machine lost power before the upload; nothing was sent."),
            self,
        )
        self.statement.changed.connect(self.restate)
        self.failed = QPushButton(self.tr("It &failed"), self)
        self.retry = QPushButton(self.tr("Retry as a new &attempt"), self)
        later = QPushButton(self.tr("Decide &later"), self)
        self.failed.clicked.connect(lambda: self._decide("failed_deterministic"))
        self.retry.clicked.connect(lambda: self._decide("retry_with_new_attempt"))
        later.clicked.connect(self.reject)
        self.hint = self.paragraph(self.tr("What is missing"))
        self.output.shown.connect(self.restate)
        over = QHBoxLayout()
        over.addWidget(self.caption(self.tr("Beginning and end of its output"), self.output), 1)
        over.addWidget(self.all_output)
        output = QVBoxLayout()
        output.setSpacing(4)
        output.addLayout(over)
        output.addWidget(self.output)
        self.column.addWidget(self.evidence)
        self.column.addLayout(output, 1)
        for part in (self.effects, self.choices, self.statement, self.hint):
            self.column.addWidget(part)
        self.finish(self.failed, self.retry, later)
        self._looks = QTimer(self)
        self._looks.setInterval(LOOK_MS)
        self._looks.timeout.connect(self._look)
        self._ticks = QTimer(self)
        self._ticks.setInterval(TICK_MS)
        self._ticks.timeout.connect(self.restate)
        self._looks.start()
        self._ticks.start()
        self.show_detail(detail)

    def show_detail(self, detail: RunDetail) -> None:
        """The run as it is now."""
        self._detail = detail
        self.output.show_session(detail.session_id)
        self._look()
        self.restate()

    def restate(self) -> None:
        """See `DecidingDialog`."""
        detail = self._detail
        self.evidence.show_facts(self._evidence(detail))
        self.effects.setText(self._effects(detail))
        not_failed = choices.why_not_failed(detail)
        no_retry = choices.why_no_new_attempt(detail, self._times)
        self.choices.show_facts(
            [
                (self.tr("It failed"), self._off(not_failed) or self._fails()),
                (self.tr("Retry"), self._off(no_retry) or self._retries(detail)),
                (self.tr("It succeeded"), self._never_succeeds()),
            ]
        )
        missing = self._missing()
        step_button(self.tr("It &failed"), not_failed or missing, self.failed)
        step_button(self.tr("Retry as a new &attempt"), no_retry or missing, self.retry)
        self.hint.setText("" if not_failed and no_retry else missing)
        self.hint.setVisible(bool(self.hint.text()))
        if detail.occurrence.state != "recovery_required" and not self.asked:
            state = texts.occurrence_state(detail.occurrence, self._times)
            self.say(self.tr("This was decided elsewhere meanwhile. It is now: {state}.").format(state=state))

    def _missing(self) -> str:
        """Why neither choice can be made yet."""
        if self.asked:
            return self.tr("Your decision is being recorded.")
        if self.statement.too_long:
            return self.tr("What you wrote is too long to be kept.")
        return "" if self.statement.text() else self.tr("Write what you found; then you can decide.")

    def _off(self, why: str) -> str:
        return self.tr("Off: {why}").format(why=why) if why else ""

    # --- the evidence ------------------------------------------------------------------------------------------------

    def _evidence(self, detail: RunDetail) -> list[tuple[str, str]]:
        row = detail.occurrence
        last = detail.attempts[-1] if detail.attempts else None
        facts = [
            (self.tr("Due"), self._times.exact(row.scheduled_for)),
            (self.tr("Reason"), refusals.sentence(row.reason or "")),
        ]
        if last is None:
            return [*facts, (self.tr("Attempt"), self.tr("none: nothing was started"))]
        return [
            *facts,
            (self.tr("Attempt"), self._attempt(last, detail)),
            (self.tr("Began"), self._times.exact(last.started_at) if last.started_at is not None else ""),
            (self.tr("Last news"), self._last_news(last)),
            (self.tr("Exit"), self._exit(last)),
            (self.tr("Process"), self._process(last)),
            (self.tr("Still there"), self._left(last)),
            (self.tr("Left behind"), self._left_behind(last)),
            (self.tr("Folder"), last.folder or ""),
        ]

    def _attempt(self, attempt: AttemptRow, detail: RunDetail) -> str:
        state = texts.attempt_state(attempt)
        run = detail.occurrence.run
        if run is None or attempt.number > run.of:
            return self.tr("{number}: {state}").format(number=attempt.number, state=state)
        return self.tr("{number} of {all}: {state}").format(number=attempt.number, all=run.of, state=state)

    def _last_news(self, attempt: AttemptRow) -> str:
        news = max(self.output.printed.at or 0, attempt.ended_at or 0)
        if not news:
            return self.tr("none: it printed nothing")
        text = self._times.exact(news)
        if attempt.started_at is None:
            return text
        after = duration(max(news - attempt.started_at, 0))
        return self.tr("{time}, {duration} after it began").format(time=text, duration=after)

    def _exit(self, attempt: AttemptRow) -> str:
        evidence = attempt.evidence
        if not evidence:
            return self.tr("not known: it left no record of its end")
        said = texts.attempt_end(attempt)
        if evidence.get("quiescent", True):
            return self.tr("its record says: {outcome}").format(outcome=said)
        return self.tr("its record says: {outcome}, but not everything it started had ended").format(outcome=said)

    def _process(self, attempt: AttemptRow) -> str:
        if attempt.pid is None:
            return self.tr("never known")
        pid = self.tr("{pid} (watches over it)").format(pid=attempt.pid)
        remains = self._remains
        if remains is None:
            return pid
        if remains.of_another_boot:
            return self.tr("{process}, before the computer was started again").format(process=pid)
        if remains.found == "alive":
            return self.tr("{process}, still there").format(process=pid)
        return self.tr("{process}, gone").format(process=pid)

    def _left(self, attempt: AttemptRow) -> str:
        remains = self._remains
        if remains is None:
            return self.tr("looking…")
        if remains.of_another_boot:
            return self.tr("nothing: the computer was started again since")
        if remains.processes:
            names = ", ".join(f"{name} ({pid})" for pid, name in remains.processes)
            return self.tr("these processes: {names}").format(names=names)
        if remains.found == "alive":
            return self.tr("the process that watches over it")
        return self.tr("nothing that can be recognised as its own")

    def _left_behind(self, attempt: AttemptRow) -> str:
        """What the command had started and did not take with it: ended by the app, or seen when it ended."""
        evidence = attempt.evidence or {}
        left = [(one.get("pid"), one.get("name")) for one in evidence.get("leftovers") or []]
        if left and not evidence.get("quiescent", True):
            text = self.tr("running when it was last seen, and not proven to have ended: {names}")
        elif left:
            text = self.tr("still running when its command ended, and ended then: {names}")
        elif self._remains is not None and self._remains.ended:
            left, text = list(self._remains.ended), self.tr("found running without it, and ended then: {names}")
        else:
            return ""
        return text.format(names=", ".join(f"{name} ({pid})" for pid, name in left))

    def _effects(self, detail: RunDetail) -> str:
        if detail.session_id is None:
            return self.tr("Nothing of it was started, so it has changed nothing.")
        return self.tr(
            "What it had done by then stays done: files it wrote, messages it sent. Coven Desktop cannot see that; its"
            " output and its folder may tell."
        )

    def _fails(self) -> str:
        return self.tr("It is recorded as failed with your words. Nothing is started; the routine goes on as planned.")

    def _never_succeeds(self) -> str:
        return self.tr(
            "Cannot be chosen: only the end of a run itself proves success. If you find that its work is done, choose"
            " “It failed” and write that down; nothing is done a second time."
        )

    def _retries(self, detail: RunDetail) -> str:
        run = detail.occurrence.run
        if run is None:
            return ""
        sentences = [
            self.tr("Attempt {number} begins at once, with the routine as it was when this run began.").format(
                number=run.attempt + 1
            )
        ]
        if detail.occurrence.quarantined:
            sentences = [
                self.tr("Attempt {number} is opened. It begins once the routine is released from quarantine.").format(
                    number=run.attempt + 1
                )
            ]
        if run.deadline is not None:
            sentences.append(
                self.tr("It must end by {time}, which is {left}: the deadline is not extended.").format(
                    time=self._times.moment(run.deadline), left=self._times.relative(run.deadline)
                )
            )
        sentences.append(self.tr("What attempt {number} has done, it may do again.").format(number=run.attempt))
        return " ".join(sentences)

    def _look(self) -> None:
        session_id = self._detail.session_id
        if session_id is None:
            self._remains = Remains("never_started", None, False, ())
            return

        def look(sources: Sources) -> Remains:
            return circumstances.remains(sources.reads.home, session_id)

        self._reader.ask(self._key, look, self._looked)

    def _looked(self, remains: Remains) -> None:
        if remains != self._remains:
            self._remains = remains
            self.restate()

    # --- deciding ----------------------------------------------------------------------------------------------------

    def _decide(self, determination: Determination) -> None:
        statement = self.statement.text()
        self.act(lambda then: self._acts.decide(self._detail.occurrence.id, determination, statement, then))

    def done(self, result: int) -> None:
        """See `QDialog`; nothing is looked for any more."""
        self._looks.stop()
        self._ticks.stop()
        self._reader.forget(self._key)
        super().done(result)
