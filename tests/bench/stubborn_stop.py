"""Stop a run that does everything not to be stopped, and look whether anything of it is left.

    python tests/bench/stubborn_stop.py [--grace SECONDS]

The command ignores SIGTERM, starts a child in a session of its own that ignores it too and has a child again, and all
of them flood the output. Prints JSON: how long the cancellation took from the request to its answer (the grace is part
of it), what was recorded when, what /proc still shows of the run, and how large the log became against its bound.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import uuid
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from coven_desktop.contract import timestamps
from tests.rig import App, processes_of, routine, rows, until

LIMIT_BYTES = 1 << 20

PROMPT = """\
trap "" TERM INT HUP
deaf='trap "" TERM INT HUP; while :; do echo noise; done'
setsid sh -c "sh -c '$deaf' & $deaf" &
while :; do echo "a flood of output that nobody will ever read to its end"; done
"""

RUNTIME = """\
[stubborn]
argv = ["/bin/sh", "{{prompt_file}}"]
graceSeconds = {grace}
outputLimitBytes = {limit}
"""


@dataclass(frozen=True)
class Stopped:
    """What was seen. Times are milliseconds, sizes bytes."""

    status: str
    took_ms: int
    grace_ms: int
    stop_reason: str | None
    quiescent: bool
    ended_before_recorded_ms: int
    left: list[str]
    output_file_bytes: int
    output_limit_bytes: int
    output_total_bytes: int


def stop_stubborn(folder: Path, grace_seconds: int) -> Stopped:
    """Run the stubborn command in a new home, cancel it once it floods, and say what became of it."""
    home = folder / "home"
    home.mkdir(mode=0o700)
    (home / "runtimes.toml").write_text(RUNTIME.format(grace=grace_seconds, limit=LIMIT_BYTES))
    with App(home) as app:
        app.ready()
        app.act("create", definition=routine("stubborn", PROMPT, folder, status="PAUSED", runtime="stubborn"))
        run = app.act("run", id="stubborn")
        session = app.home.session(run["sessionId"])
        until("it floods", lambda: session.output.exists() and session.output.stat().st_size > LIMIT_BYTES // 2)
        until("all four are there", lambda: len(_processes(app, run)) >= 4)

        occurrence = app.act("runs", id="stubborn")["runs"][0]["occurrenceId"]
        began = time.monotonic()
        answer = app.act("occurrence.cancel.v1", adoptionKey=f"bench:{uuid.uuid4()}", occurrenceId=occurrence)
        took_ms = round((time.monotonic() - began) * 1000)

        left = _processes(app, run)
        evidence = json.loads(session.evidence.read_bytes())
        (event,) = [
            found
            for row in rows(app.home, "SELECT body FROM events WHERE kind = 'occurrence.transitioned'")
            if (found := json.loads(row["body"]))["payload"]["to"] == "cancelled"
        ]
        recorded = timestamps.parse(event["recordedAt"]) - timestamps.parse(evidence["endedAt"])
        app.end()
    return Stopped(
        status=answer["status"],
        took_ms=took_ms,
        grace_ms=grace_seconds * 1000,
        stop_reason=evidence["stopReason"],
        quiescent=evidence["quiescent"],
        ended_before_recorded_ms=recorded,
        left=left,
        output_file_bytes=session.output.stat().st_size,
        output_limit_bytes=LIMIT_BYTES,
        output_total_bytes=evidence["outputBytes"],
    )


def _processes(app: App, run: dict[str, Any]) -> list[str]:
    """Host and command, child and grandchild; not the app itself."""
    found = processes_of(app.home, run["sessionId"])
    return [line for line in found if not line.startswith(f"{app.process.pid}:")]


def main() -> int:
    """Print what was seen; exit code 0 if the stop was proven and nothing is left."""
    parser = argparse.ArgumentParser(description="Stop a run that does not want to be stopped.")
    parser.add_argument("--grace", type=int, default=10, help="seconds from SIGTERM to SIGKILL (10)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="coven-desktop-stop-", ignore_cleanup_errors=True) as folder:
        seen = stop_stubborn(Path(folder), options.grace)
    print(json.dumps(asdict(seen)))
    return 0 if seen.status == "cancelled" and not seen.left else 1


if __name__ == "__main__":
    sys.exit(main())
