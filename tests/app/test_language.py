"""The process speaks the language of the desktop, from its first window on."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from coven_desktop.home import Home, prepare

SCREEN = {} if os.environ.get("DISPLAY") else {"QT_QPA_PLATFORM": "offscreen"}

# The real app, whose database is damaged: what its first window says, and Quit.
READ = """
    import sys
    from coven_desktop.app import main
    from coven_desktop.qt.core import QTimer
    import coven_desktop.ui.damage_dialog as place

    class Read(place.DamageDialog):
        def exec(self):
            print(self.text.text(), self.quit_button.text(), sep="\\n", file=sys.stdout, flush=True)
            QTimer.singleShot(0, self.quit_button.click)
            return super().exec()

    place.DamageDialog = Read
    sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("de", ["Von hier aus lässt sich nichts wiederherstellen. Nichts wurde geändert.", "&Beenden"]),
        ("fr:de", ["Von hier aus lässt sich nichts wiederherstellen. Nichts wurde geändert.", "&Beenden"]),
        ("en:de", ["There is nothing to restore from here. Nothing was changed.", "&Quit"]),
    ],
)
def test_the_first_window_is_in_the_language_of_the_desktop(tmp_path: Path, language: str, said: list[str]) -> None:
    home = Home(tmp_path / "home")
    prepare(home)
    home.database.write_bytes(b"no database any more\n" * 500)
    script = tmp_path / "person.py"
    script.write_text(textwrap.dedent(READ))
    done = subprocess.run(
        [sys.executable, str(script), "--home", str(home.root)],
        env={**os.environ, **SCREEN, "LC_ALL": "C.UTF-8", "LANGUAGE": language},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 3, done.stderr
    found = done.stdout.splitlines()
    assert said[1] in found
    assert any(line.endswith(said[0]) for line in found), found
