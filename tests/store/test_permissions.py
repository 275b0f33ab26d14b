"""Files and folders that the account may not write or read: asked as somebody who is not root, always."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.store.as_nobody import hand_over, home, open_as_nobody


@pytest.fixture
def owned(template: Path) -> Iterator[Path]:
    """A database in a home of somebody who is not root."""
    with home() as root:
        path = root / "coven.sqlite3"
        shutil.copy(template, path)
        path.chmod(0o600)
        hand_over(root)
        yield path


def can_mount() -> bool:
    """Whether file systems can be mounted here, in a name space of their own."""
    return subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode == 0


def test_the_account_can_open_what_is_its_own(owned: Path) -> None:
    assert open_as_nobody(owned) == (None, "")


def test_a_file_open_to_others_is_made_private(owned: Path) -> None:
    owned.chmod(0o664)
    assert open_as_nobody(owned) == (None, "")
    assert stat.S_IMODE(owned.stat().st_mode) == 0o600


def test_a_read_only_file(owned: Path) -> None:
    owned.chmod(0o400)
    before = owned.read_bytes()
    kind, text = open_as_nobody(owned)
    assert kind == "read_only"
    assert text == (
        f"The database {owned} cannot be written: the file is read-only."
        f" Give yourself the permission: chmod 600 '{owned}'."
    )
    assert owned.read_bytes() == before
    assert sorted(os.listdir(owned.parent)) == ["backups", owned.name]


def test_a_read_only_folder(owned: Path) -> None:
    owned.parent.chmod(0o500)
    before = owned.read_bytes()
    kind, text = open_as_nobody(owned)
    assert kind == "read_only"
    assert "its folder is read-only" in text
    assert f"chmod 700 '{owned.parent}'" in text
    assert owned.read_bytes() == before


def test_a_new_database_in_a_read_only_folder(owned: Path) -> None:
    owned.unlink()
    owned.parent.chmod(0o500)
    kind, text = open_as_nobody(owned)
    assert kind == "read_only"
    assert "cannot be written: Permission denied" in text
    assert os.listdir(owned.parent) == ["backups"]


def test_a_file_that_cannot_be_read(owned: Path) -> None:
    owned.chmod(0o000)
    kind, text = open_as_nobody(owned)
    assert kind == "cannot_open"
    assert "cannot be read" in text
    assert f"chmod 600 '{owned}'" in text


def test_a_folder_that_cannot_be_entered(owned: Path) -> None:
    owned.parent.chmod(0o600)
    kind, _ = open_as_nobody(owned)
    assert kind in ("read_only", "cannot_open")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to another account")
def test_a_file_of_another_account(owned: Path) -> None:
    os.chown(owned, 0, 0)
    owned.chmod(0o666)
    kind, text = open_as_nobody(owned)
    assert kind == "insecure"
    assert "belongs to another account" in text
    assert stat.S_IMODE(owned.stat().st_mode) == 0o666


@pytest.mark.skipif(os.geteuid() != 0 or not can_mount(), reason="nothing can be mounted here")
def test_a_read_only_mount(owned: Path) -> None:
    before = owned.read_bytes()
    mount = f"mount --bind '{owned.parent}' '{owned.parent}' && mount -o remount,ro,bind '{owned.parent}'"
    kind, text = open_as_nobody(owned, wrapped=("unshare", "--mount", "sh", "-c", f'{mount} && exec "$@"', "sh"))
    assert kind == "read_only"
    assert "mounted read-only" in text
    assert owned.read_bytes() == before
