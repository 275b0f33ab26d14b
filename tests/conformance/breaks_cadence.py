"""Breaks of cadences: what cadence-resolution and cadence-end-conditions notice."""

from __future__ import annotations

from tests.conformance.breaks import Break, made

_GRAMMAR = "schedule/cron_grammar.py"
_WALL = "schedule/wall_schedule.py"
_CADENCE = "schedule/cadence.py"
_RULES = "schedule/cadence_rules.py"
_ANCHORS = "schedule/anchors.py"
_PREVIEW = "schedule/preview.py"
_FAMILIES = "schedule/families.py"


def _slot(rule: str, cases: str, file: str, *pairs: tuple[str, str]) -> Break:
    return made(rule, "cadence-resolution", cases, *((file, old, new) for old, new in pairs))


def _end(rule: str, cases: str, file: str, *pairs: tuple[str, str]) -> Break:
    return made(rule, "cadence-end-conditions", cases, *((file, old, new) for old, new in pairs))


_STEPS = "return WallSchedule(steps, cadence.zone, both_passes=False, at_jump=True)"
_MONTHS = "return WallSchedule(months, cadence.zone, both_passes=False, at_jump=True)"
_HOURLY = "cadence.zone, both_passes=True, at_jump=False)"
_COUNTS = "return max(self.begin, saved) - 1"

CADENCE_RESOLUTION = (
    _slot(
        "hourly is at the anchor's minute and second",
        "hourly-at-the-anchors-minute-and-second hourly-over-half-an-hour",
        _CADENCE,
        ("StepRule(cadence.wall, _HOUR)", "StepRule(cadence.wall // _HOUR * _HOUR, _HOUR)"),
    ),
    _slot(
        "hourly invents nothing",
        "hourly-over-a-jump-invents-nothing hourly-over-half-an-hour",
        _CADENCE,
        (_HOURLY, "cadence.zone, both_passes=True, at_jump=True)"),
    ),
    _slot(
        "hourly runs in both passes",
        "hourly-runs-in-both-passes",
        _CADENCE,
        (_HOURLY, "cadence.zone, both_passes=False, at_jump=False)"),
    ),
    _slot(
        "daily keeps the wall time",
        "daily-keeps-the-wall-time weekly-on-the-anchors-weekday",
        _CADENCE,
        (
            "    steps = StepRule(",
            "    return EverySchedule(cadence.zone, cadence.anchor or 0, (1 if c"
            "adence.mode == 'daily' else 7) * DAY * 1000)\n    steps = StepRule(",
        ),
    ),
    _slot(
        "days run a skipped time at the jump",
        "daily-runs-a-skipped-time-at-the-jump daily-over-a-whole-day weekly-runs-a-skipped-day-at-the-jump",
        _CADENCE,
        (_STEPS, _STEPS.replace("at_jump=True", "at_jump=False")),
    ),
    _slot(
        "days run in the first pass",
        "daily-runs-in-the-first-pass",
        _CADENCE,
        (_STEPS, _STEPS.replace("both_passes=False", "both_passes=True")),
    ),
    _slot(
        "a skipped time that lands on the next is one run",
        "daily-over-a-whole-day-at-midnight",
        _WALL,
        ("start + offset + jumped)", "start + offset)"),
    ),
    _slot("a week has seven days", "weekly-on-the-anchors-weekday", _CADENCE, ("else 7 * DAY)", "else 5 * DAY)")),
    _slot(
        "months run a skipped time at the jump",
        "monthly-runs-a-skipped-time-at-the-jump",
        _CADENCE,
        (_MONTHS, _MONTHS.replace("at_jump=True", "at_jump=False")),
    ),
    _slot(
        "months run in the first pass",
        "monthly-runs-in-the-first-pass",
        _CADENCE,
        (_MONTHS, _MONTHS.replace("both_passes=False", "both_passes=True")),
    ),
    _slot(
        "months are counted from the anchor",
        "monthly-on-the-31st monthly-on-the-31st-in-a-leap-year yearly-on-a-leap-day",
        _RULES,
        ("(self._anchor + relativedelta(", "(self._anchor.replace(day=min(self._anchor.day, 28)) + relativedelta("),
    ),
    _slot(
        "months go on into the next year",
        "monthly-into-another-year monthly-on-the-31st-in-a-leap-year",
        _RULES,
        (
            "self._most = -((first - 12) // months), (_LAST_MONTH - first) // months",
            "self._most = -((first - 12) // months), 11 - first % 12",
        ),
    ),
    _slot(
        "a year has twelve months",
        "yearly-on-a-leap-day yearly-on-any-other-day",
        _CADENCE,
        ('1 if cadence.mode == "monthly" else 12)', "1)"),
    ),
    _slot(
        "minutes are elapsed time",
        "minutes-are-elapsed-time-over-a-jump minutes-are-elapsed-time-back",
        _CADENCE,
        (
            "        return EverySchedule(cadence.zone, cadence.anchor, (cadence.minutes or 1) * _MINUTE)",
            "        return WallSchedule(StepRule(cadence.wall, (cadence.min"
            "utes or 1) * 60), cadence.zone, both_passes=False, at_jump=True)",
        ),
    ),
    _slot(
        "minutes are counted from the anchor",
        "minutes-keep-their-phase-after-a-week the-fewest-minutes",
        _CADENCE,
        ("return range(first + (self._anchor - first) % self._step,", "return range(first + -first % self._step,"),
    ),
    _slot(
        "there may be one minute, and a year of them",
        "the-fewest-minutes the-most-minutes",
        _CADENCE,
        ("not 1 <= minutes <= MOST_MINUTES:", "not 1 < minutes < MOST_MINUTES:"),
    ),
    _slot(
        "there is at least one minute, and at most a year of them",
        "nought-minutes too-many-minutes",
        _CADENCE,
        ("not 1 <= minutes <= MOST_MINUTES:", "not 0 <= minutes <= MOST_MINUTES + 1:"),
    ),
    _slot(
        "a time that comes twice means the first pass",
        "once-at-a-wall-time-that-comes-twice minutes-are-elapsed-time-back",
        _ANCHORS,
        ("Anchor(instants[0], written)", "Anchor(instants[-1], written)"),
    ),
    _slot(
        "once keeps the instant",
        "once-at-the-instant-itself",
        _CADENCE,
        (
            "None if anchor is None else start.second * 1000,",
            "None if anchor is None else where.seconds_of(start.wall)[0] * 1000,",
        ),
    ),
    _slot(
        "an offset counts eastward",
        "an-anchor-by-an-instant-east-of-greenwich an-anchor-by-"
        "an-instant-west-of-greenwich once-at-the-instant-itself",
        _ANCHORS,
        (
            'return found - seconds if offset[0] == "+" else found + seconds',
            "return found + seconds if offset[0] == '+' else found - seconds",
        ),
    ),
    _slot(
        "an anchor in the second pass is that instant",
        "an-anchor-in-the-second-pass-is-past-its-day",
        _ANCHORS,
        (
            "Anchor(written, written + zone.stretch(written).offset)",
            "Anchor(min(zone.seconds_of(written + zone.stretch(writ"
            "ten).offset)), written + zone.stretch(written).offset)",
        ),
    ),
    _slot(
        "nothing runs before the anchor",
        "nothing-before-the-anchor cron-from-its-anchor-on an-anchor-by-an-instant-west-of-greenwich",
        _CADENCE,
        (
            "self.begin = FIRST_SECOND * 1000 if cadence.anchor is None else cadence.anchor",
            "self.begin = FIRST_SECOND * 1000",
        ),
    ),
    _slot(
        "a cadence's cron has seconds",
        "cron-with-six-fields cron-with-a-skipped-second cron-in-both-passes",
        _CADENCE,
        ("cron.parse(expression, seconds=True)", "cron.parse(expression)"),
    ),
    _slot(
        "five fields are read too",
        "cron-with-five-fields cron-from-its-anchor-on",
        _GRAMMAR,
        ("if len(found) == 6 and seconds:", "if seconds:"),
    ),
    _slot(
        "the first slot is not before the anchor, and the next not before the first",
        "saved-before-the-anchor",
        _CADENCE,
        (_COUNTS, "return max(self.begin, saved) + 1"),
    ),
    _slot(
        "a slot at save time counts",
        "saved-at-the-time-of-a-slot",
        _CADENCE,
        (_COUNTS, "return max(self.begin - 1, saved)"),
    ),
    _slot(
        "nothing before saving was missed",
        "saved-after-many-slots-misses-none saved-at-the-time-of-a-slot",
        _CADENCE,
        (_COUNTS, "return self.begin - 1"),
    ),
    _slot("up to a minute ago is now", "once-a-minute-late-is-now", _CADENCE, ("GRACE = 60_000", "GRACE = 59_999")),
    _slot(
        "more than a minute ago is past", "once-more-than-a-minute-late", _CADENCE, ("GRACE = 60_000", "GRACE = 61_000")
    ),
    _slot(
        "a skipped anchor is refused with the next valid time",
        "an-anchor-that-clocks-skip an-anchor-of-a-skipped-day",
        _ANCHORS,
        ("valid = wall_text(jump.at + jump.after)", "valid = wall_text(jump.at + jump.before)"),
    ),
    _slot(
        "an anchor is written in one way",
        "an-anchor-with-a-blank",
        _ANCHORS,
        (
            '_DATE_TIME = r"(\\d{4}-\\d{2}-\\d{2})T(\\d{2}:\\d{2}:\\d{2})"',
            '_DATE_TIME = r"(\\d{4}-\\d{2}-\\d{2})[T ](\\d{2}:\\d{2}(?::\\d{2})?)"',
        ),
    ),
    _slot(
        "days that are none are refused",
        "an-anchor-on-a-day-that-is-none",
        _ANCHORS,
        ("    except ValueError:\n        return None\n", "    except ValueError:\n        return 0\n"),
    ),
    _slot(
        "an anchor is a whole second",
        "an-anchor-with-a-fraction",
        _ANCHORS,
        ('if (match[3] or "").strip("0"):', "if False:"),
    ),
    _slot(
        "an anchor is required",
        "no-anchor",
        _CADENCE,
        ('if anchor is None and mode != "cron":', "if anchor is None and mode == '':"),
    ),
    _slot(
        "minutes are required",
        "no-minutes",
        _CADENCE,
        ("if value is None and mode == owner:", "if value is None and mode == '':"),
    ),
    _slot(
        "what belongs to one mode is refused of others",
        "minutes-of-another-mode an-expression-of-another-mode",
        _CADENCE,
        ("if value is not None and mode != owner:", "if value is not None and mode == '':"),
    ),
    _slot(
        "an expression is refused as that of cron",
        "an-expression-that-is-refused",
        _CADENCE,
        ('raise ScheduleError("expression", error.message, error.suggestion) from None', "pass"),
    ),
    _slot("modes are these", "a-mode-that-is-none", _CADENCE, ("if mode not in MODES:", "if not mode:")),
    _slot(
        "a zone is refused as everywhere",
        "a-zone-that-is-none",
        _FAMILIES,
        (
            'raise ScheduleError("timezone", text, error.suggestion) from None',
            'raise ScheduleError("timezone", text) from None',
        ),
    ),
    _slot("members are these", "a-member-that-is-none", _FAMILIES, ("if name not in _MEMBERS[kind]:", "if not name:")),
    _slot(
        "policies are these",
        "a-policy-that-is-none",
        _FAMILIES,
        ("        plain if plain in CATCH_UPS else None,", "        None,"),
    ),
)

_OVER = "if isinstance(told, Firing) and told.at > schedule.end:"

END_CONDITIONS = (
    _end(
        "until is inclusive",
        "a-slot-exactly-at-until-fires until-by-an-instant until-"
        "of-minutes until-of-cron until-at-the-anchor-is-one-run "
        "until-on-a-clamped-day until-holds-for-a-slot-moved-to-a-jump once-ends-with-its-anchor "
        "until-comes-before-the-last-of-the-runs until-at-a-time-that-comes-twice-is-its-first-pass",
        _PREVIEW,
        (_OVER, "if isinstance(told, Firing) and told.at >= schedule.end:"),
    ),
    _end(
        "what comes after until does not run",
        "a-slot-a-second-after-until-does-not",
        _PREVIEW,
        (_OVER, "if isinstance(told, Firing) and told.at > schedule.end + 1000:"),
    ),
    _end(
        "until ends it",
        "nothing-is-left-after-until",
        _PREVIEW,
        (_OVER, "if isinstance(told, Firing) and told.at > schedule.end + 86_400_000:"),
    ),
    _end(
        "once is over with its anchor",
        "nothing-is-left-of-once once-ends-with-its-anchor",
        _CADENCE,
        ('if cadence.mode == "once":\n            self.end', 'if cadence.mode == "":\n            self.end'),
    ),
    _end(
        "until at a time that comes twice means the first pass",
        "until-at-a-time-that-comes-twice-is-its-first-pass",
        _ANCHORS,
        ("Anchor(instants[0], written)", "Anchor(instants[-1], written)"),
    ),
    _end(
        "the last firing is told only when nothing follows",
        "a-preview-cut-short-of-the-end-has-no-last the-firings-before-reach-back-to-the-anchor",
        _PREVIEW,
        ("            return Preview(tuple(firings), tuple(notes))\n        else:", "            break\n        else:"),
    ),
    _end(
        "a note waits for its firing",
        "no-change-of-clocks-is-told-after-the-end",
        _PREVIEW,
        ("    if firings:\n        firings[-1] =", "    notes += waiting\n    if firings:\n        firings[-1] ="),
    ),
    _end(
        "runs come to an end",
        "so-many-runs-and-no-more runs-that-are-over-count no-run-is-left",
        _PREVIEW,
        ("elif len(firings) == runs_left:", "elif len(firings) == -1:"),
    ),
    _end(
        "what is before begins with the anchor",
        "the-firings-before-reach-back-to-the-anchor",
        _CADENCE,
        ("return found if found is not None and found >= self.begin else None", "return found"),
    ),
    _end(
        "what is before begins at until",
        "the-firings-before-begin-at-until",
        _CADENCE,
        ("self.unbounded.previous(min(instant, self.end + 1))", "self.unbounded.previous(min(instant, self.end))"),
    ),
    _end(
        "an end that leaves nothing is refused",
        "until-is-over-when-saved",
        _CADENCE,
        ("if self.next_after(self.counts_from(saved)) is not None:", "if saved:"),
    ),
    _end(
        "until is not before the anchor",
        "until-before-the-anchor",
        _CADENCE,
        ("if last is not None and last < start.second:", "if last is None and start.second < 0:"),
    ),
    _end(
        "until is a time that exists",
        "until-that-clocks-skip",
        _ANCHORS,
        ("valid = wall_text(jump.at + jump.after)", "valid = wall_text(jump.at + jump.before)"),
    ),
    _end(
        "there is at least one run",
        "nought-runs",
        _CADENCE,
        ("not 1 <= max_runs <= MOST_RUNS:", "not 0 <= max_runs <= MOST_RUNS:"),
    ),
    _end("runs are a number", "runs-that-are-no-number", _FAMILIES, ("if type(value) is not wanted:", "if not value:")),
)
