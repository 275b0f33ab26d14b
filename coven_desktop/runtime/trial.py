"""Does a runtime's command start here? It is asked for its version, with the environment a run would get.

Of the built-in runtimes it is known that asking does nothing. What a person's own command does with an argument is not
known: of those only the file is looked at, and nothing is started.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from coven_desktop.runtime import probe
from coven_desktop.runtime.environment import environment
from coven_desktop.runtime.probe import is_executable
from coven_desktop.runtime.registry import Registry, RuntimeSpec

TIMEOUT_S = 15.0
"""How long the command may take; some agents look for a newer version first."""
OUTPUT_LIMIT = 8_000

_SHELL_WORKS = "echo it works"

Verdict = Literal["works", "there", "not_found", "unknown", "failed", "too_slow"]


@dataclass(frozen=True)
class Trial:
    """How it went. `command` is what was started, empty when nothing was; `output` what it printed, cut short.

    `there`: the file can be executed, and was not. `failed`: it ended with `exit_code`, or could not be started.
    """

    verdict: Verdict
    command: tuple[str, ...] = ()
    output: str = ""
    exit_code: int | None = None


def try_out(registry: Registry, name: str, environ: Mapping[str, str], timeout_s: float = TIMEOUT_S) -> Trial:
    """Try one runtime. Blocks until the command ends, `timeout_s` at most: never on a thread that must answer."""
    spec = registry.get(name)
    if spec is None:
        return Trial("unknown")
    if spec.executable is None or not is_executable(spec.executable):
        return Trial("not_found")
    asked = question(spec)
    if asked is None:
        return Trial("there")
    env = environment(
        environ,
        registry.login_path,
        spec.env,
        {},
        executable=spec.executable,
        familiar_id=None,
        automation_id="trial",
        run_id="trial",
        session_id="trial",
    )
    return _run((spec.executable, *asked), env, timeout_s)


def try_version(command: str, environ: Mapping[str, str], timeout_s: float = TIMEOUT_S) -> Trial:
    """Start a command by its path or its name with `--version`, as a person has asked for. Blocks as `try_out`."""
    found = probe.find_command(command, None, environ.get("PATH"))
    if found is None:
        return Trial("not_found")
    env = environment(
        environ,
        None,
        {},
        {},
        executable=found,
        familiar_id=None,
        automation_id="trial",
        run_id="trial",
        session_id="trial",
    )
    return _run((found, "--version"), env, timeout_s)


def question(spec: RuntimeSpec) -> tuple[str, ...] | None:
    """The arguments that make a command say that it works and do nothing; None when none are known."""
    if spec.source != "built-in":
        return None
    return ("-c", _SHELL_WORKS) if spec.name == "shell" else ("--version",)


def _run(command: tuple[str, ...], env: Mapping[str, str], timeout_s: float) -> Trial:
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=os.path.expanduser("~") if os.path.isdir(os.path.expanduser("~")) else "/",
            env=dict(env),
            start_new_session=True,
        )
    except OSError as error:
        return Trial("failed", command, error.strerror or str(error))
    try:
        printed, _ = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired:
        _end(process)
        printed, _ = _rest(process)
        return Trial("too_slow", command, _text(printed))
    # what it left behind in its session keeps nothing of ours open
    verdict: Verdict = "works" if process.returncode == 0 else "failed"
    return Trial(verdict, command, _text(printed), process.returncode)


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        process.kill()


def _rest(process: subprocess.Popen[bytes]) -> tuple[bytes, None]:
    """What was printed until it was ended; not waited for long, a grandchild may hold the pipe."""
    try:
        printed, _ = process.communicate(timeout=1.0)
    except subprocess.TimeoutExpired as late:
        printed = late.stdout or b""
        if process.stdout is not None:
            process.stdout.close()
    return printed, None


def _text(printed: bytes) -> str:
    text = printed[:OUTPUT_LIMIT].decode("utf-8", "replace").strip()
    return text if len(printed) <= OUTPUT_LIMIT else text + "…"
