"""The keyring helper: a process that answers one question about the person's keyring and ends.

`python -I -m coven_desktop.runtime.secrets_helper`, with the question as JSON on stdin:

    {"ask": "get"|"set"|"delete"|"probe", "names": [NAME], "value": TEXT|null, "mayPrompt": true|false}

On stdout come lines of JSON: `{"prompting": true}` before anything that may wait for the person, and at the end
`{"state": "ready"|"unmade"|"locked"|"absent"|"no_bus"|"refused", "values": {NAME: TEXT}, "backend": TEXT|null,
     "detail": TEXT}`.
Whoever asks ends it at its deadline (`secrets.py`): a prompt then hangs nobody, and the app does not carry what a
keyring needs. A value is in the two pipes alone, never in arguments, environment or a log.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.runtime import keyrings

_DETAIL_LIMIT = 200

Tell = Callable[[Mapping[str, Any]], None]


def main() -> None:
    """Answer the question on stdin."""
    # a core file would have the values in it
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(0, "rb", closefd=False) as source:
        question: dict[str, Any] = json.loads(source.read())
    # a backend that prints must not be taken for the answer
    answer = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    for standard in (0, 1, 2):
        os.dup2(null, standard, inheritable=False)
    with open(answer, "w", encoding="utf-8") as target:

        def tell(line: Mapping[str, Any]) -> None:
            target.write(json.dumps(line, ensure_ascii=False) + "\n")
            target.flush()

        with contextlib.suppress(BrokenPipeError):
            tell(_answer(question, tell))


def _answer(question: Mapping[str, Any], tell: Tell) -> dict[str, Any]:
    found: dict[str, Any] = {"state": "ready", "values": {}, "backend": None, "detail": ""}
    value = question["value"]
    try:
        keyrings.find_bus(os.environ)
        keyring = keyrings.of_the_person(os.environ)
        found["backend"] = keyring.name
        door = keyring.door()
        if door == "unmade" and question["ask"] != "set":
            return {**found, "state": "unmade"} if question["ask"] == "probe" else found
        if door != "open":
            if not question["mayPrompt"]:
                return {**found, "state": "locked"}
            tell({"prompting": True})
            keyring.unlock()
        for name in question["names"]:
            match question["ask"]:
                case "get":
                    kept = keyring.get(name)
                    if kept is not None:
                        found["values"][name] = kept
                case "set":
                    keyring.put(name, value)
                case "delete":
                    keyring.delete(name)
    except keyrings.NoBus:
        return {**found, "state": "no_bus", "values": {}}
    except keyrings.Absent:
        return {**found, "state": "absent", "values": {}}
    except keyrings.Locked:
        return {**found, "state": "locked", "values": {}}
    except Exception as error:  # noqa: BLE001 - a backend may raise anything, and whoever asks must hear of it
        return {**found, "state": "refused", "values": {}, "detail": _detail(error, value)}
    return found


def _detail(error: Exception, value: str | None) -> str:
    """What the backend says, without the value should it be repeated there."""
    text = f"{type(error).__name__}: {error}"
    if value:
        text = text.replace(value, "[…]")
    return text[:_DETAIL_LIMIT]


if __name__ == "__main__":
    main()
