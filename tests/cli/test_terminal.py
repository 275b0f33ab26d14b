"""No pipe, terminal, encoding or signal makes covenctl show a traceback; and it loads only what it needs."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.cli.covenctl import COMMAND, ROOT, covenctl, environment, on_a_terminal
from tests.cli.feed_server import event
from tests.cli.stand_in import StandIn, completed
from tests.cli.test_moving import entry
from tests.cli.test_reading import ROUTINE

HEAVY = (
    *("PySide6", "shiboken6", "apsw", "sqlite3"),
    *(
        "msgspec",
        "h11",
        "dataclasses",
        "platformdirs",
        "logging",
        "subprocess",
        "http",
        "email",
        "ssl",
        "asyncio",
        "dateutil",
        "tzlocal",
        "keyring",
        "psutil",
        "tomlkit",
    ),
)
PREVIEW = ("preview", "--rrule=FREQ=DAILY", "--timezone=utc", "--count=1000")


def shell(script: str, home: Path, **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run covenctl, as `"$@"`, from a shell."""
    return subprocess.run(
        ["bash", "-c", script, "bash", *COMMAND],
        env=environment(home, **env),
        capture_output=True,
        timeout=50,
        check=False,
    )


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_goes_away_is_no_fault(home: Path, unbuffered: str) -> None:
    command = '"$@" ' + shlex.join(PREVIEW) + " --json | head -c 10; echo ${PIPESTATUS[0]}"
    done = shell(command, home, PYTHONUNBUFFERED=unbuffered)
    assert done.stdout.endswith(b"141\n")
    assert done.stderr == b""


def test_a_reader_that_was_never_there(home: Path, app: StandIn) -> None:
    app.payload("list", {"routines": [ROUTINE]})
    done = shell('{ "$@" list; echo $? >&2; } | true', home)
    assert done.stderr == b"141\n"


@pytest.mark.parametrize("command", ["export", "export --json", "list", "events --limit 1000"])
def test_a_long_answer_into_a_reader_that_goes_away(home: Path, app: StandIn, command: str) -> None:
    app.routines(*[entry(f"routine-{number}") for number in range(3000)])
    app.payload("events.read.v1", {"after": 0, "nextAfter": 9, "events": [event(one) for one in range(3000)]})
    done = shell(f'"$@" {command} | head -c 100 > /dev/null; echo ${{PIPESTATUS[0]}}', home)
    assert (done.stdout, done.stderr) == (b"141\n", b"")


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    "arguments", ["list", "list --json", "preview --rrule=x", "preview --rrule=x --json", "--help", "nonsense"]
)
def test_closed_streams(home: Path, app: StandIn, closed: str, arguments: str) -> None:
    app.payload("list", {"routines": [ROUTINE]})
    expected = {"l": 0, "p": 1, "-": 0, "n": 2}[arguments[0]]
    done = shell(f'"$@" {arguments} {closed}', home)
    assert done.returncode == expected
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_told(home: Path, unbuffered: str) -> None:
    for arguments in (PREVIEW, ("--help",)):
        done = shell('"$@" ' + shlex.join(arguments) + " > /dev/full", home, PYTHONUNBUFFERED=unbuffered)
        assert done.returncode == 3
        assert done.stderr == b"covenctl: the output cannot be written: No space left on device\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16", "cp1252"])
def test_a_terminal_that_cannot_show_it(home: Path, app: StandIn, encoding: str) -> None:
    name = "Zuß 日本 „x“ – …"
    app.payload("list", {"routines": [{**ROUTINE, "name": name}]})
    done = shell('"$@" list', home, PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert done.stderr == b""
    assert b"daily-notes" in done.stdout.replace(b"\0", b"")
    as_json = shell('"$@" list --json', home, PYTHONIOENCODING=encoding)
    assert json.loads(as_json.stdout.decode(encoding))["routines"][0]["name"] == name


def test_the_c_locale(home: Path, app: StandIn) -> None:
    app.payload("list", {"routines": [{**ROUTINE, "name": "日本"}]})
    for env in ({"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}):
        done = shell('"$@" list', home, **env)
        assert done.returncode == 0
        assert done.stderr == b""


def test_what_changed_in_the_c_locale(home: Path, app: StandIn) -> None:
    app.routines(entry())
    app.actions["coven.automations.update"] = lambda body: completed({"routine": body["definition"], "updatedAt": "x"})
    for env in ({"LC_ALL": "C", "PYTHONUTF8": "0"}, {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}):
        done = shell('"$@" edit daily-notes --name $1x --model o', home, **env)
        assert (done.returncode, done.stderr) == (0, b"")
        assert b"model  opus " in done.stdout
    done = shell('printf "caf\\351" | "$@" edit daily-notes --prompt-file -', home)
    assert (done.returncode, b"not UTF-8" in done.stderr) == (1, True)
    done = shell('"$@" edit daily-notes --prompt "$(printf "caf\\351")"', home)
    assert (done.returncode, b"half of a surrogate pair" in done.stderr) == (1, True)


def test_a_narrow_terminal_and_no_colours(home: Path, app: StandIn) -> None:
    app.routines(entry(definition={**ROUTINE, "name": "n" * 90}))
    app.payload("delete", {"deleted": True, "id": "daily-notes"})
    _, plain = on_a_terminal(home, ["delete", "daily-notes"], "delete\n", NO_COLOR="1")
    assert "\x1b" not in plain
    _, coloured = on_a_terminal(home, ["delete", "daily-notes"], "delete\n")
    assert "\x1b[32mDeleted\x1b[0m: daily-notes" in coloured
    assert "n" * 90 not in coloured


def test_interrupting_ends_by_the_signal_and_quietly(home: Path, app: StandIn) -> None:
    app.payload("get", {"routine": ROUTINE})
    app.payload("occurrence.runNow.v1", {"occurrenceId": "occ-1", "runId": "run-1", "status": "running"})
    app.payload("occurrence.get.v1", {"occurrence": {"id": "occ-1", "state": "running", "runs": []}})
    with subprocess.Popen(
        [*COMMAND, "run", "daily-notes", "--wait"],
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert b"is accepted" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert process.returncode == -signal.SIGINT
    assert err == b""


def entry_points() -> list[list[str]]:
    """How the process can begin: as a module, and as the script that is installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    module, _, function = project["scripts"]["covenctl"].partition(":")
    return [[*COMMAND[1:]], ["-c", f"import sys; from {module} import {function}; sys.exit({function}())"]]


@pytest.mark.parametrize("begin", entry_points(), ids=["module", "script"])
def test_interrupting_is_quiet_while_it_is_still_being_loaded(home: Path, tmp_path: Path, begin: list[str]) -> None:
    # One of the first modules it loads, in place of Python's own: it waits until somebody speaks to it.
    (tmp_path / "json.py").write_text("import sys\nprint('loading', flush=True)\nsys.stdin.read()\n")
    with subprocess.Popen(
        [sys.executable, *begin, "list"],
        env={**environment(home), "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT}"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"loading\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == -signal.SIGINT
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_a_lone_surrogate_in_json(home: Path, app: StandIn) -> None:
    app.answers("list", completed({"routines": []}), (200, b'{"event":{"payload":{"routines":["\\ud800"]}}}'))
    assert covenctl("list", "--json", home=home).code == 0
    assert covenctl("list", "--json", home=home).out == '{"routines":["\\ud800"]}\n'


def test_list_loads_neither_qt_nor_the_database(home: Path, app: StandIn) -> None:
    app.payload("list", {"routines": [ROUTINE]})
    program = (
        "import sys\n"
        "from coven_desktop.cli.main import main\n"
        "code = main(['list'])\n"
        f"print([name for name in {HEAVY} if name in sys.modules], file=sys.stderr)\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(home), capture_output=True, text=True, timeout=50, check=False
    )
    assert (done.returncode, done.stderr) == (0, "[]\n")
    assert "Daily notes" in done.stdout


def test_doctor_is_a_program_of_its_own(home: Path) -> None:
    """It becomes the doctor, on the same home and with the same wishes."""
    packages = home / "packages" / "coven_desktop"
    packages.mkdir(parents=True)
    for part in ("__init__", "cli", "home", "clock", "schedule", "contract"):
        source = (
            Path(__file__).parents[2]
            / "coven_desktop"
            / (f"{part}.py" if part in ("__init__", "home", "clock") else part)
        )
        os.symlink(source, packages / source.name)
    (packages / "doctor.py").write_text("import sys; print(sys.argv[1:]); sys.exit(1)\n")
    done = subprocess.run(
        [sys.executable, "-m", "coven_desktop.cli", "doctor", "--json", "--deep", "--home", str(home)],
        env={**environment(), "PYTHONPATH": str(packages.parent)},
        cwd=packages.parent,
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, f"['--home', '{home}', '--deep', '--json']\n")


def test_the_doctor_tells_a_full_disk_and_bears_a_reader_that_left(home: Path) -> None:
    done = shell('"$@" doctor > /dev/full', home, SHELL="/bin/sh")
    assert done.returncode == 3
    assert done.stderr == b"covenctl doctor: the output cannot be written: No space left on device\n"
    done = shell('{ "$@" doctor; echo $? >&2; } | true', home, SHELL="/bin/sh")
    assert done.stderr == b"141\n"


@pytest.mark.parametrize("command", ["status", "doctor", "list --json"])
def test_a_relative_home_in_a_folder_that_is_gone(home: Path, tmp_path: Path, command: str) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    done = shell(f'cd {gone} && rmdir {gone} && "$@" --home relative {command}', home)
    assert done.returncode == 3
    assert b"does not exist any more" in done.stderr + done.stdout
    assert b"fault in covenctl" not in done.stderr
