"""Asking a login shell that may print junk, hang, start things, or not be one."""

from __future__ import annotations

from pathlib import Path

import pytest

from coven_desktop.runtime import probe
from tests.runtime.real_loop import RealLoop


@pytest.fixture
def person(tmp_path: Path) -> dict[str, str]:
    """A person with bash and a home of their own."""
    return {"HOME": str(tmp_path), "SHELL": "/bin/bash", "USER": "person"}


def profile(person: dict[str, str], text: str) -> None:
    (Path(person["HOME"]) / ".bash_profile").write_text(text)


def test_the_path_of_the_start_files(person: dict[str, str]) -> None:
    profile(person, 'export PATH="/from/profile:$PATH:/with space"\n')
    path, problem = probe.ask_login_shell(person)
    assert path is not None
    assert problem is None
    folders = path.split(":")
    assert (folders[0], folders[-1]) == ("/from/profile", "/with space")
    assert "/usr/bin" in folders


def test_interactive_start_files_count_too(person: dict[str, str]) -> None:
    profile(person, "[ -r ~/.bashrc ] && . ~/.bashrc\n")
    (Path(person["HOME"]) / ".bashrc").write_text('case $- in *i*) PATH="/interactive:$PATH";; esac\n')
    path, _ = probe.ask_login_shell(person)
    assert path is not None
    assert path.startswith("/interactive:")


def test_junk_before_and_after_and_in_between(person: dict[str, str]) -> None:
    profile(
        person,
        """
yes 'PATH=/junk <<<>>>' | head -c 3000000
echo 'welcome <to> the shell'; printf '\\377\\000\\033]0;title\\007' >&1
PATH=/real:/bin
trap 'echo bye; yes bye | head -c 200000' EXIT
""",
    )
    path, problem = probe.ask_login_shell(person)
    assert (path, problem) == ("/real:/bin", None)


@pytest.mark.parametrize("text", ["sleep 300", "while :; do :; done", "trap '' TERM HUP; yes", "kill -STOP $$"])
def test_a_shell_that_hangs_is_given_up_and_ended(person: dict[str, str], text: str) -> None:
    profile(person, f"echo $$ > ~/shell\n{text}\n")
    path, problem = probe.ask_login_shell(person, timeout_ms=400)
    assert path is None
    assert problem == "The login shell /bin/bash gave no answer within 0.4 s; its start files may hang."
    shell = (Path(person["HOME"]) / "shell").read_text().strip()
    assert not Path(f"/proc/{shell}").exists()


def test_a_shell_that_is_given_up_can_take_its_locks_away(person: dict[str, str]) -> None:
    script = "trap 'rm -f ~/locked' EXIT; touch ~/locked; sleep 300"
    profile(person, f'bash -c "{script}"\n')
    # long enough that a busy machine has come to the sleep by then
    path, _ = probe.ask_login_shell(person, timeout_ms=3_000)
    assert path is None
    assert not (Path(person["HOME"]) / "locked").exists()


def test_what_the_start_files_leave_running_does_not_hold_us(person: dict[str, str]) -> None:
    profile(person, "sleep 300 & echo $! > ~/left\nPATH=/real\n")
    path, _ = probe.ask_login_shell(person)
    assert path == "/real"
    left = (Path(person["HOME"]) / "left").read_text().strip()
    loop = RealLoop()
    loop.run_until(lambda: has_ended(left))
    loop.close()


def has_ended(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.mark.parametrize("shell", ["/bin/false", "/bin/true"])
def test_a_shell_that_is_none(person: dict[str, str], shell: str) -> None:
    assert probe.ask_login_shell(person | {"SHELL": shell}) == (
        None, f"The login shell {shell} ended without an answer.",
    )  # fmt: skip


def test_a_shell_that_is_missing(person: dict[str, str]) -> None:
    path, problem = probe.ask_login_shell(person | {"SHELL": "/no/such/shell"})
    assert path is None
    assert problem == "The login shell /no/such/shell cannot be started: No such file or directory."


def test_commands_are_found_in_well_known_folders_without_any_answer(
    person: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", person["HOME"])
    for version in ("v9.9.0", "v22.1.0", "v18.0.0"):
        folder = Path(person["HOME"]) / ".nvm/versions/node" / version / "bin"
        folder.mkdir(parents=True)
        (folder / "codex").write_text("")
        (folder / "codex").chmod(0o755)
        (folder / "claude").write_text("")  # not executable
    result = probe.probe(["codex", "claude", "sh"], person | {"SHELL": "/bin/false"})
    assert result.login_path is None
    assert result.problem is not None
    assert set(result.found) >= {"codex", "sh"}
    assert "claude" not in result.found
    assert "/v22.1.0/" in result.found["codex"], "the newest one counts"


def test_a_path_names_itself(tmp_path: Path) -> None:
    (tmp_path / "agent").write_text("")
    assert probe.find_command(str(tmp_path / "agent"), None, None) is None
    (tmp_path / "agent").chmod(0o755)
    assert probe.find_command(str(tmp_path / "agent"), None, None) == str(tmp_path / "agent")
    assert probe.find_command("./agent", None, None) is None


def test_aside_answers_from_the_loop_or_not_at_all(person: dict[str, str]) -> None:
    profile(person, "PATH=/real\n")
    loop = RealLoop()
    results: list[probe.ProbeResult] = []
    probe.Aside(["sh"], person, loop, results.append)
    assert not results
    loop.run_until(lambda: bool(results))
    assert results[0].login_path == "/real"
    cancelled = probe.Aside(["sh"], person, loop, results.append)
    cancelled.cancel()
    cancelled.cancel()
    answered: list[bool] = []
    loop.call_at(loop.clock.monotonic() + 300, lambda: answered.append(True))
    loop.run_until(lambda: bool(answered))
    assert len(results) == 1
    loop.close()


def test_giving_up_ends_a_shell_that_hangs(person: dict[str, str]) -> None:
    """The app ends while the shell is asked: nobody is there any more to end it at its timeout."""
    profile(person, "trap '' TERM HUP\necho $$ > ~/shell.new; mv ~/shell.new ~/shell\nsleep 300\n")
    shell = Path(person["HOME"]) / "shell"
    loop = RealLoop()
    asked = probe.Aside(["sh"], person, loop, lambda _: None)
    loop.run_until(shell.exists)
    asked.cancel()
    assert not Path(f"/proc/{shell.read_text().strip()}").exists()
