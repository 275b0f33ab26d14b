"""Stopping: by request, by anyone's SIGTERM, by the deadline, after lingering; and what is said when it fails."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.runtime.house import House

# ignores SIGTERM, floods both streams, and leaves a grandchild in a session of its own that ignores SIGTERM too
HOSTILE = """
trap '' TERM INT HUP
setsid sh -c 'trap "" TERM; (setsid sleep 300 &) ; while :; do sleep 1; done' &
(sleep 300 &)
yes flood-on-stderr >&2 &
yes flood-on-stdout
sleep 300
"""


def host_of(house: House, session_id: str) -> int:
    pid = house.runtime.executing(session_id)
    assert pid is not None
    return pid


def has_printed(house: House, session_id: str, size: int) -> bool:
    output = house.home.session(session_id).output
    return output.exists() and output.stat().st_size >= size


def test_a_hostile_tree_is_stopped_whole_and_its_log_stays_within_its_bound(house: House) -> None:
    watched = house.start(house.spec(HOSTILE))
    house.wait(lambda: has_printed(house, watched.id, 60_000) and len(house.alive(watched.id)) >= 6)
    stopped = house.stop(watched)
    assert stopped.confirmed, stopped.detail
    assert house.alive(watched.id) == set()
    evidence = stopped.evidence
    assert evidence is not None
    assert (evidence.stop_reason, evidence.quiescent, evidence.outcome, evidence.signal) == (
        "requested", True, "signalled", 9,
    )  # fmt: skip
    assert house.home.session(watched.id).output.stat().st_size <= 65_536
    assert evidence.output_dropped > 0
    assert "bytes are not kept" in house.output(watched)
    house.wait(lambda: bool(watched.ended))
    assert watched.ended[0].evidence == evidence


def test_what_obeys_is_not_killed(house: House) -> None:
    watched = house.start(house.spec("trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.01; done"))
    house.wait(lambda: "ready" in house.output(watched))
    evidence = house.stop(watched).evidence
    assert evidence is not None
    assert (evidence.outcome, evidence.exit_code, evidence.stop_reason) == ("exited", 7, "requested")
    assert house.output(watched).endswith("bye\n")


def test_what_is_suspended_hears_the_stop(house: House) -> None:
    watched = house.start(house.spec("trap 'exit 7' TERM; kill -STOP $$; sleep 300"))
    house.wait(lambda: any(" T " in Path(f"/proc/{pid}/stat").read_text() for pid in house.alive(watched.id)))
    evidence = house.stop(watched).evidence
    assert evidence is not None
    assert (evidence.outcome, evidence.exit_code) == ("exited", 7)


def test_a_sigterm_from_anyone_is_a_stop_with_evidence(house: House) -> None:
    watched = house.start(house.spec("sleep 300"))
    os.kill(host_of(house, watched.id), signal.SIGTERM)
    house.wait(lambda: bool(watched.ended))
    assert (watched.evidence.stop_reason, watched.evidence.signal) == ("host_terminated", 15)


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT])
def test_a_hangup_or_an_interrupt_does_not_end_a_session(house: House, number: int) -> None:
    os.mkfifo(house.work / "go")
    watched = house.start(house.spec("read line < go; exit 4"))
    os.kill(host_of(house, watched.id), number)
    (house.work / "go").write_text("on\n")
    house.wait(lambda: bool(watched.ended))
    assert watched.evidence.stop_reason is None


def test_the_deadline_is_enforced_while_nobody_watches(house: House) -> None:
    """Ten seconds after the deadline, by the host alone: here that is soon."""
    spec = house.spec("sleep 300", deadline=house.loop.clock.wall() - 9_500)
    watched = house.start(spec)
    house.again()
    house.wait(lambda: house.runtime.find(watched.id)[0] == "ended")
    evidence = house.runtime.find(watched.id)[1]
    assert evidence is not None
    assert (evidence.stop_reason, evidence.signal, evidence.quiescent) == ("deadline", 15, True)
    assert evidence.ended_at >= spec.deadline + 10_000


def test_the_host_keeps_the_apps_shifted_clock(tmp_path: Path) -> None:
    """With a clock a year ahead, a deadline of that year is not long past, and instants are of that year."""
    year = 365 * 24 * 3_600_000
    ahead = House(tmp_path, year)
    try:
        watched = ahead.run("echo x; exit 2")
        assert watched.evidence.exit_code == 2
        assert abs(watched.evidence.ended_at - ahead.loop.clock.wall()) < 60_000
        late = ahead.start(ahead.spec("sleep 300", deadline=ahead.loop.clock.wall() - 9_900))
        ahead.wait(lambda: bool(late.ended))
        assert late.evidence.stop_reason == "deadline"
    finally:
        ahead.close()


def test_what_is_left_behind_gets_its_time_and_is_then_stopped(house: House) -> None:
    watched = house.run("setsid sleep 300 & echo $! > pid; exit 5")
    evidence = watched.evidence
    assert (evidence.outcome, evidence.exit_code, evidence.stop_reason, evidence.quiescent) == ("exited", 5, None, True)
    assert [(left.pid, left.name) for left in evidence.leftovers] == [(int((house.work / "pid").read_text()), "sleep")]
    assert house.alive(watched.id) == set()


def test_what_is_left_behind_and_ends_in_time_is_let_be(house: House) -> None:
    watched = house.run("(sleep 0.1; echo late) & exit 0")
    assert watched.evidence.leftovers == ()
    assert house.output(watched) == "late\n"


def test_a_stop_after_the_end_says_how_it_ended_by_itself(house: House) -> None:
    watched = house.run("exit 2")
    stopped = house.stop(watched)
    assert (stopped.confirmed, stopped.evidence) == (True, watched.evidence)
    assert watched.evidence.stop_reason is None


def test_a_stop_of_what_is_not_watched(house: House) -> None:
    watched = house.start(house.spec("sleep 300"))
    house.again()
    stopped = house.stop(watched)
    assert stopped.confirmed
    assert stopped.evidence is not None
    assert stopped.evidence.stop_reason == "requested"


def test_a_stop_of_what_never_was(house: House) -> None:
    watched = house.launch(house.spec("true", cwd="/no/such/folder"))
    stopped = house.stop(watched)
    assert (stopped.confirmed, stopped.evidence) == (True, None)


def test_a_stop_that_comes_while_it_starts(house: House) -> None:
    """Whatever point it reaches, the answer fits: never started, or stopped with evidence."""
    for _ in range(10):
        watched = house.launch(house.spec("sleep 300"))
        stopped = house.stop(watched)
        assert stopped.confirmed, stopped.detail
        house.finish(watched)
        if stopped.evidence is None:
            assert watched.refused[0].proven_no_process
        else:
            assert stopped.evidence.stop_reason == "requested"
        assert house.alive(watched.id) == set()


def test_a_stop_asked_twice_is_answered_twice(house: House) -> None:
    watched = house.start(house.spec("sleep 300"))
    house.runtime.stop(watched.id, stopped=watched.stopped.append)
    house.runtime.stop(watched.id, stopped=watched.stopped.append)
    house.wait(lambda: len(watched.stopped) == 2 and bool(watched.ended))
    assert [stopped.confirmed for stopped in watched.stopped] == [True, True]


def test_a_killed_host_is_no_proof(house: House) -> None:
    watched = house.start(house.spec("exec sleep 300"))
    os.kill(host_of(house, watched.id), signal.SIGKILL)
    house.wait(lambda: bool(watched.ended))
    assert watched.ended[0].evidence is None
    assert not watched.ended[0].never_started
    stopped = house.stop(watched)
    assert (stopped.confirmed, stopped.evidence) == (False, None)
    house.wait_until_gone(watched.id)  # the command went with its host


@pytest.mark.parametrize("while_the_app_is_down", [False, True])
def test_nothing_of_a_killed_host_is_left_to_run_beside_a_retry(house: House, while_the_app_is_down: bool) -> None:
    watched = house.start(house.spec(HOSTILE))
    other = house.start(house.spec("sleep 300"))
    house.wait(lambda: has_printed(house, watched.id, 60_000) and len(house.alive(watched.id)) >= 6)
    host = host_of(house, watched.id)
    if while_the_app_is_down:
        house.runtime.close()
        os.kill(host, signal.SIGKILL)
        house.again()
        house.wait(lambda: house.runtime.find(watched.id) == ("vanished", None))
    else:
        os.kill(host, signal.SIGKILL)
        house.wait(lambda: bool(watched.ended))
    house.wait_until_gone(watched.id)
    assert house.alive(other.id)


def test_a_host_that_cannot_answer_is_unconfirmed_and_told_later(house: House) -> None:
    watched = house.start(house.spec("sleep 300"))
    in_its_way = house.home.session(watched.id).evidence
    # and it cannot be put aside either
    for folder in (in_its_way, in_its_way.with_name("evidence.json.aside")):
        folder.mkdir()
        (folder / "something").touch()
    stopped = house.stop(watched)
    assert not stopped.confirmed
    assert not watched.ended
    (in_its_way / "something").unlink()
    in_its_way.rmdir()
    house.wait(lambda: bool(watched.ended))
    assert watched.evidence.stop_reason == "requested"


def test_many_processes_that_keep_appearing(house: House) -> None:
    watched = house.start(house.spec("trap '' TERM; while :; do (trap '' TERM; sleep 300) & sleep 0.02; done"))
    house.wait(lambda: len(house.alive(watched.id)) > 10)
    assert house.stop(watched).confirmed
    assert house.alive(watched.id) == set()


def test_a_suspended_host_hears_the_stop_too(house: House) -> None:
    watched = house.start(house.spec("echo ready; sleep 300"))
    house.wait(lambda: "ready" in house.output(watched))
    os.kill(host_of(house, watched.id), signal.SIGSTOP)
    stopped = house.stop(watched)
    assert stopped.confirmed, stopped.detail
    assert house.alive(watched.id) == set()
