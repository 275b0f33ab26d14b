"""Makes pictures of the window to look at: python tests/ui/screenshots.py FOLDER [light|dark]. Not part of the suite.

Needs a display with a window manager and, for the tray, a panel:
xvfb-run -a -s "-screen 0 1280x800x24" dbus-run-session -- \\
    sh -c 'openbox & xfce4-panel & python tests/ui/screenshots.py out'
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from coven_desktop.clock import SystemClock
from coven_desktop.contract import timestamps
from coven_desktop.desktop import tray_host
from coven_desktop.engine.commands import cancellation
from coven_desktop.engine.listing import OccurrenceRow, open_listing
from coven_desktop.engine.reads import open_reads
from coven_desktop.qt.core import QPoint
from coven_desktop.qt.gui import QColor, QPalette
from coven_desktop.qt.widgets import QApplication, QWidget
from coven_desktop.ui.cells import Cells
from coven_desktop.ui.damage_dialog import DamageDialog
from coven_desktop.ui.release_dialog import ReleaseDialog
from coven_desktop.ui.retry_dialog import RetryDialog
from coven_desktop.ui.run_now_dialog import RunNowDialog
from coven_desktop.ui.several_dialog import SeveralDialog
from coven_desktop.ui.shell import Shell
from tests.ui.desk import Desk, until

LOUD = """
for i in 1 2 3 4 5; do echo "Checking package $i of 5 …"; done
echo "warning: left-pad is deprecated" >&2
echo "3 updates found, working on them"
while true; do echo "still at it: $(date +%T)"; sleep 1; done
"""


def wait(seconds: float) -> None:
    """Turn the loop for a while: there is nothing to wait for but the eye."""
    end = time.monotonic() + seconds
    until("time has passed", lambda: time.monotonic() > end, seconds + 5)


def fill(desk: Desk) -> str:
    """Routines with some history; returns the occurrence that is running."""
    desk.routine("Daily notes", "echo 'Wrote notes for today'", rrule="FREQ=DAILY;BYHOUR=9", tags=["notes"])
    desk.routine("Dependency updates", LOUD, rrule="FREQ=WEEKLY;BYDAY=MO,TH;BYHOUR=7")
    desk.routine("Issue triage", "echo 'no login' >&2; exit 3", rrule="FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=9,17")
    desk.routine("Backup of the notes", "sleep 600", rrule="FREQ=DAILY;BYHOUR=2", timezone="Europe/Paris")
    desk.routine("Weekly review", "true", rrule="FREQ=WEEKLY;BYDAY=FR;BYHOUR=16", status="PAUSED")
    desk.routine("Release check", "true", rrule="FREQ=DAILY;BYHOUR=6,12,18", timezone="America/New_York")
    missing = {"backoffPolicy": "fixed", "backoffSeconds": 600, "retryableClasses": ["runtime_unavailable"]}
    desk.routine(
        "Changelog draft", "draft it", runtime="claude", timeoutMinutes=240, retry={**missing, "maxAttempts": 3}
    )
    desk.routine("Inbox summary", "sum it up", runtime="claude", retry={**missing, "maxAttempts": 1})
    for name in (
        "changelog-draft",
        "inbox-summary",
        "daily-notes",
        "issue-triage",
        "release-check",
        "daily-notes",
        "release-check",
    ):
        desk.run(name)
        until("it has settled", lambda: not _live(desk))
    stopped = desk.run("backup-of-the-notes")
    body = {"action": "coven.automations.occurrence.cancel.v1", "adoptionKey": "shot:stop:1", "occurrenceId": stopped}
    desk.do(cancellation.cancel_occurrence, body)
    lost = desk.run("backup-of-the-notes")
    _kill_host(desk, lost)
    until("the loss is seen", lambda: not _live(desk))
    return desk.run("dependency-updates")


def _live(desk: Desk) -> list[str]:
    with closing(open_reads(desk.home, desk.clock)) as reads:
        return [run.occurrence_id for run in reads.state_summary().running]


def _kill_host(desk: Desk, occurrence_id: str) -> None:
    """Kill the session's host and its command: nobody is left who could write evidence."""
    with closing(open_listing(desk.home)) as listing:

        def command() -> int | None:
            detail = listing.run_detail(occurrence_id)
            return detail.attempts[-1].pid if detail is not None and detail.attempts else None

        pid = until("the command runs", command)
    host = psutil.Process(pid)
    for each in (host, *host.children(recursive=True)):
        with suppress(psutil.NoSuchProcess):
            each.kill()


def _undecided(cells: Cells) -> bool:
    return isinstance(cells.row, OccurrenceRow) and cells.row.state == "recovery_required"


def _held(cells: Cells) -> bool:
    return isinstance(cells.row, OccurrenceRow) and cells.row.phase == "held" and not cells.row.quarantined


def shot(widget: QWidget, path: Path) -> None:
    """Grab one window as it is drawn."""
    widget.grab().save(str(path))
    print(path)


def screen(path: Path) -> None:
    """Grab the whole screen, popups and panel included."""
    subprocess.run(["import", "-window", "root", str(path)], check=True)
    print(path)


def take(shell: Shell, desk: Desk, occurrence: str, out: Path, name: str) -> None:
    """All pictures of one colour scheme."""
    window = shell.window
    window.tabs.setCurrentIndex(0)
    until("rows are there", lambda: window.routines.model.rowCount() > 0)
    window.routines.table.selectRow(1)
    wait(0.5)
    shot(window, out / f"{name}-routines.png")
    window.tabs.setCurrentIndex(1)
    wait(0.4)
    window.occurrences.table.selectRow(0)
    wait(0.2)
    shot(window, out / f"{name}-occurrences.png")
    for place, page in ((2, "attention"), (3, "activity")):
        window.tabs.setCurrentIndex(place)
        wait(0.4)
        shot(window, out / f"{name}-{page}.png")
    window.show_routine("issue-triage")
    window.rows.page_asked.emit("issue-triage")
    wait(0.6)
    shot(window, out / f"{name}-page.png")
    window.close_panel()
    window.tabs.setCurrentIndex(1)
    wait(0.2)
    shell.deciding.show_run(occurrence)
    wait(1.2)
    shot(shell.deciding.runs[occurrence], out / f"{name}-run.png")
    shell.deciding.runs[occurrence].close()
    lost = next(cells for row in range(9) if (cells := window.occurrences.model.cells_at(row)) and _undecided(cells))
    shell.deciding.decide(lost.id)
    wait(0.5)
    screen(out / f"{name}-decide.png")
    shell.deciding.runs[lost.id].close()
    held = next(cells for row in range(12) if (cells := window.occurrences.model.cells_at(row)) and _held(cells))
    shell.deciding.decide(held.id)
    wait(0.5)
    shot(shell.deciding.runs[held.id], out / f"{name}-held.png")
    shot(shell.deciding.runs[held.id].findChildren(RetryDialog)[0], out / f"{name}-retry.png")
    shell.deciding.runs[held.id].close()
    for automation_id in ("daily-notes", "inbox-summary", "weekly-review"):
        shell.deciding.ask_run(automation_id)
        wait(0.4)
        start = next(top for top in QApplication.topLevelWidgets() if isinstance(top, RunNowDialog) and top.isVisible())
        shot(start, out / f"{name}-run-now-{automation_id}.png")
        start.close()
    shell.deciding.several.retry([held.id, lost.id, occurrence])
    wait(0.3)
    several = next(top for top in QApplication.topLevelWidgets() if isinstance(top, SeveralDialog) and top.isVisible())
    shot(several, out / f"{name}-several.png")
    several.close()
    shell.deciding.ask_release("inbox-summary")
    wait(0.3)
    release = next(top for top in QApplication.topLevelWidgets() if isinstance(top, ReleaseDialog))
    shot(release, out / f"{name}-release.png")
    release.close()
    shell.forms.edit("backup-of-the-notes")
    wait(0.6)
    form = shell.forms.shown[0]
    form.inputs.prompt.setPlainText("restic backup ~/notes")
    wait(0.4)
    shot(form, out / f"{name}-form.png")
    form.inputs.more.setChecked(True)
    form.inputs.retry.attempts.setValue(3)
    form.inputs.zone.setEditText("Europe/Pariss")
    form.inputs.folder.setText("~/notes")
    form.inputs.folder.textEdited.emit("~/notes")
    wait(0.4)
    shot(form, out / f"{name}-form-refused.png")
    form.done(0)
    shell.acts.delete("weekly-review", "Weekly review")
    window.tabs.setCurrentIndex(0)
    wait(0.4)
    shot(window, out / f"{name}-undo.png")
    shell.acts.undo()
    shell.deciding.ask_stop(occurrence, "Dependency updates")
    wait(0.3)
    screen(out / f"{name}-stop.png")
    for top in QApplication.topLevelWidgets():
        if top is not window and top.isVisible():
            top.close()
    if shell.presence.tray is not None:
        window.hide()
        wait(0.5)
        shell.presence.tray.menu.menu.popup(QPoint(700, 60))
        wait(0.3)
        for action in shell.presence.tray.menu.menu.actions():
            if action.menu() is not None:
                shell.presence.tray.menu.menu.setActiveAction(action)
                break
        wait(0.5)
        screen(out / f"{name}-tray.png")
        shell.presence.tray.menu.menu.close()


def dark_palette() -> QPalette:
    """What a dark desktop hands to its applications."""
    palette = QPalette(QColor("#32353a"), QColor("#292c30"))
    role = QPalette.ColorRole
    for which, shade in (
        (role.Base, "#232629"),
        (role.AlternateBase, "#2a2e32"),
        (role.Text, "#eff0f1"),
        (role.WindowText, "#eff0f1"),
        (role.ButtonText, "#eff0f1"),
        (role.Highlight, "#2f7fb5"),
        (role.HighlightedText, "#ffffff"),
        (role.PlaceholderText, "#9aa0a6"),
    ):
        palette.setColor(which, QColor(shade))
    for which in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor("#7a7e83"))
    return palette


def main() -> None:
    """Make the pictures."""
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    os.environ["TZ"] = "America/New_York"
    app = QApplication(sys.argv[:1])
    app.setStyle("Fusion")
    shift = timestamps.parse("2027-03-25T09:12:00Z") - SystemClock().wall()
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder, "home"), shift_ms=shift)
        shell = desk.shell()
        shell.start()
        wait(0.8)
        shot(shell.window, out / "empty.png")
        running = fill(desk)
        if tray_host.present():
            until("the tray is there", lambda: shell.presence.tray is not None)
        for name, palette in (("light", app.palette()), ("dark", dark_palette())):
            if len(sys.argv) > 2 and sys.argv[2] != name:
                continue
            app.setPalette(palette)
            wait(0.3)
            shell.raise_()
            take(shell, desk, running, out, name)
        damage = DamageDialog(
            "The database /home/you/.local/share/coven-desktop/coven.sqlite3 is damaged.",
            "Nothing in it was changed. Restore the newest backup; the damaged file is kept beside it.",
            desk.home.database,
            lambda path: path,
        )
        damage.show()
        wait(0.3)
        shot(damage, out / "damage.png")
        damage.close()
        shell.acts.stop(running)
        until("the stop is known", lambda: (stop := shell.acts.stop_of(running)) and stop.progress != "asked", 30)
        desk.close()


if __name__ == "__main__":
    main()
