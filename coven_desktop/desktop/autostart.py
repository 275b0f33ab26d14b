"""Starting at login: the XDG autostart file, as it really is and not as we once wrote it.

A person, a desktop's own settings or another installation may have changed it: it may be switched off in it, name a
program that is gone, or start another copy. Sources: Desktop Application Autostart Specification 0.5; Desktop Entry
Specification 1.5 (Exec, Hidden, OnlyShowIn, NotShowIn); GNOME's X-GNOME-Autostart-enabled.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

NAME = "coven-desktop.desktop"
_GROUP = "[Desktop Entry]"
_ESCAPES = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}
_WORD = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))')
_RESERVED = re.compile(r'[\s"\'\\><~|&;$*?#()`%]')

State = Literal["on", "off", "switched_off", "elsewhere", "broken", "other"]


@dataclass(frozen=True)
class Autostart:
    """What the next login does.

    `on`: it starts this app. `off`: there is no file. `switched_off`: there is one that says not to. `elsewhere`: not
    on this desktop. `broken`: what it names is not there, or it names nothing. `other`: it starts another copy, or this
    one on another home. `program` is what it names, `path` the file that counts.
    """

    state: State
    path: Path
    program: str = ""


class CannotSet(Exception):
    """The autostart file was not changed; the text says why."""


class AutostartFile:
    """The file for one app: `command` is what a login has to start, its first word an absolute path."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        self._command = tuple(command)
        self._environ = environ

    @property
    def path(self) -> Path:
        """The person's own file, whether it is there or not."""
        return _config_home(self._environ) / "autostart" / NAME

    def look(self) -> Autostart:
        """How it stands. A file that cannot be read is `broken`."""
        found = next((path for path in (self.path, *self._system_files()) if os.path.lexists(path)), None)
        if found is None:
            return Autostart("off", self.path)
        try:
            entry = _entry(found.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError):
            return Autostart("broken", found)
        if _is(entry, "Hidden", "true") or _is(entry, "X-GNOME-Autostart-enabled", "false"):
            return Autostart("switched_off", found)
        if not self._shown_here(entry):
            return Autostart("elsewhere", found)
        words = exec_words(entry.get("Exec", ""))
        program = self._program(words[0]) if words else None
        if program is None or not self._can_try(entry):
            return Autostart("broken", found, words[0] if words else "")
        if (os.path.realpath(program), *words[1:]) == (os.path.realpath(self._command[0]), *self._command[1:]):
            return Autostart("on", found, program)
        return Autostart("other", found, " ".join((program, *words[1:])))

    def switch(self, on: bool) -> None:
        """Start at login, or not any more. Raises CannotSet."""
        try:
            if on:
                self._write(_file(self._command))
            elif any(os.path.lexists(path) for path in self._system_files()):
                # only a file of the person's own can speak against the system's
                self._write(_file(self._command, hidden=True))
            else:
                self.path.unlink(missing_ok=True)
        except OSError as error:
            raise CannotSet(f"{self.path} cannot be changed: {error.strerror}.") from error

    def _write(self, text: str) -> None:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        fresh = self.path.with_name(f".{NAME}.new")
        fresh.unlink(missing_ok=True)
        try:
            number = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
            with open(number, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(fresh, self.path)
        except BaseException:
            with contextlib.suppress(OSError):
                fresh.unlink()
            raise

    def _system_files(self) -> list[Path]:
        folders = self._environ.get("XDG_CONFIG_DIRS") or "/etc/xdg"
        return [Path(folder) / "autostart" / NAME for folder in folders.split(":") if os.path.isabs(folder)]

    def _program(self, word: str) -> str | None:
        found = shutil.which(word, path=self._environ.get("PATH", os.defpath))
        return found if found is not None and os.path.isfile(found) else None

    def _can_try(self, entry: Mapping[str, str]) -> bool:
        named = _unescaped(entry.get("TryExec", ""))
        return not named or self._program(named) is not None

    def _shown_here(self, entry: Mapping[str, str]) -> bool:
        here = set(self._environ.get("XDG_CURRENT_DESKTOP", "").split(":")) - {""}
        only, never = (set(entry.get(name, "").split(";")) - {""} for name in ("OnlyShowIn", "NotShowIn"))
        return not (here & never) and (not only or bool(here & only))


def own_command(home: str | None) -> tuple[str, ...]:
    """What a login has to start: this installation, in the background, on a home that is not the usual one if given."""
    beside = Path(sys.executable).parent / "coven-desktop"
    found = str(beside) if os.access(beside, os.X_OK) else shutil.which("coven-desktop")
    program = (found,) if found else (sys.executable, "-m", "coven_desktop.app")
    return (*program, *(("--home", home) if home else ()), "--background")


def exec_words(value: str) -> list[str]:
    """The words of an Exec line, field codes left out; empty when its quotes do not close."""
    words, at, value = [], 0, _unescaped(value)
    while at < len(value.rstrip()):
        match = _WORD.match(value, at)
        if match is None or (match[2] or "").startswith('"'):
            return []
        at = match.end()
        word = re.sub(r"\\(.)", r"\1", match[1]) if match[1] is not None else match[2]
        if not re.fullmatch(r"%[a-zA-Z]", word):
            words.append(word.replace("%%", "%"))
    return words


def _file(command: Sequence[str], *, hidden: bool = False) -> str:
    lines = [
        _GROUP,
        "Type=Application",
        "Name=Coven Desktop",
        "Comment=Recurring work of your command-line agents",
        f"Exec={' '.join(_exec_word(word) for word in command)}",
        "Icon=coven-desktop",
        "Terminal=false",
        "StartupNotify=false",
        "X-GNOME-Autostart-enabled=true",
    ]
    if hidden:
        lines.append("Hidden=true")
    return "\n".join(lines) + "\n"


def _exec_word(word: str) -> str:
    """One word of an Exec line: quoted, then escaped once more because the value is a string (specification, Exec)."""
    word = word.replace("%", "%%")
    if not _RESERVED.search(word):
        return word
    quoted = "".join("\\" + char if char in '"`$\\' else char for char in word)
    return '"' + quoted.replace("\\", "\\\\").replace("\n", "\\n").replace("\t", "\\t") + '"'


def _unescaped(value: str) -> str:
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[0]), value)


def _entry(text: str) -> dict[str, str]:
    """The keys of the file's main group; the first of a name counts."""
    found: dict[str, str] = {}
    inside = False
    for line in text.splitlines():
        if line.startswith("["):
            inside = line.strip() == _GROUP
        elif inside and not line.startswith("#") and "=" in line:
            key, _, value = line.partition("=")
            found.setdefault(key.strip(), value.strip())
    return found


def _is(entry: Mapping[str, str], key: str, value: str) -> bool:
    return entry.get(key, "").lower() == value


def _config_home(environ: Mapping[str, str]) -> Path:
    named = environ.get("XDG_CONFIG_HOME", "")
    return Path(named) if os.path.isabs(named) else Path(environ.get("HOME") or Path.home()) / ".config"
