"""A private home, and the stand-in for the app that serves it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.stand_in import StandIn
from tests.rig import App, processes_of


@pytest.fixture(scope="session", autouse=True)
def _compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let covenctl find its modules compiled, as an installed one does; each test starts it anew."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
        patch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.mktemp("compiled")))
        yield


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home of this account's own, empty."""
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    return folder


@pytest.fixture
def app(home: Path) -> Iterator[StandIn]:
    """A stand-in for the app on that home."""
    stand_in = StandIn(home)
    yield stand_in
    stand_in.close()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """One app, headless, for the tests of a file; each has routines of its own."""
    folder = tmp_path_factory.mktemp("app")
    with App(folder / "home") as app:
        app.ready()
        yield app
        assert app.end() == 0
    assert processes_of(app.home) == []
