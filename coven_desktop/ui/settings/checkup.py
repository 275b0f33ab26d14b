"""The checks of the doctor and the first run, as rows: what each one is about, how it went, and how it is done again.

What is slow is done aside: the doctor in a process of its own, the keyring by the engine's helper.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from coven_desktop import __version__
from coven_desktop.desktop.autostart import Autostart, AutostartFile
from coven_desktop.engine.answers import Answer, Outcome
from coven_desktop.engine.commands import secrets
from coven_desktop.qt.core import QCoreApplication, QObject, Signal, is_alive, qVersion
from coven_desktop.ui.aside import Aside
from coven_desktop.ui.doors import Gateway
from coven_desktop.ui.settings.doors import Finding, NotDone, SettingsDoors
from coven_desktop.ui.settings.general_page import login_words
from coven_desktop.ui.settings.page import attempt
from coven_desktop.ui.settings.secrets_page import keyring_words
from coven_desktop.ui.texts import Tone

_TONES: Mapping[str, Tone] = {"fine": Tone.GOOD, "note": Tone.PLAIN, "attention": Tone.BAD, "unchecked": Tone.ASKS}
_WORST = (Tone.BAD, Tone.ASKS, Tone.BUSY, Tone.PLAIN, Tone.GOOD)


@dataclass(frozen=True)
class Row:
    """One check: `lines` say how it stands, `advice` what to do. `parts` are the doctor's, `subjects` those of its
    findings that belong here (None: all of those parts).
    """

    key: str
    title: str
    parts: tuple[str, ...] = ()
    subjects: tuple[str, ...] | None = None
    tone: Tone = Tone.QUIET
    lines: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()


class Checkup(QObject):
    """`changed` comes with the key of a row that has something new to say. `notify` shows a notification."""

    changed = Signal(str)

    def __init__(
        self,
        gateway: Gateway,
        doors: SettingsDoors,
        login: AutostartFile,
        notify: Callable[[str, str], None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._gateway = gateway
        self._doors = doors
        self._login = login
        self._notify = notify
        self.rows: dict[str, Row] = {row.key: row for row in _rows()}

    def look(self, keys: Sequence[str] | None = None) -> None:
        """Look at everything, or at some rows and their parts alone, without asking the person anything."""
        rows = [row for row in self.rows.values() if row.parts and (keys is None or row.key in keys)]
        self._examine(rows, sorted({part for row in rows for part in row.parts}))
        self._look_at_keyring(unlock=False)
        self._look_at_login()

    def test(self, key: str) -> None:
        """Look at one again; of the keyring it may ask the person, and of notifications it shows one."""
        if key == "keyring":
            self._look_at_keyring(unlock=True)
        elif key == "login":
            self._look_at_login()
        else:
            row = self.rows[key]
            self._examine([row], row.parts)
        if key == "notices":
            self._notify(_say("This is a test"), _say("So Coven Desktop tells you when something needs your decision."))

    def report(self) -> str:
        """All of it as text to be copied: no value of a secret or a variable is in it, and no name of the person's own
        folder.
        """
        lines = [
            f"Coven Desktop {__version__}, Python {platform.python_version()}, Qt {qVersion()}",
            platform.platform(),
        ]
        for row in self.rows.values():
            mark = {Tone.GOOD: "ok", Tone.PLAIN: "note", Tone.BAD: "ATTENTION"}.get(row.tone, "unchecked")
            lines += ["", f"{row.title}: {mark}", *(f"  {line}" for line in row.lines)]
            lines += [f"  > {line}" for line in row.advice]
        return "\n".join(lines).replace(str(Path.home()), "~") + "\n"

    # --- one by one --------------------------------------------------------------------------------------------------

    def _examine(self, rows: Sequence[Row], parts: Sequence[str]) -> None:
        for row in rows:
            self._say(row.key, Tone.BUSY, [_say("Looking…")])

        def told(found: Sequence[Finding] | NotDone) -> None:
            for row in rows:
                if isinstance(found, NotDone):
                    self._say(row.key, Tone.ASKS, [str(found)])
                else:
                    self._take(row, found)

        Aside(lambda: attempt(lambda: self._doors.examine(parts)), told, self)

    def _take(self, row: Row, found: Sequence[Finding]) -> None:
        wanted = _subjects(row)
        mine = _gathered([one for one in found if one.subject in wanted])
        tones = [_TONES[one.state] for one in mine]
        tone = next((tone for tone in _WORST if tone in tones), Tone.ASKS)
        lines = [one.text for one in mine] or [_say("Nothing was said about it.")]
        self._say(row.key, tone, lines, [one.advice for one in mine if one.advice])

    def _look_at_keyring(self, *, unlock: bool) -> None:
        self._say("keyring", Tone.BUSY, [_say("Looking…")])

        def told(outcome: Outcome) -> None:
            if not is_alive(self):
                return  # the keyring takes its time, and the settings were closed meanwhile
            if isinstance(outcome, Answer):
                state = str(outcome.payload["state"])
                text, tone, _ = keyring_words(state, str(outcome.payload["sentence"]))
                if state in ("absent", "no_bus", "unmade"):
                    # no trouble for whoever has no secrets
                    self._say("keyring", Tone.PLAIN, [text], [_say("Only routines that are given secrets need one.")])
                else:
                    self._say("keyring", tone, [text])
            else:
                self._say("keyring", Tone.ASKS, [str(outcome)])

        self._gateway.submit(secrets.check, {"unlock": unlock}, told)

    def _look_at_login(self) -> None:
        def told(found: Autostart) -> None:
            text, _ = login_words(found)
            tone = {"on": Tone.GOOD, "off": Tone.PLAIN}.get(found.state, Tone.BAD)
            advice = [] if found.state in ("on", "off") else [_say("Mend it in the settings, under General.")]
            self._say("login", tone, [text], advice)

        Aside(self._login.look, told, self)

    def _say(self, key: str, tone: Tone, lines: Sequence[str], advice: Sequence[str] = ()) -> None:
        self.rows[key] = replace(self.rows[key], tone=tone, lines=tuple(lines), advice=tuple(advice))
        self.changed.emit(key)


def _rows() -> list[Row]:
    return [
        Row("runtimes", _say("Agent commands"), ("runtimes",)),
        Row("keyring", _say("Keyring")),
        Row("tray", _say("Tray icon"), ("desktop",), ("Screen", "Session bus", "Tray")),
        Row("notices", _say("Notifications"), ("desktop",), ("Session bus", "Notices")),
        Row("login", _say("Start at login")),
        Row("routines", _say("Routines"), ("routines",)),
        Row("home", _say("Folder and app"), ("home", "app")),
        Row("database", _say("Database and backups"), ("database", "backups")),
        Row("zones", _say("Time zones"), ("zones",)),
        Row("program", _say("This program"), ("versions",)),
    ]


_SUBJECTS: Mapping[str, tuple[str, ...]] = {
    "home": ("Home", "Settings"),
    "app": ("App",),
    "database": ("Database", "Every page"),
    "backups": ("Backups",),
    "runtimes": ("Login shell", "Runtimes"),
    "routines": ("Routines",),
    "zones": ("Zone data", "Local zone"),
    "versions": ("Versions", "Qt"),
}
"""What the doctor's findings of each part are about."""


def _gathered(found: Sequence[Finding]) -> list[Finding]:
    """The same, with all commands that are just not installed in one line."""
    absent = [one for one in found if one.subject == "Runtimes" and one.state == "note" and one.name]
    if not absent:
        return list(found)
    names = ", ".join(one.name for one in absent)
    others = [one for one in found if one not in absent]
    any_agent = any(one.subject == "Runtimes" and one.state == "fine" and one.name != "shell" for one in others)
    state: Literal["fine", "note"] = "fine" if any_agent else "note"
    return [*others, Finding("Runtimes", state, _say("Not installed: {names}.").format(names=names))]


def _subjects(row: Row) -> set[str]:
    if row.subjects is not None:
        return set(row.subjects)
    return {subject for part in row.parts for subject in _SUBJECTS[part]}


def _say(text: str) -> str:
    return QCoreApplication.translate("Checkup", text)
