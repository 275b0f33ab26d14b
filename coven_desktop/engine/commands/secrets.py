"""The person's secrets, for the window: named, set, deleted, and whether the keyring can be asked.

Commands as all others (`EngineGateway.submit`), but for nobody else: a value is taken from the window alone, goes to
the keyring through its helper, and is never read back for anybody but a run. Nothing here waits: what the keyring has
to say comes as a `Pending`, at the latest after a minute, in which its own prompt may be answered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.contract.errors import Code, Refusal, TypedRefusal
from coven_desktop.contract.routine_settings import IDS, SettingsError, check_value, is_variable
from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.engine.commands import fields
from coven_desktop.engine.engine import Engine
from coven_desktop.runtime.secrets import LAUNCH_LIMIT_MS, PERSON_LIMIT_MS, Question, Reply, words
from coven_desktop.store import definitions, routine_settings, secret_names
from coven_desktop.store.transactions import Transaction

KIND = "desktop.secrets"


def names(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Every secret by name. Payload: `secrets`, a list of `name`, `setAt` (null when it was not set from this home),
    `routines` (`id` and `name` of those that are given it), `runtimes` (names).
    """
    del body
    store = engine.core.store
    with store.snapshot():
        set_at = secret_names.every(store)
        every = routine_settings.every(store)
        routines = [
            (row, routine_settings.of(every[row.id]).secrets) for row in definitions.live(store) if row.id in every
        ]
    runtimes = [(found.name, found.secrets) for found in engine.core.runtime.known()]
    used = {name for _, given in (*routines, *runtimes) for name in given}
    return Answer(
        {
            "secrets": [
                {
                    "name": name,
                    "setAt": set_at.get(name),
                    "routines": [{"id": row.id, "name": row.name} for row, given in routines if name in given],
                    "runtimes": [runtime for runtime, given in runtimes if name in given],
                }
                for name in sorted({*set_at, *used})
            ]
        },
        kind=KIND,
    )


def check(engine: Engine, body: Mapping[str, Any]) -> Pending:
    """Ask the keyring how it is. Body: `unlock?` (true: it may ask the person), `names?` (of secrets to look for).

    Payload: `state` (ready, unmade, locked, absent, no_bus, prompting, refused), `sentence`, `backend` or null,
    `missing` (of `names`, when it is ready). Refuses nothing but a wrong body.
    """
    wanted = body.get("names", [])
    if not isinstance(wanted, list) or not all(is_variable(name) for name in wanted):
        raise fields.invalid("names must be a list of secrets' names")
    may_prompt = body.get("unlock") is True
    question = Question("get" if wanted else "probe", tuple(wanted), may_prompt=may_prompt)
    pending = Pending()

    def answered(reply: Reply) -> None:
        missing = [name for name in wanted if name not in reply.values] if reply.state == "ready" else []
        told = {"state": reply.state, "sentence": _sentence(reply), "backend": reply.backend, "missing": missing}
        pending.complete(Answer(told, kind=KIND))

    engine.core.runtime.ask_keyring(question, answered, PERSON_LIMIT_MS if may_prompt else LAUNCH_LIMIT_MS)
    return pending


def put(engine: Engine, body: Mapping[str, Any]) -> Pending:
    """Keep a secret, or replace it. Body: `name`, `value`. Payload: `name`. Raises VALIDATION_FAILED, or completes with
    an untyped refusal that says how the keyring is.
    """
    name = _name(body)
    try:
        value = check_value(body.get("value"), "value")
    except SettingsError as error:
        raise fields.invalid(str(error)) from error
    if not value:
        raise fields.invalid("value must not be empty; delete the secret instead")
    return _change(engine, Question("set", (name,), value, may_prompt=True), name, secret_names.remember)


def delete(engine: Engine, body: Mapping[str, Any]) -> Pending:
    """Delete a secret; what is not there is no error. Body: `name`. Otherwise as `put`."""
    name = _name(body)
    return _change(engine, Question("delete", (name,), may_prompt=True), name, secret_names.forget)


def _change(engine: Engine, question: Question, name: str, record: Callable[[Transaction, str], None]) -> Pending:
    """The keyring first, then the name: a name without a secret would promise what is not there."""
    pending = Pending()

    def answered(reply: Reply) -> None:
        if reply.state != "ready":
            pending.complete(Refusal(_sentence(reply)))
            return
        try:
            with engine.core.change() as tx:
                record(tx, name)
        except Exception as error:  # noqa: BLE001 - whoever waits is told, whatever it is
            pending.complete(error)
        else:
            pending.complete(Answer({"name": name}, kind=KIND))

    engine.core.runtime.ask_keyring(question, answered, PERSON_LIMIT_MS)
    return pending


def _name(body: Mapping[str, Any]) -> str:
    name = body.get("name")
    if not is_variable(name) or name in IDS:
        raise TypedRefusal(
            Code.VALIDATION_FAILED,
            "name must be that of an environment variable, such as MY_TOKEN: letters, digits and _, no digit first",
        )
    return str(name)


def _sentence(reply: Reply) -> str:
    told = words(reply)
    return f"{told[0].upper()}{told[1:]}."
