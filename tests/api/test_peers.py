"""Strangers are told of in the log at once, and cannot fill it."""

from __future__ import annotations

import logging
import os
import socket

import pytest

from coven_desktop.api.peers import SAID_EVERY_MS, Peer, Strangers, peer_of
from coven_desktop.loop.manual import ManualClock
from tests.conftest import LoggedWarnings


def test_the_kernel_says_who_connected() -> None:
    one, other = socket.socketpair()
    with one, other:
        assert peer_of(one) == Peer(os.getpid(), os.geteuid())
        assert peer_of(one).is_ours
    assert not Peer(1, os.geteuid() + 1).is_ours


def test_many_strangers_are_one_line_a_minute(logged: LoggedWarnings, caplog: pytest.LogCaptureFixture) -> None:
    logged.expect("another account")
    clock = ManualClock()
    strangers = Strangers(clock)

    def said() -> list[str]:
        return [record.getMessage() for record in caplog.records if record.levelno == logging.WARNING]

    strangers.note(Peer(77, 1000))
    assert said() == ["A client of another account (uid 1000, process 77) was turned away"]
    for _ in range(1_000):
        strangers.note(Peer(78, 1000))
    clock.advance(SAID_EVERY_MS - 1)
    strangers.note(Peer(78, 1000))
    assert len(said()) == 1
    clock.advance(1)
    strangers.note(Peer(79, 1001))
    assert said()[1:] == [
        "A client of another account (uid 1001, process 79) was turned away; "
        "1001 more since the last one that was logged"
    ]
