"""import and legacy.import.v1: the automations of Codex as routines that rest until a person has looked at them.

Unversioned they land paused, versioned as drafts (contract/engine.md §12); what is there already is skipped
(decisions.md 26). The files are read one by one in turns of the loop, and what comes of them is committed at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from coven_desktop import home
from coven_desktop.contract import codex_automation, fingerprint
from coven_desktop.contract.codex_automation import NotAutomation, NotCarried
from coven_desktop.contract.definition import Definition
from coven_desktop.contract.errors import TypedRefusal
from coven_desktop.contract.text import echo
from coven_desktop.engine import codex_files, revisions
from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.engine.commands import definition_requests, fields
from coven_desktop.engine.engine import Engine
from coven_desktop.schedule import zones
from coven_desktop.store import adoptions, definitions
from coven_desktop.store.transactions import Transaction

COMMAND = "legacy.import.v1"
EXISTS = "already exists"
READ = object()


class _Line(NamedTuple):
    """What is told of an automation that is not imported."""

    into: Literal["skipped", "failures"]
    text: str


# What comes of each file, in the order of their folders.
_Found = list[Definition | _Line]


def import_all(engine: Engine, body: Mapping[str, Any]) -> Answer | Pending:
    """Import what Codex has; paused. Payload: `imported`, `skipped`, `failures`."""
    del body

    def commit(found: _Found) -> Answer:
        with engine.core.change() as tx:
            return Answer(_import(engine, tx, found, managed="legacy", lifecycle="paused"))

    return _when_read(engine, commit)


def import_v1(engine: Engine, body: Mapping[str, Any]) -> Answer | Pending:
    """Import what Codex has, once per key; as drafts. Body: `adoptionKey`, `source`, `dryRun?`.

    Inner result: `source`, `dryRun`, `imported`, `skipped`, `failures`. A dry run tells the same and writes nothing but
    its answer.
    """
    key = definition_requests.adoption_key(body)
    fault: TypedRefusal | None = None
    asked: dict[str, Any] = {}
    try:
        asked = covered = _asked(body)
    except TypedRefusal as refused:
        fault = refused
        names = ("source", "dryRun", "expectedRevision")
        covered = {"request": fingerprint.lossless({name: body[name] for name in names if name in body})}

    def commit(found: _Found) -> Answer:
        def apply(tx: Transaction, key: str) -> Answer:
            if fault is not None:
                raise fault
            told = _import(engine, tx, found, managed="v1", lifecycle="draft", dry_run=asked["dryRun"])
            payload = {"outcome": "committed", "revision": None, "result": {**asked, **told}}
            return Answer(payload, in_result=True)

        return definition_requests.spend(engine, key, COMMAND, covered, None, apply)

    if fault is not None or adoptions.get(engine.core.store, key) is not None:
        return commit([])
    return _when_read(engine, commit)


def _asked(body: Mapping[str, Any]) -> dict[str, Any]:
    if body.get("source") != codex_automation.SOURCE:
        raise fields.invalid(f"{COMMAND} requires field `source` equal to {codex_automation.SOURCE}")
    if not isinstance(body.get("dryRun", False), bool):
        raise fields.invalid(f"{COMMAND} field `dryRun` must be true or false")
    if "expectedRevision" in body:
        raise fields.invalid(f"{COMMAND} takes no expectedRevision")
    return {"source": body["source"], "dryRun": body.get("dryRun", False)}


def _import(
    engine: Engine, tx: Transaction, found: _Found, *, managed: str, lifecycle: str, dry_run: bool = False
) -> dict[str, list[str]]:
    """Import what is new, and tell of all."""
    told: dict[str, list[str]] = {"imported": [], "skipped": [], "failures": []}
    for entry in found:
        engine.core.loop.breathe()
        if isinstance(entry, _Line):
            told[entry.into].append(entry.text)
        elif entry.id in told["imported"] or definitions.get(tx, entry.id) is not None:
            told["skipped"].append(f"{entry.id}: {EXISTS}")
        else:
            told["imported"].append(entry.id)
            if not dry_run:
                revisions.commit(
                    tx,
                    None,
                    "imported",
                    entry,
                    managed=managed,
                    adoption_key=None,
                    lifecycle=lifecycle,
                    imported_from=codex_automation.SOURCE,
                )
    return told


def _when_read(engine: Engine, commit: Callable[[_Found], Answer]) -> Answer | Pending:
    """Read the files in turns of the loop, then commit; at once when there are none."""
    found: _Found = []
    steps = _read(found)
    if next(steps, READ) is READ:
        return commit(found)
    pending = Pending()

    def go_on() -> None:
        try:
            if next(steps, READ) is READ:
                pending.complete(commit(found))
            else:
                engine.core.loop.call_soon(go_on)
        except Exception as error:  # noqa: BLE001 - whoever waits is told, whatever it is
            pending.complete(error)

    engine.core.loop.call_soon(go_on)
    return pending


def _read(found: _Found) -> Iterator[None]:
    """Read what there is, yielding before each file: one of 2 KB takes a millisecond or more."""
    root = home.codex_automations(os.environ)
    names, lines = codex_files.folders(root)
    found.extend(_Line("failures", line) for line in lines)
    for name in names:
        yield
        entry = _entry(root, name)
        if entry is not None:
            found.append(entry)


def _entry(root: Path, name: str) -> Definition | _Line | None:
    """What comes of one folder; None when there is no automation in it."""
    try:
        text = codex_files.read(root, name)
        if text is None:
            return None
        automation = codex_automation.read(text, codex_files.shown(Path(name)))
    except codex_files.Unreadable as line:
        return _Line("failures", str(line))
    except NotAutomation as fault:
        place = codex_files.shown(root / name)
        return _Line("failures", f"{place}: could not parse {codex_files.FILE}: {fault}")
    label = echo(automation.id or codex_files.shown(Path(name)))
    try:
        return revisions.resolved(codex_automation.routine_of(automation))
    except NotCarried as why:
        return _Line("skipped", f"{label}: {why}")
    except zones.ZoneError as error:
        return _Line("skipped", f"{label}: routine definition failed validation: {error}")
