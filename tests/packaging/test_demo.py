"""`packaging/run --demo`, once the environment is there: every step is shown, in order, and nothing stays behind."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

STEPS = [
    *("serving", "created", "planned", "claimed", "dispatched", "started"),
    *("output", "evidence", "settled", "gone", "stopped"),
]


def test_shows_every_step_in_order_and_leaves_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path), "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    done = subprocess.run(
        [sys.executable, str(ROOT / "packaging" / "demo.py")],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    shown = re.findall(r"^\d\d:\d\d:\d\d\.\d{3}  (\w+)", done.stdout, re.MULTILINE)
    assert list(dict.fromkeys(shown)) == STEPS
    assert '"outcome": "exited"' in done.stdout
    assert list(tmp_path.iterdir()) == []
