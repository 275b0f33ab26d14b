"""Makes pictures of settings and first run: python tests/ui/settings_screenshots.py FOLDER. Not part of the suite.

Needs a display; QT_SCALE_FACTOR=2 makes those of 200 %.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from coven_desktop.engine.commands.configuring import back_up
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.qt.widgets import QApplication, QWidget
from coven_desktop.ui.settings.crontab_dialog import CrontabDialog
from coven_desktop.ui.settings.data_page import DataPage
from coven_desktop.ui.settings.first_run import FirstRun
from coven_desktop.ui.settings.import_dialog import ImportDialog
from coven_desktop.ui.settings.runtime_editor import RuntimeEditor
from coven_desktop.ui.settings.runtimes_page import RuntimesPage
from coven_desktop.ui.settings.secrets_page import SecretDialog, SecretsPage
from coven_desktop.ui.texts import Tone
from tests.ui.desk import Desk, until
from tests.ui.settings_house import Rooms

RUNTIMES = """[notes]
argv = ["my-agent", "--file", "{prompt_file}"]
secrets = ["GITHUB_TOKEN"]
"""
CRONTAB = """# what is new
MAILTO=ada@example.org
30 7 * * mon-fri cd ~/notes && make today
CRON_TZ=Europe/Paris
LEVEL=brief
0 9 1 * * backup --all --to /srv/backups/of/this/machine --and-tell-me >/dev/null 2>&1
*/5 * * * * mail-fetch%password from the keyring
@daily rotate-logs
0 22-2 * * * watch the night
"""


def shot(widget: QWidget, out: Path, name: str) -> None:
    """Grab one window as it is drawn."""
    QCoreApplication.processEvents()
    widget.grab().save(str(out / f"{name}.png"))


def looked(rooms: Rooms) -> bool:
    """Whether every check of the doctor has said something."""
    return all(row.lines and row.tone is not Tone.BUSY for row in rooms.room.checkup.rows.values())


def take(rooms: Rooms, scheme: str, out: Path, folder: Path) -> None:
    """All pictures of one colour scheme."""
    rooms.room.keeper.change(theme=scheme)
    until("it is so", lambda: rooms.room.keeper.current.theme == scheme)
    rooms.room.open()
    rooms.room.checkup.look()
    until("the doctor has looked", lambda: looked(rooms), 60)
    secrets = rooms.page(SecretsPage)
    until("the keyring is told", lambda: "Looking" not in secrets.keyring.sentence)
    for page in rooms.window.pages:
        rooms.window.turn_to(type(page))
        if isinstance(page, RuntimesPage):
            until("they are listed", lambda page=page: page.table.rowCount() > 5)  # type: ignore[misc]
            page.test.click()
            until("it is tested", lambda page=page: "works" in page.state.sentence)  # type: ignore[misc]
        elif isinstance(page, SecretsPage):
            until("the keyring is told", lambda: "Looking" not in secrets.keyring.sentence)
        shot(rooms.window, out, f"{scheme}-{page.title.lower().replace(' ', '-')}")
    runtimes = rooms.page(RuntimesPage)
    runtimes.add.click()
    editor = rooms.dialog(RuntimeEditor)
    editor.name.setText("mine")
    editor.command.setText("./relative")
    editor.save.click()
    until("it is refused", editor.save.isEnabled)
    shot(editor, out, f"{scheme}-runtime-editor")
    editor.close()
    rooms.page(SecretsPage).add.click()
    secret = rooms.dialog(SecretDialog)
    shot(secret, out, f"{scheme}-secret")
    secret.close()
    data = rooms.page(DataPage)
    path = folder / "export.json"
    data.export_to(path)
    until("it is written", lambda: str(path) in data.carried.sentence)
    document = json.loads(path.read_text())
    (mine,) = document["routines"]
    other = {**mine, "definition": {**mine["definition"], "id": "other", "name": "Another"}}
    mine["definition"]["prompt"] = "echo hello\necho world"
    path.write_text(json.dumps({**document, "routines": [mine, other]}))
    data.import_from(path)
    dialog = rooms.dialog(ImportDialog)
    shot(dialog, out, f"{scheme}-import")
    dialog.close()
    table = folder / "crontab"
    table.write_text(CRONTAB)
    data.import_crontab_from(table)
    lines = rooms.dialog(CrontabDialog)
    lines.table.setCurrentCell(4, 0)
    shot(lines, out, f"{scheme}-crontab")
    lines.close()
    first = FirstRun(rooms.room.checkup, rooms.doors, rooms.desk.gateway)
    first.show()
    until("it has looked", lambda: looked(rooms), 60)
    shot(first, out, f"{scheme}-first-run")
    first.close()


def main() -> None:
    """Make the pictures."""
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ |= {"TZ": "America/New_York", "XDG_CONFIG_HOME": str(folder / "config"), "SHELL": "/bin/sh"}
        QApplication(sys.argv[:1])
        desk = Desk(folder / "home")
        rooms = Rooms(desk)
        rooms.home.runtimes.write_text(RUNTIMES)
        desk.routine("Daily notes")
        desk.ask(back_up, {})
        for scheme in ("light", "dark"):
            take(rooms, scheme, out, folder)
        rooms.close()
        desk.close()


if __name__ == "__main__":
    main()
