"""Which request is answered by what (contract/api.md a). Paths match byte for byte; every other one is 404.

A path that exists with another method is 404 as well: `not_found` is what clients of the contract know.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from coven_desktop.api import session_routes
from coven_desktop.api.actions import Actions, store_refusal
from coven_desktop.api.health import API_VERSION, Health
from coven_desktop.api.messages import Request, Response, json_response, route_error
from coven_desktop.api.piecewise import Piecewise, Work
from coven_desktop.clock import Clock, Loop
from coven_desktop.contract.strict_json import JsonError, decode
from coven_desktop.engine.engine import Engine
from coven_desktop.engine.listing import StoreFault

log = logging.getLogger(__name__)

PREFIX = "/api/v1"
OPENAPI = PREFIX + "/openapi.json"
SHUTDOWN = PREFIX + "/internal/lifecycle/shutdown"
_DOCUMENT = Path(__file__).with_name("openapi.json")
_OTHER_VERSION = re.compile(r"/api/(v[0-9]+)/.*")

NOT_FOUND = route_error(404, "not_found", "There is nothing at this path for this method.")
INTERNAL = route_error(500, "internal", "The app made a mistake; its log says more.")


class Routes:
    """Answers every request of the socket."""

    def __init__(self, engine: Engine, actions: Actions, health: Health, loop: Loop, clock: Clock) -> None:
        self._engine = engine
        self._piecewise = Piecewise(loop, clock)
        self._actions = actions
        self._health = health
        self._gets: dict[str, Callable[[], Any]] = {}
        for path, read in (
            ("/health", health.body),
            ("/capabilities", actions.catalog),
            ("/api-version", lambda: {"apiVersion": "v1", "supportedApiVersions": ["v1"]}),
        ):
            self._gets[path] = self._gets[PREFIX + path] = read

    def handle(self, request: Request, reply: Callable[[Response], None]) -> None:
        """Answer one request, at once or, for a command that has to wait, later."""
        path, _, query = request.target.partition("?")
        if request.method == "POST" and path in ("/actions", PREFIX + "/actions"):
            self._actions.answer(request.body, reply)
            return
        fault = partial(_fault, request.method, path)
        try:
            answer = self._answer(request, path, query)
        except Exception as error:  # noqa: BLE001 - whatever it is, whoever asked gets an answer
            answer = fault(error)
        if isinstance(answer, Response):
            reply(answer)
        else:
            self._piecewise.run(answer, reply, fault)

    def _answer(self, request: Request, path: str, query: str) -> Response | Work:
        if request.method == "GET":
            found = session_routes.answer(self._engine, path.removeprefix(PREFIX), query)
            if found is not None:
                return found
            read = self._gets.get(path)
            if read is not None:
                return json_response(200, read())
            if path == OPENAPI:
                return Response(200, _DOCUMENT.read_bytes())
        if request.method == "POST" and path == SHUTDOWN:
            return self._shutdown(request.body)
        other = _OTHER_VERSION.fullmatch(path)
        if other is not None and other[1] != "v1":
            return route_error(
                404,
                "invalid_request",
                "This version of the API is not spoken here.",
                details={"apiVersion": other[1], "supportedApiVersions": ["v1"]},
            )
        return NOT_FOUND

    def _shutdown(self, data: bytes) -> Response:
        """This app is ended by its owner's desktop, not by another tool: even the right identity gets a 409."""
        try:
            body = decode(data)
        except JsonError as error:
            return route_error(400, "invalid_request", error.message)
        daemon = body.get("daemon") if isinstance(body, dict) else None
        members = {"pid", "socket", "startedAt"}
        if not isinstance(daemon, dict) or set(body) != {"apiVersion", "daemon"} or set(daemon) != members:
            return route_error(400, "invalid_request", "The body must name apiVersion and daemon, and nothing else.")
        if body["apiVersion"] != API_VERSION or daemon != self._health.daemon:
            return route_error(409, "daemon_identity_mismatch", "That is not the process that answers here.")
        return route_error(
            409,
            "shutdown_not_supported",
            "Coven Desktop is ended with Quit in its menu, or with SIGTERM to the process that health names.",
        )


def _fault(method: str, path: str, error: Exception) -> Response:
    """What is told of a request that went wrong; logged with all that is known."""
    if isinstance(error, StoreFault):
        refusal = store_refusal(error)
        return route_error(refusal.http_status, refusal.code.lower(), refusal.reason)
    log.error("%s %s failed", method, path, exc_info=error)
    return INTERNAL
