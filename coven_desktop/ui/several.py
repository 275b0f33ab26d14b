"""The same act on several rows at once, each by its own command, with one question before and one sentence after.

Offered for what is safe to say of many in one breath: run, stop, retry, release. Never for recovery: there the evidence
of each run is looked at first (design/product.md 5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from coven_desktop.engine.listing import Listing, OccurrenceRow, StoreFault
from coven_desktop.qt.core import QObject
from coven_desktop.ui import choices, ending, refusals, texts
from coven_desktop.ui.acts import Acts, Then
from coven_desktop.ui.several_dialog import Item, SeveralDialog
from coven_desktop.ui.times import Times
from coven_desktop.ui.window import MainWindow


@dataclass(frozen=True)
class _Plan:
    """A row of the question with the id it is about, and the act on it (None: it is off, which the item says)."""

    id: str
    item: Item
    act: Callable[[str, Then], None] | None


class Several(QObject):
    """See the file's docstring. What is under way for several is said together: `covers` tells whether an id is."""

    def __init__(self, window: MainWindow, listing: Listing, acts: Acts, times: Times, parent: QObject) -> None:
        super().__init__(parent)
        self._window = window
        self._listing = listing
        self._acts = acts
        self._times = times
        self._dialog: SeveralDialog | None = None
        self._under_way: set[str] = set()

    def covers(self, subject_id: str) -> bool:
        """Whether an act of several on this routine or occurrence is under way."""
        return subject_id in self._under_way

    def ask(self, act: str, ids: Sequence[str]) -> None:
        """`run` or `release` of routines, `retry` or `stop` of occurrences: ask, and do it."""
        {"run": self.run, "release": self.release, "retry": self.retry, "stop": self.stop}[act](ids)

    def run(self, automation_ids: Sequence[str]) -> None:
        """Run several routines now; what is paused or stands in the way of one is left out and said."""
        self._ask(
            self.tr("Run several routines now"),
            self.tr("&Run them"),
            lambda: [plan for each in automation_ids if (plan := self._run_plan(each)) is not None],
            note=self.tr("&Note (kept with each run)"),
        )

    def release(self, automation_ids: Sequence[str]) -> None:
        """Release several routines from quarantine."""
        self._ask(
            self.tr("Release several routines"),
            self.tr("&Release them"),
            lambda: [plan for each in automation_ids if (plan := self._release_plan(each)) is not None],
            follows=self.tr(
                "Where the cause is still there, the next run fails the same way and the routine is quarantined again."
            ),
        )

    def retry(self, occurrence_ids: Sequence[str]) -> None:
        """Retry several held runs."""
        self._ask(
            self.tr("Retry several runs"),
            self.tr("&Retry them"),
            lambda: [plan for each in occurrence_ids if (plan := self._retry_plan(each)) is not None],
            note=self.tr("&Note (kept with each attempt)"),
            follows=self.tr("What a failed attempt has already done is not undone, and a retry may do it again."),
        )

    def stop(self, occurrence_ids: Sequence[str]) -> None:
        """Stop, give up or cancel several runs."""
        self._ask(
            self.tr("End several runs"),
            self.tr("&End them"),
            lambda: [plan for each in occurrence_ids if (plan := self._stop_plan(each)) is not None],
            follows=self.tr(
                "What runs is told to end, and ended by force if it does not; it counts as stopped only when that is"
                " proven. What is held or waits is not tried again."
            ),
        )

    def refresh(self) -> None:
        """The rows of an open question are read again."""
        if self._dialog is not None:
            self._dialog.refresh()

    def close(self) -> None:
        """The app ends."""
        if self._dialog is not None:
            self._dialog.done(0)

    # --- asking ------------------------------------------------------------------------------------------------------

    def _ask(
        self, title: str, button: str, read: Callable[[], list[_Plan]], *, note: str = "", follows: str = ""
    ) -> None:
        self.close()

        def items() -> list[Item] | None:
            try:
                return [plan.item for plan in read()]
            except StoreFault:
                return None

        owner = self._window if self._window.isVisible() else None
        dialog = SeveralDialog(
            self._acts, title, button, items, lambda said: self._carry_out(read(), said), note, follows, owner
        )
        self._dialog = dialog
        dialog.finished.connect(self._dialog_gone)
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()

    def _dialog_gone(self, _result: int) -> None:
        if self.sender() is self._dialog:
            self._dialog = None

    def _carry_out(self, plans: list[_Plan], said: str) -> None:
        left = [plan for plan in plans if plan.act is not None]
        count, refused = len(left), list[str]()
        open_ids = {plan.id for plan in left}
        self._under_way |= open_ids

        def answered(plan: _Plan, reason: str) -> None:
            open_ids.discard(plan.id)
            self._under_way.discard(plan.id)
            if reason:
                refused.append(f"{plan.item.name}: {reason}")
            if not open_ids:
                self._say(count, refused)

        for plan in left:
            if plan.act is not None:
                plan.act(said, partial(answered, plan))

    def _say(self, count: int, refused: list[str]) -> None:
        if not refused:
            self._window.notice.say(self.tr("All {count} are done.").format(count=count))
            return
        text = self.tr("{done} of {count} are done. {refused}").format(
            done=count - len(refused), count=count, refused="  ".join(refused)
        )
        self._window.notice.say(text, stays=True)

    # --- what each row asks ------------------------------------------------------------------------------------------

    def _run_plan(self, automation_id: str) -> _Plan | None:
        row = self._listing.routine(automation_id)
        if row is None:
            return None
        off = ""
        if row.broken_reason is not None or row.lifecycle not in ("active", "paused"):
            off = self.tr("It cannot be run: {state}.").format(state=texts.routine_state(row, self._times)[0])
        elif row.lifecycle == "paused":
            off = self.tr("It is paused. Run it by itself, which asks first.")
        elif row.quarantine is not None:
            off = self.tr("It is quarantined. Release it first.")
        elif row.run is not None or row.open_state is not None:
            off = self.tr("Its last run is still open.")
        elif not str(row.body.get("cwd") or "").strip():
            off = self.tr("It has no working folder.")
        item = Item(row.name, "", off)
        if off:
            return _Plan(row.id, item, None)
        return _Plan(row.id, item, lambda said, then: self._acts.run_now(row.id, row.name, said, then))

    def _release_plan(self, automation_id: str) -> _Plan | None:
        row = self._listing.routine(automation_id)
        if row is None:
            return None
        if row.quarantine is None:
            return _Plan(row.id, Item(row.name, "", self.tr("It is not in quarantine.")), None)
        item = Item(row.name, texts.quarantined(row.quarantine), "")
        return _Plan(row.id, item, lambda said, then: self._acts.release(row.id, row.name, then))

    def _retry_plan(self, occurrence_id: str) -> _Plan | None:
        detail = self._listing.run_detail(occurrence_id)
        if detail is None:
            return None
        row, run = detail.occurrence, detail.occurrence.run
        off = choices.why_no_retry(row, self._times)
        why = refusals.sentence(texts.failed_because(run)) if run is not None else ""
        item = Item(self._named(row), why, off)
        if off or run is None or not detail.attempts:
            return _Plan(row.id, item, None)
        state = detail.attempts[-1].state
        return _Plan(
            row.id, item, lambda said, then: self._acts.retry(occurrence_id, run.run_id, run.attempt, state, said, then)
        )

    def _stop_plan(self, occurrence_id: str) -> _Plan | None:
        detail = self._listing.run_detail(occurrence_id)
        if detail is None:
            return None
        row = detail.occurrence
        state = texts.occurrence_state(row, self._times)
        stop_here = self._acts.stop_of(occurrence_id)
        if row.stopping or (stop_here is not None and stop_here.progress == "asked"):
            return _Plan(row.id, Item(self._named(row), "", self.tr("A stop of it is under way.")), None)
        if row.phase not in ending.ENDABLE:
            off = self.tr("There is nothing to end: {state}.").format(state=state)
            return _Plan(row.id, Item(self._named(row), "", off), None)

        def stop(said: str, then: Then) -> None:
            self._acts.stop(occurrence_id, then=lambda: then(self._stopped(occurrence_id)))

        return _Plan(row.id, Item(self._named(row), state, ""), stop)

    def _stopped(self, occurrence_id: str) -> str:
        """Why a stop did not end in its proof."""
        stop = self._acts.stop_of(occurrence_id)
        if stop is None or stop.progress == "confirmed":
            return ""
        if stop.progress == "unconfirmed":
            return self.tr("The stop could not be confirmed; it waits for your decision.")
        return stop.reason

    def _named(self, row: OccurrenceRow) -> str:
        return self.tr("{name}, run of {time}").format(name=row.name, time=self._times.day_and_time(row.scheduled_for))
