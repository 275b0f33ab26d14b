"""What a notification says, in words, and where each of its actions leads. Calm, and never more than it has to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from coven_desktop.desktop.notifications.rules import Matter, Telling
from coven_desktop.desktop.notifications.service import OPEN, Notification, Urgency
from coven_desktop.engine import attempts
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.qt.shown import one_line, shown
from coven_desktop.ui import jargon

_NAMED = 3
_QUOTED = re.compile(r"`([^`]*)`")
_LONGEST_REASON = 160

Leads = dict[str, tuple[str, str]]


def words(telling: Telling) -> tuple[Notification, Leads]:
    """What a telling says, and where each of its actions leads."""
    notification, leads = _words(telling)
    return replace(notification, title=one_line(notification.title), body=shown(notification.body)), leads


def _words(telling: Telling) -> tuple[Notification, Leads]:
    if telling.topic == "away":
        return _away(telling)
    if telling.topic == "failed":
        return _failed(telling)
    if len(telling.matters) == 1:
        return _one(telling.matters[0])
    return _several(telling.topic, telling.matters)


def _one(matter: Matter) -> tuple[Notification, Leads]:
    if matter.topic == "paused":
        title = _say("“{name}” is paused: {n} runs in a row failed").format(name=matter.name, n=matter.reason)
        return _with_show(
            "paused", title, _say("It does not run until you resume it."), ("routine", matter.automation_id)
        )
    occurrence = matter.occurrence_id or ""
    if matter.topic == "quarantined":
        title = _say("“{name}” is quarantined").format(name=matter.name)
        follows = _say("Nothing of it starts until you release it.")
        act, lead, show = _say("Release…"), ("release", matter.automation_id), ("routine", matter.automation_id)
    elif matter.topic == "undecided":
        title = _say("How “{name}” ended is not known").format(name=matter.name)
        follows = _say("Nothing else of it starts until you decide.")
        act, lead, show = _say("Decide…"), ("decide", occurrence), ("run", occurrence)
    else:
        title = _say("“{name}” failed and is held for your retry").format(name=matter.name)
        follows = _say("Nothing else of it starts until you retry it or give it up.")
        act, lead, show = _say("Retry…"), ("decide", occurrence), ("run", occurrence)
    body = "\n".join(part for part in (_sentence(matter.reason), follows) if part)
    actions = ((OPEN, _say("Show")), ("act", act), ("show", _say("Show")))
    return Notification(matter.topic, title, body, actions), {OPEN: show, "act": lead, "show": show}


def _several(topic: str, matters: Sequence[Matter]) -> tuple[Notification, Leads]:
    titles = {
        "quarantined": _say("{n} routines are quarantined"),
        "undecided": _say("How {n} runs ended is not known"),
        "held": _say("{n} runs failed and are held for your retry"),
        "paused": _say("{n} routines are paused after failures in a row"),
    }
    title = titles[topic].format(n=len(matters))
    body = _names([matter.name for matter in matters]) + "\n" + _say("Nothing else of them starts until you decide.")
    # one that is paused is no matter of the attention page: it is found among the routines
    return _with_show(topic, title, body, ("window" if topic == "paused" else "attention", ""))


def _failed(telling: Telling) -> tuple[Notification, Leads]:
    failures = telling.failures
    if len(failures) == 1:
        title = _say("“{name}” failed").format(name=failures[0].name)
        return _with_show("failed", title, _sentence(failures[0].reason), ("run", failures[0].occurrence_id))
    title = _say("{n} routines failed").format(n=len(failures))
    return _with_show("failed", title, _names([each.name for each in failures]), ("runs", ""))


def _away(telling: Telling) -> tuple[Notification, Leads]:
    summary = telling.summary
    assert summary is not None
    since = (
        (summary.ran, _say("{n} ran")),
        (summary.failed, _say("{n} failed")),
        (summary.going, _say("{n} still to end")),
    )
    caught_up = ", ".join(text.format(n=number) for number, text in since if number)
    missed = _say("1 time was missed.") if summary.missed == 1 else _say("{n} times were missed.")
    parts = [missed.format(n=summary.missed)] if summary.missed else []
    # those ran after the start: nothing runs while the app is off
    parts += [_say("Since then: {counts}.").format(counts=caught_up)] if caught_up else []
    body = " ".join(parts)
    urgency = Urgency.NORMAL if summary.failed or summary.missed else Urgency.LOW
    return _with_show("away", _say("While the computer or the app was off"), body, ("runs", ""), urgency)


def _with_show(
    topic: str, title: str, body: str, lead: tuple[str, str], urgency: Urgency = Urgency.NORMAL
) -> tuple[Notification, Leads]:
    actions = ((OPEN, _say("Show")), ("show", _say("Show")))
    return Notification(topic, title, body, actions, urgency), {OPEN: lead, "show": lead}


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_NAMED])
    if len(names) <= _NAMED:
        return shown + "."
    return _say("{names} and {n} more.").format(names=shown, n=len(names) - _NAMED)


def _sentence(reason: str) -> str:
    """A reason as a sentence of its own, of the length that a notification has room for."""
    text = _QUOTED.sub(r"“\1”", " ".join(jargon.plain(reason.removesuffix(attempts.HELD)).split()))
    if len(text) > _LONGEST_REASON:
        text = text[: _LONGEST_REASON - 1] + "…"
    text = text[:1].upper() + text[1:]
    return text if not text or text[-1] in ".!?…" else text + "."


def _say(text: str) -> str:
    return QCoreApplication.translate("Notices", text)
