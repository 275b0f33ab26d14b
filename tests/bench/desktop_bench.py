"""What the app costs on a desktop: how soon its icon is in the tray, its memory, and what it does while it is idle.

    python tests/bench/desktop_bench.py [--starts 10] [--seconds 60] [--routines 1000]

A desktop of its own (tests/desktop/session.py: Xvfb, a session bus, a window manager, a panel with a tray) and the real
app on a home with so many routines that are due later. A start is measured from the process' begin to the icon's
registration with the tray host, as the bus tells it; the first one, which fills the caches, does not count. The
processor time until then is told too: on a machine that others use it is the better figure. Memory is RSS after it has
settled, with the tray alone and with the window open; at rest the window is hidden. Prints JSON.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from jeepney import MatchRule
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

from coven_desktop.clock import SystemClock
from coven_desktop.home import Home
from tests.bench import machine, stage
from tests.bench.idle_bench import memory_mib, used_ms, wakeups
from tests.desktop.session import WATCHER, Session
from tests.desktop.tray_icon import TrayIcon
from tests.rig import until

START_GOAL_MS = 400
TRAY_GOAL_MIB, WINDOW_GOAL_MIB = 90.0, 120.0
CPU_GOAL_PERCENT, WAKEUPS_GOAL = 0.1, 2.0
SETTLE_SECONDS = 10
_REGISTERED = MatchRule(type="signal", interface=WATCHER, member="StatusNotifierItemRegistered")


def start_ms(session: Session, home: Home) -> tuple[float, float]:
    """From the begin of the process to the icon in the tray, once; and the processor time that was spent until then."""
    with open_dbus_connection(session.address) as bus:
        bus.send_and_get_reply(message_bus.AddMatch(_REGISTERED), timeout=20)
        with bus.filter(_REGISTERED) as told:
            begun = time.monotonic_ns()
            with session.app(home.root, "--background") as app:
                bus.recv_until_filtered(told, timeout=30)
                took = (time.monotonic_ns() - begun) / 1e6
                spent = used_ms(app.process.pid)
                app.ready()
                app.end()
    until("the icon is gone", lambda: TrayIcon.found(session) is None)
    return took, spent


def at_rest(session: Session, home: Home, seconds: float) -> dict[str, Any]:
    """One app: its memory with the tray alone and with the window, then hidden again and left alone."""
    with session.app(home.root, "--background") as app:
        app.ready()
        icon = until("the icon is there", lambda: TrayIcon.found(session))
        pid = app.process.pid
        time.sleep(SETTLE_SECONDS)
        tray = memory_mib(pid)
        icon.choose("Open Coven Desktop")
        shown = until("the window is there", lambda: session.windows("^Coven Desktop$"))
        time.sleep(SETTLE_SECONDS)
        window = memory_mib(pid)
        session.run("xdotool", "windowactivate", "--sync", shown[-1])
        session.press("alt+F4")
        until("the window is hidden", lambda: not session.windows("^Coven Desktop$"))
        time.sleep(SETTLE_SECONDS)
        spent, woken, began = used_ms(pid), wakeups(pid), time.monotonic()
        time.sleep(seconds)
        took = time.monotonic() - began
        spent, after = used_ms(pid) - spent, wakeups(pid)
        per_second = {name: round((count - woken.get(name, 0)) / took, 3) for name, count in after.items()}
        app.end()
    return {
        "trayOnlyMiB": tray,
        "windowOpenMiB": window,
        "idle": {
            "seconds": round(took, 1),
            "cpuPercentOfACore": round(spent / took / 10, 4),
            "wakeupsPerSecond": round(sum(per_second.values()), 3),
            "wakeupsPerSecondByThread": {name: count for name, count in per_second.items() if count},
        },
    }


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure the app on a desktop.")
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--routines", type=int, default=1_000)
    options = parser.parse_args()
    # a person's Python keeps its compiled modules
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory(prefix="coven-bench-") as name:
        folder = Path(name)
        about = machine.facts(folder)
        clock = SystemClock()
        home = stage.new_home(folder / "home")
        store = stage.open_store(home, clock)
        stage.fill(store, options.routines, clock.wall(), folder, due_in_hours=12)
        stage.put_away(store, home, clock.wall())
        with Session(folder) as session:
            session.start_panel()
            starts = [start_ms(session, home) for _ in range(options.starts + 1)][1:]
            rest = at_rest(session, home, options.seconds)
    figures = {
        "routines": options.routines,
        "startToTrayMs": machine.spread([took for took, _ in starts]),
        "startToTrayProcessorMs": machine.spread([spent for _, spent in starts]),
        **rest,
    }
    met = {
        "startToTray": figures["startToTrayMs"]["median"] <= START_GOAL_MS,
        "memoryTrayOnly": rest["trayOnlyMiB"]["rss"] <= TRAY_GOAL_MIB,
        "memoryWindowOpen": rest["windowOpenMiB"]["rss"] <= WINDOW_GOAL_MIB,
        "idleCpu": rest["idle"]["cpuPercentOfACore"] <= CPU_GOAL_PERCENT,
        "idleWakeups": rest["idle"]["wakeupsPerSecond"] <= WAKEUPS_GOAL,
    }
    return machine.tell("desktop", about, figures, met=met)


if __name__ == "__main__":
    sys.exit(main())
