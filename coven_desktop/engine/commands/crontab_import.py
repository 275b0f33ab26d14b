"""coven.desktop.crontab.import.v1: the jobs of a crontab as cron routines that rest until a person has looked at them.

Each job has a routine of its own, with the runtime shell, in the person's home folder, where cron runs it. A line that
was imported before is skipped; one whose routine was deleted since gets another (product.md, 11; schedules.md, cron).
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from coven_desktop.contract import crontab, crontab_routines, fingerprint, routine_settings
from coven_desktop.contract import routine as routines
from coven_desktop.contract.crontab import Job, NotCrontab, Remark
from coven_desktop.contract.definition import DefinitionError
from coven_desktop.contract.routine_settings import SettingsError
from coven_desktop.contract.text import echo
from coven_desktop.engine import revisions
from coven_desktop.engine.answers import Answer
from coven_desktop.engine.commands import definition_requests, fields, versioned
from coven_desktop.engine.engine import Engine
from coven_desktop.schedule import zones
from coven_desktop.store import definitions
from coven_desktop.store import routine_settings as settings_store
from coven_desktop.store.transactions import Transaction

COMMAND = "desktop.crontab.import.v1"
SOURCE = "crontab"
_NAMES = ("crontab", "dryRun", "expectedRevision")


def import_crontab(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Import a crontab, once per key; paused. Body: `adoptionKey`, `crontab` (its text), `dryRun?`.

    Inner result: `dryRun`, `timezone` (of the jobs that name none), and by lines `imported`, `skipped`, `refused`,
    `reported`. A dry run tells the same and writes nothing but its answer.
    """
    key = definition_requests.adoption_key(body)
    covered = {"request": fingerprint.lossless({name: body[name] for name in _NAMES if name in body})}

    def apply(tx: Transaction, key: str) -> Answer:
        text, dry = _asked(body)
        try:
            found = crontab.read(text, engine.core.loop.breathe)
        except NotCrontab as why:
            raise fields.invalid(f"crontab is none: {why}") from why
        told = _Import(engine, tx, key, _machine_zone(), dry).all(found)
        return Answer({"outcome": "committed", "revision": None, "result": told}, in_result=True)

    return definition_requests.spend(engine, key, f"coven.{COMMAND}", covered, None, apply)


def _asked(body: Mapping[str, Any]) -> tuple[str, bool]:
    text = body.get("crontab")
    if not isinstance(text, str):
        raise fields.invalid(f"coven.{COMMAND} requires string field `crontab`, the text of one")
    return text, fields.dry_run(body, f"coven.{COMMAND}")


def _machine_zone() -> str:
    try:
        return zones.resolve_local()
    except zones.ZoneError as error:
        raise fields.invalid(
            f"the zone of this machine is not known ({error.message}): write CRON_TZ= with one above the jobs"
        ) from error


class _Import:
    """One import: what is told of each line, and what is written unless it is dry."""

    def __init__(self, engine: Engine, tx: Transaction, key: str, timezone: str, dry: bool) -> None:
        self._loop = engine.core.loop
        self._tx = tx
        self._key = key
        self._timezone = timezone
        self._dry = dry
        self._home = os.path.expanduser("~")
        self._names = {row.name for row in definitions.live(tx)}
        self._lines: dict[str, tuple[Job, int]] = {}  # by the ids that this import has given: the job, its line

    def all(self, found: crontab.Crontab) -> dict[str, Any]:
        """Import what is new, and tell of all."""
        told: dict[str, Any] = {"dryRun": self._dry, "timezone": self._timezone}
        told |= {"imported": [], "skipped": [], "refused": [], "reported": []}
        refused = list(found.refused)
        for job in found.jobs:
            self._loop.breathe()
            automation_id, standing = self._standing(job)
            if standing is not None:
                one = {"line": job.line, "automationId": automation_id, "text": _text(job), "reason": standing}
                told["skipped"].append(one)
                continue
            try:
                told["imported"].append(self._job(job, automation_id))
            except (DefinitionError, SettingsError) as error:
                reason = str(error).removeprefix("routine definition failed validation: ")
                refused.append(Remark(job.line, _text(job), reason))
        told["refused"] = [remark._asdict() for remark in sorted(refused, key=lambda one: one.line)]
        told["reported"] = [
            {"line": remark.line, "text": remark.text, "reason": remark.reason} for remark in found.reported
        ]
        return told

    def _standing(self, job: Job) -> tuple[str, str | None]:
        """The id of a job's routine, and why it is not made: it is there, or the same stands above. None: it is new."""
        base = crontab_routines.identity(job)
        number, automation_id = 1, base
        while True:
            above = self._lines.get(automation_id)
            row = definitions.get(self._tx, automation_id) if above is None else None
            if above is not None and (above[0].environment == job.environment):
                return automation_id, f"line {above[1]} says the same"
            if row is not None and row.tombstoned_at is None:
                # the same job under other variables further down has the next number
                self._lines[automation_id] = (job, job.line)
                return automation_id, f"already here as “{row.name}”"
            if above is None and row is None:
                return automation_id, None
            number += 1
            automation_id = f"{base}-{number}"

    def _job(self, job: Job, automation_id: str) -> dict[str, Any]:
        """Make the routine of a job, unless it is dry. Raises DefinitionError or SettingsError."""
        settings = routine_settings.parse({"environment": dict(job.environment), "secrets": []})
        called = crontab_routines.name(job, self._names)
        made = routines.parse(
            crontab_routines.document(
                job, automation_id=automation_id, called=called, timezone=self._timezone, cwd=self._home
            )
        )
        if not self._dry:
            revisions.commit(
                self._tx,
                None,
                "imported",
                made,
                managed=versioned.MANAGED,
                adoption_key=self._key,
                imported_from=SOURCE,
            )
            settings_store.put(self._tx, automation_id, settings, adoption_key=self._key)
        self._names.add(called)
        self._lines[automation_id] = (job, job.line)
        return {
            "line": job.line,
            "automationId": automation_id,
            "text": _text(job),
            "name": called,
            "expression": job.expression,
            "timezone": job.timezone or self._timezone,
            "prompt": made.prompt,
            "environment": sorted(settings.environment),
        }


def _text(job: Job) -> str:
    return echo(f"{job.expression} {job.command}")
