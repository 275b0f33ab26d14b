"""What a later app finds: after a crash of the app, of a host, of the machine; at whatever moment."""

from __future__ import annotations

import fcntl
import json
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from coven_desktop.runtime import launching
from coven_desktop.runtime.sessions import Ended, Found
from tests.runtime.house import House

REPOSITORY = Path(__file__).resolve().parents[2]


def judged(house: House, session_id: str) -> Found:
    """What became of it, once nobody can be in the middle of something any more."""
    house.wait(lambda: house.runtime.find(session_id)[0] != "alive")
    return house.runtime.find(session_id)[0]


def start_app(house: House, session_id: str, prompt: str) -> subprocess.Popen[bytes]:
    """An app of its own that has just begun to launch."""
    app = subprocess.Popen(
        [sys.executable, "-m", "tests.runtime.small_app", str(house.home.root), session_id, str(house.work)],
        cwd=REPOSITORY,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert app.stdin
    assert app.stdout
    app.stdin.write(prompt.encode())
    app.stdin.close()
    assert app.stdout.readline() == b"ready\n"
    return app


def kill(app: subprocess.Popen[bytes]) -> None:
    app.kill()
    app.wait()
    assert app.stdout
    app.stdout.close()


def test_a_session_survives_its_app_and_is_attached_by_the_next(house: House) -> None:
    spec = house.spec("")
    os.mkfifo(house.work / "go")
    app = start_app(house, spec.session_id, "echo one; read line < go; echo $line; exit 6")
    assert app.stdout
    assert app.stdout.readline() == b"started\n"
    kill(app)
    assert house.runtime.find(spec.session_id) == ("alive", None)
    assert house.runtime.executing(spec.session_id) is not None
    ended: list[Ended] = []
    house.runtime.attach(spec.session_id, ended=ended.append)
    (house.work / "go").write_text("two\n")
    house.wait(lambda: bool(ended))
    evidence = ended[0].evidence
    assert evidence is not None
    assert (evidence.exit_code, evidence.stop_reason, evidence.output_bytes) == (6, None, len("one\ntwo\n"))
    assert house.runtime.find(spec.session_id) == ("ended", evidence)
    assert house.runtime.executing(spec.session_id) is None


def test_attaching_to_what_is_gone_by_now_tells_its_end(house: House) -> None:
    watched = house.run("exit 3")
    house.again()
    ended: list[Ended] = []
    house.runtime.attach(watched.id, ended=ended.append)
    assert not ended, "never inside the call"
    house.wait(lambda: bool(ended))
    assert ended[0].evidence == watched.evidence


def test_an_app_killed_anywhere_in_a_launch(house: House, long_suite: bool) -> None:
    """Killed at a random moment: either nothing ever ran, or it ran to its end, once; never anything in between."""
    seen: set[Found] = set()
    chance = random.Random(20261130)
    for number in range(100 if long_suite else 16):
        spec = house.spec("")
        ran = house.work / f"ran-{number}"
        script = f"echo x >> {ran}; sleep 0.05; echo done\n"
        if number % 2:
            script += "#" * (3 << 20)  # a document that takes many writes to hand over
        app = start_app(house, spec.session_id, script)
        threading.Event().wait(chance.uniform(0, 0.04))
        kill(app)
        found = judged(house, spec.session_id)
        seen.add(found)
        assert found in ("never_started", "ended")
        assert ran.exists() == (found == "ended")
        if found == "ended":
            assert ran.read_text() == "x\n"
    assert seen == {"never_started", "ended"}, "the moments were not spread over the launch"


def test_a_host_killed_at_any_moment(house: House, long_suite: bool) -> None:
    """Killed by SIGKILL: what is found then never claims more, or less, than what happened."""
    chance = random.Random(42)
    seen: set[str] = set()
    for number in range(200 if long_suite else 40):
        ran = house.work / f"ran-{number}"
        spec = house.spec(f"echo x >> {ran}; sleep 0.01")
        watched = house.launch(spec)
        threading.Event().wait(chance.uniform(0, 0.07))
        host = house.host(spec.session_id)
        if host is not None:
            os.kill(host, signal.SIGKILL)
        house.finish(watched)
        found = judged(house, spec.session_id)
        seen.add(found)
        if found == "never_started":
            assert watched.refused[0].proven_no_process
            assert not ran.exists()
        elif found == "vanished":
            assert (watched.refused and not watched.refused[0].proven_no_process) or watched.ended[0].evidence is None
        else:
            assert watched.evidence.exit_code == 0
            assert ran.exists()
        house.wait_until_gone(watched.id)
    assert seen >= {"never_started", "vanished"}, "the moments were not spread over the launch"


def test_what_another_boot_left_behind_counts_as_free(house: House) -> None:
    """A pid and a lock of another boot mean nothing, also when both seem to be in use."""
    watched = house.start(house.spec("sleep 300"))
    folder = house.home.session(watched.id)
    genuine = folder.starting.read_text()
    folder.starting.write_text(json.dumps(json.loads(genuine) | {"bootId": "another"}))
    house.again()
    assert house.runtime.find(watched.id) == ("vanished", None)
    assert house.runtime.executing(watched.id) is None
    ended: list[Ended] = []
    house.runtime.attach(watched.id, ended=ended.append)
    house.wait(lambda: bool(ended))
    assert ended[0].evidence is None
    folder.starting.write_text(genuine)


def test_a_reused_pid_is_not_taken_for_the_host(house: House) -> None:
    watched = house.run("true")
    folder = house.home.session(watched.id)
    folder.starting.write_text(json.dumps(json.loads(folder.starting.read_text()) | {"pid": os.getpid()}))
    assert house.runtime.executing(watched.id) is None


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ((), "never_started"),
        (("lock",), "never_started"),
        (("lock", "prompt"), "never_started"),
        (("lock", "starting"), "vanished"),
        (("lock", "starting", "evidence.new"), "vanished"),
        (("lock", "starting", "evidence.json"), "vanished"),  # evidence that cannot be read proves nothing
    ],
)
def test_what_a_power_cut_can_leave(house: House, files: tuple[str, ...], expected: str) -> None:
    spec = house.spec("")
    folder = house.home.session(spec.session_id)
    folder.root.mkdir()
    for name in files:
        (folder.root / name).write_bytes(b"")
    assert house.runtime.find(spec.session_id) == (expected, None)


def test_an_app_that_dies_before_the_document_starts_nothing(house: House) -> None:
    spec = house.spec("")
    folder = house.home.session(spec.session_id)
    host = launching.spawn(folder, spec.session_id)
    assert house.runtime.find(spec.session_id) == ("alive", None)
    ended: list[Ended] = []
    house.runtime.attach(spec.session_id, ended=ended.append)
    os.write(host.document, b'{"version":1,"sessionId":"cut off')
    for descriptor in (host.document, host.report, host.pidfd):
        os.close(descriptor)
    os.waitpid(host.pid, 0)
    house.wait(lambda: bool(ended))
    assert (ended[0].evidence, ended[0].never_started) == (None, True)
    assert judged(house, spec.session_id) == "never_started"


def test_the_host_run_by_its_module_name(house: House) -> None:
    """As design and `ps` know it; the app starts the same without the modules that take time."""
    spec = house.spec("echo by hand; exit 2", "quick")
    runtime = house.registry.get("quick")
    assert runtime is not None
    folder = house.home.session(spec.session_id)
    folder.root.mkdir()
    report, report_end = os.pipe()
    with open(folder.lock, "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        command = [sys.executable, "-I", "-m", "coven_desktop.runtime.host"]
        host = subprocess.run(
            [*command, spec.session_id, str(lock.fileno()), str(report_end)],
            input=launching.document(spec, runtime, folder, {}, (), 0),
            pass_fds=(lock.fileno(), report_end),
            check=False,
        )
    os.close(report_end)
    with open(report, "rb") as file:
        assert list(json.loads(file.read())) == ["started"]
    assert host.returncode == 0
    found, evidence = house.runtime.find(spec.session_id)
    assert evidence is not None
    assert (found, evidence.exit_code) == ("ended", 2)


def test_a_forgotten_session_goes_on_and_leaves_no_zombie(house: House) -> None:
    watched = house.start(house.spec("sleep 0.1; exit 9"))
    house.runtime.forget(watched.id)
    house.wait(lambda: house.runtime.find(watched.id)[0] == "ended")
    evidence = house.runtime.find(watched.id)[1]
    assert evidence is not None
    assert evidence.exit_code == 9
    house.wait(lambda: not Path(f"/proc/{watched.started[0].pid}").exists())
    assert not watched.ended


def test_a_home_that_moves_keeps_its_evidence(house: House) -> None:
    os.mkfifo(house.work / "go")
    watched = house.start(house.spec("echo ready; read line < go; exit 8"))
    house.wait(lambda: house.output(watched) == "ready\n")
    root = house.home.session(watched.id).root
    moved = root.with_name("moved")
    root.rename(moved)
    (house.work / "go").write_text("on\n")
    house.wait(lambda: bool(watched.ended))
    assert json.loads((moved / "evidence.json").read_text())["exitCode"] == 8
    moved.rename(root)
