"""Where what a run printed goes, as a routine says it and as its runs tell it (design/schedules.md, Delivery)."""

from __future__ import annotations

from coven_desktop.api.described.model import Member, any_of, choice, optional, shape
from coven_desktop.api.described.scalars import TEXT, UNBLANK, exactly
from coven_desktop.contract.delivery import MODES

_TO_FILE = shape(
    Member("kind", exactly("file")),
    Member("path", UNBLANK, "The whole path of the file; its folder is looked for when something is delivered."),
    Member("mode", choice(*MODES), "In place of what the file holds, or behind it."),
    name="FileDelivery",
    words="What a run printed goes into a file.",
    closed=True,
)
_AS_NOTIFICATION = shape(
    Member("kind", exactly("notification")),
    name="NotificationDelivery",
    words="What a run printed is shown as a notification.",
    closed=True,
)
DELIVERY = any_of(_TO_FILE, _AS_NOTIFICATION)

OF_A_RUN = (
    optional(
        "outcome",
        choice("ok", "failed").or_null,
        "What the command came to, whatever became of the delivery; null while that is not known, and when it was"
        " cancelled. This member and the next three are of runs of cadence and cron routines.",
    ),
    optional(
        "deliveryStatus",
        choice("none", "pending", "delivered", "failed"),
        "What became of what it printed. While it is `pending` the run is `running`; one that failed fails the run.",
    ),
    optional("deliveryError", TEXT.or_null, "Why it was not delivered, for people."),
    optional("delivery", DELIVERY, "Where it was to go."),
)
