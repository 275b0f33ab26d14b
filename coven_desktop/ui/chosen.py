"""What the person has set, as the window asks for it: the file is read again whenever it has changed."""

from __future__ import annotations

import os
from pathlib import Path

from coven_desktop import settings
from coven_desktop.settings import Settings


class Chosen:
    """Calling it gives the settings that count now. One question to the file system when nothing has changed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: tuple[int, int, int] | None = None
        self._settings = Settings()

    def __call__(self) -> Settings:
        """What counts; what is wrong in the file is told by whoever starts the engine."""
        try:
            found = os.stat(self._path)
        except OSError:
            self._stamp, self._settings = None, Settings()
            return self._settings
        stamp = (found.st_ino, found.st_mtime_ns, found.st_size)
        if stamp != self._stamp:
            self._stamp = stamp
            self._settings, _ = settings.read(self._path)
        return self._settings
