"""The keyring helper: a process that answers one question about the person's keyring and ends.

`python -I -m coven_desktop.runtime.secrets_helper`, with the question as JSON on stdin:

    {"ask": "get"|"set"|"delete"|"probe", "names": [NAME], "value": TEXT|null, "mayPrompt": true|false}

On stdout come lines of JSON: `{"prompting": true}` before anything that may wait for the person, and at the end
`{"state": "ready"|"locked"|"absent"|"refused", "values": {NAME: TEXT}, "backend": TEXT|null, "detail": TEXT}`.
Whoever asks ends it at its deadline (`secrets.py`): a prompt then hangs nobody, and the app does not carry what the
keyring's package needs. A value is in the two pipes alone, never in arguments, environment or a log.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
from collections.abc import Callable, Mapping
from typing import Any, Literal

SERVICE = "coven-desktop"
"""The service under which all secrets lie; the user name of an entry is the secret's name."""
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
    import keyring
    from keyring import errors
    from keyring.backends import fail, null

    found: dict[str, Any] = {"state": "ready", "values": {}, "backend": None, "detail": ""}
    value = question["value"]
    try:
        backend = keyring.get_keyring()
        if isinstance(backend, fail.Keyring | null.Keyring):
            return {**found, "state": "absent"}
        found["backend"] = backend.name
        door = _door(backend)
        if door == "unmade" and question["ask"] != "set":
            return found
        if door != "open":
            if not question["mayPrompt"]:
                return {**found, "state": "locked"}
            tell({"prompting": True})
        for name in question["names"]:
            match question["ask"]:
                case "get":
                    kept = backend.get_password(SERVICE, name)
                    if kept is not None:
                        found["values"][name] = kept
                case "set":
                    backend.set_password(SERVICE, name, value)
                case "delete" if backend.get_password(SERVICE, name) is not None:
                    backend.delete_password(SERVICE, name)
        if question["ask"] == "probe" and question["mayPrompt"]:
            # nothing lies under this name, but whoever looks has to be let in
            backend.get_password(SERVICE, "")
    except errors.KeyringLocked:
        return {**found, "state": "locked", "values": {}}
    except errors.NoKeyringError:
        return {**found, "state": "absent", "values": {}}
    except Exception as error:  # noqa: BLE001 - a backend may raise anything, and whoever asks must hear of it
        state = "locked" if "dismissed" in str(error).lower() else "refused"
        return {**found, "state": state, "values": {}, "detail": _detail(error, value)}
    return found


def _door(backend: object) -> Literal["open", "locked", "unmade"]:
    """Whether the person would be asked, as far as it can be told without asking.

    `unmade`: a Secret Service without a collection to keep anything in; it would make one, and ask for its password.
    """
    from keyring.backends import SecretService, chainer

    backends = backend.backends if isinstance(backend, chainer.ChainerBackend) else [backend]
    if not any(isinstance(one, SecretService.Keyring) for one in backends):
        return "open"
    import secretstorage

    with contextlib.closing(secretstorage.dbus_init()) as connection:
        try:
            return "locked" if secretstorage.Collection(connection).is_locked() else "open"
        except secretstorage.ItemNotFoundException:
            return "unmade"


def _detail(error: Exception, value: str | None) -> str:
    """What the backend says, without the value should it be repeated there."""
    text = f"{type(error).__name__}: {error}"
    if value:
        text = text.replace(value, "[…]")
    return text[:_DETAIL_LIMIT]


if __name__ == "__main__":
    main()
