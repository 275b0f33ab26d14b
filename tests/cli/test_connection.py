"""How covenctl reaches the app, and what it says when it cannot or must not."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from pathlib import Path

import pytest

from tests.cli.covenctl import COMMAND, covenctl, environment
from tests.cli.stand_in import StandIn, completed, rejected, response


def test_a_home_nobody_serves_is_exit_4(home: Path) -> None:
    result = covenctl("list", home=home)
    assert result.code == 4
    assert "Coven Desktop is not running" in result.err
    assert str(home) in result.err
    assert result.out == ""


def test_how_to_start_it_names_what_is_there(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    start = "Start it from the menu or with: coven-desktop"
    without = covenctl("list", home=home, env={"PATH": str(folder)})
    assert without.err.endswith(f"{start}, or packaging/run in its checkout\n")
    (folder / "coven-desktop").touch(mode=0o755)
    assert covenctl("list", home=home, env={"PATH": str(folder)}).err.endswith(f"{start}\n")


def test_a_home_that_does_not_exist_is_exit_4_and_is_not_made(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"
    result = covenctl("list", "--json", "--home", str(missing))
    assert result.code == 4
    assert result.json["error"]["code"] == "APP_NOT_RUNNING"
    assert not missing.exists()


def test_a_socket_left_by_a_crash_is_exit_4(home: Path, app: StandIn) -> None:
    app.close()
    assert (home / "coven.sock").is_socket()
    assert covenctl("status", home=home).code == 4


def test_the_home_option_wins_over_the_variable(home: Path, app: StandIn, tmp_path: Path) -> None:
    app.payload("list", {"routines": []})
    assert covenctl("--home", str(home), "list", home=tmp_path / "other").code == 0
    assert covenctl("list", f"--home={home}", home=tmp_path / "other").code == 0
    assert covenctl("list", home=home).code == 0


def test_an_empty_home_option_is_a_usage_error(home: Path) -> None:
    assert covenctl("list", "--home=", home=home).code == 2


def test_a_home_whose_socket_path_is_too_long_for_an_address(tmp_path: Path) -> None:
    deep = tmp_path / ("d" * 100) / ("e" * 100)
    deep.mkdir(parents=True, mode=0o700)
    stand_in = StandIn(deep)
    try:
        stand_in.payload("list", {"routines": []})
        result = covenctl("list", home=deep)
    finally:
        stand_in.close()
    assert (result.code, result.out) == (0, "No routines yet.\n")


def test_a_symlinked_home_is_refused(home: Path, app: StandIn, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(home)
    result = covenctl("list", home=link)
    assert result.code == 3
    assert "symbolic link" in result.err
    assert app.requests == []


def test_a_file_in_place_of_the_home_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    result = covenctl("list", home=file)
    assert result.code == 3
    assert "not a folder" in result.err


def test_an_open_home_is_refused_with_the_cure(home: Path, app: StandIn) -> None:
    home.chmod(0o755)
    result = covenctl("list", home=home)
    assert result.code == 3
    assert f"chmod 700 {home}" in result.err
    assert app.requests == []


def test_an_open_socket_is_refused_with_the_cure(home: Path, app: StandIn) -> None:
    (home / "coven.sock").chmod(0o666)
    result = covenctl("list", "--json", home=home)
    assert result.code == 3
    assert result.json["error"]["code"] == "HOME_NOT_PRIVATE"
    assert f"chmod 600 {home / 'coven.sock'}" in result.json["error"]["message"]
    assert app.requests == []


def test_a_symlinked_socket_is_refused(home: Path, app: StandIn, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (home / "coven.sock").rename(elsewhere)
    (home / "coven.sock").symlink_to(elsewhere)
    result = covenctl("list", home=home)
    assert result.code == 3
    assert "symbolic link" in result.err
    assert app.requests == []


def test_a_file_at_the_place_of_the_socket_is_refused(home: Path) -> None:
    (home / "coven.sock").touch(mode=0o600)
    result = covenctl("list", home=home)
    assert result.code == 3
    assert "not a socket" in result.err


def test_a_home_of_another_account_is_refused(home: Path, app: StandIn) -> None:
    if os.geteuid() == 0:
        os.chown(home, 65534, 65534)
    else:
        home = Path("/")
    result = covenctl("list", home=home)
    assert result.code == 3
    assert "another account" in result.err
    assert app.requests == []


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nContent-Le",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\n\r\n{}",
        b"HTTP/1.1 2 OK\r\nContent-Length: 2\r\n\r\n{}",
        b"SSH-2.0-OpenSSH_9.9\r\n\r\n",
        response(200, b"not json"),
        response(200, b"\xff\xfe"),
        response(200, b"[" * 200_000),
        response(200, b"[]"),
        response(200, b"{}"),
        response(200, b'{"event":{"payload":null}}'),
        response(404, b"null"),
    ],
)
def test_nonsense_at_the_socket_is_a_fault(home: Path, app: StandIn, answer: bytes) -> None:
    app.raw = answer
    result = covenctl("list", home=home)
    assert result.code == 3
    assert "Coven Desktop" in result.err
    as_json = covenctl("list", "--json", home=home)
    assert as_json.code == 3
    assert as_json.json["error"]["code"] == "APP_UNREACHABLE"


def test_an_answer_before_the_request_was_read_to_its_end(home: Path) -> None:
    """The app may refuse a large body without reading it; its answer must still be seen."""
    folder = os.open(home, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(f"/proc/self/fd/{folder}/coven.sock")
        os.close(folder)
        (home / "coven.sock").chmod(0o600)
        listener.listen()
        note = "x" * 100_000
        with subprocess.Popen(
            [*COMMAND, "show", note, "--json"], env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            served, _ = listener.accept()
            with served:
                served.recv(100)
                body = json.dumps(
                    {"ok": False, "error": {"code": "payload_too_large", "message": "too large"}}
                ).encode()
                served.sendall(response(413, body))
                served.shutdown(socket.SHUT_WR)
                while served.recv(65536):
                    pass
            out, err = process.communicate(timeout=20)
    assert process.returncode == 1, err
    assert json.loads(out) == {"error": {"code": "payload_too_large", "message": "too large"}}


def test_a_typed_refusal_is_passed_on_unchanged(home: Path, app: StandIn) -> None:
    app.answers("list", rejected(409, "held", code="CANCEL_PENDING", details={"why": "x"}))
    result = covenctl("list", "--json", home=home)
    assert result.code == 1
    assert result.json == {
        "error": {
            "httpStatus": 409,
            "message": "held",
            "retryable": False,
            "code": "CANCEL_PENDING",
            "details": {"why": "x"},
        }
    }
    told = covenctl("list", home=home)
    again = "Another stop of it is under way: try again in a moment."
    assert (told.code, told.out, told.err) == (1, "", f"covenctl: refused (CANCEL_PENDING): held\n{again}\n")


def test_an_untyped_refusal_has_its_reason(home: Path, app: StandIn) -> None:
    app.answers("list", rejected(400, "no such thing"))
    result = covenctl("list", "--json", home=home)
    assert result.code == 1
    assert result.json == {"error": {"code": None, "message": "no such thing", "httpStatus": 400}}


@pytest.mark.parametrize(("status", "code"), [(503, "STORE_BUSY"), (507, "STORE_FULL"), (500, "INTERNAL")])
def test_a_fault_of_the_store_is_exit_3(home: Path, app: StandIn, status: int, code: str) -> None:
    app.answers("list", rejected(status, "the disk is full", code=code))
    result = covenctl("list", "--json", home=home)
    assert result.code == 3
    assert result.json["error"]["code"] == code
    assert covenctl("list", home=home).err == "covenctl: the disk is full\n"


def test_what_is_asked_carries_the_action_and_nothing_else(home: Path, app: StandIn) -> None:
    app.answers("list", completed({"routines": []}))
    assert covenctl("list", home=home).code == 0
    assert {"action": "coven.automations.list"} in app.requests
    assert all(set(request) == {"action"} for request in app.requests)


def test_an_argument_that_is_not_utf_8(home: Path, app: StandIn) -> None:
    app.answers("get", rejected(400, "not a name"))
    assert covenctl("show", os.fsdecode(b"\xff"), home=home).code == 1
    app.payload("get", {"routine": None})
    result = covenctl("show", os.fsdecode(b"\xff"), home=home)
    assert result.code == 1
    assert "There is no routine \\udcff" in result.err
