"""What cadence and cron routines cost the scheduler: one JSON object, no part of the suite.

    python tests/bench/families_bench.py [--times 5] [--minutes 10080] [--folder DIR] [--only pass,week,year,preview]

A real engine on a real store on the disk of `--folder` with synchronous=FULL, on Qt's loop; the sessions are made by
a script, which ends each as soon as it has begun. Prints JSON:

- pass: milliseconds of processor time and of time of one planning pass over cadence and cron routines of which 100 are
  due: 1,000 routines, 10,000 and 20,000, which should cost the same;
- week: an app that was down for a week, with one run-all cadence of every minute: the start, the first pass, the
  longest time after it in which the loop did not turn, and whether each of the 10,080 slots ran once and in order;
- year: an app that was down for a year, with one cron routine of every minute: planning it, and what was recorded;
- preview: previews of 1,000 firings of every mode of a cadence and of cron, in several zones.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from coven_desktop.contract import timestamps
from coven_desktop.engine.passes import Tally
from coven_desktop.schedule import families, preview
from tests.bench import families_stage, machine, stage
from tests.bench.pass_bench import Heartbeat
from tests.bench.stage import Stage

DUE = 100
ROUTINES = (1_000, 10_000, 20_000)
PASS_GOAL_MS, FIRST_PASS_GOAL_MS, SILENCE_GOAL_MS, YEAR_GOAL_MS, PREVIEW_GOAL_MS = 150, 1_000, 50, 100, 20
MINUTE_MS = 60_000
WEEK, YEAR = 7 * 1_440, 365 * 1_440
FROM = 1_772_323_200_000  # 2026-03-01T00:00:00Z
ZONES = ("utc", "Europe/Paris", "Australia/Lord_Howe", "America/St_Johns", "Africa/Casablanca")


def planned(on: Stage) -> dict[str, float]:
    """The planning of one pass, alone."""
    tally, began = Tally(), on.clock.wall()
    at, used = time.perf_counter(), time.process_time()
    for _ in on.engine.passes.plan(tally, began):
        pass
    return {
        "ms": (time.perf_counter() - at) * 1000,
        "cpuMs": (time.process_time() - used) * 1000,
        "planned": len(tally.planned),
    }


def pass_over(folder: Path, routines: int, times: int) -> dict[str, Any]:
    """Passes over so many routines, of which 100 became due a moment ago; each on a store of its own."""
    found = []
    for number in range(times):
        home = stage.new_home(folder / f"pass-{routines}-{number}")
        clock = families_stage.at_half_past()
        store = stage.open_store(home, clock)
        families_stage.fill(store, routines, DUE, clock.wall(), folder)
        stage.put_away(store, home, clock.wall())
        clock = families_stage.later(clock, MINUTE_MS)
        with stage.stage_on(home, clock) as on:
            on.engine.core.take_lead("bench")
            found.append(planned(on))
    if any(one["planned"] != DUE for one in found):
        raise RuntimeError(f"not {DUE} were due, but {found}")
    return {name: machine.spread([one[name] for one in found]) for name in ("ms", "cpuMs")}


def _ends_at_once(on: Stage) -> None:
    """Every command ends as soon as it has begun, and is forgotten: the script's memories are not to be searched."""
    start = on.runtime.start

    def end(session_id: str) -> None:
        on.runtime.end(session_id, on.runtime.evidence(session_id))
        del on.runtime.launches[session_id], on.runtime.world.found[session_id]

    def started(session_id: str) -> None:
        start(session_id)
        on.loop.call_soon(lambda: end(session_id))

    on.runtime.start = started  # type: ignore[method-assign]


def week_down(folder: Path, minutes: int) -> dict[str, Any]:
    """A week of minutes that all run, one after another."""
    home = stage.new_home(folder / "week")
    clock = families_stage.at_half_past()
    saved = clock.wall() - minutes * MINUTE_MS
    store = stage.open_store(home, families_stage.at(saved))
    anchor = timestamps.to_text(saved - saved % MINUTE_MS)[:19] + "Z"
    schedule = {"kind": "cadence", "mode": "every_n_minutes", "minutes": 1, "anchor": anchor, "timezone": "utc"}
    families_stage.save(store, "often", {**schedule, "catchUp": "run-all"}, saved, folder)
    stage.put_away(store, home, saved)
    clock = families_stage.at_half_past()
    began = clock.wall()
    with stage.stage_on(home, clock) as on:
        _ends_at_once(on)
        first = _timed_passes(on)
        at = time.perf_counter()
        on.start()
        started_ms = (time.perf_counter() - at) * 1000
        heart = Heartbeat(on)
        expected = list(families.read(schedule).schedule.between(saved, began))
        # those that become due meanwhile run too, after these
        on.turn_until(lambda: len(on.runtime.world.launched) > len(expected) and on.engine.waiting, 1_800)
        heart.beating = False
        took = time.perf_counter() - at
        rows = on.store.query(
            "SELECT o.scheduled_for, o.state, count(r.id) FROM occurrences o JOIN runs r ON r.occurrence_id = o.id"
            f" GROUP BY o.id ORDER BY min(r.number) LIMIT {len(expected)}"
        )
    slots = [timestamps.parse(slot) for slot, _, _ in rows]
    return {
        "missed": len(expected),
        "firstPassMs": round(first[0], 1),
        "startedMs": round(started_ms, 1),
        "allHandledSeconds": round(took, 1),
        "longestSilenceMs": round(heart.longest_ms, 1),
        "longestSilenceCpuMs": round(heart.longest_cpu_ms, 1),
        "runs": sum(count for _, _, count in rows),
        "inOrderEachOnceNoneLost": slots == expected and {row[1:] for row in rows} == {("succeeded", 1)},
    }


def _timed_passes(on: Stage) -> list[float]:
    """How long each pass takes, from its first slice to its record."""
    took: list[float] = []
    steps = on.engine.passes.steps

    def timed(trigger: str, scheduled_at: int, recovered: int = 0) -> Any:
        at = time.perf_counter()
        yield from steps(trigger, scheduled_at, recovered)
        took.append((time.perf_counter() - at) * 1000)

    on.engine.passes.steps = timed  # type: ignore[method-assign]
    return took


def year_down(folder: Path, times: int) -> dict[str, Any]:
    """A year of minutes of which the newest runs."""
    found, counts = [], {}
    for number in range(times):
        home = stage.new_home(folder / f"year-{number}")
        saved = families_stage.at_half_past().wall() - YEAR * MINUTE_MS
        store = stage.open_store(home, families_stage.at(saved))
        schedule = {"kind": "cron", "expression": "* * * * *", "timezone": "Europe/Paris"}
        families_stage.save(store, "often", schedule, saved, folder)
        stage.put_away(store, home, saved)
        with stage.stage_on(home, families_stage.at(saved + YEAR * MINUTE_MS)) as on:
            on.engine.core.take_lead("bench")
            found.append(planned(on))
            ((rows, summed),) = on.store.query(
                "SELECT count(*), (SELECT sum(slots) FROM missed_spans) FROM occurrences WHERE state = 'skipped'"
            )
            counts = {"due": rows - 1 + summed + 1, "runs": int(found[-1]["planned"]), "records": rows - 1}
    return {name: machine.spread([one[name] for one in found]) for name in ("ms", "cpuMs")} | counts


def _shortest(work: Callable[[], object], rounds: int = 5) -> float:
    """Milliseconds of processor time, so that other work on the machine is not measured."""
    best = float("inf")
    for _ in range(rounds):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best * 1000


def previews() -> dict[str, Any]:
    """1,000 firings of every mode, in several zones."""
    anchored: dict[str, Any] = {"kind": "cadence", "anchor": "2026-01-31T09:00:00"}
    modes: dict[str, dict[str, Any]] = {
        mode: {**anchored, "mode": mode} for mode in ("hourly", "daily", "weekly", "monthly", "yearly")
    }
    modes["every_n_minutes"] = {**anchored, "mode": "every_n_minutes", "minutes": 7}
    modes["cron"] = {"kind": "cron", "expression": "*/5 * * * *"}
    modes["cadenceOfCron"] = {"kind": "cadence", "mode": "cron", "expression": "30 */5 * * * *"}
    found: dict[str, Any] = {}
    for name, document in modes.items():
        took = {
            zone: _shortest(
                lambda zone=zone, document=document: preview.preview(  # type: ignore[misc]
                    families.read({**document, "timezone": zone}).schedule, FROM, 1_000
                )
            )
            for zone in ZONES
        }
        slowest = max(took, key=took.__getitem__)
        found[name] = {
            "medianMs": round(median(took.values()), 2),
            "worstMs": round(took[slowest], 2),
            "worstZone": slowest,
        }
    return found


def main() -> int:
    """Print the figures; 1 when a goal was missed."""
    parser = argparse.ArgumentParser(description="Measure cadence and cron routines.")
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--folder", type=Path, default=None, help="where the stores are made")
    parser.add_argument("--minutes", type=int, default=WEEK, help="how long the app was down in `week`")
    parser.add_argument("--only", default="pass,week,year,preview", help="which of them, separated by commas")
    options = parser.parse_args()
    only = options.only.split(",")
    figures: dict[str, Any] = {}
    met: dict[str, bool] = {}
    with tempfile.TemporaryDirectory(prefix="coven-bench-", dir=options.folder) as name:
        folder = Path(name)
        about = machine.facts(folder)
        if "pass" in only:
            figures["passWith100Due"] = {str(count): pass_over(folder, count, options.times) for count in ROUTINES}
            met["pass"] = figures["passWith100Due"]["10000"]["ms"]["median"] <= PASS_GOAL_MS
        if "week" in only:
            week = figures["weekDown"] = week_down(folder, options.minutes)
            met["weekFirstPass"] = week["firstPassMs"] <= FIRST_PASS_GOAL_MS
            met["weekSilence"] = week["longestSilenceMs"] <= SILENCE_GOAL_MS
            met["weekComplete"] = week["inOrderEachOnceNoneLost"]
        if "year" in only:
            year = figures["yearDown"] = year_down(folder, options.times)
            met["year"] = year["ms"]["median"] <= YEAR_GOAL_MS
            met["yearComplete"] = (year["due"], year["runs"], year["records"]) == (YEAR, 1, 100)
        if "preview" in only:
            shown = figures["previewOf1000"] = previews()
            met["preview"] = all(one["worstMs"] <= PREVIEW_GOAL_MS for one in shown.values())
    return machine.tell("families", about, figures, met=met)


if __name__ == "__main__":
    sys.exit(main())
