"""The socket's place in the home: bound privately, replaced only when it is a stale socket, watched afterwards.

design/decisions.md 13, 15 and 23: bound under a temporary name with mode 0600 and renamed into place, so that
nobody ever meets it half made; a loosened home or socket stops serving; an unlinked socket is made again. The
path goes through the home's descriptor, because a socket's path may have 107 bytes only.
"""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import stat
from dataclasses import dataclass
from typing import Literal

from coven_desktop.home import SOCKET_NAME, Home, socket_address

log = logging.getLogger(__name__)

BACKLOG = 1_024
_TEMPORARY = f".{SOCKET_NAME}.new"


class CannotServe(Exception):
    """The socket cannot be made; the text says why and what to do."""


@dataclass(frozen=True)
class Look:
    """How the socket's place looks: `sentence` says what is wrong when it is not fine."""

    state: Literal["fine", "gone", "blocked", "insecure"]
    sentence: str = ""


_FINE = Look("fine")


class SocketFile:
    """The listening socket of one home. Whoever opens it holds the home's lock."""

    def __init__(self, home: Home) -> None:
        self._home = home
        self._folder: int | None = None
        self._own: tuple[int, int] | None = None

    def open(self) -> socket.socket:
        """A non-blocking listening socket, in its place. Also makes one that is gone again. Raises CannotServe."""
        try:
            if self._folder is None:
                flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
                self._folder = os.open(self._home.root, flags)
            look = self.look()
            if look.state in ("blocked", "insecure"):
                raise CannotServe(look.sentence)
            return self._bind(self._folder)
        except OSError as error:
            raise CannotServe(
                f"The socket {self._home.socket} cannot be made: {error.strerror}. Mend its folder, or name another "
                "home with --home."
            ) from error

    def look(self) -> Look:
        """How the place looks now. A few microseconds: asked before every request."""
        if self._folder is None:
            return Look("gone")
        home = os.fstat(self._folder)
        if home.st_mode & 0o077 or home.st_uid != os.geteuid():
            return Look("insecure", _insecure("home", str(self._home.root), home, "700"))
        try:
            found = os.stat(SOCKET_NAME, dir_fd=self._folder, follow_symlinks=False)
        except FileNotFoundError:
            return Look("gone")
        if not stat.S_ISSOCK(found.st_mode):
            return Look(
                "blocked",
                f"{self._home.socket} is not a socket. Move it away: nothing unknown is overwritten.",
            )
        if (found.st_dev, found.st_ino) != self._own:
            return Look("gone")
        if found.st_mode & 0o177:
            return Look("insecure", _insecure("socket", str(self._home.socket), found, "600"))
        return _FINE

    def close(self) -> None:
        """Remove the socket, when it is still ours, and forget the home."""
        if self._folder is None:
            return
        try:
            if self._own is not None and self._is_own(self._folder):
                os.unlink(SOCKET_NAME, dir_fd=self._folder)
        except OSError:
            log.info("The socket could not be removed; the next start replaces it", exc_info=True)
        os.close(self._folder)
        self._folder = self._own = None

    def _is_own(self, folder: int) -> bool:
        try:
            found = os.stat(SOCKET_NAME, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return (found.st_dev, found.st_ino) == self._own

    def _bind(self, folder: int) -> socket.socket:
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            # the mode of the descriptor becomes the mode of the file: no moment in which it is wider
            os.fchmod(listening.fileno(), 0o600)
            _remove(_TEMPORARY, folder)
            listening.bind(socket_address(folder, _TEMPORARY))
            made = os.stat(_TEMPORARY, dir_fd=folder, follow_symlinks=False)
            listening.listen(BACKLOG)
            listening.setblocking(False)
            os.rename(_TEMPORARY, SOCKET_NAME, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            listening.close()
            raise
        self._own = (made.st_dev, made.st_ino)
        return listening


def _remove(name: str, folder: int) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name, dir_fd=folder)


def _insecure(what: str, path: str, found: os.stat_result, wanted: str) -> str:
    mode = oct(stat.S_IMODE(found.st_mode))[2:].zfill(4)
    return (
        f"The {what} {path} is open to other accounts (mode {mode}). Nothing is served until it is private again: "
        f"chmod {wanted} '{path}'."
    )
