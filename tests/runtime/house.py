"""A home with real sessions in it, and the questions tests ask about them."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from coven_desktop.home import Home, prepare
from coven_desktop.runtime import output_log
from coven_desktop.runtime.evidence import Evidence
from coven_desktop.runtime.registry import Registry
from coven_desktop.runtime.sessions import Ended, LaunchRefused, LaunchSpec, ProcessRuntime, Started, Stopped
from tests.runtime.real_loop import RealLoop

HOUR_MS = 3_600_000
QUICK_RUNTIMES = """
[quick]
argv = ["/bin/sh", "{prompt_file}"]
graceSeconds = 0.4
lingerSeconds = 0.3
outputLimitBytes = 65536

[reader]
argv = ["/bin/cat"]
lingerSeconds = 0.3

[argument]
argv = ["/bin/echo", "{prompt}", "{cwd}", "--model={model}"]
"""


class Watched:
    """What was told of one launch."""

    def __init__(self, session_id: str) -> None:
        self.id = session_id
        self.started: list[Started] = []
        self.refused: list[LaunchRefused] = []
        self.ended: list[Ended] = []
        self.stopped: list[Stopped] = []

    @property
    def evidence(self) -> Evidence:
        """The evidence of a session that ended."""
        evidence = self.ended[0].evidence
        assert evidence is not None
        return evidence


class House:
    """A home, a registry, a loop and a runtime; `again` is the next app on the same home."""

    _numbers = itertools.count(1)

    def __init__(self, root: Path, shift_ms: int = 0, environ: Mapping[str, str] | None = None) -> None:
        self.home = Home(root / "home")
        prepare(self.home)
        self.home.runtimes.write_text(QUICK_RUNTIMES)
        self.work = root / "work"
        self.work.mkdir(exist_ok=True)
        self.loop = RealLoop(shift_ms)
        self.registry = Registry.load(self.home, environ)
        self.runtime = ProcessRuntime(self.home, self.registry, self.loop, self.loop.clock)

    def close(self) -> None:
        """End what still runs, then forget everything."""
        for folder in self.home.sessions.iterdir():
            if self.runtime.find(folder.name)[0] == "alive":
                self.stop(Watched(folder.name))
        self.runtime.close()
        self.registry.close()
        self.loop.close()

    def again(self) -> None:
        """As after a restart of the app: nothing is watched any more."""
        self.runtime.close()
        self.runtime = ProcessRuntime(self.home, self.registry, self.loop, self.loop.clock)

    def spec(self, prompt: str, runtime: str = "quick", **changes: object) -> LaunchSpec:
        """A launch of a shell script (or another prompt) with an hour's time."""
        number = next(self._numbers)
        values: dict[str, object] = {
            "session_id": f"session-{os.getpid():016x}{number:016x}",
            "attempt_id": f"attempt-run-{number}-1",
            "run_id": f"run-{number}",
            "automation_id": "notes",
            "runtime": runtime,
            "model": None,
            "prompt": prompt,
            "cwd": str(self.work),
            "environment": {},
            "familiar_id": None,
            "deadline": self.loop.clock.wall() + HOUR_MS,
        }
        return LaunchSpec(**(values | changes))  # type: ignore[arg-type]  # the names above are those of the fields

    def launch(self, spec: LaunchSpec) -> Watched:
        """Launch, and wait for nothing."""
        watched = Watched(spec.session_id)
        self.runtime.launch(
            spec, started=watched.started.append, refused=watched.refused.append, ended=watched.ended.append
        )
        return watched

    def start(self, spec: LaunchSpec) -> Watched:
        """Launch, and wait until the command is executed."""
        watched = self.launch(spec)
        self.loop.run_until(lambda: bool(watched.started or watched.refused))
        assert not watched.refused, watched.refused[0].message
        return watched

    def run(self, prompt: str, runtime: str = "quick", **changes: object) -> Watched:
        """Launch, and wait until it has ended."""
        watched = self.start(self.spec(prompt, runtime, **changes))
        self.wait(lambda: bool(watched.ended))
        return watched

    def finish(self, watched: Watched) -> None:
        """Wait until a launch came to whatever end."""
        self.wait(lambda: bool(watched.refused or watched.ended))

    def wait_until_gone(self, session_id: str) -> None:
        """Wait until nothing of a session runs."""
        self.wait(lambda: not self.alive(session_id))

    def stop(self, watched: Watched) -> Stopped:
        """Stop, and wait for the answer."""
        self.runtime.stop(watched.id, stopped=watched.stopped.append)
        self.wait(lambda: bool(watched.stopped))
        return watched.stopped[-1]

    def refusal(self, prompt: str = "true", runtime: str = "quick", **changes: object) -> LaunchRefused:
        """Launch what cannot be launched."""
        watched = self.launch(self.spec(prompt, runtime, **changes))
        self.wait(lambda: bool(watched.refused))
        assert not watched.started
        return watched.refused[0]

    def wait(self, condition: Callable[[], bool], limit_ms: int = 20_000) -> None:
        """Run the loop until the condition holds."""
        self.loop.run_until(condition, limit_ms)

    def output(self, watched: Watched) -> str:
        """Everything the session printed, as far as it is kept."""
        records, _ = output_log.read(self.home.session(watched.id).output, at_most=1 << 30)
        return output_log.text(records)

    def host(self, session_id: str) -> int | None:
        """The session's host, from the moment it is a process."""
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                if b"-I" in words and session_id.encode() in words:
                    return int(entry.name)
        return None

    def alive(self, session_id: str) -> set[int]:
        """The processes that carry this session's id in their environment: everything the command started."""
        mark = f"COVEN_SESSION_ID={session_id}".encode()
        found = set()
        for entry in Path("/proc").iterdir():
            if entry.name.isdecimal():
                try:
                    if mark in (entry / "environ").read_bytes().split(b"\0"):
                        found.add(int(entry.name))
                except OSError:
                    continue
        return found
