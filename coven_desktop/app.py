"""The whole, put together: clock, home, lock, log, house, and the tray and window unless headless.

    coven-desktop [--headless] [--background] [--home DIR] [--clock-start INSTANT]

Exit codes: 0 it ended as asked (or an app was there already and has come to the front), 2 usage, 3 a fault told in a
sentence, 5 a headless app holds the home (design/decisions.md 15, 27, 44). Headless loads QtCore and no other part of
Qt, so whatever has to do with a window is imported where it is needed.
"""

from __future__ import annotations

import argparse
import contextlib
import errno
import logging
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from coven_desktop import __version__
from coven_desktop.clock import Clock, SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.desktop import single_instance
from coven_desktop.home import Home, HomeError, locate, prepare
from coven_desktop.loop.garbage import GuiGarbage, keep_what_is_there
from coven_desktop.process import FAULT, TOLD, EndOnSignal, open_log
from coven_desktop.qt.core import QCoreApplication

if TYPE_CHECKING:
    from coven_desktop.qt.widgets import QApplication
    from coven_desktop.store.errors import StoreFault
    from coven_desktop.ui.doors import RuntimeChoice
    from coven_desktop.ui.presence import Presence
    from coven_desktop.ui.shell import Shell

log = logging.getLogger(__name__)

DONE = 0


@dataclass(frozen=True)
class Options:
    """The command line, understood. `clock_start` is UTC milliseconds."""

    headless: bool
    background: bool
    home: str | None
    clock_start: int | None


def options_of(arguments: Sequence[str] | None) -> Options:
    """Parse the command line; ends the process with code 2 and a sentence when it is not understood."""
    parser = argparse.ArgumentParser(
        prog="coven-desktop", description="Recurring work of your command-line agents: run on time, and proven."
    )
    parser.add_argument("--headless", action="store_true", help="serve engine and socket, with no tray and no window")
    parser.add_argument("--background", action="store_true", help="start in the tray, with no window")
    parser.add_argument("--home", metavar="DIR", help="keep everything in DIR (or set COVEN_DESKTOP_HOME)")
    parser.add_argument(
        "--clock-start",
        metavar="INSTANT",
        help="for demo and tests: let the clock begin at INSTANT (2026-08-30T08:59:56.000Z); needs --home",
    )
    parser.add_argument("--version", action="version", version=f"coven-desktop {__version__}")
    found = parser.parse_args(arguments)
    if found.headless and found.background:
        parser.error("--headless has no window to keep in the background: use one of the two")
    clock_start = None
    if found.clock_start is not None:
        if not found.home:
            parser.error("--clock-start needs --home: a home of a shifted clock is never opened with the true one")
        try:
            clock_start = timestamps.parse(found.clock_start)
        except ValueError:
            parser.error(f"--clock-start {found.clock_start!r} is no instant; write 2026-08-30T08:59:56.000Z")
    return Options(found.headless, found.background, found.home, clock_start)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the app; returns its exit code."""
    os.umask(0o077)
    # until there is something to end in order, Ctrl-C just ends it: no traceback
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    options = options_of(arguments)
    clock = SystemClock()
    if options.clock_start is not None:
        clock = SystemClock(options.clock_start - clock.wall())
    try:
        home = locate(options.home, os.environ)
    except HomeError as error:
        return _say_fault(str(error))
    if not options.headless and not _has_display():
        return _say_fault("There is no display. Start it with --headless to serve without a window.")
    try:
        prepare(home)
        # Held for the life of the process; whoever does not get it has nothing to do here, not even in the log.
        lock = single_instance.claim(home, clock, os.environ, raise_window=not (options.headless or options.background))
        if isinstance(lock, single_instance.AlreadyRunning):
            return _say_taken(lock, options)
        open_log(home, headless=options.headless)
    except HomeError as error:
        return _say_early(str(error), options)
    except OSError as error:
        place = error.filename or f"The home {home.root}"
        advice = "Free some space" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "Move it away or mend it"
        return _say_early(f"{place} cannot be used: {error.strerror}. {advice}, then start again.", options)
    log.info("Coven Desktop %s begins, process %d, home %s", __version__, os.getpid(), home.root)
    code = serve_headless(home, clock) if options.headless else serve_window(home, clock, background=options.background)
    log.info("Coven Desktop ends with code %d", code)
    lock.release()
    return code


def sentence_of(failure: Exception, home: Home) -> str:
    """What a person is told about a failure. Faults have their own words; a mistake of ours is in the log."""
    from coven_desktop.api.socket_file import CannotServe
    from coven_desktop.house import CannotStart, HomeTaken
    from coven_desktop.store.errors import StoreFault

    if isinstance(failure, (StoreFault, CannotStart, CannotServe, HomeError, HomeTaken)):
        log.error("%s", failure, extra=TOLD)
        return str(failure)
    log.error("The app could not go on", exc_info=failure, extra=TOLD)
    return f"Coven Desktop made a mistake and cannot go on; {home.log} says more."


def _say_taken(found: single_instance.AlreadyRunning, options: Options) -> int:
    """Another app has the home: a window that comes up says it itself, and whoever sees none come is told why."""
    print(f"coven-desktop: {found.sentence}", file=sys.stderr, flush=True)
    if found.exit_code != single_instance.EXIT_RAISED and _is_seen(options):
        _show_early(found.sentence)
    return found.exit_code


def _say_early(sentence: str, options: Options) -> int:
    """A fault before anything is there."""
    _say_fault(sentence)
    if _is_seen(options):
        _show_early(sentence)
    return FAULT


def _is_seen(options: Options) -> bool:
    """Whether somebody waits for a window on a screen; at login nobody does."""
    asked = not (options.headless or options.background)
    screen = os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    return asked and bool(screen) and os.environ.get("QT_QPA_PLATFORM") not in ("offscreen", "minimal")


def _show_early(sentence: str) -> None:
    """Who starts it from a menu sees no terminal."""
    from coven_desktop.ui.questions import Choice, Question

    app = _application()
    signals = EndOnSignal(app.exit)
    box = Question(_say("Coven Desktop cannot start"), sentence, [Choice(_say("Close"), app.exit)], None)
    box.rejected.connect(app.exit)
    box.show()
    app.exec()
    signals.close()


def _say_fault(sentence: str) -> int:
    try:
        print(f"coven-desktop: {sentence}", file=sys.stderr, flush=True)
    except OSError:
        # nobody can hear it, and what is left in the buffer must not change the exit code
        os.dup2(os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC), 2)
    return FAULT


# --- headless ---------------------------------------------------------------------------------------------------------


def serve_headless(home: Home, clock: Clock) -> int:
    """Engine and socket on a QCoreApplication. Returns the exit code."""
    from coven_desktop.house import Life

    app = QCoreApplication(["coven-desktop"])
    signals = EndOnSignal(app.exit)
    life = Life(app, home, clock, windowed=False)
    life.ready.connect(lambda: _tell_where(home, clock))
    life.ready.connect(keep_what_is_there)
    try:
        life.run()
    except Exception as failure:  # noqa: BLE001 - the last place; what is no fault is logged
        return _say_fault(sentence_of(failure, home))
    finally:
        signals.close()
    return DONE


def _tell_where(home: Home, clock: Clock) -> None:
    lines = [
        "Coven Desktop serves headless.",
        f"  socket:  {home.socket}",
        f"  to stop: press Ctrl-C, or: kill {os.getpid()}",
    ]
    if clock.shift_ms:
        lines.append(f"  the clock is shifted: it says {timestamps.to_text(clock.wall())}")
    with contextlib.suppress(OSError):  # nobody has to listen
        print("\n".join(lines), flush=True)


# --- with a window ----------------------------------------------------------------------------------------------------


def _application() -> QApplication:
    """Qt's application, which says its name to the desktop and speaks its language."""
    from coven_desktop.qt.widgets import QApplication
    from coven_desktop.ui.language import speak

    app = QApplication(["coven-desktop"])
    speak(app)
    app.setApplicationName("coven-desktop")
    app.setApplicationDisplayName("Coven Desktop")
    app.setApplicationVersion(__version__)
    app.setDesktopFileName("coven-desktop")
    return app


def serve_window(home: Home, clock: Clock, *, background: bool) -> int:
    """Engine, socket, tray and window. Returns the exit code."""
    app = _application()
    # Until the window is there nothing keeps the app up, and a dialog that closes is not the end of it. Everything that
    # ends the app calls `exit`: `quit` would ask each window first, and a window may say no.
    app.setQuitOnLastWindowClosed(False)
    signals = EndOnSignal(app.exit)
    garbage = GuiGarbage()
    kept: list[Path] = []
    presence = _tray_first(clock)
    from coven_desktop.store.errors import StoreFault

    try:
        while True:
            try:
                if not _live_with_window(app, home, clock, presence, kept, background=background):
                    return DONE
                background = False
                presence = _tray_first(clock)
            except StoreFault as damage:
                _say_fault(sentence_of(damage, home))
                if not _offer_restore(damage, home):
                    return FAULT
                presence = _tray_first(clock)
    except DisplayGone:
        return _say_fault("The display is gone, and with it the window. What is recorded is whole; runs go on.")
    except Exception as failure:  # noqa: BLE001 - the last place; what is no fault is logged
        return _show_fault(sentence_of(failure, home))
    finally:
        garbage.close()
        signals.close()


class DisplayGone(Exception):
    """The screen that the window was on is there no more."""


def _tray_first(clock: Clock) -> Presence:
    """The icon in the tray, before the engine and all that it needs is even loaded: it says that it begins."""
    from coven_desktop.ui.presence import Presence
    from coven_desktop.ui.times import Times

    presence = Presence(Times(clock))
    presence.look()
    return presence


def _live_with_window(
    app: QApplication, home: Home, clock: Clock, presence: Presence, kept: list[Path], *, background: bool
) -> bool:
    """One life: the shell is made when the engine is ready, and taken down before it stops; `presence` too.

    True when the person has had a backup put in place: a new life begins on it. `kept` is where what was there before
    is now, to be told in the next life. Raises DisplayGone after it has ended in order.
    """
    from coven_desktop.backstage import settings_doors
    from coven_desktop.house import Life
    from coven_desktop.loop.gateway import EngineGateway
    from coven_desktop.qt.core import Qt
    from coven_desktop.store.errors import StoreFault
    from coven_desktop.ui.shell import Shell

    life = Life(app, home, clock, windowed=True)
    made: list[Shell] = []
    chosen: list[Path] = []
    opened: list[bool] = []
    # what is asked of the icon before there is anybody to answer
    presence.open_asked.connect(lambda: opened.append(True))
    presence.quit_asked.connect(lambda: None if made else app.exit())

    def show() -> None:
        gateway = EngineGateway(life.engine)

        def runtimes() -> list[RuntimeChoice]:
            return _runtimes(home)

        shell = Shell(gateway, home, clock, runtimes, presence=presence)
        made.append(shell)
        shell.quit_wanted.connect(app.exit)
        shell.window_shown.connect(life.engine.share)
        shell.furnish(settings_doors(home, runtimes)).restore_asked.connect(restore)
        shell.start(background=background and not opened)
        while kept:
            shell.say_restored(kept.pop().name)
        keep_what_is_there()

    def restore(backup_file: Path) -> None:
        chosen.append(backup_file)
        app.exit()

    def take_down() -> None:
        for shell in made:
            shell.close()

    def come_to_front(token: str | None) -> None:
        if token:
            os.environ["XDG_ACTIVATION_TOKEN"] = token  # Qt takes it from here and forgets it
        for shell in made:
            shell.raise_()

    def say(sentence: str | None) -> None:
        for shell in made:
            if sentence:
                shell.window.notice.say(sentence, stays=True)

    life.ready.connect(show)
    # these come from the engine's thread
    life.raise_asked.connect(come_to_front, Qt.ConnectionType.QueuedConnection)
    life.told.connect(say, Qt.ConnectionType.QueuedConnection)
    try:
        life.run(before_stop=take_down)
    finally:
        presence.close()
    if life.display_gone:
        raise DisplayGone
    if not chosen:
        return False
    try:
        kept.append(_put_in_place(chosen[0], home))
    except StoreFault as fault:
        title, step = _say("The backup was not restored"), _say("Go on without it")
        _show_fault(sentence_of(fault, home), title, step)
    return True


def _runtimes(home: Home) -> list[RuntimeChoice]:
    from coven_desktop.runtime.registry import Registry
    from coven_desktop.runtime.trial import try_out
    from coven_desktop.ui.doors import RuntimeChoice

    registry = Registry.load(home)
    specs = [spec for name in registry.names() if (spec := registry.get(name)) is not None]
    known = [
        RuntimeChoice(
            spec.name,
            spec.executable is not None,
            command=(spec.executable or spec.argv[0], *spec.argv[1:]),
            prompt=spec.prompt,
            own=spec.source != "built-in",
            try_out=partial(try_out, registry, spec.name, os.environ),
        )
        for spec in specs
    ]
    wrong = [RuntimeChoice(one.name, False, own=True, problem=one.sentence) for one in registry.problems if one.name]
    return known + wrong


def _put_in_place(chosen: Path, home: Home) -> Path:
    """Put a backup in the place of the database; where that is kept now. Raises StoreFault, with nothing changed."""
    from coven_desktop.store import backup

    kept = backup.restore(chosen, home.database)
    log.warning("The backup %s was put in place; what was there is kept as %s", chosen, kept)
    return kept


def _offer_restore(damage: StoreFault, home: Home) -> bool:
    """The damage dialog. True when the newest backup is in place now and the app may begin anew."""
    from coven_desktop.qt.widgets import QDialog
    from coven_desktop.store import backup
    from coven_desktop.ui.damage_dialog import DamageDialog

    newest = backup.newest_backup(home.backups) if damage.kind == "corrupt" else None

    dialog = DamageDialog(damage.sentence, damage.advice, newest, lambda chosen: _put_in_place(chosen, home))
    return dialog.exec() == QDialog.DialogCode.Accepted


def _show_fault(sentence: str, title: str = "", step: str = "") -> int:
    """A fault with a window to say it in: who starts it from a menu sees no terminal."""
    from coven_desktop.ui.questions import Choice, Question

    title, step = title or _say("Coven Desktop cannot start"), step or _say("Quit")
    Question(title, sentence, [Choice(step)], None).exec()
    return _say_fault(sentence)


def _say(text: str) -> str:
    return QCoreApplication.translate("Faults", text)


def _has_display() -> bool:
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


if __name__ == "__main__":
    sys.exit(main())
