"""One app on a home, and what a second launch sees of the first, over the real socket."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

from coven_desktop.clock import SystemClock
from coven_desktop.desktop import single_instance
from coven_desktop.desktop.single_instance import AlreadyRunning, HomeLock, claim, lock
from coven_desktop.home import Home, prepare
from tests.api.conftest import Served


def launch(served: Served, *, raise_window: bool = True, environ: dict[str, str] | None = None) -> AlreadyRunning:
    """A second launch, in a thread, while the first app goes on."""
    found: list[HomeLock | AlreadyRunning] = []
    second = threading.Thread(
        target=lambda: found.append(
            claim(served.bench.home, SystemClock(), environ or {}, raise_window=raise_window, patience_ms=10_000)
        )
    )
    second.start()
    served.bench.loop.run_until(lambda: bool(found))
    second.join()
    assert isinstance(found[0], AlreadyRunning)
    return found[0]


def test_the_lock_is_held_by_one(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    prepare(home)
    first = lock(home)
    assert first is not None
    assert lock(home) is None
    assert home.lock.stat().st_mode & 0o777 == 0o600
    assert home.lock.read_text() == f"{os.getpid()}\n"
    first.release()
    first.release()
    again = claim(home, SystemClock(), {}, raise_window=True)
    assert isinstance(again, HomeLock)
    again.release()


def test_the_lock_ends_with_its_process(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    prepare(home)
    code = (
        "import sys; from pathlib import Path; from coven_desktop.home import Home;"
        "from coven_desktop.desktop.single_instance import lock;"
        "assert lock(Home(Path(sys.argv[1]))) is not None; print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(home.root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        assert lock(home) is None
        holder.kill()
        holder.wait()
    held = lock(home)
    assert held is not None
    held.release()


def test_a_second_launch_raises_the_first(served: Served) -> None:
    held = lock(served.bench.home)
    assert held is not None
    found = launch(served, environ={"XDG_ACTIVATION_TOKEN": "token"})
    assert (found.exit_code, served.raised) == (0, ["token"])
    assert launch(served).exit_code == 0
    assert served.raised == ["token", None]
    assert launch(served, raise_window=False).exit_code == 0
    assert len(served.raised) == 2
    held.release()


def test_a_headless_app_is_named_with_how_to_stop_it(headless: Served) -> None:
    held = lock(headless.bench.home)
    assert held is not None
    found = launch(headless)
    assert found.exit_code == 5
    assert f"kill {os.getpid()}" in found.sentence
    held.release()


def test_an_app_that_does_not_answer_is_named(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    prepare(home)
    held = lock(home)
    found = claim(home, SystemClock(), {}, raise_window=True, patience_ms=1)
    assert isinstance(found, AlreadyRunning)
    assert found.exit_code == 3
    assert str(os.getpid()) in found.sentence
    assert held is not None
    held.release()


def test_an_app_that_is_just_ending_leaves_its_place(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    prepare(home)
    held = lock(home)
    assert held is not None
    threading.Timer(0.05, held.release).start()
    found = claim(home, SystemClock(), {}, raise_window=True)
    assert isinstance(found, HomeLock)
    found.release()


def test_it_loads_no_qt() -> None:
    code = "import sys, coven_desktop.desktop.single_instance; print([m for m in sys.modules if 'PySide' in m])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert loaded.stdout.strip() == "[]"
    assert single_instance.EXIT_HEADLESS == 5
