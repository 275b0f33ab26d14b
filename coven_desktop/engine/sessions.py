"""The sessions of this engine: accepting a run, launching it, and recording what the runtime tells of it.

Acceptance is committed before anything is started (contract/engine.md §5.2). A report of the runtime that
cannot be written, because the disk is full or the file is locked, is kept and written by a later pass.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass

from coven_desktop.contract import ids, timestamps
from coven_desktop.contract.definition import Definition
from coven_desktop.contract.text import is_blank, trim
from coven_desktop.engine import settlement
from coven_desktop.engine.core import Core
from coven_desktop.runtime.sessions import Ended, LaunchRefused, LaunchSpec, Started
from coven_desktop.store import definitions, runs
from coven_desktop.store.definitions import DefinitionRow
from coven_desktop.store.errors import StoreFault
from coven_desktop.store.occurrences import OccurrenceRow
from coven_desktop.store.transactions import Transaction

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class StartOutcome:
    """How a launch went: with an error nothing was started."""

    run_id: str
    session_id: str
    error: str | None


class Sessions:
    """What was launched or attached, and who waits for the start of it."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._start_waiters: dict[str, list[Callable[[StartOutcome], None]]] = {}
        self._unwritten: dict[str, list[Callable[[Transaction], None]]] = {}
        self.on_settled: Callable[[str], None] = lambda run_id: None

    def accept(
        self, tx: Transaction, occurrence: OccurrenceRow, row: DefinitionRow, definition: Definition
    ) -> LaunchSpec:
        """Accept a run under the occurrence's fence: run, session and attempt 1, dispatching."""
        run_id, session_id = ids.new_run_id(), ids.new_session_id()
        attempt_id = ids.attempt_id(run_id, 1)
        deadline = tx.now + definition.timeout_minutes * 60_000
        environment, secrets = definitions.settings(tx, row.id)
        settings: dict[str, str] = json.loads(environment)
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
                "environment_names": json.dumps(sorted([*settings, *json.loads(secrets)])),
                "status": "running",
                "started_at": tx.now_text,
                "timeout_at": timestamps.to_text(deadline),
            },
            {
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
            },
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
        return LaunchSpec(
            session_id=session_id,
            attempt_id=attempt_id,
            run_id=run_id,
            automation_id=row.id,
            runtime=definition.runtime,
            model=definition.model if definition.model and not is_blank(definition.model) else None,
            prompt=definition.prompt,
            cwd=trim(definition.cwd or ""),
            environment=settings,
            familiar_id=definition.familiar_id,
            deadline=deadline,
        )

    def launch(self, spec: LaunchSpec, when_started: Callable[[StartOutcome], None] | None = None) -> None:
        """Start what was accepted. `when_started` is told once, when it is known whether it started."""
        if when_started is not None:
            self._start_waiters.setdefault(spec.run_id, []).append(when_started)
        try:
            self._core.runtime.check(spec.runtime, spec.cwd)
        except LaunchRefused as refusal:
            self._refused(spec, refusal)
            return
        self._core.runtime.launch(
            spec,
            started=lambda report: self._started(spec.run_id, report),
            refused=lambda refusal: self._refused(spec, refusal),
            ended=self.ended,
        )

    def attach(self, session_id: str) -> None:
        """Watch a live session of an earlier app."""
        self._core.runtime.attach(session_id, ended=self.ended)

    def ended(self, report: Ended) -> None:
        """The session host is gone: settle from its evidence, or say that there is none."""
        evidence = report.evidence
        if evidence is None:
            self.write(report.session_id, lambda tx: settlement.vanished(tx, _session(tx, report.session_id)))
        else:
            self.write(report.session_id, lambda tx: settlement.ended(tx, _session(tx, report.session_id), evidence))

    def never_started(self, session_id: str) -> None:
        """No process ever started under this session, and that is proven."""
        self.write(session_id, lambda tx: settlement.never_started(tx, _session(tx, session_id)))

    def unconfirmed(self, session_id: str, reason: str) -> None:
        """It is not known whether the session still lives."""
        self.write(session_id, lambda tx: settlement.vanished(tx, _session(tx, session_id), reason))

    def started(self, run_id: str, report: Started) -> None:
        """A session of an earlier app is seen to be executing."""
        self._started(run_id, report)

    def write(self, session_id: str, change: Callable[[Transaction], None]) -> None:
        """Write what became known of a session, now or, when the store does not let us, by a later pass.

        What is known of one session is written in the order it became known.
        """
        self._unwritten.setdefault(session_id, []).append(change)
        self._write_out(session_id)

    def write_rest(self) -> None:
        """Try again to write what could not be written before."""
        for session_id in list(self._unwritten):
            self._write_out(session_id)

    def _write_out(self, session_id: str) -> None:
        changes = self._unwritten[session_id]
        run_id = None
        while changes:
            try:
                with self._core.change() as tx:
                    session = runs.session(tx, session_id)
                    if session is not None:
                        run_id = session.run_id
                        changes[0](tx)
            except StoreFault as fault:
                _log.error("session %s: its news cannot be written yet: %s", session_id, fault)
                return
            changes.pop(0)
        del self._unwritten[session_id]
        if run_id is not None:
            self.on_settled(run_id)

    def _started(self, run_id: str, report: Started) -> None:
        self.write(report.session_id, lambda tx: settlement.started(tx, run_id, report))
        self._tell(StartOutcome(run_id, report.session_id, None))

    def _refused(self, spec: LaunchSpec, refusal: LaunchRefused) -> None:
        if refusal.proven_no_process:
            self.write(spec.session_id, lambda tx: settlement.refused(tx, spec.run_id, spec.session_id, refusal))
        else:
            self.unconfirmed(spec.session_id, refusal.message)
        self._tell(StartOutcome(spec.run_id, spec.session_id, refusal.message))

    def _tell(self, outcome: StartOutcome) -> None:
        for waiter in self._start_waiters.pop(outcome.run_id, []):
            waiter(outcome)


def _session(tx: Transaction, session_id: str) -> runs.SessionRow:
    session = runs.session(tx, session_id)
    if session is None:
        raise RuntimeError(f"session {session_id} vanished")
    return session
