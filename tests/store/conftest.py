"""A fresh database file for a test of the store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from coven_desktop.store.database import close_database, open_database

NOW = 1_788_080_400_000  # 2026-08-30T09:00:00Z


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A home with an empty folder for backups."""
    (tmp_path / "backups").mkdir(mode=0o700)
    return tmp_path


@pytest.fixture
def path(folder: Path) -> Path:
    """Where the database lies. Nothing is there yet."""
    return folder / "coven.sqlite3"


@pytest.fixture
def backups(folder: Path) -> Path:
    """Where the backups lie."""
    return folder / "backups"


@pytest.fixture
def connection(path: Path, backups: Path) -> Iterator[apsw.Connection]:
    """An open database."""
    opened = open_database(path, now=NOW, backups=backups)
    yield opened
    close_database(opened)
