"""Evidence that cannot be written: what stands in its way, how long it is tried, and how that ends."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
from pathlib import Path

import pytest

from coven_desktop.runtime import supervision
from tests.runtime.house import House


def test_what_stands_in_the_way_is_put_aside(house: House) -> None:
    for name in ("evidence.new", "evidence.json"):
        spec = house.spec("while [ ! -e go ]; do sleep 0.02; done; exit 4")
        (house.work / "go").unlink(missing_ok=True)
        watched = house.start(spec)
        folder = house.home.session(watched.id).root
        house.wait(lambda: (folder / "evidence.new").exists())  # noqa: B023 - it is waited for here
        (folder / "evidence.new").unlink()
        (folder / name).mkdir()
        (folder / name / "something").touch()
        (house.work / "go").touch()
        house.wait(lambda: bool(watched.ended))  # noqa: B023
        assert watched.evidence.exit_code == 4
        assert (folder / f"{name}.aside" / "something").exists()


def test_a_host_that_cannot_leave_evidence_ends_when_it_is_told_to(house: House) -> None:
    watched = house.start(house.spec("while [ ! -e go ]; do sleep 0.02; done"))
    folder = house.home.session(watched.id).root
    for name in ("evidence.json", "evidence.json.aside"):
        (folder / name).mkdir()
        (folder / name / "something").touch()
    (house.work / "go").touch()
    pid = watched.started[0].pid
    house.wait(lambda: not Path(f"/proc/{pid}/task/{pid}/children").read_text())
    assert not watched.ended

    def has_ended() -> bool:
        # again and again: the first may come just before the host has seen that nothing is left
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGTERM)
        return bool(watched.ended)

    house.wait(has_ended)
    assert watched.ended[0].evidence is None
    assert house.runtime.find(watched.id)[0] == "vanished"


@pytest.mark.parametrize(
    ("number", "pauses"), [(errno.EACCES, 59), (errno.EIO, 59), (errno.ENOSPC, 86_400), (errno.EDQUOT, 86_400)]
)
def test_it_is_tried_for_a_minute_and_on_a_full_disk_for_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, pauses: int
) -> None:
    paused: list[None] = []

    def refuse(folder: int, text: str) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(supervision, "write_evidence", refuse)
    folder = os.open(tmp_path, os.O_RDONLY)
    assert not supervision.leave_evidence(folder, "", lambda: not paused.append(None))  # type: ignore[func-returns-value]
    os.close(folder)
    assert len(paused) == pauses
