"""Writing settings.toml: what a person wrote stays, a bad value is refused, and the file is whole or as it was."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from coven_desktop import settings
from coven_desktop.settings import Settings
from coven_desktop.settings.writing import CannotWrite, write

ANY = st.builds(
    Settings,
    retention_days=st.one_of(st.none(), st.integers(30, 36_500)),
    max_concurrent_runs=st.integers(0, 1_000),
    pause_after_failures=st.integers(0, 1_000),
    run_in_background=st.booleans(),
    theme=st.sampled_from(settings.THEMES),
    iso_dates=st.booleans(),
    notifications=st.booleans(),
    notify_each_failure=st.booleans(),
    notify_quietly=st.booleans(),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "settings.toml"


@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(wanted=st.lists(ANY, min_size=1, max_size=4))
def test_what_is_written_is_what_is_read(path: Path, wanted: list[Settings]) -> None:
    path.unlink(missing_ok=True)
    for one in wanted:
        write(path, one)
        assert settings.read(path) == (one, ())


def test_what_is_as_it_is_without_a_file_is_not_written(path: Path) -> None:
    write(path, Settings())
    assert path.read_text() == ""
    write(path, Settings(theme="dark"))
    assert path.read_text() == 'theme = "dark"\n'


def test_remarks_order_and_what_is_not_ours_stay(path: Path) -> None:
    path.write_text("# mine\nmaxConcurrentRuns = 2 # few\nretentionDays = 90\n\n[other]\nx = 1 # kept\n")
    write(path, replace(settings.read(path)[0], max_concurrent_runs=6, retention_days=None, iso_dates=True))
    assert path.read_text() == ("isoDates = true\n# mine\nmaxConcurrentRuns = 6 # few\n\n[other]\nx = 1 # kept\n")
    assert settings.read(path)[0] == Settings(max_concurrent_runs=6, iso_dates=True)


def test_what_was_wrong_is_put_right_when_it_is_set(path: Path) -> None:
    path.write_text('theme = "pink"\nmaxConcurrentRuns = 2\n')
    write(path, replace(settings.read(path)[0], max_concurrent_runs=3))
    assert settings.read(path) == (Settings(max_concurrent_runs=3), ())


def test_it_is_this_account_s_own(path: Path) -> None:
    path.write_text("")
    path.chmod(0o644)
    write(path, Settings(theme="light"))
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert os.listdir(path.parent) == ["settings.toml"]


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        (Settings(retention_days=3), "retentionDays"),
        (Settings(max_concurrent_runs=-1), "maxConcurrentRuns"),
        (Settings(pause_after_failures=2_000), "pauseAfterFailures"),
        (Settings(theme="pink"), "theme"),  # type: ignore[arg-type]
    ],
)
def test_a_bad_value_is_refused_by_name(path: Path, wanted: Settings, name: str) -> None:
    with pytest.raises(ValueError, match=f"^{name} must be "):
        write(path, wanted)
    assert not path.exists()


def test_a_file_that_cannot_be_read_is_not_written_over(path: Path) -> None:
    path.write_text("theme = dark\n")
    with pytest.raises(CannotWrite, match="Mend it with an editor"):
        write(path, Settings(theme="dark"))
    assert path.read_text() == "theme = dark\n"


def test_a_folder_that_takes_nothing_is_told(tmp_path: Path) -> None:
    with pytest.raises(CannotWrite, match="cannot be written: No such file or directory"):
        write(tmp_path / "gone" / "settings.toml", Settings(theme="dark"))
