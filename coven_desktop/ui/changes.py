"""What one revision of a routine says and the other does not, field by field, in words for a person.

Schedule and zone are one sentence, a prompt and an environment are told line by line, and what the form cannot show is
told too.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from coven_desktop.qt.core import QCoreApplication
from coven_desktop.schedule.cadence import CadenceSchedule
from coven_desktop.ui import texts
from coven_desktop.ui.family import NoRule, Rule, described
from coven_desktop.ui.times import Times

# Comparing takes time that grows with the square of this, and nobody reads more of it in a form.
MOST_LINES = 400

# In the order of the form; `schedule` stands for all that says when, the zone included, in either form.
FIELDS = (
    *("name", "status", "schedule", "runtime", "cwd", "prompt", "timeoutMinutes", "delivery"),
    *("model", "tags", "environment", "secrets", "retry"),
)
_FORM = ("schemaVersion", "misfire", "overlap")
_PARTS = {"schedule": ("schedule", "rrule", "timezone", *_FORM)}


class Line(NamedTuple):
    """A line of a prompt: kept, added, or taken away; `gap` stands for unchanged lines that are left out."""

    kind: Literal["kept", "added", "gone", "gap"]
    text: str


class Change(NamedTuple):
    """One field: its name for people, what it said and what it says. What is told line by line has `lines` instead."""

    field: str
    name: str
    before: str
    after: str
    lines: tuple[Line, ...] = ()


def between(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """The fields that differ, in the order of the form."""
    found: list[Change] = []
    for field in fields_of(before, after):
        if not differs(field, before, after):
            continue
        name = name_of(field)
        if field in ("prompt", "environment"):
            old, new = (_by_lines(field, body) for body in (before, after))
            found.append(Change(field, name, old, new, tuple(_lines(old, new))))
            continue
        old, new = said(field, before), said(field, after)
        if old == new:  # other words for the same: then it is the text that differs
            old, new = _as_text(field, before), _as_text(field, after)
        found.append(Change(field, name, old, new))
    return found


def fields_of(*bodies: Mapping[str, Any]) -> list[str]:
    """The fields of some definitions, those that no form shows last."""
    told = {*FIELDS, *_PARTS["schedule"], "id"}
    return [*FIELDS, *sorted({name for body in bodies for name in body} - told)]


def parts(field: str) -> tuple[str, ...]:
    """The members of the definition that a field stands for."""
    return _PARTS.get(field, (field,))


def differs(field: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two definitions differ in a field."""
    return any(one.get(part) != other.get(part) for part in parts(field))


def name_of(field: str) -> str:
    """A field as people call it; one that no form shows under its own name."""
    return {
        "name": _say("Name"),
        "status": _say("State"),
        "schedule": _say("Schedule"),
        "timezone": _say("Time zone"),
        "runtime": _say("Runtime"),
        "cwd": _say("Working folder"),
        "prompt": _say("Prompt"),
        "timeoutMinutes": _say("Stop after"),
        "delivery": _say("Output"),
        "model": _say("Model"),
        "tags": _say("Tags"),
        "environment": _say("Environment"),
        "secrets": _say("Secrets"),
        "retry": _say("Try again"),
        "familiarId": _say("Familiar"),
        "id": _say("Id"),
        "display.description": _say("description"),
        "binding.authority": _say("approval policy"),
        "runtimeRequirements.capabilities": _say("capabilities"),
        "policies.retention": _say("how long its history is kept"),
        "provenance": _say("where it comes from"),
        "deletion": _say("a request to delete it"),
    }.get(field, field)


def said(field: str, body: Mapping[str, Any]) -> str:
    """What a definition says in a field."""
    value = body.get(field)
    if field == "schedule":
        try:
            return described(body)
        except NoRule:
            return _as_text(field, body)
    if field == "delivery" and isinstance(value, Mapping):
        return _delivery(value)
    if field == "status":
        return {"ACTIVE": _say("Active"), "PAUSED": _say("Paused")}.get(str(value), str(value))
    if field == "timeoutMinutes" and isinstance(value, int):
        return _say("1 minute") if value == 1 else _say("{count} minutes").format(count=value)
    if field == "environment" and isinstance(value, Mapping):
        return _by_lines(field, body) or _say("none")
    if field in ("tags", "secrets") and isinstance(value, list | tuple):
        return ", ".join(map(str, value)) if value else _say("none")
    if field == "retry" and isinstance(value, Mapping):
        return retry_sentence(value)
    if value in (None, ""):
        empty = {
            "model": _say("the runtime's own choice"),
            "retry": _say("No second attempt."),
            "delivery": _say("kept with the run"),
        }
        return empty.get(field, _say("none"))
    return _as_text(field, body)


def retry_sentence(policy: Mapping[str, Any]) -> str:
    """A retry policy as a sentence."""
    attempts = policy.get("maxAttempts", 1)
    if attempts == 1:
        return _say("No second attempt.")
    seconds = policy.get("backoffSeconds") or 1
    sentence = {
        "fixed": _say("Up to {attempts} attempts, each {seconds} s after the one before."),
        "exponential": _say("Up to {attempts} attempts, with pauses that grow from {seconds} s."),
    }.get(str(policy.get("backoffPolicy")), _say("Up to {attempts} attempts, without a pause."))
    classes = [texts.failure_class(str(name)) for name in policy.get("retryableClasses", ())]
    only = _say("Only after a run that: {classes}.").format(classes="; ".join(classes)) if classes else ""
    return f"{sentence.format(attempts=attempts, seconds=seconds)} {only}".strip()


def withdraws(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Whether what is planned of a routine is lost when it is saved so (decisions.md 5).

    A cron routine's runs as it is saved then, and a cadence's while its schedule, zone and policy are the same.
    """
    schedule = before.get("schedule")
    if not isinstance(schedule, Mapping):
        return True
    return schedule.get("kind") != "cron" and after.get("schedule") != schedule


def consequences(
    rule: Rule | None, active: bool, lost: Sequence[int], times: Times, counted: int = 0
) -> tuple[list[str], str]:
    """What saving does to what is planned (decisions.md 5): what is lost, and when the routine runs next.

    `lost` are instants (UTC milliseconds) that are planned and have not begun; `rule` is None when it is none,
    and `counted` are the runs of it that were started.
    """
    losses: list[str] = []
    if len(lost) == 1:
        losses.append(
            _say("The run planned for {moment} has not begun, and will not: it belongs to the revision before.").format(
                moment=times.day_and_time(lost[0])
            )
        )
    elif lost:
        losses.append(
            _say("The runs planned for {moments} have not begun, and will not: they belong to the revision before.")
            .format(moments=", ".join(times.day_and_time(slot) for slot in lost))
        )  # fmt: skip
    if not active:
        return losses, _say("It is paused then: nothing of it runs until it is active.")
    if rule is None:
        return losses, ""
    after = max([times.now(), *lost])
    if isinstance(rule.schedule, CadenceSchedule):
        after = rule.schedule.counts_from(after)
    following = rule.schedule.next_after(after)
    if following is None or (rule.most_runs is not None and counted >= rule.most_runs):
        return losses, _say("After that it never runs.")
    text = _say("It runs next: {moment}, {relative}.")
    return losses, text.format(moment=times.day_and_time(following), relative=times.relative(following))


def unchanged(lifecycle: str) -> str:
    """What saving does to a routine of which no field was changed."""
    if lifecycle == "draft":
        return _say("It is a draft. Saving makes it a routine that is paused, or active if you say so.")
    if lifecycle == "invalid":
        return _say("It was found invalid. Saving makes it a routine again, paused or active as you say.")
    return _say("Nothing is changed yet.")


def _by_lines(field: str, body: Mapping[str, Any]) -> str:
    value = body.get(field)
    if isinstance(value, Mapping):
        return "\n".join(f"{name}={text}" for name, text in value.items())
    return str(value or "")


def _delivery(value: Mapping[str, Any]) -> str:
    if value.get("kind") == "notification":
        return _say("in a notification")
    behind = value.get("mode") == "append"
    text = _say("behind what is in {path}") if behind else _say("in place of what is in {path}")
    return text.format(path=value.get("path"))


def _as_text(field: str, body: Mapping[str, Any]) -> str:
    names = parts(field)
    values = [body.get(part) for part in names if len(names) == 1 or (part in body and part not in _FORM)]
    return "  ·  ".join(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for value in values)


def _lines(before: str, after: str) -> Iterator[Line]:
    old, new = (text.split("\n") if text else [] for text in (before, after))
    if max(len(old), len(new)) > MOST_LINES:
        yield Line("gone", _say("{count} lines").format(count=len(old)))
        yield Line("added", _say("{count} lines").format(count=len(new)))
        return
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for number, group in enumerate(matcher.get_grouped_opcodes(1)):
        if number or group[0][1]:
            yield Line("gap", "")
        for tag, old_from, old_to, new_from, new_to in group:
            if tag == "equal":
                yield from (Line("kept", text) for text in old[old_from:old_to])
                continue
            yield from (Line("gone", text) for text in old[old_from:old_to])
            yield from (Line("added", text) for text in new[new_from:new_to])
        if group[-1][2] < len(old):
            yield Line("gap", "")


def _say(text: str) -> str:
    return QCoreApplication.translate("Changes", text)
