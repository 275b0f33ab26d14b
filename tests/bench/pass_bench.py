"""What a pass costs that finds nothing to do, and how a thousand routines due at one instant are taken.

    python tests/bench/pass_bench.py [--times 200] [--bursts 5] [--folder DIR]

A real engine on a real store on the disk of `--folder` with synchronous=FULL, on Qt's loop; the sessions are made by
a script. Prints JSON:

- nothingDue: milliseconds from the begin of a pass until it is recorded and the timer is armed anew, for 10,000 and
  100,000 routines;
- burst: milliseconds from the instant at which 1,000 routines are due to the last one planned, the last one claimed,
  the last run begun and the end of the pass; the longest time in which the loop did not turn; and the same without
  what other processes and the disk took, as processor time.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.runtime.sessions import LaunchSpec
from tests.bench import machine, stage
from tests.bench.stage import Stage
from tests.rig import HOUR_MS

GOALS_MS = {10_000: 1.0, 100_000: 2.0}
DUE = 1_000
BURST_GOAL_MS = 800
SILENCE_GOAL_MS = 50
AHEAD_MS = 400


def quiet_hour() -> SystemClock:
    """A clock that stands one minute after a full hour."""
    hour = SystemClock().wall() // HOUR_MS * HOUR_MS
    return SystemClock(hour + 60_000 - SystemClock().wall())


def nothing_due(folder: Path, routines: int, times: int) -> dict[str, Any]:
    """Passes of an engine whose routines are all due later."""
    clock = quiet_hour()
    home = stage.new_home(folder / f"quiet-{routines}")
    store = stage.open_store(home, clock)
    stage.fill(store, routines, clock.wall(), folder)
    stage.put_away(store, home, clock.wall())
    wall, cpu = [], []
    with stage.stage_on(home, clock) as on:
        on.start()
        began: list[tuple[float, float]] = []
        steps = on.engine.passes.steps

        def timed(trigger: str, scheduled_at: int, recovered: int = 0) -> Iterator[None]:
            began.append((time.perf_counter(), time.process_time()))
            return steps(trigger, scheduled_at, recovered)

        on.engine.passes.steps = timed  # type: ignore[method-assign]
        for _ in range(times):
            on.engine.wake()
            on.turn_until(lambda: on.engine.waiting)
            wall.append((time.perf_counter() - began[-1][0]) * 1000)
            cpu.append((time.process_time() - began[-1][1]) * 1000)
    return {"ms": machine.spread(wall), "cpuMs": machine.spread(cpu)}


class Heartbeat:
    """A callback every millisecond: how much later it comes is how long the loop was held by others.

    In time, which has what other processes and the disk take in it, and in processor time, which has not.
    """

    def __init__(self, on: Stage) -> None:
        self._on = on
        self._last = time.perf_counter()
        self._used = time.process_time()
        self.longest_ms = 0.0
        self.longest_cpu_ms = 0.0
        self.beating = True
        self._ask()

    def _ask(self) -> None:
        self._on.loop.call_at(self._on.clock.monotonic() + 1, self._beat)

    def _beat(self) -> None:
        now, used = time.perf_counter(), time.process_time()
        self.longest_ms = max(self.longest_ms, (now - self._last) * 1000)
        self.longest_cpu_ms = max(self.longest_cpu_ms, (used - self._used) * 1000)
        self._last, self._used = now, used
        if self.beating:
            self._ask()


def burst(folder: Path, *, most_at_once: int, shared: bool) -> dict[str, float]:
    """One instant at which all are due, from the instant on."""
    hour = SystemClock().wall() // HOUR_MS * HOUR_MS
    clock = SystemClock(hour - 60_000 - SystemClock().wall())
    home = stage.new_home(folder)
    store = stage.open_store(home, clock)
    stage.fill(store, DUE, clock.wall(), folder)
    stage.put_away(store, home, clock.wall())
    # the filling took its time: the clock stands shortly before the hour again
    clock = SystemClock(hour - AHEAD_MS - SystemClock().wall())
    with stage.stage_on(home, clock, most_at_once=most_at_once) as on:
        on.start()
        if clock.wall() >= hour:
            raise RuntimeError("the start took longer than was left before the hour")
        on.loop.share(shared)
        heart = Heartbeat(on)
        began, cpu_of_claims = time.process_time(), [0.0]

        def first_launch(spec: LaunchSpec) -> None:
            # all are claimed before the first is dispatched
            cpu_of_claims[0] = cpu_of_claims[0] or round((time.process_time() - began) * 1000)

        on.runtime.on_launch = first_launch
        running = min(DUE, most_at_once or DUE)
        on.turn_until(lambda: len(on.runtime.world.launched) >= running and on.engine.waiting)
        heart.beating = False
        return {
            "plannedMs": _last(on, hour, "occurrence", "planned"),
            "claimedMs": _last(on, hour, "occurrence", "claimed"),
            "runningMs": _last(on, hour, "run", "running"),
            "passEndedMs": _instant(on, "SELECT finished_at FROM scheduler_last_pass") - hour,
            "longestSilenceMs": round(heart.longest_ms, 1),
            "longestSilenceCpuMs": round(heart.longest_cpu_ms, 1),
            "cpuMsToClaimed": cpu_of_claims[0],
        }


def _last(on: Stage, hour: int, entity: str, state: str) -> int:
    """Milliseconds from the hour to the last move of any entity into a state."""
    return (
        _instant(
            on,
            f"SELECT max(recorded_at) FROM events WHERE kind = '{entity}.transitioned'"
            f" AND json_extract(body, '$.payload.to') = '{state}'",
        )
        - hour
    )


def _instant(on: Stage, sql: str) -> int:
    ((text,),) = on.store.query(sql)
    return timestamps.parse(text)


def spreads(found: Sequence[dict[str, float]]) -> dict[str, Any]:
    """Each figure of several bursts."""
    return {name: machine.spread([one[name] for one in found]) for name in found[0]}


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure the pass.")
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--bursts", type=int, default=5)
    parser.add_argument("--folder", type=Path, default=None, help="where the stores are made")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="coven-bench-", dir=options.folder) as name:
        folder = Path(name)
        about = machine.facts(folder)
        quiet = {count: nothing_due(folder, count, options.times) for count in GOALS_MS}
        found = [burst(folder / f"burst-{n}", most_at_once=0, shared=False) for n in range(options.bursts)]
        windowed = [burst(folder / f"shared-{n}", most_at_once=0, shared=True) for n in range(options.bursts)]
    figures: dict[str, Any] = {
        "nothingDue": quiet,
        "burstOf1000": spreads(found),
        "burstOf1000WithWindow": spreads(windowed),
    }
    met = {f"nothingDue{count}": quiet[count]["ms"]["median"] <= goal for count, goal in GOALS_MS.items()}
    met["burst"] = figures["burstOf1000"]["claimedMs"]["median"] <= BURST_GOAL_MS
    met["silence"] = figures["burstOf1000"]["longestSilenceMs"]["worst"] <= SILENCE_GOAL_MS
    return machine.tell("pass", about, figures, met=met)


if __name__ == "__main__":
    sys.exit(main())
