"""Waiting for what happens in another thread: for a condition, with a deadline, never for a length of time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

DEADLINE_SECONDS = 30.0


def until(condition: Callable[[], bool]) -> None:
    """Ask again and again until the condition holds; fail when it does not come true."""
    turn = threading.Event()
    end = time.monotonic() + DEADLINE_SECONDS
    while not condition():
        assert time.monotonic() < end, "what was waited for did not happen"
        turn.wait(0.001)
