"""Stores of cases lie in memory where the machine has a folder for that (decisions.md 48)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

MEMORY = Path("/dev/shm")


@pytest.fixture(scope="session", autouse=True)
def _in_memory() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        if os.access(MEMORY, os.W_OK):
            patch.setattr("tempfile.tempdir", str(MEMORY))
            patch.setenv("TMPDIR", str(MEMORY))
        yield
