"""How fast the socket answers: a new connection for each request, and many at once.

    python tests/bench/api_bench.py [--requests 2000] [--routines 100]

A real headless app on a home of its own. Figures are milliseconds as a client sees them, connecting included, while
the client shares the machine with the app. Prints JSON: p50, p99 and worst for health, for a list and for a create,
and the same for 200 clients that ask for health at the same time.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from coven_desktop.home import Home, socket_address
from tests.rig import App, routine

AT_ONCE = 200


def request(folder: int, method: str, target: str, body: bytes = b"") -> bytes:
    """One request on a connection of its own; the whole response."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.connect(socket_address(folder))
        head = f"{method} {target} HTTP/1.1\r\nHost: coven\r\nContent-Length: {len(body)}\r\n\r\n"
        client.sendall(head.encode() + body)
        received = bytearray()
        while piece := client.recv(262_144):
            received += piece
    if not received.startswith(b"HTTP/1.1 200 "):
        raise RuntimeError(bytes(received[:200]).decode())
    return bytes(received)


def timed(ask: Callable[[int], object], count: int) -> list[float]:
    """Milliseconds of each of `count` calls."""
    found = []
    for number in range(count):
        begin = time.perf_counter_ns()
        ask(number)
        found.append((time.perf_counter_ns() - begin) / 1e6)
    return found


def figures(milliseconds: list[float]) -> dict[str, float | int]:
    """What is told of a series."""
    cuts = statistics.quantiles(milliseconds, n=100)
    return {
        "count": len(milliseconds),
        "p50": round(cuts[49], 3),
        "p99": round(cuts[98], 3),
        "worst": round(max(milliseconds), 3),
    }


def at_once(folder: int) -> list[float]:
    """Milliseconds of as many simultaneous health requests as there are clients."""
    gate = threading.Barrier(AT_ONCE)
    found: list[float] = []

    def ask() -> None:
        gate.wait()
        begin = time.perf_counter_ns()
        request(folder, "GET", "/api/v1/health")
        found.append((time.perf_counter_ns() - begin) / 1e6)

    threads = [threading.Thread(target=ask) for _ in range(AT_ONCE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def act(name: str, **members: object) -> bytes:
    """The body of an action."""
    return json.dumps({"action": f"coven.automations.{name}", **members}).encode()


def measure(home: Home, folder: Path, requests: int, routines: int) -> dict[str, object]:
    """All the series, on an app that answers."""
    descriptor = os.open(home.root, os.O_RDONLY | os.O_DIRECTORY)

    def create(number: int) -> None:
        definition = routine(f"routine-{number}", "true", folder, status="PAUSED")
        request(descriptor, "POST", "/api/v1/actions", act("create", definition=definition))

    try:
        created = timed(create, routines)
        timed(lambda _: request(descriptor, "GET", "/api/v1/health"), 50)
        health = timed(lambda _: request(descriptor, "GET", "/api/v1/health"), requests)
        listed = timed(lambda _: request(descriptor, "POST", "/api/v1/actions", act("list")), min(requests, 500))
        return {
            "create": figures(created),
            "health": figures(health),
            f"list of {routines}": figures(listed),
            f"health, {AT_ONCE} at once": figures(at_once(descriptor)),
        }
    finally:
        os.close(descriptor)


def main() -> int:
    """Print the figures."""
    parser = argparse.ArgumentParser(description="Measure the socket.")
    parser.add_argument("--requests", type=int, default=2_000)
    parser.add_argument("--routines", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="coven-bench-") as name:
        folder = Path(name)
        with App(folder / "home") as app:
            app.ready()
            print(json.dumps(measure(app.home, folder, arguments.requests, arguments.routines), indent=2))
            app.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
