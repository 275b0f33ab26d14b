"""Where the output of a run goes and what became of that, in words; and the notification that an output is."""

from __future__ import annotations

from coven_desktop.desktop.notifications.service import OPEN, Notification
from coven_desktop.engine.delivery import UNKNOWN
from coven_desktop.engine.happenings import Printed
from coven_desktop.engine.run_delivery import RunDelivery
from coven_desktop.qt.core import QCoreApplication
from coven_desktop.qt.shown import shown
from coven_desktop.ui.notice_words import Leads

_LONGEST = 400
TOPIC = "printed:"
"""How the topics of outputs begin; each is one of its own."""


def of_run(delivery: RunDelivery | None) -> str:
    """What becomes of the output of a run, beside that it is kept; nothing when it is kept and no more."""
    if delivery is None:
        return ""
    if delivery.kind == "notification":
        if delivery.status == "delivered":
            return _say("shown as a notification")
        return _say("as a notification, when the command has succeeded") if delivery.status == "none" else ""
    appended = delivery.mode == "append"
    if delivery.error == UNKNOWN:
        text = _say("perhaps written to {path}: look into the file, it is not written to again")
    else:
        text = {
            "none": _say("into {path}, when the command has succeeded"),
            "pending": _say("is being written to {path}"),
            "delivered": _say("appended to {path}") if appended else _say("written to {path}"),
        }.get(delivery.status, _say("not written to {path}"))
    return text.format(path=delivery.path)


def notification(printed: Printed) -> tuple[Notification, Leads]:
    """What a run printed, as the notification it was to become; each of its actions leads to the run."""
    body = shown(printed.text.strip())
    if len(body) > _LONGEST:
        body = body[: _LONGEST - 1] + "…"
    title = _say("“{name}” succeeded").format(name=printed.name)
    actions = ((OPEN, _say("Show")), ("show", _say("Show")))
    topic = TOPIC + printed.occurrence_id
    lead = ("run", printed.occurrence_id)
    return Notification(topic, title, body or _say("It printed nothing."), actions), {OPEN: lead, "show": lead}


def _say(text: str) -> str:
    return QCoreApplication.translate("Delivery", text)
