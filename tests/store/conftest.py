"""A fresh database file for a test of the store."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from coven_desktop.store.database import close_database, open_database
from tests.store import rows

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


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database as it is made: copied where making it is not the subject."""
    folder = tmp_path_factory.mktemp("template")
    made = folder / "coven.sqlite3"
    close_database(open_database(made, now=NOW, backups=folder))
    return made


@pytest.fixture
def connection(path: Path, backups: Path, template: Path) -> Iterator[apsw.Connection]:
    """An open database."""
    shutil.copy(template, path)
    opened = open_database(path, now=NOW, backups=backups)
    opened.pragma("synchronous", "OFF")  # no power is cut here
    yield opened
    close_database(opened)


def grow(connection: apsw.Connection, count: int = 40) -> None:
    """Make the database a few hundred pages large."""
    for number in range(count):
        rows.definition(connection, f"routine-{number}", body='{"padding":"' + "x" * 20_000 + '"}')


def damage_pages(path: Path) -> None:
    """Overwrite pages in the middle of the file, so that it still opens."""
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2 // 4096 * 4096)
        file.write(b"\xa5" * 4096 * 6)


@pytest.fixture
def damaged(path: Path, backups: Path, template: Path) -> Iterator[apsw.Connection]:
    """An open database with pages in its middle that make no sense."""
    shutil.copy(template, path)
    opened = open_database(path, now=NOW, backups=backups)
    grow(opened)
    close_database(opened)
    damage_pages(path)
    opened = open_database(path, now=NOW, backups=backups)
    yield opened
    opened.close()
