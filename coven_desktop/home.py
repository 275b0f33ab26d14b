"""Where the home is and what lies in it (design/architecture.md, Home; design/decisions.md 15 and 23)."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

HOME_VARIABLE = "COVEN_DESKTOP_HOME"
SOCKET_NAME = "coven.sock"


class HomeError(Exception):
    """The home cannot be used; the text says why and what to do."""


class SessionFolder(NamedTuple):
    """The files of one session below `sessions/`."""

    root: Path

    @property
    def lock(self) -> Path:
        """Held by the session host as long as it lives."""
        return self.root / "lock"

    @property
    def prompt(self) -> Path:
        """The prompt, for runtimes that read it from a file."""
        return self.root / "prompt"

    @property
    def starting(self) -> Path:
        """Written and synced by the host before it executes anything."""
        return self.root / "starting"

    @property
    def evidence(self) -> Path:
        """Written once, when everything under the host is gone."""
        return self.root / "evidence.json"

    @property
    def output(self) -> Path:
        """What the command printed, bounded."""
        return self.root / "output"

    @property
    def survivors(self) -> Path:
        """What was found running after the host had vanished, and was ended: a line each of pid and name."""
        return self.root / "survivors"


class Home(NamedTuple):
    """The paths inside a home. Making the object touches nothing; see `prepare`."""

    root: Path

    @property
    def unsaved(self) -> Path:
        """What stood in forms, not saved, when the app was ended from outside."""
        return self.root / "unsaved.json"

    @property
    def lock(self) -> Path:
        """Held by the one app on this home for the life of its process."""
        return self.root / "lock"

    @property
    def socket(self) -> Path:
        """The local socket API. The path may be too long to bind: see `socket_address`."""
        return self.root / SOCKET_NAME

    @property
    def database(self) -> Path:
        """The state."""
        return self.root / "coven.sqlite3"

    @property
    def settings(self) -> Path:
        """The person's settings."""
        return self.root / "settings.toml"

    @property
    def runtimes(self) -> Path:
        """The person's own runtimes."""
        return self.root / "runtimes.toml"

    @property
    def log(self) -> Path:
        """The app's own log."""
        return self.root / "app.log"

    @property
    def crash(self) -> Path:
        """Where the interpreter stood when it was brought down."""
        return self.root / "app.crash"

    @property
    def last_crash(self) -> Path:
        """What an earlier app left there, until the next crash: the window offers it."""
        return self.root / "app.crash.last"

    @property
    def backups(self) -> Path:
        """Daily backups of the database and those made before a migration."""
        return self.root / "backups"

    @property
    def sessions(self) -> Path:
        """One folder for every session."""
        return self.root / "sessions"

    def session(self, session_id: str) -> SessionFolder:
        """The folder of one session."""
        return SessionFolder(self.sessions / session_id)


def codex_automations(environ: Mapping[str, str]) -> Path:
    """Where Codex keeps its automations: below HOME, else USERPROFILE, else the working folder (engine.md §12)."""
    return Path(environ.get("HOME") or environ.get("USERPROFILE") or "", ".codex", "automations")


def locate(option: str | None, environ: Mapping[str, str]) -> Home:
    """The home that is meant: `--home`, else COVEN_DESKTOP_HOME, else below XDG_DATA_HOME.

    Returns absolute paths, unresolved, so that a symlink is still seen by `prepare`. Raises HomeError for a relative
    one in a folder that is gone.
    """
    chosen = option or environ.get(HOME_VARIABLE)
    if chosen:
        try:
            return Home(Path(os.path.abspath(os.path.expanduser(chosen))))
        except FileNotFoundError:
            sentence = f"The home {chosen} lies in a folder that does not exist any more: the one this was started in."
            raise HomeError(f"{sentence} Go to another one, or write the whole path.") from None
    import platformdirs  # only the default home needs it, and covenctl's start-up time counts

    return Home(Path(platformdirs.user_data_dir("coven-desktop", appauthor=False)))


def check(home: Home) -> None:
    """Refuse a home that is not a private folder of this account. Raises HomeError; changes nothing."""
    try:
        found = os.lstat(home.root)
    except FileNotFoundError:
        raise HomeError(f"The home {home.root} does not exist yet. Starting Coven Desktop makes it.") from None
    except OSError as error:
        raise HomeError(f"The home {home.root} cannot be looked at: {error.strerror}.") from error
    if stat.S_ISLNK(found.st_mode):
        raise HomeError(f"The home {home.root} is a symbolic link. Name the folder itself with --home.")
    if not stat.S_ISDIR(found.st_mode):
        raise HomeError(f"The home {home.root} is not a folder. Name another one with --home.")
    if found.st_uid != os.geteuid():
        raise HomeError(f"The home {home.root} belongs to another account. Name a folder of your own with --home.")


def prepare(home: Home) -> None:
    """Make the home and its folders, all 0700, and refuse what must not be used.

    Raises HomeError with a sentence that says what is wrong and what would be right.
    """
    try:
        home.root.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        pass  # a file or a dangling link in its place: `check` says which
    except OSError as error:
        sentence = f"The home {home.root} cannot be made: {error.strerror}. Name another one with --home."
        raise HomeError(sentence) from error
    check(home)
    try:
        for folder in (home.root, home.backups, home.sessions):
            folder.mkdir(mode=0o700, exist_ok=True)
            os.chmod(folder, 0o700)
    except OSError as error:
        sentence = f"The home {home.root} cannot be written: {error.strerror}."
        raise HomeError(f"{sentence} Mend its permissions, or free some space.") from error


def socket_address(home_descriptor: int, name: str = SOCKET_NAME) -> str:
    """An address for a socket in the home that stays below the 108 bytes of a socket path.

    `home_descriptor` is an open descriptor of the home's folder in this process.
    """
    return f"/proc/self/fd/{home_descriptor}/{name}"
