"""The runtimes: built in, the person's own, where they are, and the environment they get."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from coven_desktop.home import Home, prepare
from coven_desktop.runtime import probe, runtimes_file
from coven_desktop.runtime.environment import environment
from coven_desktop.runtime.registry import Registry, RuntimeSpec
from tests.runtime.real_loop import RealLoop


@pytest.fixture
def home(tmp_path: Path) -> Home:
    made = Home(tmp_path / "home")
    prepare(made)
    return made


def command(folder: Path, name: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


def line(spec: RuntimeSpec | None, model: str | None = None) -> list[str]:
    assert spec is not None
    return spec.arguments(prompt="do it", prompt_file="/s/prompt", cwd="/w", model=model)


def test_the_built_in_ones_take_their_prompt_as_documented(home: Home) -> None:
    registry = Registry.load(home, {})
    assert registry.names() == ("shell", "coven-code", "claude", "codex", "copilot")
    lines = {name: line(registry.get(name)) for name in registry.names()}
    assert lines == {
        "shell": ["/bin/sh", "/s/prompt"],
        "coven-code": ["coven-code", "-p"],
        "claude": ["claude", "-p"],
        "codex": ["codex", "exec", "-"],
        "copilot": ["copilot", "-p", "do it"],
    }
    assert line(registry.get("claude"), "opus") == ["claude", "-p", "--model", "opus"]
    specs = [spec for name in registry.names() if (spec := registry.get(name))]
    assert {spec.name: spec.prompt for spec in specs} == {
        "shell": "file", "coven-code": "stdin", "claude": "stdin", "codex": "stdin", "copilot": "argument",
    }  # fmt: skip
    assert all(spec.verified and spec.source == "built-in" for spec in specs)
    assert registry.get("nobody") is None


def test_ones_own_with_everything_set(home: Home) -> None:
    home.runtimes.write_text("""
[notes]
argv = ["/opt/agent", "--in", "{prompt_file}", "--dir={cwd}", "--model={model}"]
modelArgv = ["--named"]
env = { ONE = "1" }
graceSeconds = 2.5
lingerSeconds = 0
outputLimitBytes = 4096
""")
    registry = Registry.load(home, {})
    spec = registry.get("notes")
    assert spec is not None
    assert (spec.prompt, spec.grace_ms, spec.linger_ms, spec.output_limit) == ("file", 2500, 0, 4096)
    assert (dict(spec.env), spec.source, spec.executable) == ({"ONE": "1"}, "runtimes.toml", "/opt/agent")
    assert line(spec) == ["/opt/agent", "--in", "/s/prompt", "--dir=/w"]
    assert line(spec, "m") == ["/opt/agent", "--in", "/s/prompt", "--dir=/w", "--model=m", "--named"]
    assert registry.problems == ()


def test_values_are_put_in_once() -> None:
    spec = RuntimeSpec("x", ("x", "{prompt}/{cwd}"), "argument")
    assert spec.arguments(prompt="{cwd}", prompt_file="", cwd="{prompt}", model=None) == ["x", "{cwd}/{prompt}"]


@pytest.mark.parametrize(
    ("text", "at", "part"),
    [
        ("[bad]\nargv = []", 2, "needs argv"),
        ("[bad]\n", 1, "needs argv"),
        ("[bad]\nargv = 'x'", 2, "list of texts"),
        ("[bad]\nargv = ['x', 1]", 2, "list of texts"),
        ("[bad]\nargv = ['']", 2, "empty text"),
        ("[bad]\nargv = ['./x']", 2, "relative path"),
        ("[bad]\nargv = ['x']\ngrace = 3", 3, "unknown setting `grace`"),
        ("[bad]\nargv = ['x']\ngraceSeconds = 16", 3, "from 0 to 15"),
        ("[bad]\nargv = ['x']\ngraceSeconds = true", 3, "from 0 to 15"),
        ("[bad]\nargv = ['x']\nlingerSeconds = -1", 3, "from 0 to 3600"),
        ("[bad]\nargv = ['x']\noutputLimitBytes = 12", 3, "integer from 4096"),
        ("[bad]\nargv = ['x']\nsecrets = 'TOKEN'", 3, "a list of texts as secrets"),
        ("[bad]\nargv = ['x']\nsecrets = ['MY-TOKEN']", 3, "named as a variable"),
        ("[bad]\nargv = ['x']\nsecrets = ['COVEN_RUN_ID']", 3, "a secret `COVEN_RUN_ID`"),
        ("[bad]\nargv = ['x']\nenv = { A = '1' }\nsecrets = ['A']", 4, "use one of the two"),
        ("[bad]\nargv = ['x']\nprompt = 'mail'", 3, '"stdin", "file" or "argument"'),
        ("[bad]\nargv = ['x']\nprompt = 'file'", 3, "no {prompt_file}"),
        ("[bad]\nargv = ['x', '{prompt}']\nprompt = 'stdin'", 3, "another way"),
        ("[bad]\nargv = ['x']\nenv = { A = 1 }", 3, "env entry `A`"),
        ("[bad]\nargv = ['x']\n[bad.env]\n'A=B' = 'x'", 3, "env entry `A=B`"),
        ("bad = 1", 1, "must be a table"),
        ("[bad]\nargv = ['x'", 2, "not TOML"),
    ],
)
def test_what_is_wrong_is_told_by_name_and_line_and_leaves_the_rest_alone(text: str, at: int, part: str) -> None:
    entries, problems = runtimes_file.parse(f"{text}\n\n[good]\nargv = ['good']\n", "runtimes.toml")
    assert [entry.name for entry in entries] == ["good"]
    (problem,) = problems
    assert part in problem.sentence
    assert "bad" in problem.sentence
    # where the syntax breaks is for the parser to say
    assert f"line {at}:" in problem.sentence or "not TOML" in part
    assert problem.name == "bad"


def test_a_broken_runtime_does_not_fall_back_to_the_built_in_one(home: Home) -> None:
    home.runtimes.write_text('[claude]\nargv = ["claude", "-p", "--careful"]\ngraceSeconds = 99\n')
    registry = Registry.load(home, {})
    assert registry.get("claude") is None
    assert registry.get("codex") is not None
    problem = registry.problem("claude")
    assert problem is not None
    assert "line 3" in problem


def test_a_file_that_is_no_text(home: Home) -> None:
    home.runtimes.write_bytes(b"\xff\xfe")
    registry = Registry.load(home, {})
    assert [problem.sentence for problem in registry.problems] == ["runtimes.toml is not UTF-8 text."]
    assert registry.get("shell") is not None


def test_the_stored_answer_of_the_probe_is_used(home: Home, tmp_path: Path) -> None:
    agent = command(tmp_path / "bin", "claude")
    probe.store(home, probe.ProbeResult("/login/bin", None, {"claude": str(agent), "codex": "/gone/codex"}))
    assert probe.stored_path(home).stat().st_mode & 0o777 == 0o600
    registry = Registry.load(home, {"PATH": str(command(tmp_path / "elsewhere", "codex").parent)})
    claude, codex = registry.get("claude"), registry.get("codex")
    assert claude is not None
    assert codex is not None
    assert (claude.executable, registry.login_path) == (str(agent), "/login/bin")
    assert codex.executable == str(tmp_path / "elsewhere" / "codex"), "what is gone is looked for again"


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"loginPath":1,"found":{}}', '{"loginPath":null,"found":[]}', "\0"])
def test_a_stored_answer_that_cannot_be_read_is_none(home: Home, text: str) -> None:
    probe.stored_path(home).write_text(text)
    assert probe.load(home) is None
    assert Registry.load(home, {}).login_path is None


def test_a_search_stores_what_it_finds(home: Home, tmp_path: Path) -> None:
    agent = command(tmp_path / "person" / ".local" / "bin", "claude")
    person = tmp_path / "person"
    (person / ".profile").write_text(f'PATH="/from/profile:{agent.parent}:$PATH"\n')
    registry = Registry.load(home, {"HOME": str(person), "SHELL": "/bin/sh"})
    loop = RealLoop()
    registry.search(loop)
    registry.search(loop)  # one at a time
    loop.run_until(lambda: registry.login_path is not None)
    spec = registry.get("claude")
    assert spec is not None
    assert spec.executable == str(agent)
    assert json.loads(probe.stored_path(home).read_text())["found"]["claude"] == str(agent)
    registry.close()
    loop.close()


def environment_of(base: dict[str, str], login: str | None = None, executable: str | None = None) -> dict[str, str]:
    return environment(
        base, login, {"A": "runtime", "B": "runtime"}, {"B": "settings", "COVEN_RUN_ID": "forged"},
        executable=executable, familiar_id=None, automation_id="a", run_id="r", session_id="s",
    )  # fmt: skip


def test_the_environment_is_an_allow_list() -> None:
    base = {
        "HOME": "/h", "LANG": "C", "LC_TIME": "C", "XDG_RUNTIME_DIR": "/x", "DISPLAY": ":0", "TZ": "UTC",
        "PATH": "/app", "VIRTUAL_ENV": "/v", "PYTHONPATH": "/p", "AWS_SECRET": "s", "LD_PRELOAD": "x",
    }  # fmt: skip
    found = environment_of(base, "/login")
    assert found == {
        "HOME": "/h", "LANG": "C", "LC_TIME": "C", "XDG_RUNTIME_DIR": "/x", "DISPLAY": ":0", "TZ": "UTC",
        "PATH": "/login", "A": "runtime", "B": "settings",
        "COVEN_AUTOMATION_ID": "a", "COVEN_RUN_ID": "r", "COVEN_SESSION_ID": "s",
    }  # fmt: skip


def test_the_path_is_the_login_shells_and_reaches_the_agents_own_folder() -> None:
    assert environment_of({"PATH": "/app"})["PATH"] == "/app"
    assert environment_of({})["PATH"] == "/usr/local/bin:/usr/bin:/bin"
    assert environment_of({}, "/login", "/opt/node/bin/claude")["PATH"] == "/login:/opt/node/bin"
    assert environment_of({}, "/login:/opt/bin", "/opt/bin/claude")["PATH"] == "/login:/opt/bin"


def test_the_tests_own_environment_is_not_needed(home: Home) -> None:
    assert Registry.load(home).environ is os.environ


def test_a_pipe_instead_of_the_file_is_told_and_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "runtimes.toml"
    os.mkfifo(path)
    entries, (problem,) = runtimes_file.read(path)
    assert (entries, problem.sentence) == ([], "runtimes.toml cannot be read: it is not a file.")
