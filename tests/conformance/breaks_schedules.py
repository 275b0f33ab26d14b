"""Breaks of rules and zones: what rrule-vocabulary and calendar-schedule-resolution notice."""

from __future__ import annotations

from tests.conformance.breaks import Break, made

_GRAMMAR = "schedule/rrule_grammar.py"
_RRULE = "schedule/rrule.py"
_ZONES = "schedule/zones.py"


def _grammar(rule: str, cases: str, *pairs: tuple[str, str]) -> Break:
    return made(rule, "rrule-vocabulary", cases, *((_GRAMMAR, old, new) for old, new in pairs))


_ENTRY = 'digits = entry.lstrip("0") or "0"'
_DECIMAL = "(entry.isascii() and entry.isdecimal())"

VOCABULARY = (
    _grammar(
        "the hour is nine when none is given",
        "a-day-without-hours-means-nine a-week-without-anything-means-monday-at-nine a-week-with-days-alone-means-nine",
        ("DEFAULT_HOURS = (9,)", "DEFAULT_HOURS = (0,)"),
    ),
    _grammar(
        "the day is Monday when none is given",
        "a-week-with-hours-alone-means-monday a-week-without-anything-means-monday-at-nine",
        ('DEFAULT_DAYS = ("MO",)', 'DEFAULT_DAYS = ("SU",)'),
    ),
    _grammar("hours ascend", "hours-come-out-ascending", ("tuple(sorted(hours))", "tuple(hours)")),
    _grammar(
        "days are in alphabetical order, not in that of the week",
        "days-come-out-in-alphabetical-order long-names-of-days",
        ("tuple(sorted(days))", "tuple(sorted(days, key=WEEKDAYS.index))"),
    ),
    _grammar("23 is the last hour", "hour-twenty-four", ("if hour > 23:", "if hour > 24:")),
    _grammar("23 is an hour", "the-first-and-the-last-hour", ("if hour > 23:", "if hour > 22:")),
    _grammar(
        "an hour does not wrap around at 256",
        "an-hour-of-three-digits",
        (" or len(digits) > 3 or int(digits) > 255:", ":"),
        ("hour = int(digits)", "hour = int(digits) % 256"),
    ),
    _grammar(
        "days have long names too",
        "long-names-of-days the-other-long-names",
        ("(*WEEKDAYS, *_LONG_WEEKDAYS)", "WEEKDAYS"),
    ),
    _grammar(
        "parts come in any order",
        "parts-in-any-order",
        ("if key in seen:", 'if key in seen or (not seen and key != "FREQ"):'),
    ),
    _grammar(
        "days are judged by the frequency wherever it stands",
        "days-of-a-daily-rule-before-its-frequency",
        ("            days = _days(value)", '            days = _days(value) if frequency != "DAILY" else ()'),
        ("if days is not None:", "if days == ():"),
    ),
    _grammar(
        "keys and values are folded to capitals",
        "keys-and-values-in-small-letters",
        ("return text.translate(_ASCII_UPPER)", "return text"),
    ),
    _grammar(
        "blanks around pieces do not matter",
        "blanks-around-every-piece",
        ("return text.strip(WHITE_SPACE)", "return text"),
    ),
    _grammar(
        "white space is Unicode's",
        "white-space-beyond-ascii",
        ("return text.strip(WHITE_SPACE)", 'return text.strip(" \\t\\n\\v\\f\\r")'),
    ),
    _grammar("leading zeros are harmless", "a-leading-zero", (_DECIMAL, f'(entry[0] != "0" and {_DECIMAL})')),
    _grammar(
        "a rule is required",
        "nothing-at-all nothing-but-blanks",
        ('raise RruleError("rrule is required")', 'return Rule("DAILY", DEFAULT_HOURS, ())'),
    ),
    _grammar(
        "an empty part is refused wherever it stands",
        "an-empty-part-in-front an-empty-part-between a-blank-part-between a-separator-at-the-end",
        ('raise RruleError("rrule contains an empty part")', "continue"),
    ),
    _grammar(
        "a part is KEY=VALUE",
        "a-part-without-a-value-sign",
        ('raise RruleError(f"rrule part `{_echo(part)}` is not KEY=VALUE")', "continue"),
    ),
    _grammar(
        "a part is split at the first sign",
        "a-second-value-sign",
        ('part.partition("=")', '(part.partition("=")[0], "=", part.rpartition("=")[2])'),
    ),
    _grammar(
        "an empty value is refused",
        "an-empty-value",
        ('raise RruleError(f"rrule {_echo(key)} has an empty value")', "continue"),
    ),
    _grammar(
        "an empty frequency is none",
        "an-empty-frequency",
        ('raise RruleError(f"rrule {_echo(key)} has an empty value")', "continue"),
        ('raise RruleError("rrule requires FREQ")', 'frequency = "DAILY"'),
    ),
    _grammar(
        "other keys are refused",
        "a-key-that-is-not-known",
        ('raise RruleError(f"rrule key `{_echo(key)}` is not supported")', "continue"),
    ),
    _grammar(
        "the name of the property does not belong to it",
        "a-key-with-its-property-name",
        ('text.split(";")', 'text.removeprefix("RRULE:").split(";")'),
    ),
    _grammar(
        "a key comes once",
        "the-same-frequency-twice hours-in-two-parts days-in-two-parts",
        ('raise RruleError(f"rrule {key} must not be repeated")', "pass"),
    ),
    _grammar("FREQ is needed", "no-frequency", ('raise RruleError("rrule requires FREQ")', 'frequency = "WEEKLY"')),
    _grammar(
        "there are two frequencies",
        "a-month an-hour-as-frequency",
        ('raise RruleError(f"FREQ `{_echo(value)}` is not supported (DAILY or WEEKLY)")', 'return "DAILY"'),
    ),
    _grammar(
        "only ASCII is folded",
        "a-letter-that-only-looks-like-one",
        ("return text.translate(_ASCII_UPPER)", "return text.upper()"),
    ),
    _grammar("a daily rule has no days", "days-of-a-daily-rule", ("if days is not None:", "if False:")),
    _grammar("an hour has no minus", "a-negative-hour", (_DECIMAL, 'entry.removeprefix("-").isdecimal()')),
    _grammar("an hour has no plus", "an-hour-with-a-plus", (_DECIMAL, 'entry.removeprefix("+").isdecimal()')),
    _grammar(
        "an hour has no blank", "a-blank-within-an-hour", (_ENTRY, f'entry = entry.replace(" ", "")\n        {_ENTRY}')
    ),
    _grammar("digits are ASCII", "an-hour-in-other-digits", (_DECIMAL, "entry.isdecimal()")),
    _grammar("digits are digits", "an-underscore-within-an-hour", (_DECIMAL, 'entry.replace("_", "").isdecimal()')),
    _grammar("an hour is whole", "half-an-hour", (_ENTRY, f'entry = entry.partition(".")[0]\n        {_ENTRY}')),
    _grammar("an hour comes once", "an-hour-twice", ('raise RruleError(f"BYHOUR repeats entry {hour}")', "continue")),
    _grammar(
        "hours are compared as numbers",
        "an-hour-twice-in-two-spellings",
        ("if hour in hours:", "if entry in map(str, hours):"),
    ),
    _grammar(
        "an empty hour is refused",
        "an-empty-hour an-empty-hour-at-the-end",
        ('raise RruleError("BYHOUR contains an empty entry")', "continue"),
    ),
    _grammar("a day comes once", "a-day-twice", ('raise RruleError(f"BYDAY repeats entry {day}")', "continue")),
    _grammar(
        "days are compared as two letters", "a-day-twice-in-two-spellings", ("if day in days:", "if entry in days:")
    ),
    _grammar(
        "an empty day is refused",
        "an-empty-day",
        ("        if day is None:", "        if not entry:\n            continue\n        if day is None:"),
    ),
    _grammar(
        "a day has no number",
        "the-second-friday",
        ("_DAY_OF_NAME.get(ascii_upper(entry))", '_DAY_OF_NAME.get(ascii_upper(entry).lstrip("0123456789"))'),
    ),
    _grammar(
        "a day has two letters or three",
        "a-day-in-full",
        ("_DAY_OF_NAME.get(ascii_upper(entry))", "_DAY_OF_NAME.get(ascii_upper(entry)[:3])"),
    ),
)


def _calendar(rule: str, cases: str, *edits: tuple[str, str, str]) -> Break:
    return made(rule, "calendar-schedule-resolution", cases, *edits)


_NEXT = (
    "            if slot.instants and slot.instants[0] * 1000 > instant:\n"
    "                return slot.instants[0] * 1000\n"
)
_NEAR = "instants = self.zone.seconds_of(wall)\n"

CALENDAR = (
    _calendar(
        "the next slot is after the instant",
        "an-instant-that-is-a-slot-is-not-its-own-next a-week-ahead",
        (_RRULE, _NEXT, _NEXT.replace("> instant", ">= instant")),
    ),
    _calendar(
        "a millisecond is enough",
        "a-millisecond-before-a-slot",
        (_RRULE, _NEXT, _NEXT.replace("> instant", "> instant + 1")),
    ),
    _calendar(
        "the search begins today",
        "later-on-the-same-day the-next-of-several-hours winter-in-paris",
        (
            _RRULE,
            "day = max((second + offset) // DAY, FIRST_DAY)",
            "day = max((second + offset) // DAY, FIRST_DAY) + 1",
        ),
    ),
    _calendar(
        "the search does not end today",
        "after-the-last-hour-the-first-of-tomorrow into-another-month into-another-year a-leap-day"
        " no-leap-day-in-a-century",
        (_RRULE, "_DATES = 15\n", "_DATES = 1\n"),
    ),
    _calendar(
        "every hour of a day has its slot",
        "the-next-of-several-hours",
        (_RRULE, "[hour * 3600 for hour in self.rule.by_hour]", "[hour * 3600 for hour in self.rule.by_hour[:1]]"),
    ),
    _calendar(
        "every weekday of a week has its slot",
        "the-next-of-several-days",
        (
            _RRULE,
            "            day += self._onward[(day + 3) % 7]",
            "            day += 1 if self.rule.frequency == 'DAILY' else 7",
        ),
    ),
    _calendar(
        "weekdays are those of the calendar",
        "from-the-last-day-of-a-week-into-the-next the-next-of-several-days a-week-ahead",
        (_RRULE, "day += self._up_to[(day + 3) % 7]", "day += self._up_to[(day + 4) % 7]"),
        (_RRULE, "day += self._onward[(day + 3) % 7]", "day += self._onward[(day + 4) % 7]"),
    ),
    _calendar(
        "a leap day is a day",
        "a-leap-day",
        (_RRULE, "            midnight = day * DAY\n", "            midnight = (day + (day == 22_704)) * DAY\n"),
    ),
    _calendar(
        "a century has no leap day",
        "no-leap-day-in-a-century",
        (_RRULE, "            midnight = day * DAY\n", "            midnight = (day + (day >= 47_541)) * DAY\n"),
    ),
    _calendar(
        "wall times are those of the zone",
        "winter-in-paris summer-in-paris a-zone-of-half-hours a-zone-by-its-old-name",
        (_RRULE, "(midnight + hour - offset,)", "(midnight + hour,)"),
    ),
    _calendar(
        "the offset is that of the season",
        "summer-in-paris",
        (_ZONES, "return self._changes.stretch(second)", "return self._changes.stretch(1_800_000_000)"),
        (_RRULE, "plain_until = min(end + offset - _APART, LAST_SECOND - _APART) - DAY", "plain_until = LAST_SECOND"),
    ),
    _calendar(
        "offsets are not whole hours",
        "a-zone-of-half-hours",
        (_RRULE, "(midnight + hour - offset,)", "(midnight + hour - offset // 3600 * 3600,)"),
    ),
    _calendar(
        "the weekday is that of the zone, east of UTC",
        "the-day-is-the-day-in-the-zone-far-east",
        (_RRULE, "day += self._up_to[(day + 3) % 7]", "day += self._up_to[(day + 3 - (offset > 0)) % 7]"),
        (_RRULE, "day += self._onward[(day + 3) % 7]", "day += self._onward[(day + 3 - (offset > 0)) % 7]"),
    ),
    _calendar(
        "today is today in the zone, west of UTC",
        "the-day-is-the-day-in-the-zone-far-west",
        (_RRULE, "day = max((second + offset) // DAY, FIRST_DAY)", "day = max(second // DAY, FIRST_DAY)"),
    ),
    _calendar(
        "a wall time that does not exist has no slot",
        "an-hour-that-clocks-skip-has-no-slot a-midnight-that-clocks-skip clocks-that-skip-half-an-hour"
        " a-weekly-slot-that-clocks-skip-is-two-weeks-away a-day-that-a-zone-skipped",
        (_RRULE, _NEAR, "instants = self.zone.seconds_of(wall) or (self.zone.jump_over(wall).at,)\n"),
    ),
    _calendar(
        "hours are independent of each other",
        "the-hour-after-the-skipped-one-keeps-its-slot",
        (
            _RRULE,
            _NEAR,
            "instants = self.zone.seconds_of(wall)\n            if not instants:\n                return\n",
        ),
    ),
    _calendar(
        "fifteen dates are looked at",
        "a-weekly-slot-that-clocks-skip-is-two-weeks-away",
        (_RRULE, "_DATES = 15\n", "_DATES = 14\n"),
    ),
    _calendar(
        "of an hour that comes twice the first counts, and it alone",
        "an-hour-that-comes-twice-is-due-the-first-time an-hour-that-comes-twice-is-due-only-once",
        (_RRULE, _NEXT, _NEXT.replace("slot.instants[0]", "slot.instants[-1]")),
    ),
    _calendar(
        "UTC and links are zones",
        "the-zone-name-in-capitals a-zone-by-its-old-name",
        (_ZONES, 'frozenset({"Factory"})', 'frozenset({"Factory", "UTC", "US/Pacific"})'),
    ),
    _calendar(
        "local is never guessed",
        "the-zone-of-the-machine-is-no-answer",
        (
            _ZONES,
            'raise ZoneError("timezone `local` must be resolved to an exact IANA timezone first")',
            'name = "utc"',
        ),
    ),
    _calendar(
        "a zone that is not known is never UTC",
        "a-zone-that-does-not-exist a-zone-in-small-letters an-offset-is-no-zone",
        (
            _ZONES,
            "    require_name(name)\n    return _load(name)",
            '    return _load(name if is_valid_name(name) else "utc")',
        ),
    ),
)
