"""What the person asks of the engine. Every act is a command; its outcome is said, never guessed.

A stop has three honest states: asked, then confirmed or unconfirmed (design/product.md 5). Delete waits ten seconds,
in which Undo is real (decisions.md 35 and 43).
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from coven_desktop.contract.errors import Code, Refusal, TypedRefusal
from coven_desktop.engine.answers import Answer, Outcome
from coven_desktop.engine.commands import (
    cancellation,
    definitions,
    desktop_routines,
    execution,
    quarantine,
    recovery,
    routine_settings,
    saving,
)
from coven_desktop.qt.core import QObject, QTimer, Signal
from coven_desktop.ui import draft, refusals
from coven_desktop.ui.doors import Gateway

UNDO_MS = 10_000
ASK_AGAIN_MS = 500
ASK_AGAIN_TIMES = 20

Determination = Literal["failed_deterministic", "retry_with_new_attempt"]
Progress = Literal["asked", "confirmed", "unconfirmed", "too_late", "refused"]

Then = Callable[[str], None]
"""Called once with "" when the command was carried out, else with why it was refused; then nobody else is told so."""


@dataclass(frozen=True)
class Stop:
    """How far a stop is that was asked for here. `reason` is why it was refused, or what came before it."""

    progress: Progress
    reason: str = ""


@dataclass(frozen=True)
class Deletion:
    """A routine that will be deleted when its ten seconds are over; those of one `batch` were deleted together."""

    automation_id: str
    name: str
    running: bool
    batch: int = 0


def new_key(what: str) -> str:
    """An adoption key that was never used before."""
    return f"window:{what}:{uuid.uuid4().hex}"


def reason_of(outcome: Exception) -> str:
    """Why a definition was refused, in the contract's words, for the field it is about."""
    if isinstance(outcome, Refusal):
        return draft.reason(outcome.reason)
    return str(outcome)


class Acts(QObject):
    """See the file's docstring. Lives on the GUI thread."""

    started = Signal(str, str)  # the routine's name, the occurrence's id (empty when it is not known)
    not_started = Signal(str, str, str)  # the routine's id and name, and why nothing of it was started
    refused = Signal(str, str)  # what was asked, why it was refused
    succeeded = Signal()  # something that the person asked for was done: what was refused before is history
    stop_changed = Signal(str)  # occurrence id
    decided = Signal(str)  # occurrence id
    retried = Signal(str, int)  # occurrence id, the number of the attempt that was opened
    released = Signal(str, str, bool)  # the routine's id and name; False: it was not in quarantine any more
    deletions_changed = Signal()

    def __init__(self, gateway: Gateway, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._gateway = gateway
        self._stops: dict[str, Stop] = {}
        self._deletions: dict[str, tuple[Deletion, QTimer]] = {}
        self._sent: set[str] = set()
        self._batch = 0

    # --- routines ----------------------------------------------------------------------------------------------------

    def save(self, definition: Mapping[str, Any], revision: int | None, done: Callable[[Outcome], None]) -> None:
        """Create a routine, or make this the next revision of the one that is at `revision`, whoever made it."""
        body: dict[str, Any] = {"definition": dict(definition)}
        if revision is None and draft.is_ours(definition):
            made = {"adoptionKey": new_key("create"), "routine": dict(definition)}
            self._gateway.submit(desktop_routines.create, made, done)
        elif revision is None:
            self._gateway.submit(definitions.create, body, done)
        else:
            body |= {"expectedRevision": revision, "adoptionKey": new_key("save")}
            self._gateway.submit(saving.save, body, done)

    def save_settings(
        self, automation_id: str, settings: Mapping[str, Any], revision: int, done: Callable[[Outcome], None]
    ) -> None:
        """Give a routine this environment and these secrets, in place of those at `revision`."""
        body = {
            "adoptionKey": new_key("settings"),
            "automationId": automation_id,
            "settings": dict(settings),
            "expectedRevision": revision,
        }
        self._gateway.submit(routine_settings.put, body, done)

    def set_status(self, body: Mapping[str, Any], revision: int, *, active: bool) -> None:
        """Pause or resume: a revision that changes the status only."""
        asked = self.tr("Resume “{name}”") if active else self.tr("Pause “{name}”")
        what = asked.format(name=body.get("name", body["id"]))

        def done(outcome: Outcome) -> None:
            if not isinstance(outcome, Answer):
                self.refused.emit(what, refusals.words(outcome))
            elif outcome.payload.get("statusRefused"):
                self.refused.emit(what, draft.reason(outcome.payload["statusRefused"]))
            else:
                self.succeeded.emit()

        self.save(dict(body) | {"status": "ACTIVE" if active else "PAUSED"}, revision, done)

    def enable(self, automation_id: str, revision: int, changes: Mapping[str, Any], then: Then) -> None:
        """Take a disabled routine back, paused; `changes` to the anchor, until and maxRuns of a cadence."""
        body = {
            "adoptionKey": new_key("enable"),
            "automationId": automation_id,
            "expectedRevision": revision,
            **changes,
        }
        self._gateway.submit(
            desktop_routines.enable, body, lambda outcome: self._tell(self.tr("Not enabled"), outcome, then)
        )

    def delete(self, automation_id: str, name: str, running: bool = False) -> None:
        """Delete a routine in ten seconds. `running`: it has a run going on, which is not stopped by this."""
        self.delete_all([(automation_id, name, running)])

    def delete_all(self, routines: Sequence[tuple[str, str, bool]]) -> None:
        """Delete routines in ten seconds, as `delete`; they are undone together."""
        self._batch += 1
        for automation_id, name, running in routines:
            timer = QTimer(self)
            timer.setSingleShot(True)
            timer.setInterval(UNDO_MS)
            timer.timeout.connect(partial(self._send_deletion, automation_id))
            self._deletions[automation_id] = (Deletion(automation_id, name, running, self._batch), timer)
            timer.start()
        if routines:
            self.deletions_changed.emit()

    def undo(self) -> None:
        """Take back the newest deletions that were asked for together and not sent yet."""
        if not self._deletions:
            return
        batch = self._deletions[next(reversed(self._deletions))][0].batch
        for automation_id in [one for one, (deletion, _) in self._deletions.items() if deletion.batch == batch]:
            self._take(automation_id)
        self.deletions_changed.emit()

    @property
    def deletions(self) -> tuple[Deletion, ...]:
        """What can still be undone, oldest first."""
        return tuple(deletion for deletion, _ in self._deletions.values())

    @property
    def hidden(self) -> tuple[str, ...]:
        """Routines that are not shown: their deletion waits, or is on its way."""
        return (*self._deletions, *self._sent)

    def send_deletions(self) -> None:
        """Send all that wait: the app quits, or the bar was closed."""
        for automation_id in list(self._deletions):
            self._send_deletion(automation_id)

    def _take(self, automation_id: str) -> Deletion:
        deletion, timer = self._deletions.pop(automation_id)
        timer.stop()
        # What a timer calls holds its parent. If that were the last hold, the parent would go while the timer is taken
        # apart, and take the timer apart a second time.
        timer.timeout.disconnect()
        timer.deleteLater()
        return deletion

    def _send_deletion(self, automation_id: str) -> None:
        deletion = self._take(automation_id)
        self._sent.add(automation_id)

        def done(outcome: Outcome) -> None:
            self._sent.discard(automation_id)
            what = self.tr("Delete “{name}”").format(name=deletion.name)
            if not isinstance(outcome, Answer):
                self.refused.emit(what, refusals.words(outcome))
            else:
                self.succeeded.emit()
            self.deletions_changed.emit()

        # one that somebody else has deleted meanwhile is as it was asked for
        body = {"id": automation_id, "adoptionKey": new_key("delete")}
        self._gateway.submit(saving.delete, body, done)
        self.deletions_changed.emit()

    # --- running -----------------------------------------------------------------------------------------------------

    def run_now(self, automation_id: str, name: str, note: str = "", then: Then | None = None) -> None:
        """Run an active routine now. The note, 500 characters at most, is kept with the command."""
        body = {
            "action": "coven.automations.occurrence.runNow.v1",
            "adoptionKey": new_key("run"),
            "automationId": automation_id,
        }
        if note.strip():
            body["note"] = note.strip()
        self._gateway.submit(execution.run_now, body, lambda outcome: self._ran(automation_id, name, outcome, then))

    def run_paused(self, automation_id: str, name: str, then: Then | None = None) -> None:
        """Run a paused routine once; the person was asked (decisions.md 11). This command takes no note."""
        body = {"id": automation_id}
        self._gateway.submit(execution.run, body, lambda outcome: self._ran(automation_id, name, outcome, then))

    def _ran(self, automation_id: str, name: str, outcome: Outcome, then: Then | None) -> None:
        reason = ""
        if not isinstance(outcome, Answer):
            reason = refusals.words(outcome)
        elif outcome.payload.get("error"):
            reason = refusals.sentence(str(outcome.payload["error"]))
        else:
            self.succeeded.emit()
            self.started.emit(name, str(outcome.payload.get("occurrenceId") or ""))
        if then is not None:
            then(reason)
        elif reason:
            self.not_started.emit(automation_id, name, reason)

    def stop_of(self, occurrence_id: str) -> Stop | None:
        """How far a stop is, None when none was asked for here."""
        return self._stops.get(occurrence_id)

    def stop(self, occurrence_id: str, *, then: Callable[[], None] | None = None) -> None:
        """Stop an occurrence; the person has confirmed it. `then` is called when the outcome is known."""
        known = self._stops.get(occurrence_id)
        if known is not None and known.progress == "asked":
            return
        body = {
            "action": "coven.automations.occurrence.cancel.v1",
            "adoptionKey": new_key("stop"),
            "occurrenceId": occurrence_id,
            "reason": "stopped in the window",
        }
        self._note_stop(occurrence_id, Stop("asked"))
        self._ask_stop(occurrence_id, body, ASK_AGAIN_TIMES, then)

    def _ask_stop(self, occurrence_id: str, body: dict[str, Any], times: int, then: Callable[[], None] | None) -> None:
        def done(outcome: Outcome) -> None:
            pending = isinstance(outcome, TypedRefusal) and outcome.code == Code.CANCEL_PENDING
            if pending and times:
                # with the same key where the contract asks for it, else with a new one (contract/commands.md §4.8)
                again = isinstance(outcome, TypedRefusal) and outcome.retryable
                following = body if again else body | {"adoptionKey": new_key("stop")}
                QTimer.singleShot(ASK_AGAIN_MS, self, lambda: self._ask_stop(occurrence_id, following, times - 1, then))
                return
            self._note_stop(occurrence_id, _stop(outcome))
            if then is not None:
                then()

        self._gateway.submit(cancellation.cancel_occurrence, body, done)

    def _note_stop(self, occurrence_id: str, stop: Stop) -> None:
        self._stops[occurrence_id] = stop
        self.stop_changed.emit(occurrence_id)

    # --- deciding ----------------------------------------------------------------------------------------------------

    def decide(
        self, occurrence_id: str, determination: Determination, statement: str, then: Then | None = None
    ) -> None:
        """Decide what became of an occurrence whose outcome is unknown, or that it shall be tried again."""
        body: dict[str, Any] = {
            "action": "coven.automations.occurrence.recover.v1",
            "adoptionKey": new_key("recover"),
            "occurrenceId": occurrence_id,
            "evidenceDetermination": determination,
        }
        if statement.strip():
            body["statement"] = statement.strip()

        def done(outcome: Outcome) -> None:
            if isinstance(outcome, Answer):
                self.decided.emit(occurrence_id)
            self._tell(self.tr("Not decided"), outcome, then)

        self._gateway.submit(recovery.recover, body, done)

    def retry(
        self, occurrence_id: str, run_id: str, attempt: int, disposition: str, note: str, then: Then | None = None
    ) -> None:
        """Open another attempt of a held run; `attempt` and `disposition` are those of the attempt that ended."""
        body: dict[str, Any] = {
            "action": "coven.automations.attempt.retry.v1",
            "adoptionKey": new_key("retry"),
            "runId": run_id,
            "priorAttemptNumber": attempt,
            "priorDisposition": disposition,
        }
        if note.strip():
            body["note"] = note.strip()

        def done(outcome: Outcome) -> None:
            if isinstance(outcome, Answer):
                self.retried.emit(occurrence_id, int(outcome.payload["attemptNumber"]))
            self._tell(self.tr("Not retried"), outcome, then)

        self._gateway.submit(recovery.retry_attempt, body, done)

    def release(self, automation_id: str, name: str, then: Then | None = None) -> None:
        """End the quarantine of a routine."""

        def done(outcome: Outcome) -> None:
            if isinstance(outcome, Answer):
                self.released.emit(automation_id, name, bool(outcome.payload["released"]))
            self._tell(self.tr("Not released"), outcome, then)

        self._gateway.submit(quarantine.unquarantine, {"id": automation_id}, done)

    def _tell(self, what: str, outcome: Outcome, then: Then | None) -> None:
        reason = "" if isinstance(outcome, Answer) else refusals.words(outcome)
        if not reason:
            self.succeeded.emit()
        if then is not None:
            then(reason)
        elif reason:
            self.refused.emit(what, reason)


def _stop(outcome: Outcome) -> Stop:
    if isinstance(outcome, Answer):
        return Stop("confirmed" if outcome.payload.get("status") == "cancelled" else "unconfirmed")
    reason = refusals.words(outcome)
    if isinstance(outcome, TypedRefusal) and outcome.code == Code.ILLEGAL_TRANSITION:
        return Stop("too_late", reason)
    return Stop("refused", reason)
