"""An app that launches one session and is then at the mercy of whoever started it.

Usage: small_app.py HOME SESSION CWD. The prompt comes on stdin, everything; then it says `ready` and launches. It says
`started` when the command is executed, and runs on until it is killed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from coven_desktop.home import Home
from coven_desktop.runtime.registry import Registry
from coven_desktop.runtime.sessions import LaunchSpec, ProcessRuntime
from tests.runtime.real_loop import RealLoop


def main() -> None:
    home, session_id, cwd = Home(Path(sys.argv[1])), sys.argv[2], sys.argv[3]
    loop = RealLoop()
    runtime = ProcessRuntime(home, Registry.load(home), loop, loop.clock)
    deadline = loop.clock.wall() + 3_600_000
    prompt = sys.stdin.read()
    spec = LaunchSpec(session_id, "attempt", "run", "notes", "quick", None, prompt, cwd, {}, None, deadline)
    print("ready", flush=True)
    runtime.launch(
        spec,
        started=lambda report: print("started", flush=True),
        refused=lambda refusal: print(refusal.message, flush=True),
        ended=lambda report: print("ended", flush=True),
    )
    loop.run_until(lambda: False, 60_000)


if __name__ == "__main__":
    main()
