"""The way to the app: one HTTP/1.1 request per connection over the socket in the home.

Before a word is said the home and the socket must be this account's own and open to nobody else, and the process at
the other end must run as this account (contract/api.md §a: what clients check). The socket is reached through the
home's open descriptor, because its path may be longer than the 108 bytes of a socket address.

The answers come from one known server, with `Content-Length` and `Connection: close` (decisions.md 13), so the few
lines of `parse_response` read them; http.client or h11 would be the larger half of what `covenctl list` loads.
"""

from __future__ import annotations

# `socket` would turn 400 constants into enumerations first, which takes longer than the request.
import _socket as socket
import contextlib
import errno
import json
import os
import stat
import struct
from collections.abc import Mapping
from typing import Any

from coven_desktop.cli.refusals import (
    CODE_INSECURE,
    CODE_NOT_RUNNING,
    CODE_UNREACHABLE,
    AppFault,
    CommandError,
    NotRunning,
    Refused,
)
from coven_desktop.clock import SystemClock
from coven_desktop.home import SOCKET_NAME, Home, socket_address

READ_TIMEOUT_MS = 30_000
STOP_TIMEOUT_MS = 75_000
"""A stop is answered when it is proven or its fence has ended: grace, kill and proof fit in 30 s (decisions.md 18)."""

_CONNECT_TIMEOUT_S = 5.0
_ANSWER_LIMIT = 512 * 1024 * 1024
_ACTIONS = "/api/v1/actions"
_PREFIX = "coven.automations."
_OURS = "coven.desktop."


class Unanswered(AppFault):
    """The request was sent and no answer came: whether it was carried out is not known."""


class Client:
    """Asks the app that serves one home. Nothing is kept open between requests."""

    def __init__(self, home: Home, clock: SystemClock) -> None:
        self._home = home
        self._clock = clock

    def get(self, path: str) -> Any:
        """The decoded body of a read by path. Raises Refused (4xx, the route's error), AppFault, NotRunning."""
        status, body = self._exchange("GET", path, b"", READ_TIMEOUT_MS)
        if status == 200:
            return body
        raise _refusal(status, body)

    def act(self, action: str, /, *, timeout_ms: int = READ_TIMEOUT_MS, **members: Any) -> dict[str, Any]:
        """The payload of a `coven.automations.` action, as it came.

        `action` goes without the prefix; `members` are the other members of the request. Raises Refused for what the
        app refused, AppFault for what it could not do, NotRunning when nobody serves the home.
        """
        return self._act(_PREFIX + action, members, timeout_ms)

    def desktop(self, action: str, /, *, timeout_ms: int = READ_TIMEOUT_MS, **members: Any) -> dict[str, Any]:
        """The payload of one of our own actions, `coven.desktop.`, otherwise as `act`."""
        return self._act(_OURS + action, members, timeout_ms)

    def state(self) -> dict[str, Any]:
        """What is not settled and who is quarantined, in one read of our own (engine/reads.py, `open_work`)."""
        return self.desktop("state.v1")

    def _act(self, action: str, members: Mapping[str, Any], timeout_ms: int) -> dict[str, Any]:
        request = {"action": action, **members}
        # Lone surrogates, from an argument that is not UTF-8, go as \\u escapes and are the app's to refuse.
        status, body = self._exchange("POST", _ACTIONS, json.dumps(request).encode("ascii"), timeout_ms)
        if status == 200 and isinstance(body, dict):
            event = body.get("event")
            payload = event.get("payload") if isinstance(event, dict) else body.get("result")
            if isinstance(payload, dict):
                return payload
        raise _refusal(status, body)

    def now(self) -> int:
        """The app's wall clock in UTC milliseconds: this machine's, plus its shift in demo and tests."""
        desktop = self.get("/api/v1/health").get("desktop")
        return self._clock.wall() + (int(desktop["clockShiftMs"]) if desktop else 0)

    def _exchange(self, method: str, path: str, content: bytes, timeout_ms: int) -> tuple[int, Any]:
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: coven\r\nConnection: close\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
        )
        connection = _connect(self._home)
        try:
            received = self._talk(connection, head.encode("latin-1") + content, timeout_ms)
        except TimeoutError:
            raise Unanswered(CODE_UNREACHABLE, f"Coven Desktop did not answer within {timeout_ms // 1000} s.") from None
        except OSError as error:
            raise Unanswered(CODE_UNREACHABLE, f"The connection to Coven Desktop broke: {_reason(error)}.") from error
        finally:
            connection.close()
        return parse_response(received)

    def _talk(self, connection: socket.socket, request: bytes, timeout_ms: int) -> bytes:
        deadline = self._clock.monotonic() + timeout_ms
        connection.settimeout(timeout_ms / 1000)
        # Broken off: refused before it was read to the end, and the answer is already there.
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connection.sendall(request)
        received = bytearray()
        while True:
            left = deadline - self._clock.monotonic()
            if left <= 0:
                raise TimeoutError
            connection.settimeout(left / 1000)
            try:
                piece = connection.recv(1 << 18)
            except ConnectionResetError:
                if received:
                    return bytes(received)
                raise
            if not piece:
                return bytes(received)
            received += piece
            if len(received) > _ANSWER_LIMIT:
                raise OSError(errno.EMSGSIZE, "the answer is larger than 512 MiB")


def new_key() -> str:
    """An adoption key for one command of this process (contract/commands.md §1.1)."""
    return f"covenctl:{os.urandom(16).hex()}"


def parse_response(received: bytes) -> tuple[int, Any]:
    """The status and decoded body of one whole answer. Raises Unanswered or AppFault for what is not one."""
    head, separator, content = received.partition(b"\r\n\r\n")
    if not separator:
        raise Unanswered(CODE_UNREACHABLE, "Coven Desktop closed the connection without an answer.")
    status_line, *lines = head.decode("latin-1").split("\r\n")
    version, _, rest = status_line.partition(" ")
    code = rest[:3]
    if not version.startswith("HTTP/1.") or len(code) != 3 or not (code.isascii() and code.isdigit()):
        raise _not_ours("it does not speak HTTP")
    length = None
    for line in lines:
        name, _, value = line.partition(":")
        if name.lower() == "content-length":
            length = value.strip()
    if length is None or not (length.isascii() and length.isdigit()):
        raise _not_ours("its answer has no length")
    if len(content) != int(length):
        raise Unanswered(CODE_UNREACHABLE, "The answer of Coven Desktop was cut short.")
    try:
        return int(code), json.loads(content.decode("utf-8"))
    except (ValueError, RecursionError):
        raise _not_ours("its answer is not JSON") from None


def _refusal(status: int, body: Any) -> CommandError:
    """What an answer that is no success means: 4xx is a refusal, everything else a fault of the app.

    Save a retry after the run's deadline: that is 504 in the contract, and nothing is wrong with the app.
    """
    error = body.get("error") if isinstance(body, dict) else None
    too_late = isinstance(error, dict) and error.get("code") == "DEADLINE_EXCEEDED"
    kind = Refused if 400 <= status < 500 or too_late else AppFault
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return kind.passed_on(error)
    reason = body.get("reason") if isinstance(body, dict) else None
    if isinstance(reason, str) and reason and status != 200:
        return kind(None, reason, httpStatus=status)
    return _not_ours(f"it answered {status} without saying why")


def _not_ours(what: str) -> AppFault:
    return AppFault(CODE_UNREACHABLE, f"What answers at the socket is not Coven Desktop, or is damaged: {what}.")


def _connect(home: Home) -> socket.socket:
    """A connection to the socket in the home, after the checks. Raises NotRunning or AppFault."""
    folder = _open_home(home)
    try:
        _check_socket(home, folder)
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.settimeout(_CONNECT_TIMEOUT_S)
            connection.connect(socket_address(folder))
            _check_peer(connection)
        except BaseException:
            connection.close()
            raise
        return connection
    except (FileNotFoundError, ConnectionRefusedError):
        raise _not_running(home) from None
    except OSError as error:
        raise AppFault(CODE_UNREACHABLE, f"The socket {home.socket} cannot be reached: {_reason(error)}.") from error
    finally:
        os.close(folder)


def _open_home(home: Home) -> int:
    try:
        folder = os.open(home.root, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        raise _not_running(home) from None
    except OSError as error:
        if os.path.islink(home.root):
            reason = "it is a symbolic link. Name the folder itself with --home"
        elif error.errno == errno.ENOTDIR:
            reason = "it is not a folder. Name another one with --home"
        else:
            reason = _reason(error)
        raise AppFault(CODE_INSECURE, f"The home {home.root} is not used: {reason}.") from None
    try:
        found = os.fstat(folder)
        if found.st_uid != os.geteuid():
            raise _insecure(f"The home {home.root} belongs to another account. Name a folder of your own with --home.")
        if found.st_mode & 0o077:
            raise _insecure(f"The home {home.root} is open to other accounts. Close it: chmod 700 {home.root}")
    except BaseException:
        os.close(folder)
        raise
    return folder


def _check_socket(home: Home, folder: int) -> None:
    found = os.stat(SOCKET_NAME, dir_fd=folder, follow_symlinks=False)
    if not stat.S_ISSOCK(found.st_mode):
        what = "a symbolic link" if stat.S_ISLNK(found.st_mode) else "not a socket"
        raise _insecure(f"{home.socket} is {what}, so nothing is said to it. Remove it and restart Coven Desktop.")
    if found.st_uid != os.geteuid():
        raise _insecure(f"The socket {home.socket} belongs to another account, so nothing is said to it.")
    if found.st_mode & 0o077:
        raise _insecure(f"The socket {home.socket} is open to other accounts. Close it: chmod 600 {home.socket}")


def _check_peer(connection: socket.socket) -> None:
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    if struct.unpack("3i", credentials)[1] != os.geteuid():
        raise _insecure("The socket is served by another account, so nothing is said to it.")


def _insecure(message: str) -> AppFault:
    return AppFault(CODE_INSECURE, message)


def _not_running(home: Home) -> NotRunning:
    start = "coven-desktop"
    if not any(os.access(os.path.join(folder, start), os.X_OK) for folder in os.get_exec_path()):
        start += ", or packaging/run in its checkout"
    return NotRunning(
        CODE_NOT_RUNNING,
        f"Coven Desktop is not running (home {home.root}). Start it from the menu or with: {start}",
    )


def _reason(error: OSError) -> str:
    return error.strerror or str(error) or type(error).__name__
