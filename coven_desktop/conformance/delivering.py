"""delivery-outcome: what a routine may deliver, what becomes of a run that does, and what lies in the file then.

- `document`: the `delivery` of a routine with a `schedule`, accepted as it is stored or rejected;
- `run`: a routine with `schedule`, `delivery` and `timeoutMinutes` is saved at `createdAt`, and goes through `steps`,
  each of which tells how the newest run and the routine stand then (`pauseAfterFailures` is the setting of that name):
  `wait` {until}; `end` {exitCode}: the session that lives ends; `deliver` {result, reason}: what was begun last is
  `delivered`, has `failed`, or nobody knows (`unknown`); `crash` {until}: the app is gone from one moment to the next
  and started again then, while what it had launched lives on; `revise` {delivery}; `cancel`;
- `file`: what was `printed` is brought by the helper to a place that is as `target` says, so many `times`.
"""

from __future__ import annotations

import itertools
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from coven_desktop.clock import Loop
from coven_desktop.conformance.inputs import CannotCompute, Inputs
from coven_desktop.conformance.stage import Stage, stage
from coven_desktop.contract import routine
from coven_desktop.contract.definition import DefinitionError
from coven_desktop.contract.errors import Refusal, TypedRefusal
from coven_desktop.engine.commands import cancellation, desktop_routines
from coven_desktop.engine.engine import Engine
from coven_desktop.runtime import delivery_helper
from coven_desktop.runtime.output_writer import LOST, STDERR, STDOUT, OutputWriter
from coven_desktop.runtime.seam import Delivered, DeliveryOrder
from coven_desktop.store import definitions, deliveries, schedule_state

OWN = "conformance"
STEPS_LIMIT = 32
_RESULTS = ("delivered", "failed", "unknown")
_TARGETS = ("file", "nothing", "missing folder", "folder", "pipe", "link", "file as folder")
_LOG_LIMIT = 1 << 20


def delivering(case: Inputs) -> dict[str, Any]:
    """What a case of whatever scenario comes to."""
    return _SCENARIOS[case.choice("scenario", tuple(_SCENARIOS))](case)


# --- document ----------------------------------------------------------------------------------------------------


def _document(case: Inputs) -> dict[str, Any]:
    try:
        made = routine.parse(_routine(case))
    except DefinitionError as error:
        told = {"field": error.field, "reason": error.message, "suggestion": error.suggestion}
        return {"outcome": "rejected", **told}
    return {"outcome": "accepted", "stored": routine.stored(made).get("delivery")}


def _routine(case: Inputs) -> dict[str, Any]:
    given = {"delivery": case.members("delivery")} if "delivery" in case else {}
    return given | {
        "schemaVersion": routine.SCHEMA_VERSION,
        "id": OWN,
        "name": OWN,
        "status": "ACTIVE",
        "schedule": case.members("schedule"),
        "timeoutMinutes": case.number("timeoutMinutes") if "timeoutMinutes" in case else 30,
        "runtime": "coven-code",
        "prompt": "Compute this case.",
        "cwd": "/",
    }


# --- run ---------------------------------------------------------------------------------------------------------


def _run(case: Inputs) -> dict[str, Any]:
    steps = case.inner_list("steps")
    if len(steps) > STEPS_LIMIT:
        raise CannotCompute(f"a case has at most {STEPS_LIMIT} steps")
    with stage(case.instant("createdAt")) as made:
        life = _Life(made, case.number("pauseAfterFailures") if "pauseAfterFailures" in case else 5)
        try:
            desktop_routines.create(life.engine, {"adoptionKey": life.key(), "routine": _routine(case)})
            life.app.turn()
            return {"outcome": "done", "steps": [life.go(step) for step in steps]}
        finally:
            life.end()


class _Files:
    """Files that nobody writes: what becomes of a delivery is said by the case."""

    def __init__(self, loop: Loop, orders: list[DeliveryOrder]) -> None:
        self._loop = loop
        self._orders = orders
        self._waiting: dict[str, Callable[[Delivered], None]] = {}

    def begin(self, order: DeliveryOrder, done: Callable[[Delivered], None]) -> None:
        """See `Deliveries`."""
        self._orders.append(order)
        self._waiting[order.run_id] = done

    def finish(self) -> None:
        """See `Deliveries`."""

    def tell(self, what: Delivered) -> None:
        """What became of the only one that was begun."""
        if not self._waiting:
            raise CannotCompute("nothing is being delivered")
        _, done = self._waiting.popitem()
        self._loop.call_soon(lambda: done(what))


class _Life:
    """One home, and the app that is on it at the moment. Deliveries wait for a step that says what becomes of them."""

    def __init__(self, made: Stage, pause_after_failures: int) -> None:
        self.app = made
        self._pause_after_failures = pause_after_failures
        self._numbers = itertools.count(1)
        self._opened = [made]
        self._orders: list[DeliveryOrder] = []
        self._start()

    def _start(self) -> None:
        app = self.app
        app.runtime.deliveries = self._files = _Files(app.loop, self._orders)
        self.engine = Engine(
            clock=app.clock,
            store=app.store,
            runtime=app.runtime,
            loop=app.loop,
            home=app.home,
            max_concurrent_runs=0,
        )
        self.engine.core.pause_after_failures = self._pause_after_failures
        self.engine.start()
        app.turn()

    def end(self) -> None:
        """Quit in order."""
        self.engine.stop()
        for app in self._opened[1:]:
            app.close()

    def key(self) -> str:
        """A key that was never used."""
        return f"adopt:conformance:{next(self._numbers):04}"

    def go(self, step: Inputs) -> dict[str, Any]:
        """Carry out one step."""
        told: dict[str, Any] = {"outcome": "done"}
        try:
            _STEPS[step.choice("kind", tuple(_STEPS))](self, step)
        except TypedRefusal as refusal:
            told = {"outcome": "rejected", "code": str(refusal.code), "reason": refusal.reason}
        except Refusal as refusal:
            told = {"outcome": "rejected", "code": None, "reason": refusal.reason}
        self.app.turn()
        return told | self._stands()

    def wait(self, step: Inputs) -> None:
        """Time passes, from timer to timer."""
        self.app.loop.advance(step.instant("until") - self.app.clock.wall())

    def session_ends(self, step: Inputs) -> None:
        """The command ends by itself."""
        self.app.runtime.end(self._session(), step.number("exitCode") if "exitCode" in step else 0)

    def deliver(self, step: Inputs) -> None:
        """What becomes of the delivery that was begun last."""
        result = step.choice("result", _RESULTS)
        reason = None if result == "delivered" else step.text("reason") if "reason" in step else "as the case says"
        self._files.tell(Delivered(reason, known=result != "unknown"))

    def crash(self, step: Inputs) -> None:
        """The app is gone, and another one starts."""
        before = self.app
        before.store.on_commit = lambda: None
        before.close()
        self.app = before.reopen()
        self._opened.append(self.app)
        self.app.clock.advance(step.instant("until") - self.app.clock.wall())
        self.app.runtime.come_after(before.runtime, alive=True)
        self._start()

    def revise(self, step: Inputs) -> None:
        """Another delivery."""
        row = definitions.get(self.app.store, OWN)
        if row is None:
            raise CannotCompute("the routine of the case is gone")
        told = desktop_routines.told(self.app.store, row)["routine"]
        body = {"routine": {**told, "delivery": step.members("delivery")}, "expectedRevision": row.revision}
        desktop_routines.revise(self.engine, {"adoptionKey": self.key(), **body})

    def cancel(self, step: Inputs) -> None:
        """Somebody wants to stop the run."""
        (run,) = self.engine.reads.runs(OWN, 1)
        action = "coven.automations.occurrence.cancel.v1"
        body = {"action": action, "adoptionKey": self.key(), "occurrenceId": run["occurrenceId"]}
        cancellation.cancel_occurrence(self.engine, body)

    def _session(self) -> str:
        for spec in self.app.runtime.launched:
            if spec.session_id in self.app.runtime.alive:
                return spec.session_id
        raise CannotCompute("no session lives")

    def _stands(self) -> dict[str, Any]:
        store, reads = self.app.store, self.engine.reads
        row, counted = definitions.get(store, OWN), schedule_state.get(store, OWN)
        slots = store.query(
            "SELECT scheduled_for, state FROM occurrences WHERE automation_id = ? ORDER BY scheduled_for", (OWN,)
        )
        told: dict[str, Any] = {
            "launchCount": len(self.app.runtime.launched),
            "orders": [{"path": order.path, "mode": order.mode} for order in self._orders],
            "lifecycle": None if row is None else row.lifecycle,
            "failuresInARow": None if counted is None else counted.failures_in_a_row,
            "slots": [{"scheduledFor": slot[0], "state": slot[1]} for slot in slots],
        }
        for run in reads.runs(OWN, 1):
            occurrence = reads.occurrence(run["occurrenceId"]) or {}
            begun = deliveries.get(store, run["id"])
            told["run"] = {name: run[name] for name in ("status", "exitCode", "outcome", "deliveryStatus")} | {
                "deliveryError": run["deliveryError"],
                "attempt": run["attempts"][-1]["state"],
                "occurrence": occurrence.get("state"),
                "reason": occurrence.get("failureReason"),
                "begun": begun is not None and begun.begun_at is not None,
                "finished": run["finishedAt"] is not None,
                "receipt": run["receiptId"] is not None,
            }
        return told


_STEPS: Mapping[str, Callable[[_Life, Inputs], None]] = {
    "wait": _Life.wait,
    "end": _Life.session_ends,
    "deliver": _Life.deliver,
    "crash": _Life.crash,
    "revise": _Life.revise,
    "cancel": _Life.cancel,
}


# --- file --------------------------------------------------------------------------------------------------------


def _file(case: Inputs) -> dict[str, Any]:
    target = case.choice("target", _TARGETS)
    mode = case.choice("mode", ("replace", "append"))
    times = case.number("times") if "times" in case else 1
    if not 1 <= times <= 10:
        raise CannotCompute("`times` must be 1 to 10")
    with tempfile.TemporaryDirectory(prefix="coven-conformance-") as folder:
        place = Path(folder) / "place"
        place.mkdir()
        output = _printed(Path(folder), case.inner_list("printed"))
        path = _made(place, target, case.optional_text("before"))
        reason = None
        for _ in range(times):
            try:
                delivery_helper.deliver(output, str(path), mode, OWN, lambda: None)
            except delivery_helper.Undelivered as refused:
                reason = str(refused)
            except OSError as fault:
                reason = delivery_helper.told(fault, str(path))
        return {
            "outcome": "delivered" if reason is None else "failed",
            "reason": None if reason is None else reason.replace(str(place), "/place"),
            "content": path.read_text(encoding="utf-8") if path.is_file() else None,
            "names": sorted(os.listdir(place)),
            "stillALink": path.is_symlink(),
        }


def _printed(folder: Path, printed: list[Inputs]) -> Path:
    """The log of a session that has printed this."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        writer = OutputWriter(descriptor, "output", _LOG_LIMIT)
        for record in printed:
            stream = record.choice("stream", ("stdout", "stderr", "lost"))
            if stream == "lost":
                writer.append(0, LOST, record.number("bytes").to_bytes(8, "little"))
            else:
                writer.append(0, STDOUT if stream == "stdout" else STDERR, record.text("text").encode())
        writer.close()
    finally:
        os.close(descriptor)
    return folder / "output"


def _made(place: Path, target: str, before: str | None) -> Path:
    """The path of a delivery, with what lies there."""
    path = place / "report"
    match target:
        case "file":
            path.write_text(before or "", encoding="utf-8")
        case "missing folder":
            path = place / "missing" / "report"
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "link":
            (place / "real").write_text(before or "", encoding="utf-8")
            path.symlink_to("real")
        case "file as folder":
            path.write_text(before or "", encoding="utf-8")
            path = path / "report"
    return path


_SCENARIOS: Mapping[str, Callable[[Inputs], dict[str, Any]]] = {"document": _document, "run": _run, "file": _file}
