"""The runtimes a routine can name: built in, or the person's own from `runtimes.toml` (design/decisions.md 42).

A runtime is data: an argv template, how the prompt gets to the command, and its limits. Where the command lies comes
from the last probe (`probe.py`); an absolute path is used as it stands.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

from coven_desktop.clock import Loop
from coven_desktop.home import Home
from coven_desktop.runtime import probe, runtimes_file
from coven_desktop.runtime.runtimes_file import PromptForm

_log = logging.getLogger(__name__)

DEFAULT_GRACE_MS = 10_000
DEFAULT_LINGER_MS = 2_000
DEFAULT_OUTPUT_LIMIT = 10 * (1 << 20)
_SEARCH_PAUSE_MS = 60_000
_NO_ENVIRONMENT: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class RuntimeSpec:
    """One runtime. Durations are milliseconds, the output limit bytes.

    `argv` may contain {prompt_file}, {prompt}, {cwd} and {model}; what contains {model} is left out when the routine
    names none, and `model_argv` is added only when it does. `secrets` are names in the keyring. `verified` says against
    what version of the command this was checked, "unverified" that it could not be; None for the person's own.
    """

    name: str
    argv: tuple[str, ...]
    prompt: PromptForm
    model_argv: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=lambda: _NO_ENVIRONMENT)
    secrets: tuple[str, ...] = ()
    grace_ms: int = DEFAULT_GRACE_MS
    linger_ms: int = DEFAULT_LINGER_MS
    output_limit: int = DEFAULT_OUTPUT_LIMIT
    executable: str | None = None
    source: Literal["built-in", "runtimes.toml"] = "built-in"
    verified: str | None = None

    def arguments(self, *, prompt: str, prompt_file: str, cwd: str, model: str | None) -> list[str]:
        """The command line, its first word as the template has it."""
        values = {"{prompt_file}": prompt_file, "{prompt}": prompt, "{cwd}": cwd, "{model}": model or ""}
        template = self.argv + (self.model_argv if model is not None else ())
        return [_filled(word, values) for word in template if model is not None or "{model}" not in word]


_BUILT_IN = (
    RuntimeSpec("shell", ("/bin/sh", "{prompt_file}"), "file", verified="POSIX sh"),
    RuntimeSpec(
        "coven-code", ("coven-code", "-p"), "stdin", ("--model", "{model}"),
        verified="unverified: no package to install for a look",
    ),
    RuntimeSpec(
        "claude", ("claude", "-p"), "stdin", ("--model", "{model}"),
        verified="--help of Claude Code 2.1.197, 2026-11-30",
    ),
    RuntimeSpec(
        "codex", ("codex", "exec", "-"), "stdin", ("--model", "{model}"),
        verified="--help of codex-cli 0.171.0, 2026-11-30",
    ),
    RuntimeSpec(
        "copilot", ("copilot", "-p", "{prompt}"), "argument", ("--model", "{model}"),
        verified="--help of GitHub Copilot CLI 1.0.102, 2026-11-30; tools need COPILOT_ALLOW_ALL in its environment",
    ),
)  # fmt: skip


class Registry:
    """The runtimes of one home, as they stood at the last `refresh` or `keep_up`.

    `problems` says what is wrong in runtimes.toml; the runtimes it names are not known until it is mended.
    """

    def __init__(self, home: Home, environ: Mapping[str, str] | None = None) -> None:
        self._home = home
        self._environ = os.environ if environ is None else environ
        self._specs: dict[str, RuntimeSpec] = {}
        self._search: probe.Aside | None = None
        self._searched_at: int | None = None
        self._file: tuple[int, int, int] | None = None
        self.login_path: str | None = None
        self.problems: tuple[runtimes_file.Problem, ...] = ()

    @classmethod
    def load(cls, home: Home, environ: Mapping[str, str] | None = None) -> Registry:
        """The registry of a home; `environ` is the app's own environment."""
        registry = cls(home, environ)
        registry.refresh()
        return registry

    @property
    def environ(self) -> Mapping[str, str]:
        """The app's own environment, from which runs get the allow-list."""
        return self._environ

    def get(self, name: str) -> RuntimeSpec | None:
        """The runtime of this name, or None when it is not known. Its executable is None when it was not found."""
        return self._specs.get(name)

    def problem(self, name: str) -> str | None:
        """What is wrong with the person's own runtime of this name, as a sentence."""
        return next((found.sentence for found in self.problems if found.name == name), None)

    def names(self) -> tuple[str, ...]:
        """All names, built-in ones first."""
        return tuple(self._specs)

    def commands(self) -> tuple[str, ...]:
        """The commands a probe has to look for."""
        return tuple(dict.fromkeys(spec.argv[0] for spec in self._specs.values()))

    def refresh(self) -> None:
        """Read `runtimes.toml` and the stored probe again; what is wrong in the file leaves the rest alone."""
        self._file = self._file_now()  # before the file is read: what is written meanwhile is then read again
        own, problems = runtimes_file.read(self._home.runtimes)
        found = probe.load(self._home)
        self.login_path = None if found is None else found.login_path
        known = {} if found is None else found.found
        specs = {spec.name: spec for spec in _BUILT_IN}
        specs.update((entry.name, _own(entry)) for entry in own)
        for problem in problems:
            specs.pop(problem.name or "", None)
        self._specs = {
            name: replace(spec, executable=self._locate(spec.argv[0], known)) for name, spec in specs.items()
        }
        self.problems = tuple(problems)

    def keep_up(self) -> None:
        """Refresh when `runtimes.toml` is not what it was at the last refresh: the person edits it while we run."""
        if self._file_now() != self._file:
            self.refresh()

    def search(self, loop: Loop) -> None:
        """Probe the login shell aside, keep what it says and refresh. At start, and when a command was not found.

        Asked again while one is under way, or within a minute of the last, it does nothing.
        """
        now = time.monotonic_ns() // 1_000_000
        if self._search is not None or (self._searched_at is not None and now < self._searched_at + _SEARCH_PAUSE_MS):
            return
        self._searched_at = now

        def done(result: probe.ProbeResult) -> None:
            self._search = None
            if result.problem is not None:
                _log.info("%s", result.problem)
            if result.login_path is not None or probe.load(self._home) is None:
                try:
                    probe.store(self._home, result)
                except OSError as error:
                    _log.info("what the login shell said cannot be kept: %s", error)
            self.refresh()

        self._search = probe.Aside(self.commands(), self._environ, loop, done)

    def close(self) -> None:
        """Give up a search under way."""
        if self._search is not None:
            self._search.cancel()
            self._search = None

    def _file_now(self) -> tuple[int, int, int] | None:
        try:
            found = os.stat(self._home.runtimes)
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _locate(self, command: str, known: Mapping[str, str]) -> str | None:
        """An absolute path stands for itself; a name is where the probe found it, else where we would find it now."""
        if os.path.isabs(command):
            return command
        told = known.get(command)
        if told is not None and probe.is_executable(told):
            return told
        return probe.find_command(command, self.login_path, self._environ.get("PATH"))


def _own(entry: runtimes_file.Entry) -> RuntimeSpec:
    return RuntimeSpec(
        name=entry.name,
        argv=entry.argv,
        prompt=entry.prompt,
        model_argv=entry.model_argv,
        env=entry.env,
        secrets=entry.secrets,
        grace_ms=DEFAULT_GRACE_MS if entry.grace_ms is None else entry.grace_ms,
        linger_ms=DEFAULT_LINGER_MS if entry.linger_ms is None else entry.linger_ms,
        output_limit=DEFAULT_OUTPUT_LIMIT if entry.output_limit is None else entry.output_limit,
        source="runtimes.toml",
    )


def _filled(word: str, values: Mapping[str, str]) -> str:
    """Put the values in, once: a prompt that contains {cwd} stays as it is."""
    result = ""
    while word:
        found = min(((word.find(name), name) for name in values if name in word), default=None)
        if found is None:
            return result + word
        start, name = found
        result += word[:start] + values[name]
        word = word[start + len(name) :]
    return result
