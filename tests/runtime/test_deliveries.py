"""What a run printed is brought into a file: whole or not at all, and after a kill at any step decidable."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from coven_desktop.runtime import delivery_helper, file_delivery
from coven_desktop.runtime.output_writer import LOST, STDERR, STDOUT, OutputWriter
from coven_desktop.runtime.seam import Delivered, DeliveryOrder
from tests.runtime.house import House

PRINTED = "out\nerr\nlast\n"
NOBODY = 65534


@pytest.fixture
def printed(tmp_path: Path) -> Path:
    """The log of a session that has printed three lines."""
    return log(tmp_path, (STDOUT, b"out\n"), (STDERR, b"err\n"), (STDOUT, b"last\n"))


def log(folder: Path, *records: tuple[int, bytes], name: str = "output") -> Path:
    descriptor = os.open(folder, os.O_RDONLY)
    writer = OutputWriter(descriptor, name, 1 << 22)
    for stream, data in records:
        writer.append(0, stream, data)
    writer.close()
    os.close(descriptor)
    return folder / name


def deliver(output: Path, path: Path, mode: str) -> bool:
    """Deliver in this process; whether there was a step from which there is no way back."""
    steps: list[str] = []
    delivery_helper.deliver(output, str(path), mode, "run-1", lambda: steps.append("writing"))
    return bool(steps)


def told(output: Path, path: Path | str, mode: str) -> str:
    """What the helper says of a delivery that fails."""
    with pytest.raises((OSError, delivery_helper.Undelivered)) as caught:
        delivery_helper.deliver(output, str(path), mode, "run-1", lambda: None)
    fault = caught.value
    return delivery_helper.told(fault, str(path)) if isinstance(fault, OSError) else str(fault)


def in_a_child(work: Callable[[], None]) -> int:
    """Do it in a process of its own; its exit status, 0 when it came to its end."""
    pid = os.fork()
    if pid == 0:
        try:
            work()
        except BaseException as fault:  # noqa: BLE001 - told by the status, and in the output of the test
            print(fault, file=sys.stderr, flush=True)
            os._exit(1)
        os._exit(0)
    return os.waitpid(pid, 0)[1]


# --- what is written ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [None, "older and longer than what comes\n"])
def test_a_file_is_replaced_by_what_was_printed(printed: Path, tmp_path: Path, before: str | None) -> None:
    target = tmp_path / "report"
    if before is not None:
        target.write_text(before)
        target.chmod(0o640)
    assert deliver(printed, target, "replace")
    assert target.read_text() == PRINTED
    if before is not None:
        assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["output", "report"]


def test_it_is_appended_behind_what_is_there(printed: Path, tmp_path: Path) -> None:
    target = tmp_path / "report"
    deliver(printed, target, "append")
    deliver(printed, target, "append")
    assert target.read_text() == PRINTED * 2


@pytest.mark.parametrize("mode", ["replace", "append"])
def test_who_printed_nothing_delivers_an_empty_file(tmp_path: Path, mode: str) -> None:
    target = tmp_path / "report"
    deliver(log(tmp_path), target, mode)
    assert target.read_bytes() == b""


def test_bytes_stay_as_they_are_and_what_is_not_kept_is_told(tmp_path: Path) -> None:
    large = bytes(range(256)) * 6_000
    output = log(tmp_path, (STDOUT, large), (LOST, (7_000).to_bytes(8, "little")), (STDOUT, b"\xff"))
    deliver(output, tmp_path / "report", "replace")
    assert (tmp_path / "report").read_bytes() == large + "\n[… 7,000 bytes are not kept …]\n".encode() + b"\xff"


def test_of_a_link_the_file_it_leads_to_is_replaced(printed: Path, tmp_path: Path) -> None:
    (tmp_path / "real").write_text("old")
    (tmp_path / "report").symlink_to("real")
    deliver(printed, tmp_path / "report", "replace")
    assert (tmp_path / "report").is_symlink()
    assert (tmp_path / "real").read_text() == PRINTED


def test_an_append_is_one_write(printed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    write = os.write

    def counted(descriptor: int, data: bytes) -> int:
        written.append(bytes(data))
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", counted)
    deliver(printed, tmp_path / "report", "append")
    assert written == [PRINTED.encode()]


def steps_of(monkeypatch: pytest.MonkeyPatch, output: Path, path: Path, mode: str) -> list[str]:
    """What a delivery asks the system for, as far as it changes something or makes it last."""
    seen: list[str] = []

    def watched(module: Any, name: str) -> None:
        real = getattr(module, name)

        def noted(*arguments: Any, **members: Any) -> Any:
            seen.append(name)
            return real(*arguments, **members)

        monkeypatch.setattr(module, name, noted)

    for name in ("write", "fsync", "rename"):
        watched(os, name)
    watched(fcntl, "flock")
    delivery_helper.deliver(output, str(path), mode, "run-1", lambda: seen.append("writing"))
    return seen


def test_a_replacement_lies_on_the_disk_before_it_takes_the_place(
    printed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = steps_of(monkeypatch, printed, tmp_path / "report", "replace")
    assert seen == ["write", "fsync", "writing", "rename", "fsync"]


def test_an_append_is_locked_and_brought_to_the_disk(
    printed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = steps_of(monkeypatch, printed, tmp_path / "report", "append")
    assert seen == ["flock", "writing", "write", "fsync"]


# --- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["replace", "append"])
def test_what_cannot_be_delivered_to_is_named_and_left_as_it_is(printed: Path, tmp_path: Path, mode: str) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "circle").symlink_to("circle")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(tmp_path / "socket"))
    assert told(printed, tmp_path / "missing" / "report", mode) == f"the folder {tmp_path}/missing does not exist"
    assert told(printed, tmp_path / "output" / "report", mode) == f"{tmp_path}/output is not a folder"
    assert told(printed, tmp_path / "folder", mode) == f"{tmp_path}/folder is a folder"
    for name in ("pipe", "socket"):
        assert "is no ordinary file" in told(printed, tmp_path / name, mode)
    assert "is no ordinary file" in told(printed, "/dev/null", mode)
    assert told(printed, tmp_path / "circle", mode) == f"{tmp_path}/circle is a link that leads in a circle"
    assert "does not exist" not in (told(printed, Path("/proc/x"), mode) or "")
    assert told(printed, tmp_path / ("x" * 300), mode).endswith("is too long")
    assert told(tmp_path / "nothing", tmp_path / "report", mode) == "what the run printed is not kept any more"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["circle", "folder", "output", "pipe", "socket"]


def test_a_pipe_that_somebody_reads_is_refused_too(printed: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert "is no ordinary file" in told(printed, tmp_path / "pipe", "append")
        assert os.read(reader, 10) == b""
    finally:
        os.close(reader)


@pytest.mark.parametrize("mode", ["replace", "append"])
@pytest.mark.parametrize("protected", ["file", "folder"])
def test_what_may_not_be_written_says_so(printed: Path, mode: str, protected: str) -> None:
    # a folder of pytest's own may not be entered by nobody
    place = Path(f"/tmp/coven-deliveries-{os.getpid()}")
    place.mkdir(mode=0o755)
    try:
        output = Path(shutil.copy(printed, place / "output"))
        output.chmod(0o644)
        target = place / "report"
        if protected == "file":
            place.chmod(0o777)
            target.write_text("old")
            target.chmod(0o444)

        def work() -> None:
            if os.geteuid() == 0:
                os.setgroups([])
                os.setresgid(NOBODY, NOBODY, NOBODY)
                os.setresuid(NOBODY, NOBODY, NOBODY)
            else:
                place.chmod(0o555)
            assert told(output, target, mode) == f"{target} may not be written by this account"

        assert in_a_child(work) == 0
        assert not target.exists() or target.read_text() == "old"
        assert {entry.name for entry in place.iterdir()} <= {"output", "report"}
    finally:
        place.chmod(0o755)
        shutil.rmtree(place)


@pytest.mark.parametrize("mode", ["replace", "append"])
def test_what_does_not_fit_leaves_the_file_as_it_was(tmp_path: Path, mode: str) -> None:
    output = log(tmp_path, (STDOUT, b"x" * 100_000))
    target = tmp_path / "report"
    target.write_text("old\n")

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
        assert told(output, target, mode).endswith("is full" if mode == "append" else "larger than files may be here")

    assert in_a_child(work) == 0
    assert target.read_text() == "old\n"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["output", "report"]


FULL_DISK = """
import os, sys
from pathlib import Path
from coven_desktop.runtime import delivery_helper
place, output, mode = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
(place / "report").write_text("old\\n")
try:
    delivery_helper.deliver(output, str(place / "report"), mode, "run-1", lambda: None)
except OSError as fault:
    print(delivery_helper.told(fault, "report"))
print((place / "report").read_text(), sorted(os.listdir(place)))
"""


@pytest.mark.parametrize("mode", ["replace", "append"])
def test_a_full_disk_is_told_and_leaves_the_file_as_it_was(tmp_path: Path, mode: str) -> None:
    output = log(tmp_path, (STDOUT, b"x" * 200_000))
    place = tmp_path / "disk"
    place.mkdir()
    mounted = 'mount -t tmpfs -o size=64k tmpfs "$2" || exit 99; exec "$0" -c "$1" "$2" "$3" "$4"'
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", mounted, sys.executable, FULL_DISK, str(place), str(output), mode],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 99 or "unshare" in done.stderr:
        pytest.skip("nothing can be mounted here")
    assert done.stdout == "the disk of report is full\nold\n ['report']\n", done.stderr


# --- a kill at any step -------------------------------------------------------------------------------------------

STEPS = ("open", "unlink", "write", "fchmod", "fsync", "rename", "close", "fstat")


def killed_at(step: int, output: Path, target: Path, mode: str) -> bool:
    """Deliver in a process that kills itself before its `step`th call of the system; whether it came that far."""
    count = 0

    def work() -> None:
        for name in STEPS:
            real = getattr(os, name)

            def counted(*arguments: Any, real: Any = real, **members: Any) -> Any:
                nonlocal count
                count += 1
                if count == step:
                    os.kill(os.getpid(), signal.SIGKILL)
                return real(*arguments, **members)

            setattr(os, name, counted)

        def writing() -> None:
            os.write(said, b"writing")

        delivery_helper.deliver(output, str(target), mode, "run-1", writing)

    source, said = os.pipe()
    status = in_a_child(work)
    os.close(said)
    reached = os.read(source, 10) == b"writing"
    os.close(source)
    assert status in (0, signal.SIGKILL)
    if status == 0:
        raise StopIteration
    return reached


def every_step(output: Path, target: Path, mode: str) -> Iterator[tuple[int, bool]]:
    """Kill at the first step, the second and so on; the steps and whether it had said that it writes."""
    for step in range(1, 100):
        target.write_text("old\n")
        try:
            reached = killed_at(step, output, target, mode)
        except StopIteration:
            assert step > 6, "it has fewer steps than there must be"
            return
        yield step, reached


def test_a_replacement_that_is_killed_anywhere_is_the_old_file_or_the_new_one(printed: Path, tmp_path: Path) -> None:
    target = tmp_path / "report"
    seen = set()
    for _, reached in every_step(printed, target, "replace"):
        seen.add(target.read_text())
        assert target.read_text() == "old\n" or reached
        deliver(printed, target, "replace")
        assert target.read_text() == PRINTED
        assert sorted(entry.name for entry in tmp_path.iterdir()) == ["output", "report"]
    assert seen == {"old\n", PRINTED}


def test_an_append_that_is_killed_anywhere_was_begun_only_if_it_said_so(printed: Path, tmp_path: Path) -> None:
    target = tmp_path / "report"
    seen = set()
    for _, reached in every_step(printed, target, "append"):
        seen.add((target.read_text(), reached))
    assert seen == {("old\n", False), ("old\n", True), ("old\n" + PRINTED, True)}


# --- through the door of the runtime -------------------------------------------------------------------------------


def order(house: House, session_id: str, mode: Any = "replace") -> DeliveryOrder:
    return DeliveryOrder("run-1", session_id, str(house.work / "report"), mode)


def test_the_output_of_a_session_is_delivered_by_a_process_of_its_own(house: House) -> None:
    found: list[Delivered] = []
    watched = house.run("echo hello; echo again >&2")
    for mode in ("replace", "append"):
        house.runtime.deliveries.begin(order(house, watched.id, mode), found.append)
        assert found == []
        house.wait(lambda: bool(found))
        assert found.pop() == Delivered(None)
    assert sorted((house.work / "report").read_text().split()) == ["again", "again", "hello", "hello"]


def test_what_fails_is_told_with_the_reason(house: House) -> None:
    found: list[Delivered] = []
    watched = house.run("echo hello")
    (house.work / "report").mkdir()
    house.runtime.deliveries.begin(order(house, watched.id), found.append)
    house.wait(lambda: bool(found))
    assert found == [Delivered(f"{house.work}/report is a folder")]


def helpers() -> list[int]:
    """The helpers that this process has started and that live."""
    pids = []
    for entry in Path("/proc").iterdir():
        try:
            mine = entry.name.isdigit() and f"PPid:\t{os.getpid()}\n" in (entry / "status").read_text()
            if mine and b"delivery_helper" in (entry / "cmdline").read_bytes():
                pids.append(int(entry.name))
        except OSError:
            continue
    return pids


def held(house: House) -> int:
    """A lock on the file that is appended to, as a program that never lets go of it would have."""
    descriptor = os.open(house.work / "report", os.O_WRONLY | os.O_CREAT)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    return descriptor


def test_a_helper_that_is_killed_before_it_writes_has_written_nothing(house: House) -> None:
    found: list[Delivered] = []
    watched = house.run("echo hello")
    lock = held(house)
    house.runtime.deliveries.begin(order(house, watched.id, "append"), found.append)
    (pid,) = helpers()
    os.kill(pid, signal.SIGKILL)
    house.wait(lambda: bool(found))
    assert found == [Delivered("what writes the file ended in the middle of it")]
    assert helpers() == []
    os.close(lock)


def test_what_takes_too_long_is_given_up(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_delivery, "LIMIT_MS", 1_000)
    found: list[Delivered] = []
    watched = house.run("echo hello")
    lock = held(house)
    house.runtime.deliveries.begin(order(house, watched.id, "append"), found.append)
    house.wait(lambda: bool(found))
    assert found == [Delivered(f"{house.work}/report could not be written within 1 s")]
    assert helpers() == []
    os.close(lock)


def test_who_said_that_it_writes_and_is_gone_leaves_it_unknown(house: House) -> None:
    helper = file_delivery._Delivery(order(house, "session-x", "append"), lambda told: None)
    helper.seen = b'{"writing": true}\n{"err'
    assert helper.told(timed_out=False).known is False
    assert helper.told(timed_out=True).known is False
    helper.seen = b'{"writ'
    assert helper.told(timed_out=False).known is True


def test_at_the_end_of_the_app_what_is_under_way_comes_to_its_end(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_delivery, "FINISH_MS", 20_000)
    found: list[Delivered] = []
    watched = house.run("echo hello")
    house.runtime.deliveries.begin(order(house, watched.id, "append"), found.append)
    house.runtime.deliveries.finish()
    assert found == [Delivered(None)]
    assert helpers() == []


def test_what_cannot_end_is_ended_with_the_app(house: House) -> None:
    found: list[Delivered] = []
    watched = house.run("echo hello")
    lock = held(house)
    house.runtime.deliveries.begin(order(house, watched.id, "append"), found.append)
    house.runtime.deliveries.finish()
    house.runtime.close()
    assert found == []
    assert helpers() == []
    os.close(lock)
    assert (house.work / "report").read_bytes() == b""


def test_a_helper_whose_app_is_gone_does_nothing(printed: Path, tmp_path: Path) -> None:
    asked = {"output": str(printed), "path": str(tmp_path / "report"), "mode": "append", "mark": "run-1", "parent": 1}
    done = subprocess.run(
        [sys.executable, "-I", "-B", "-m", "coven_desktop.runtime.delivery_helper"],
        input=json.dumps(asked).encode(),
        capture_output=True,
        check=True,
    )
    assert done.stdout == b""
    assert not (tmp_path / "report").exists()
