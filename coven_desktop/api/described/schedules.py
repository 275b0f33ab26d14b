"""The actions about schedules of any family: what they fire at, and what they mean."""

from __future__ import annotations

from coven_desktop.api.described.model import Description, Error, Member, Type, any_of, choice, list_of, optional, shape
from coven_desktop.api.described.scalars import INSTANT, SENT_INSTANT, TEXT, exactly, integer
from coven_desktop.contract.errors import Code
from coven_desktop.schedule.cadence import MOST_MINUTES, MOST_RUNS
from coven_desktop.schedule.families import CATCH_UPS, DEFAULT_CATCH_UP, KINDS
from coven_desktop.schedule.preview import MOST_FIRINGS

_ZONE = Member("timezone", TEXT, "`utc`, an IANA name, or `local`: the zone of the app's machine.")
_TIME = "a wall time in the zone, `2026-01-31T09:00:00`, or an instant with its offset, in whole seconds"
ANCHOR = Member("anchor", TEXT, f"What it counts from: {_TIME}.")
UNTIL = optional("until", TEXT.or_null, f"The last time, itself within: {_TIME}.")
_ENDS = (
    UNTIL,
    optional("maxRuns", integer(1, MOST_RUNS).or_null, "After how many runs it ends."),
    optional(
        "catchUp",
        choice(*CATCH_UPS).or_null,
        f"What becomes of slots that were missed; `{DEFAULT_CATCH_UP}` when absent.",
    ),
)
RRULE = shape(
    Member("kind", exactly("rrule")),
    Member("rrule", TEXT, "A rule as of contract routines, `FREQ=DAILY;BYHOUR=9`."),
    _ZONE,
    name="RruleSchedule",
    words="A schedule by a rule of the contract.",
    closed=True,
)
CRON = shape(
    Member("kind", exactly("cron")),
    Member("expression", TEXT, "Five fields: minute, hour, day of month, month, day of week."),
    _ZONE,
    name="CronSchedule",
    words="A schedule by cron.",
    closed=True,
)
CADENCE = shape(
    Member("kind", exactly("cadence")),
    Member("mode", choice("hourly", "daily", "weekly", "monthly", "yearly", "once")),
    ANCHOR,
    _ZONE,
    *_ENDS,
    name="CadenceSchedule",
    words="A schedule that counts from an anchor.",
    closed=True,
)
MINUTES = shape(
    Member("kind", exactly("cadence")),
    Member("mode", exactly("every_n_minutes")),
    Member("minutes", integer(1, MOST_MINUTES), "Elapsed time; changes of clocks do not move it."),
    ANCHOR,
    _ZONE,
    *_ENDS,
    name="MinutesSchedule",
    words="A schedule of every so many minutes from an anchor.",
    closed=True,
)
CRON_CADENCE = shape(
    Member("kind", exactly("cadence")),
    Member("mode", exactly("cron")),
    Member("expression", TEXT, "Five fields as of cron, or six with seconds first."),
    optional("anchor", TEXT.or_null, f"Nothing fires before it: {_TIME}."),
    _ZONE,
    *_ENDS,
    name="CronCadenceSchedule",
    words="A schedule by cron with the ends and the catch-up of a cadence.",
    closed=True,
)
SCHEDULE: Type = any_of(RRULE, CRON, CADENCE, MINUTES, CRON_CADENCE)

_FIELD = Member("schedule", SCHEDULE, "The schedule, of any family.")
_REFUSED = Error(
    Code.VALIDATION_FAILED,
    "a field is missing or wrong; of a schedule that is refused, `details.field` names the member, and"
    " `details.suggestion` is the text to write there instead, or null",
)

PREVIEW = Description(
    "coven.desktop.schedule.preview.v1",
    "The next firings of a schedule, or the last ones before an instant.",
    (
        _FIELD,
        optional("count", integer(1, MOST_FIRINGS).or_null, "How many; 10 when absent."),
        optional("from", SENT_INSTANT.or_null, "Firings come strictly after it; now when absent."),
        optional("before", SENT_INSTANT.or_null, "The last firings strictly before it instead.", excludes="from"),
    ),
    shape(
        Member("timezone", TEXT, "The exact name, also for `local`."),
        Member("zoneData", TEXT, "The version of the time zone data that was asked."),
        Member(
            "firings",
            list_of(
                shape(
                    Member("at", INSTANT),
                    Member("local", TEXT, "The wall time with its offset, `2026-03-29T09:00:00+02:00`."),
                    Member(
                        "note",
                        choice("gap", "repeated", "clamped", "last").or_null,
                        "`gap`: it stands for what clocks skip; `repeated`: its wall time comes twice; `clamped`: the"
                        " month is too short for the anchor's day; `last`: nothing follows.",
                    ),
                    name="Firing",
                    words="An instant at which a schedule fires.",
                )
            ),
            "Ascending; fewer than asked for when the series ends.",
        ),
        Member(
            "notes",
            list_of(
                shape(
                    Member("kind", choice("skipped", "moved", "repeated")),
                    Member("wall", TEXT, "The wall time, the first of several."),
                    Member("text", TEXT, "What happens to it, as a sentence."),
                    name="ClockNote",
                    words="What a change of clocks does to a schedule.",
                )
            ),
        ),
    ),
    (_REFUSED,),
    words="Computed by what plans the runs, so that nothing else is promised. With `maxRuns` it ends after so many"
    " firings.",
    kind="desktop.schedule.preview",
)
EXPLAIN = Description(
    "coven.desktop.schedule.explain.v1",
    "A schedule in words, or why it is refused and what to write instead.",
    (_FIELD,),
    shape(
        Member("kind", choice(*KINDS)),
        Member("timezone", TEXT, "The exact name, also for `local`."),
        Member("words", TEXT, "When it fires, in English."),
        Member("sentences", list_of(TEXT), "About what is less plain: the day rule, changes of clocks, its ends."),
    ),
    (_REFUSED,),
    kind="desktop.schedule.explained",
)

ALL = (PREVIEW, EXPLAIN)
