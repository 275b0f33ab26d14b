"""The whole app delivers: it is killed while it writes a file, quits while it does, and each time the truth is told."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.rig import App, processes_of, until


def create(app: App, cwd: Path, delivery: dict[str, Any], prompt: str = "echo high water") -> None:
    """A cron routine that is run by hand."""
    routine = {
        "schemaVersion": "coven.desktop.routine.v1",
        "id": "tides",
        "name": "Tides",
        "status": "ACTIVE",
        "schedule": {"kind": "cron", "expression": "0 0 1 1 *", "timezone": "utc"},
        "timeoutMinutes": 30,
        "runtime": "shell",
        "prompt": prompt,
        "cwd": str(cwd),
        "delivery": delivery,
    }
    app.client.desktop("routine.create.v1", adoptionKey="test:create", routine=routine)
    app.act("occurrence.runNow.v1", adoptionKey="test:run", automationId="tides")


def run(app: App) -> dict[str, Any]:
    """The newest run as it is told."""
    (found, *_) = app.act("runs", id="tides")["runs"]
    return dict(found)


def comes_to(app: App, status: str) -> dict[str, Any]:
    """The newest run once its delivery is in a state."""

    def found() -> dict[str, Any] | None:
        told = run(app)
        return told if told["deliveryStatus"] == status else None

    return until(f"its delivery is {status}", found)


def lock(path: Path) -> int:
    """Another program that holds the file."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


def helper_of(app: App) -> Path | None:
    """The folder in /proc of the helper that the app has started, while there is one."""
    for entry in Path("/proc").iterdir():
        try:
            mine = entry.name.isdigit() and f"PPid:\t{app.process.pid}\n" in (entry / "status").read_text()
            if mine and b"delivery_helper" in (entry / "cmdline").read_bytes():
                return entry
        except OSError:
            continue
    return None


@pytest.mark.parametrize("mode", ["replace", "append"])
def test_a_file_has_what_was_printed(tmp_path: Path, mode: str) -> None:
    with App(tmp_path / "home") as app:
        app.ready()
        create(app, tmp_path, {"kind": "file", "path": str(tmp_path / "tides"), "mode": mode})
        told = comes_to(app, "delivered")
        assert (told["status"], told["outcome"], told["deliveryError"]) == ("succeeded", "ok", None)
        assert (tmp_path / "tides").read_text() == "high water\n"
        command = [sys.executable, "-m", "coven_desktop.cli", "--home", str(app.home.root), "show", "tides"]
        shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        assert f"Its output was brought to {tmp_path / 'tides'}." in shown
        assert app.end() == 0


def test_an_app_that_is_killed_while_it_appends_says_that_nobody_knows(tmp_path: Path) -> None:
    target = tmp_path / "tides"
    held = lock(target)
    with App(tmp_path / "home") as app:
        app.ready()
        create(app, tmp_path, {"kind": "file", "path": str(target), "mode": "append"})
        comes_to(app, "pending")
        helper = until("a helper waits for the file", lambda: helper_of(app))
        app.kill()
    # what the app had begun ends with it, and does not write beside the next one
    until("the helper is gone", lambda: not helper.exists())
    os.close(held)
    with App(tmp_path / "home") as again:
        again.ready()
        told = comes_to(again, "failed")
        assert (told["status"], told["outcome"]) == ("failed", "ok")
        assert told["deliveryError"] == "delivery outcome unknown"
        assert len(told["attempts"]) == 1
        assert target.read_text() == ""
        assert again.end() == 0


def test_an_app_that_quits_while_a_file_cannot_be_written_ends_in_time(tmp_path: Path) -> None:
    target = tmp_path / "tides"
    held = lock(target)
    with App(tmp_path / "home") as app:
        app.ready()
        create(app, tmp_path, {"kind": "file", "path": str(target), "mode": "append"})
        comes_to(app, "pending")
        helper = until("a helper waits for the file", lambda: helper_of(app))
        assert app.end(2.0) == 0
        until("the helper is gone", lambda: not helper.exists())
        assert processes_of(app.home) == []
    os.close(held)


def test_a_replacement_is_made_by_the_next_app(tmp_path: Path) -> None:
    target = tmp_path / "tides"
    with App(tmp_path / "home") as app:
        app.ready()
        os.mkfifo(tmp_path / "pipe")
        create(app, tmp_path, {"kind": "file", "path": str(target), "mode": "replace"}, "read line < pipe; echo $line")
        until("it runs", lambda: run(app)["status"] == "running" and run(app)["attempts"][-1]["state"] == "observing")
        app.kill()
    with (tmp_path / "pipe").open("w") as pipe:
        pipe.write("low water\n")
    with App(tmp_path / "home") as again:
        again.ready()
        assert comes_to(again, "delivered")["status"] == "succeeded"
        assert target.read_text() == "low water\n"
        assert again.end() == 0
