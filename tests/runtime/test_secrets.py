"""Secrets from a real gnome-keyring to a command: open, locked, not there, or asking somebody who does not answer."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from coven_desktop.runtime import secrets
from coven_desktop.runtime.secrets import Question, Reply
from tests.keyrings import OwnBus, own_bus
from tests.runtime.house import House

CANARY = 'c4n4ry-§-\n"value"-of-a-secret'


@pytest.fixture
def bus() -> Iterator[OwnBus]:
    with own_bus() as made:
        yield made


@pytest.fixture
def house(bus: OwnBus, tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path, environ=bus.environ)
    yield made
    made.close()


def ask(house: House, question: Question, limit_ms: int = 20_000) -> Reply:
    """Ask as the app does."""
    replies: list[Reply] = []
    house.runtime.keyring.ask(question, replies.append, limit_ms)
    house.wait(lambda: bool(replies))
    return replies[0]


def command(bus: OwnBus, verb: str, name: str, typed: str = "") -> str:
    """What the command of the keyring package prints."""
    done = subprocess.run(
        [sys.executable, "-m", "keyring", verb, "coven-desktop", name],
        env=bus.environ,
        input=typed,
        capture_output=True,
        text=True,
        check=False,
        timeout=20,
    )
    return done.stdout


def keep(house: House, **values: str) -> None:
    """Put secrets into the keyring."""
    for name, value in values.items():
        assert ask(house, Question("set", (name,), value)).state == "ready"


def test_what_is_kept_is_read_replaced_and_deleted(bus: OwnBus, house: House) -> None:
    bus.open_keyring()
    keep(house, TOKEN="first", OTHER=CANARY)
    assert ask(house, Question("get", ("TOKEN", "OTHER", "NOPE"))).values == {"TOKEN": "first", "OTHER": CANARY}
    keep(house, TOKEN="second")
    assert ask(house, Question("get", ("TOKEN",))).values == {"TOKEN": "second"}
    assert ask(house, Question("delete", ("TOKEN",))).state == "ready"
    assert ask(house, Question("delete", ("TOKEN",))).state == "ready", "what is gone is gone"
    assert ask(house, Question("get", ("TOKEN", "OTHER"))).values == {"OTHER": CANARY}


def test_a_keyring_says_what_it_is(bus: OwnBus, house: House) -> None:
    assert ask(house, Question("probe")).state == "absent"
    bus.open_keyring()
    reply = ask(house, Question("probe"))
    assert (reply.state, reply.backend) == ("ready", "Secret Service")
    bus.lock()
    assert ask(house, Question("probe")).state == "locked"
    assert ask(house, Question("get", ("TOKEN",))).state == "locked", "a launch asks nobody"
    assert ask(house, Question("probe", may_prompt=True), 1_500).state == "prompting"
    assert ask(house, Question("set", ("TOKEN",), "x", may_prompt=True), 1_500).state == "prompting"


def test_a_secret_that_the_keyring_command_kept_is_the_same_one(bus: OwnBus, house: House) -> None:
    """As on a machine without a window: README, Secrets."""
    bus.open_keyring()
    keep(house, TOKEN="first")
    assert command(bus, "get", "TOKEN") == "first\n"
    command(bus, "set", "TOKEN", typed="second")
    assert ask(house, Question("get", ("TOKEN",))).values == {"TOKEN": "second"}
    assert ask(house, Question("delete", ("TOKEN",))).state == "ready"
    assert command(bus, "get", "TOKEN") == "", "there was but one"


def test_a_keyring_that_the_person_has_configured_is_the_one_that_is_asked(bus: OwnBus, tmp_path: Path) -> None:
    bus.open_keyring()
    off = {**bus.environ, "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring"}
    assert secrets.ask_now(Question("probe"), off).state == "absent"
    config = tmp_path / "python_keyring"
    config.mkdir()
    (config / "keyringrc.cfg").write_text("[backend]\ndefault-keyring=keyring.backends.SecretService.Keyring\n")
    configured = {**bus.environ, "XDG_CONFIG_HOME": str(tmp_path)}
    assert secrets.ask_now(Question("set", ("TOKEN",), CANARY), configured, 20_000).backend == "SecretService Keyring"
    assert secrets.ask_now(Question("get", ("TOKEN",)), configured, 20_000).values == {"TOKEN": CANARY}
    assert secrets.ask_now(Question("get", ("TOKEN",)), bus.environ, 20_000).values == {"TOKEN": CANARY}
    assert secrets.ask_now(Question("delete", ("TOKEN", "NONE")), configured, 20_000).state == "ready"
    assert secrets.ask_now(Question("get", ("TOKEN",)), bus.environ, 20_000).values == {}


def test_where_no_keyring_was_made_yet_reading_asks_nobody_to_make_one(bus: OwnBus, house: House) -> None:
    bus.empty_keyring()
    assert ask(house, Question("probe")).state == "unmade"
    assert ask(house, Question("get", ("TOKEN",), may_prompt=True), 5_000) == Reply("ready", {}, "Secret Service")
    assert ask(house, Question("set", ("TOKEN",), "x")).state == "locked"
    assert ask(house, Question("set", ("TOKEN",), "x", may_prompt=True), 1_500).state == "prompting"


def test_without_a_loop_it_says_the_same(bus: OwnBus) -> None:
    assert secrets.ask_now(Question("probe"), bus.environ).state == "absent"
    assert secrets.ask_now(Question("probe"), {"XDG_RUNTIME_DIR": "/nowhere"}).state == "no_bus"
    gone = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"}
    assert secrets.ask_now(Question("probe"), gone) == Reply("no_bus")
    bus.open_keyring()
    unnamed = {name: value for name, value in bus.environ.items() if name != "DBUS_SESSION_BUS_ADDRESS"}
    assert secrets.ask_now(Question("probe"), unnamed).state == "ready", "found where it lies"
    assert secrets.ask_now(Question("probe"), bus.environ).state == "ready"
    bus.lock()
    assert secrets.ask_now(Question("probe"), bus.environ).state == "locked"
    assert secrets.ask_now(Question("probe", may_prompt=True), bus.environ, 1_500).state == "prompting"


def test_a_command_gets_its_secrets_and_cannot_print_them(bus: OwnBus, house: House) -> None:
    bus.open_keyring()
    keep(house, TOKEN=CANARY, SHORT="abc")
    script = 'printf %s "$TOKEN" | wc -c; printf %s "$TOKEN"; printf %s "$TOKEN" >&2; printf %s "$SHORT"'
    watched = house.run(script, secrets=("TOKEN", "SHORT"))
    text = house.output(watched)
    assert f"{len(CANARY.encode())}\n" in text
    assert text.count("[secret TOKEN]") == 2
    assert "canary" not in text.replace("4", "a")
    assert "abc" in text, "too short to be told from a word"
    assert watched.evidence.output_bytes == len(text.encode())
    folder = house.home.session(watched.id).root
    assert not [path for path in folder.iterdir() if CANARY.encode() in path.read_bytes()]


def test_a_secret_that_is_printed_slowly_is_kept_out_too(bus: OwnBus, house: House) -> None:
    bus.open_keyring()
    keep(house, TOKEN="sk-0123456789")
    script = "printf 'key: sk-0123'; sleep 0.2; printf '456789'; echo .; printf 'sk-0'"
    assert house.output(house.run(script, secrets=("TOKEN",))) == "key: [secret TOKEN].\nsk-0"


def test_the_beginning_of_a_secret_is_not_held_for_ever(bus: OwnBus, house: House) -> None:
    """It is shown while the command waits; who follows the output must not miss a last line."""
    bus.open_keyring()
    keep(house, TOKEN="sk-0123456789")
    go_on = house.work / "go-on"
    watched = house.start(house.spec(f"printf 'sk-0'; while [ ! -e {go_on} ]; do sleep 0.1; done", secrets=("TOKEN",)))
    house.wait(lambda: house.output(watched) == "sk-0")
    assert not watched.ended
    go_on.touch()
    house.wait(lambda: bool(watched.ended))
    assert house.output(watched) == "sk-0"


def test_secrets_of_the_runtime_and_of_the_routine(bus: OwnBus, house: House) -> None:
    bus.open_keyring()
    keep(house, OF_RUNTIME="one", OF_ROUTINE="two")
    runtime = '[keyed]\nargv = ["/bin/sh", "{prompt_file}"]\nsecrets = ["OF_RUNTIME"]\nenv = { OF_ROUTINE = "plain" }\n'
    house.home.runtimes.write_text(runtime)
    said = house.output(house.run("echo $OF_RUNTIME $OF_ROUTINE", "keyed", secrets=("OF_ROUTINE",)))
    assert said == "one two\n", "three bytes are no secret to look for"
    said = house.output(house.run("echo $OF_RUNTIME", "keyed", environment={"OF_RUNTIME": "mine"}))
    assert said == "mine\n", "the routine is nearer than its runtime"


@pytest.mark.parametrize(
    ("state", "failure_class", "words"),
    [
        ("absent", "runtime_unavailable", "there is no keyring service on this desktop; it is needed for the secret `"),
        ("locked", "runtime_unavailable", "the keyring is locked; it is needed for the secret `TOKEN`"),
        ("without it", "launch_refused", "the secret `TOKEN` is not in the keyring; set it, then try again"),
    ],
)
def test_without_its_secret_nothing_starts(
    bus: OwnBus, house: House, state: str, failure_class: str, words: str
) -> None:
    if state != "absent":
        bus.open_keyring()
    if state == "locked":
        bus.lock()
    refusal = house.refusal(secrets=("TOKEN",))
    assert (refusal.failure_class, refusal.proven_no_process) == (failure_class, True)
    assert words in refusal.message
    assert not list(house.home.sessions.iterdir())


def test_a_keyring_that_says_nothing_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a bus that takes what it is told and never answers."""
    monkeypatch.setattr(secrets, "LAUNCH_LIMIT_MS", 1_000)
    with tempfile.TemporaryDirectory(prefix="bus-") as root, socket.socket(socket.AF_UNIX) as deaf:
        deaf.bind(f"{root}/bus")
        deaf.listen()
        house = House(tmp_path, environ={"DBUS_SESSION_BUS_ADDRESS": f"unix:path={root}/bus"})
        refusal = house.refusal(secrets=("TOKEN",))
        house.close()
    assert refusal.failure_class == "runtime_unavailable"
    assert "the keyring could not be asked (it gave no answer within 1 s)" in refusal.message


def test_a_stop_while_the_keyring_is_asked_starts_nothing(bus: OwnBus, house: House) -> None:
    bus.open_keyring()
    keep(house, TOKEN=CANARY)
    watched = house.launch(house.spec("touch ran", secrets=("TOKEN",)))
    stopped = house.stop(watched)
    assert (stopped.confirmed, stopped.evidence, stopped.detail) == (True, None, "no process was ever started")
    house.wait(lambda: bool(watched.refused))
    assert not watched.started
    assert not list(house.home.sessions.iterdir())
    assert _helpers() == []


def test_an_app_that_ends_meanwhile_starts_nothing(bus: OwnBus, house: House) -> None:
    bus.open_keyring()
    keep(house, TOKEN=CANARY)
    watched = house.launch(house.spec("touch ran", secrets=("TOKEN",)))
    assert _helpers()
    house.again()
    assert _helpers() == []
    assert house.runtime.find(watched.id) == ("never_started", None)
    house.run("true")
    assert (watched.started, watched.refused) == ([], [])
    assert not (house.work / "ran").exists()


def test_twenty_launches_at_once_take_turns(bus: OwnBus, house: House) -> None:
    bus.open_keyring()
    keep(house, TOKEN=CANARY)
    all_of_them = [house.launch(house.spec('test -n "$TOKEN"', secrets=("TOKEN",))) for _ in range(20)]
    assert len(_helpers()) <= 4
    house.wait(lambda: all(one.ended or one.refused for one in all_of_them), 60_000)
    assert [one.evidence.exit_code for one in all_of_them] == [0] * 20


def test_no_descriptor_is_left_behind(bus: OwnBus, house: House) -> None:
    bus.open_keyring()
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        ask(house, Question("probe"))
    ask(house, Question("probe"), 1)
    house.runtime.keyring.ask(Question("probe"), lambda reply: None, 5_000).cancel()
    assert len(os.listdir("/proc/self/fd")) == before


def test_values_are_not_in_what_is_printed_of_questions_and_replies() -> None:
    assert "hush" not in repr(Question("set", ("TOKEN",), "hush")) + repr(Reply("ready", {"TOKEN": "hush"}))


def _helpers() -> list[int]:
    """The helpers that are alive, of this process."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                status = (entry / "stat").read_text().rpartition(")")[2].split()
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if int(status[1]) == os.getpid() and status[0] != "Z" and b"secrets_helper" in words:
                found.append(int(entry.name))
    return found
