"""A small server at a real Unix socket that answers as the app does, also what the app cannot be brought to answer."""

from __future__ import annotations

import json
import os
import socketserver
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

Answer = tuple[int, bytes]
HUNG_UP: Answer = (0, b"")
"""No answer at all: the connection is closed, as when the app dies."""

Action = Callable[[Mapping[str, Any]], Answer]


def completed(payload: Mapping[str, Any]) -> Answer:
    """The envelope of an action that was carried out."""
    event = {"kind": "automations.changed", "action": "", "payload": payload}
    envelope = {"ok": True, "accepted": True, "action": "", "status": "completed", "event": event}
    return 200, json.dumps(envelope, ensure_ascii=False).encode()


def rejected(status: int, reason: str, **error: Any) -> Answer:
    """The envelope of a refusal; typed when an error object is given."""
    envelope: dict[str, Any] = {"ok": False, "accepted": False, "action": "", "status": "rejected", "reason": reason}
    if error:
        envelope["error"] = {"httpStatus": status, "message": reason, "retryable": False, **error}
    return status, json.dumps(envelope).encode()


def response(status: int, body: bytes) -> bytes:
    """One answer as it goes over the socket."""
    return b"HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%b" % (
        status,
        len(body),
        body,
    )


class StandIn:
    """Serves one home. `actions` and `reads` say what is answered; `requests` are the bodies that came, in order."""

    def __init__(self, home: Path) -> None:
        self.actions: dict[str, Action] = {}
        self.reads: dict[str, Callable[[], Answer]] = {}
        self.read("/api/v1/health", {"ok": True})
        self.state()
        self.ours("routine.get.v1", completed({"routine": None}))
        self.ours("routine.list.v1", completed({"routines": []}))
        self.raw: bytes | None = None
        self.requests: list[dict[str, Any]] = []
        # As the app does: reached through a descriptor, since the path may be too long to bind.
        self._folder = os.open(home, os.O_RDONLY | os.O_DIRECTORY)
        stand_in = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                stand_in._serve(self)

        class Server(socketserver.ThreadingUnixStreamServer):
            daemon_threads = True

        self._server = Server(f"/proc/self/fd/{self._folder}/coven.sock", Handler)
        os.chmod(home / "coven.sock", 0o600)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()

    def close(self) -> None:
        """Stop serving; the socket stays where it is, as after a crash."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()
            os.close(self._folder)

    def payload(self, action: str, payload: Mapping[str, Any]) -> None:
        """Answer an action always with this payload."""
        self.actions[f"coven.automations.{action}"] = lambda _: completed(payload)

    def ours(self, action: str, *answers: Answer) -> None:
        """Answer one of our own actions with these, one after another, the last one for ever."""
        left = list(answers)
        self.actions[f"coven.desktop.{action}"] = lambda _: left.pop(0) if len(left) > 1 else left[0]

    def routines(self, *entries: Mapping[str, Any]) -> None:
        """Know these routines, as `coven.desktop.routine.list.v1` tells them."""

        def listed(request: Mapping[str, Any]) -> Answer:
            asked = request.get("ids")
            return completed({"routines": [one for one in entries if asked is None or one["id"] in asked]})

        self.actions["coven.desktop.routine.list.v1"] = listed
        self.payload("list", {"routines": [one["definition"] for one in entries]})

    def state(
        self,
        *runs: Mapping[str, Any],
        quarantined: Sequence[Mapping[str, Any]] = (),
        undecided: int = 0,
        **others: object,
    ) -> None:
        """Answer what is open, who is quarantined, and other members."""
        held = sum(run["phase"] == "held" for run in runs)
        counts = {"attention": held + undecided + len(quarantined), "undecided": undecided}
        payload = {**counts, "runs": list(runs), "quarantined": list(quarantined), **others}
        self.actions["coven.desktop.state.v1"] = lambda _: completed(payload)

    def answers(self, action: str, *answers: Answer) -> None:
        """Answer an action with these, one after another, the last one for ever."""
        left = list(answers)
        self.actions[f"coven.automations.{action}"] = lambda _: left.pop(0) if len(left) > 1 else left[0]

    def read(self, path: str, *bodies: Any) -> None:
        """Answer a path with these bodies, one after another, the last one for ever."""
        left = [json.dumps(body).encode() for body in bodies]
        self.reads[path] = lambda: (200, left.pop(0) if len(left) > 1 else left[0])

    def sent(self, action: str, of: str = "coven.automations.") -> list[dict[str, Any]]:
        """The requests of one action so far."""
        return [request for request in self.requests if request["action"] == of + action]

    def _serve(self, handler: socketserver.StreamRequestHandler) -> None:
        method, path, _ = handler.rfile.readline().decode().split(" ")
        length = 0
        while (line := handler.rfile.readline()) not in (b"\r\n", b""):
            name, _, value = line.decode().partition(":")
            if name.lower() == "content-length":
                length = int(value)
        body = handler.rfile.read(length)
        if self.raw is not None:
            handler.wfile.write(self.raw)
            return
        answer = self._answer(method, path, body)
        if answer != HUNG_UP:
            handler.wfile.write(response(*answer))

    def _answer(self, method: str, path: str, body: bytes) -> Answer:
        if method == "GET":
            if path in self.reads:
                return self.reads[path]()
            return 404, json.dumps({"error": {"code": "session_not_found", "message": "no such session"}}).encode()
        request = json.loads(body)
        self.requests.append(request)
        action = self.actions.get(request["action"])
        return rejected(400, "unknown action") if action is None else action(request)
