"""The process as a whole, headless: what it says, what it loads, how it ends, which homes it refuses."""

from __future__ import annotations

import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from tests.rig import App, processes_of, routine, rows, until

LATER = timestamps.parse("2031-05-05T08:59:00Z")


def launch(*arguments: str, environment: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Start the app and wait for its end: for starts that are refused."""
    return subprocess.run(
        [sys.executable, "-m", "coven_desktop.app", *arguments],
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name.startswith("coven.sqlite3")}


def test_says_where_the_socket_is_and_how_to_stop_it(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "coven_desktop.app", "--headless", "--home", str(tmp_path / "home")]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = [process.stdout.readline() for _ in range(3)]
        # What it says is true already.
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(tmp_path / "home" / "coven.sock"))
        process.terminate()
        assert process.wait(10) == 0
    assert "headless" in said[0]
    assert str(tmp_path / "home" / "coven.sock") in said[1]
    assert f"kill {process.pid}" in said[2]


def test_loads_no_window_system(tmp_path: Path) -> None:
    with App(tmp_path / "home") as app:
        app.ready()
        maps = Path(f"/proc/{app.process.pid}/maps").read_text()
    assert "QtCore" in maps
    assert "QtGui" not in maps
    assert "Qt6Gui" not in maps
    assert "QtWidgets" not in maps
    # the engine is to be small (contract/sha256.py)
    assert "libcrypto" not in maps


def test_everything_in_the_home_is_private_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with App(tmp_path / "home") as app:
            app.ready()
            app.act("create", definition=routine("tiny", "echo hello", tmp_path, status="PAUSED"))
            app.act("run", id="tiny")
            until("the run is settled", lambda: rows(app.home, "SELECT 1 FROM runs WHERE status = 'succeeded'"))
            found = [app.home.root, *app.home.root.rglob("*")]
            modes = {str(path): stat.S_IMODE(path.lstat().st_mode) for path in found}
            app.end()
    finally:
        os.umask(before)
    assert len(modes) > 10
    assert {path: oct(mode) for path, mode in modes.items() if mode & 0o077} == {}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_in_order_whatever_its_clients_do(tmp_path: Path, number: signal.Signals) -> None:
    with App(tmp_path / "home") as app:
        app.ready()
        with socket.socket(socket.AF_UNIX) as silent, socket.socket(socket.AF_UNIX) as halfway:
            silent.connect(str(app.home.socket))
            halfway.connect(str(app.home.socket))
            halfway.sendall(b"POST /api/v1/actions HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
            assert app.end(by=number) == 0
    assert not app.home.socket.exists()
    log = app.home.database.with_name(app.home.database.name + "-wal")
    assert not log.exists() or log.stat().st_size == 0
    (clean,) = rows(app.home, "SELECT value FROM maintenance WHERE name = 'clean_end'")
    assert clean["value"] == "yes"


def test_a_run_goes_on_when_the_app_ends_and_the_next_one_settles_it(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    with App(tmp_path / "home") as app:
        app.ready()
        app.act("create", definition=routine("tiny", f"read line < {gate}", tmp_path, status="PAUSED"))
        app.act("run", id="tiny")
        assert app.end() == 0
    assert processes_of(app.home) != []
    with App(tmp_path / "home") as app:
        app.ready()
        assert app.act("runs", id="tiny")["runs"][0]["status"] == "running"
        gate.write_text("go on\n")
        until("it is settled", lambda: app.act("runs", id="tiny")["runs"][0]["status"] == "succeeded")
        app.end()


@pytest.mark.parametrize(
    "arguments",
    [
        ["--clock-start", "2031-05-05T08:59:00Z"],
        ["--home", "x", "--clock-start", "tomorrow"],
        ["--headless", "--background"],
        ["--nonsense"],
        ["surplus"],
    ],
)
def test_what_is_no_usage_is_told_with_code_2(arguments: Sequence[str]) -> None:
    done = launch(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") >= 2


def test_without_a_display_a_window_is_refused_with_a_way_out(tmp_path: Path) -> None:
    environment = {"DISPLAY": "", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": ""}
    done = launch("--home", str(tmp_path / "home"), environment=environment)
    assert done.returncode == 3
    assert "--headless" in done.stderr
    assert not (tmp_path / "home").exists()


def test_a_display_that_cannot_be_reached_is_a_sentence_and_no_crash(tmp_path: Path) -> None:
    environment = {"DISPLAY": ":987", "WAYLAND_DISPLAY": "", "QT_QPA_PLATFORM": "xcb"}
    done = launch("--home", str(tmp_path / "home"), environment=environment)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert "coven-desktop: " in done.stderr


# --- homes ------------------------------------------------------------------------------------------------------------


def test_a_home_of_a_shifted_clock_never_opens_on_the_true_one(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with App(home, clock_start=LATER) as app:
        assert app.ready()["desktop"]["clockShiftMs"] > 0
        app.end()
    before = contents(home)

    done = launch("--headless", "--home", str(home))

    assert done.returncode == 3
    assert "--clock-start" in done.stderr
    assert contents(home) == before
    with App(home, clock_start=LATER) as app:
        app.ready()
        app.end()


def test_a_home_of_the_true_clock_never_opens_on_a_shifted_one(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with App(home) as app:
        assert app.ready()["desktop"]["clockShiftMs"] == 0
        app.end()
    before = contents(home)

    done = launch("--headless", "--home", str(home), "--clock-start", timestamps.to_text(LATER))

    assert done.returncode == 3
    assert "true clock" in done.stderr
    assert contents(home) == before


def test_the_shifted_clock_is_the_one_that_routines_live_by(tmp_path: Path) -> None:
    with App(tmp_path / "home", clock_start=LATER) as app:
        app.ready()
        created = timestamps.parse(
            app.act("create", definition=routine("tiny", "true", tmp_path, status="PAUSED"))["createdAt"]
        )
        app.end()
    assert LATER <= created < LATER + 60_000
    assert abs(created - SystemClock().wall()) > 60_000


def test_a_second_app_on_a_home_is_told_who_holds_it(tmp_path: Path) -> None:
    with App(tmp_path / "home") as app:
        app.ready()
        for arguments in ([], ["--headless"], ["--background"]):
            done = launch(*arguments, "--home", str(app.home.root), environment={"QT_QPA_PLATFORM": "offscreen"})
            assert done.returncode == 5, done.stderr
            assert f"kill {app.process.pid}" in done.stderr
        app.ready()
        app.end()


def test_the_lock_is_free_as_soon_as_the_process_is_gone_whatever_it_left_running(tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    with App(tmp_path / "home") as app:
        app.ready()
        app.act("create", definition=routine("tiny", f"read line < {gate}", tmp_path, status="PAUSED"))
        app.act("run", id="tiny")
        app.kill()
    with App(tmp_path / "home") as app:
        app.ready()
        gate.write_text("go on\n")
        until("it is settled", lambda: app.act("runs", id="tiny")["runs"][0]["status"] == "succeeded")
        app.end()


def test_a_damaged_database_is_told_and_left_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "coven.sqlite3").write_bytes(b"this was a database once, before the disk forgot it\n" * 200)
    (home / "coven.sqlite3").chmod(0o600)
    before = contents(home)

    done = launch("--headless", "--home", str(home))

    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert str(home / "coven.sqlite3") in done.stderr
    assert contents(home) == before


def test_a_home_that_is_a_link_or_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "file").write_text("")
    for name in ("link", "file"):
        done = launch("--headless", "--home", str(tmp_path / name))
        assert done.returncode == 3
        assert str(tmp_path / name) in done.stderr
    assert list((tmp_path / "real").iterdir()) == []


def test_the_home_may_be_named_by_the_environment(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = launch("--headless", environment={"COVEN_DESKTOP_HOME": str(tmp_path / "file")})
    assert done.returncode == 3
    assert str(tmp_path / "file") in done.stderr


def test_a_mistake_of_ours_is_told_without_a_traceback(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with App(home) as app:
        app.ready()
        assert app.end() == 0
    with closing(sqlite3.connect(home / "coven.sqlite3")) as connection, connection:
        connection.execute("UPDATE maintenance SET updated_at = 'nonsense'")
    ended = launch("--headless", "--home", str(home))
    assert ended.returncode == 3
    assert ended.stderr.count("\n") == 1
    assert "app.log" in ended.stderr
    assert "Traceback" in (home / "app.log").read_text()


def test_a_fault_is_told_once(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "coven.sqlite3").write_text("no database")
    ended = launch("--headless", "--home", str(home))
    assert ended.stderr.count("is not a database") == 1


@pytest.mark.parametrize("name", ["app.log", "lock"])
def test_a_link_in_the_place_of_its_own_files_is_refused_in_words(tmp_path: Path, name: str) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / name).symlink_to(tmp_path / "elsewhere")
    ended = launch("--headless", "--home", str(home))
    assert ended.returncode == 3
    assert str(home / name) in ended.stderr
    assert "Errno" not in ended.stderr
    assert not (tmp_path / "elsewhere").exists()


def test_a_log_that_others_could_read_is_private_again(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    (home / "app.log").touch()
    (home / "app.log").chmod(0o666)
    with App(home) as app:
        app.ready()
        assert app.end() == 0
    assert stat.S_IMODE((home / "app.log").stat().st_mode) == 0o600


def test_a_full_log_becomes_the_first_of_the_four_older_ones(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    full = "x" * (1 << 20)
    (home / "app.log").write_text(full)
    for number in range(1, 5):
        (home / f"app.log.{number}").write_text(f"older {number}")
    with App(home) as app:
        app.ready()
        assert app.end() == 0
    logs = {path.name: path.read_text() for path in home.glob("app.log*")}
    assert logs.keys() == {"app.log", "app.log.1", "app.log.2", "app.log.3", "app.log.4"}
    assert logs["app.log.1"] == full
    assert [logs[f"app.log.{number}"] for number in (2, 3, 4)] == ["older 1", "older 2", "older 3"]
    assert "begins, process" in logs["app.log"]
    assert stat.S_IMODE((home / "app.log").stat().st_mode) == 0o600


def test_ends_on_a_signal_that_its_parent_had_blocked(tmp_path: Path) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    try:
        app = App(tmp_path / "home")
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    with app:
        app.ready()
        assert app.end() == 0


def test_a_fault_that_nobody_can_hear_is_a_fault_all_the_same(tmp_path: Path) -> None:
    """The log of a full disk is what stderr often leads to."""
    (tmp_path / "home").write_text("no folder")
    command = [sys.executable, "-m", "coven_desktop.app", "--headless", "--home", str(tmp_path / "home")]
    with open("/dev/full", "wb") as full:
        assert subprocess.run(command, stderr=full, check=False, timeout=30).returncode == 3


def test_an_app_whose_home_was_taken_says_so_and_ends_and_the_other_serves(tmp_path: Path) -> None:
    with App(tmp_path / "home") as first:
        first.ready()
        first.home.lock.unlink()
        with App(tmp_path / "home") as second:
            until("the second app answers", lambda: second.ready()["daemon"]["pid"] == second.process.pid)
            # nobody has to ask it for anything
            assert first.process.wait(30) == 3
            said = second.said.read_text()
            assert f"Another Coven Desktop has taken the home {first.home.root}, and this one ends." in said
            assert "Traceback" not in second.home.log.read_text()
            # the first may have made the socket anew before it found out: the second makes its own again
            second.ready()
            second.act("create", definition=routine("still", "true", tmp_path))
            assert second.end() == 0
