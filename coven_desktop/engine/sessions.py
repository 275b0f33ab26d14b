"""The sessions of this engine: accepting a run, launching it, and recording what the runtime tells of it.

Acceptance is committed before anything is started (contract/engine.md §5.2). What the runtime tells is news: each
piece is written in one transaction by `settlement`, and one that cannot be written, because the disk is full or the
file is locked, is kept and written by a later pass.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass

from coven_desktop.contract import ids, timestamps
from coven_desktop.contract.definition import Definition
from coven_desktop.contract.routine import AnyRoutine, from_stored
from coven_desktop.contract.routine_settings import RoutineSettings
from coven_desktop.contract.text import is_blank, trim
from coven_desktop.engine import settlement
from coven_desktop.engine.core import Core, StaleLeadership
from coven_desktop.runtime.sessions import Ended, LaunchRefused, LaunchSpec, Started
from coven_desktop.store import routine_settings, runs
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.errors import StoreFault
from coven_desktop.store.occurrences import OccurrenceRow
from coven_desktop.store.runs import RunRow, SessionRow
from coven_desktop.store.transactions import Transaction, Value

_log = logging.getLogger(__name__)

# Writes one piece of news; True when the run is not what it was before for those who wait for its end or its place.
News = Callable[[Transaction, SessionRow], bool]


@dataclass(frozen=True)
class StartOutcome:
    """How a launch went: with an error the command was not seen to start; `retries` when another attempt waits."""

    run_id: str
    session_id: str
    error: str | None
    retries: bool = False


class Sessions:
    """What was launched or attached, and who waits for the start of it."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._start_waiters: dict[str, Callable[[StartOutcome], None]] = {}
        self._unwritten: dict[str, list[News]] = {}
        self.on_settled: Callable[[str], None] = lambda run_id: None

    def accept(
        self, tx: Transaction, occurrence: OccurrenceRow, row: DefinitionRow, definition: AnyRoutine
    ) -> LaunchSpec:
        """Accept a run under the occurrence's fence: run, session and attempt 1, dispatching."""
        run_id, session_id = ids.new_run_id(), ids.new_session_id()
        attempt_id = ids.attempt_id(run_id, 1)
        deadline = tx.now + definition.timeout_minutes * 60_000
        settings = _settings(tx, definition)
        runs.accept(
            tx,
            {
                "id": run_id,
                "automation_id": row.id,
                "automation_revision": row.revision,
                "definition_digest": row.digest,
                "definition_snapshot": row.body,
                "occurrence_id": occurrence.id,
                "occurrence_fence": occurrence.fence,
                "session_id": session_id,
                "familiar_id": definition.familiar_id,
                "runtime": definition.runtime,
                "environment_names": _names(settings),
                "status": "running",
                "started_at": tx.now_text,
                "timeout_at": timestamps.to_text_capped(deadline),
            },
            _session_row(tx, session_id, run_id, attempt_id, definition),
            {
                "id": attempt_id,
                "run_id": run_id,
                "occurrence_id": occurrence.id,
                "attempt_number": 1,
                "adoption_key": ids.attempt_key(run_id, 1),
                "occurrence_fence": occurrence.fence,
                "state": "adopted",
                "retry_classification": "initial",
                "not_before": tx.now_text,
                "opened_at": tx.now_text,
            },
        )
        runs.dispatch(tx, attempt_id)
        return _spec(definition, session_id, attempt_id, run_id, settings, deadline)

    def accept_retry(self, tx: Transaction, occurrence: OccurrenceRow, run: RunRow) -> LaunchSpec | None:
        """Dispatch the attempt that waits in a run, under the run's own snapshot of the definition and its deadline.

        None when there is nothing to start any more: no attempt waits under this fence, or the deadline has come.
        """
        attempt = runs.latest_attempt(tx, run.id)
        if (
            attempt is None
            or attempt.state != "adopted"
            or attempt.not_before > tx.now_text
            or attempt.occurrence_fence != occurrence.fence
            or run.timeout_at is None
            or run.timeout_at <= tx.now_text
        ):
            return None
        definition = from_stored(run.definition_snapshot)
        session_id = ids.new_session_id()
        # as they are now: who mends a variable or a secret tries again with the mended one
        settings = _settings(tx, definition)
        runs.insert_session(tx, _session_row(tx, session_id, run.id, attempt.id, definition))
        runs.bind_session(tx, run.id, session_id)
        runs.name_environment(tx, run.id, _names(settings))
        runs.dispatch(tx, attempt.id)
        deadline = timestamps.parse(run.timeout_at)
        return _spec(definition, session_id, attempt.id, run.id, settings, deadline)

    def launch(self, spec: LaunchSpec, when_started: Callable[[StartOutcome], None]) -> None:
        """Start what was accepted. `when_started` is told once, when it is known whether it started."""
        self._start_waiters[spec.run_id] = when_started
        try:
            self._core.runtime.check(spec.runtime, spec.cwd)
        except LaunchRefused as refusal:
            self._refused(spec, refusal)
            return
        self._core.runtime.launch(
            spec,
            started=lambda report: self.started(spec.run_id, report),
            refused=lambda refusal: self._refused(spec, refusal),
            ended=self.ended,
        )

    def attach(self, session_id: str) -> None:
        """Watch a live session of an earlier app."""
        self._core.runtime.attach(session_id, ended=self.ended)

    # What became known of a session.

    def started(self, run_id: str, report: Started) -> None:
        """The command is executing."""
        self._note(report.session_id, lambda tx, session: settlement.started(tx, session, report.pid))
        self._tell(StartOutcome(run_id, report.session_id, None))

    def ended(self, report: Ended) -> None:
        """The session host is gone: settle from its evidence, or say that there is none."""
        evidence = report.evidence
        if evidence is not None:
            self._note(report.session_id, lambda tx, session: settlement.ended(tx, session, evidence))
        elif report.never_started:
            self.never_started(report.session_id)
        else:
            self.unknown(report.session_id)

    def never_started(self, session_id: str) -> None:
        """No process ever started under this session, and that is proven."""
        self._note(session_id, settlement.never_started)

    def unknown(self, session_id: str, reason: str = settlement.VANISHED) -> None:
        """It is not known what became of the session."""
        self._note(session_id, lambda tx, session: settlement.unknown(tx, session, reason))

    def _refused(self, spec: LaunchSpec, refusal: LaunchRefused) -> None:
        if refusal.proven_no_process:
            self._note(spec.session_id, lambda tx, session: settlement.refused(tx, session, refusal))
        else:
            self.unknown(spec.session_id, refusal.message)
        latest = runs.latest_attempt(self._core.store, spec.run_id)
        retries = latest is not None and latest.state == "adopted"
        self._tell(StartOutcome(spec.run_id, spec.session_id, refusal.message, retries))

    def _tell(self, outcome: StartOutcome) -> None:
        waiter = self._start_waiters.pop(outcome.run_id, None)
        if waiter is not None:
            waiter(outcome)

    # Writing it.

    def has_unwritten(self, session_id: str | None = None) -> bool:
        """Whether news, of this session or of any, could not be written yet."""
        return bool(self._unwritten) if session_id is None else session_id in self._unwritten

    def write_rest(self) -> None:
        """Try again to write what could not be written before."""
        for session_id in list(self._unwritten):
            self._write_out(session_id)

    def _note(self, session_id: str, news: News) -> None:
        """Write news of a session, now or by a later pass; in the order in which it became known."""
        self._unwritten.setdefault(session_id, []).append(news)
        self._write_out(session_id)

    def _write_out(self, session_id: str) -> None:
        waiting = self._unwritten[session_id]
        changed_run: str | None = None
        while waiting:
            try:
                with self._core.change() as tx:
                    session = runs.session(tx, session_id)
                    # a session whose acceptance was taken back has no news any more
                    changed = session is not None and waiting[0](tx, session)
            except StoreFault as fault:
                _log.error("session %s: its news cannot be written yet: %s", session_id, fault)
                break
            except StaleLeadership:
                _log.info("session %s: its news is left to the engine that leads now", session_id)
                break
            except Exception:  # noqa: BLE001 - a mistake of ours about one session must not stop all the others
                _log.exception("session %s: its news is lost until the next start", session_id)
                changed = False
            if changed and session is not None:
                changed_run = session.run_id
            waiting.pop(0)
        if not waiting:
            del self._unwritten[session_id]
        if changed_run is not None:
            self.on_settled(changed_run)


def _session_row(
    tx: Transaction, session_id: str, run_id: str, attempt_id: str, definition: AnyRoutine
) -> dict[str, Value]:
    return {
        "id": session_id,
        "run_id": run_id,
        "attempt_id": attempt_id,
        "title": definition.name,
        "project_root": trim(definition.cwd or ""),
        "harness": definition.runtime,
        "familiar_id": definition.familiar_id,
        "status": "created",
        "created_at": tx.now_text,
        "updated_at": tx.now_text,
    }


def _settings(tx: Transaction, definition: AnyRoutine) -> RoutineSettings:
    """What a run is given: the settings beside its routine, and the secrets that a routine of ours names itself."""
    settings = routine_settings.of(routine_settings.get(tx, definition.id))
    if isinstance(definition, Definition) or not definition.secrets:
        return settings
    named = [name for name in definition.secrets if name not in settings.environment]
    return RoutineSettings(settings.environment, tuple(dict.fromkeys((*settings.secrets, *named))))


def _names(settings: RoutineSettings) -> str:
    """The names of what a run is given; their values are not kept with it (decisions.md 41)."""
    return json.dumps(sorted([*settings.environment, *settings.secrets]))


def _spec(
    definition: AnyRoutine, session_id: str, attempt_id: str, run_id: str, settings: RoutineSettings, deadline: int
) -> LaunchSpec:
    return LaunchSpec(
        session_id=session_id,
        attempt_id=attempt_id,
        run_id=run_id,
        automation_id=definition.id,
        runtime=definition.runtime,
        model=definition.model if definition.model and not is_blank(definition.model) else None,
        prompt=definition.prompt,
        cwd=trim(definition.cwd or ""),
        environment=settings.environment,
        familiar_id=definition.familiar_id,
        deadline=deadline,
        secrets=settings.secrets,
    )
