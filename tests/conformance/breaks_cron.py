"""Breaks of cron: what cron-vocabulary and cron-clock-changes notice."""

from __future__ import annotations

from tests.conformance.breaks import Break, made

_GRAMMAR = "schedule/cron_grammar.py"
_REPAIR = "schedule/cron_repair.py"
_CRON = "schedule/cron.py"
_WALL = "schedule/wall_schedule.py"
_PREVIEW = "schedule/preview.py"
_SLOTS = "schedule/slots.py"


def _word(rule: str, cases: str, *pairs: tuple[str, str], file: str = _GRAMMAR) -> Break:
    return made(rule, "cron-vocabulary", cases, *((file, old, new) for old, new in pairs))


def _clock(rule: str, cases: str, file: str, *pairs: tuple[str, str]) -> Break:
    return made(rule, "cron-clock-changes", cases, *((file, old, new) for old, new in pairs))


_STAR = "return range(field.low, field.high + 1, int(step or 1))"
_FREE = 'free = found[2].startswith("*") or found[4].startswith("*")'
_HOUR = 'not free, found[1].startswith("*"))'
_ANY_NICKNAME = "if nickname in NICKNAMES:"

CRON_VOCABULARY = (
    _word(
        "fields are minute, hour, day, month, weekday",
        "a-number-in-each-field leading-zeros",
        (
            '    Field("minute", 0, 59),\n    Field("hour", 0, 23),',
            '    Field("hour", 0, 23),\n    Field("minute", 0, 59),',
        ),
        ("minutes, hours, days, months, weekdays = (", "hours, minutes, days, months, weekdays = ("),
    ),
    _word(
        "a star is all",
        "a-star-in-each-field a-list a-range",
        (_STAR, "return range(field.low, field.high, int(step or 1))"),
    ),
    _word(
        "numbers ascend, each once",
        "a-list-out-of-order-and-with-a-repeat",
        ("return tuple(sorted(found))\n\n\ndef number(", "return tuple(found)[::-1]\n\n\ndef number("),
    ),
    _word(
        "a range has its end",
        "a-range a-range-of-one",
        ("return range(begin, end + 1, int(step or 1))", "return range(begin, end, int(step or 1))"),
    ),
    _word(
        "steps go through all",
        "a-step-through-all a-step-longer-than-the-field a-list-of-ranges-and-steps sunday-to-sunday-as-a-step",
        (_STAR, "return range(field.low, field.high + 1)"),
    ),
    _word(
        "steps go through a range",
        "a-step-through-a-range a-step-through-a-range-of-names",
        ("return range(begin, end + 1, int(step or 1))", "return range(begin, end + 1)"),
    ),
    _word("names are of any case", "names-in-any-case ranges-of-names", ("name = text.upper()", "name = text")),
    _word(
        "nought and seven are Sunday",
        "nought-is-sunday seven-is-sunday-too a-range-that-ends-in-sunday-as-seven all-weekdays-by-a-range",
        ("{day % 7 for day in weekdays}", "{day or 7 for day in weekdays}"),
    ),
    _word(
        "a range of names may end in Sunday",
        "a-range-of-names-that-ends-in-sunday",
        ('last.upper() == "SUN"', 'last.upper() == "7"'),
    ),
    _word(
        "a range may begin with Sunday",
        "a-range-that-begins-with-sunday",
        (
            "    begin = _number(first, entry, field)",
            "    begin = _number(first, entry, field) or 7 * (field.names is WEEKDAYS)",
        ),
    ),
    _word(
        "white space runs separate",
        "runs-of-white-space",
        ("for field in _BLANKS.split(text) if field]", 'for field in text.split(" ")]'),
    ),
    _word(
        "either day is enough where neither field starts with a star",
        "both-day-fields-restricted all-days-of-the-month-by-a-range all-weekdays-by-a-range a-number-in-each-field "
        "a-star-that-is-not-first-in-a-day-field the-30th-of-february-or-a-monday",
        (_FREE, "free = True"),
    ),
    _word(
        "a star for the day of the month is no restriction",
        "all-days-of-the-month-by-a-star",
        (_FREE, 'free = found[4].startswith("*")'),
    ),
    _word(
        "a star for the weekday is no restriction",
        "all-weekdays-by-a-star the-29th-of-february-alone",
        (_FREE, 'free = found[2].startswith("*")'),
    ),
    _word(
        "a step from a star is no restriction",
        "a-step-from-a-star-in-the-day-of-the-month a-step-from-a-star-"
        "in-the-weekday the-30th-of-february-where-both-days-must-match",
        (_FREE, 'free = "*" in (found[2], found[4])'),
    ),
    _word(
        "both passes run when the hour field starts with a star",
        "an-hour-field-that-is-a-step-from-a-star an-hour-field-with-a-star-first-in-a-list",
        (_HOUR, 'not free, found[1] == "*")'),
    ),
    _word(
        "it is the text that tells, not the numbers",
        "an-hour-field-that-is-a-range-of-all",
        (_HOUR, "not free, len(hours) == 24)"),
    ),
    _word(
        "a star has to come first", "an-hour-field-with-a-star-second-in-a-list", (_HOUR, 'not free, "*" in found[1])')
    ),
    _word(
        "the minute field plays no part",
        "a-star-for-the-minute-plays-no-part",
        (_HOUR, 'not free, found[0].startswith("*"))'),
    ),
    _word(
        "a day comes when one of the months has it",
        "a-day-that-some-of-the-months-have",
        (
            "days[0] > max(LENGTHS[month - 1] for month in months):",
            "days[0] > min(LENGTHS[month - 1] for month in months):",
        ),
    ),
    _word("29 February comes", "the-29th-of-february-alone", ("LENGTHS = (31, 29,", "LENGTHS = (31, 28,")),
    _word(
        "days that never come are refused",
        "the-30th-of-february the-31st-of-short-months the-30th-of-february-where-both-days-must-match",
        ("raise CronError(never_comes(days[0], months))", "pass"),
    ),
    _word(
        "the weekday alone is enough for a day that never comes",
        "the-30th-of-february-or-a-monday",
        ("if free and days[0]", "if days[0]"),
    ),
    _word(
        "six fields have seconds first", "six-fields-of-a-cadence", ("second, *found = found", "*found, second = found")
    ),
    _word(
        "five fields of a cadence have no seconds",
        "five-fields-of-a-cadence",
        ("if len(found) == 6 and seconds:", "if seconds:"),
    ),
    _word(
        "six fields are refused",
        "six-fields six-fields-whose-seconds-matter six-fields-with-a-year-last",
        ("if len(found) == 6 and seconds:", "if len(found) == 6:"),
    ),
    _word(
        "seven fields are refused by the year",
        "seven-fields seven-fields-whose-year-matters seven-fields-of-a-cadence",
        ("if count == 7:", "if count == 8:"),
    ),
    _word(
        "fewer fields are refused by their number",
        "four-fields",
        ("not {count}: write them all", "not so many: write them all"),
    ),
    _word(
        "nothing is refused as such",
        "nothing-at-all",
        ("a cron expression is required", "a cron expression has five fields"),
    ),
    _word(
        "a zone in front is refused as such",
        "a-zone-in-front a-zone-in-front-by-its-short-name",
        ("prefix = ZONE_PREFIX.match(found[0])", "prefix = None"),
    ),
    _word(
        "a rule of the other family is refused as such",
        "a-frequency the-name-of-a-rule the-start-of-a-rule",
        ("if RRULE_TEXT.search(text):\n        raise", "if not text:\n        raise"),
    ),
    _word(
        "nicknames are refused with their five fields",
        "the-nickname-yearly the-nickname-annually the-nickname-monthly the-nickname-weekly the-nickname-daily "
        "the-nickname-midnight the-nickname-hourly the-nickname-in-capitals",
        (_ANY_NICKNAME, "if nickname in ():"),
    ),
    _word(
        "a nickname is one in any case",
        "the-nickname-in-capitals",
        ("nickname = found[0].lower()", "nickname = found[0]"),
    ),
    _word("@reboot has no five fields", "the-nickname-reboot", ('if nickname == "@reboot":', 'if nickname == "":')),
    _word(
        "other nicknames are told from them",
        "a-nickname-that-nobody-knows",
        (_ANY_NICKNAME, "if nickname not in (NICKNAMES, '@reboot'):"),
    ),
    _word(
        "a step needs a range",
        "a-step-without-a-range a-step-without-a-range-of-weekdays",
        (
            "        if step is not None:\n            raise",
            "        if step is None and not entry:\n            raise",
        ),
    ),
    _word(
        "the last weekday is Saturday, as Sunday is there",
        "a-step-without-a-range-of-weekdays a-range-of-weekdays-that-runs-backward",
        ("return 6 if field.names is WEEKDAYS else field.high", "return field.high"),
    ),
    _word(
        "a range that runs backward is refused",
        "a-range-that-runs-backward a-range-of-weekdays-that-runs-backward a-step-through-a-range-that-runs-backward",
        ("    if end < begin:\n        raise", "    if end < begin - 99:\n        raise"),
    ),
    _word(
        "a step goes on round the end",
        "a-step-through-a-range-that-runs-backward",
        ("    if step > 1:\n", "    if step > 9:\n"),
    ),
    _word("`L` is refused by its name", "the-last-day-of-a-month", ('and field.name == "day-of-month":', "and False:")),
    _word(
        "`L` of a weekday is refused by its name",
        "the-last-weekday-of-a-month",
        ('re.fullmatch(r"\\d*L", bare)', "False"),
    ),
    _word("`W` is refused by its name", "the-nearest-weekday", ('re.fullmatch(r"\\d*W", bare)', "False")),
    _word("`#` is refused by its name", "the-second-monday", ('if "#" in bare:', "if False:")),
    _word("`?` is refused by its name", "a-question-mark", ('if "?" in bare:', "if False:")),
    _word("`H` is refused by its name", "a-hashed-minute", ('re.fullmatch(r"H(\\(.*\\))?(/\\d+)?", bare)', "False")),
    _word("`~` is refused by its name", "a-random-minute", ('if "~" in bare:', "if False:")),
    _word(
        "numbers stay within their field",
        "minute-sixty hour-twenty-four hour-twenty-four-of-one-weekday day-nought month-thirteen weekday-eight",
        ("if not field.low <= value <= field.high:", "if value > 99:"),
    ),
    _word(
        "hour 24 is the midnight of another day, unless all days run",
        "hour-twenty-four-of-one-weekday",
        ('parts[-3:] == ["*", "*", "*"]', "parts"),
        file=_REPAIR,
    ),
    _word(
        "a step is 1 or more",
        "a-step-of-nought",
        ('raise CronError(f"{field.name} `{_echo(entry)}` has a step of 0: write a step of 1 or more")', 'step = "1"'),
    ),
    _word(
        "an empty entry is refused",
        "an-empty-entry",
        (
            'raise CronError(f"{field.name} `{_echo(text)}` has an '
            'empty entry: write a number on both sides of a comma")',
            "continue",
        ),
    ),
    _word(
        "a number has no sign",
        "a-sign",
        ('for entry in text.split(","):', 'for entry in text.replace("+", "").split(","):'),
    ),
    _word(
        "digits are ASCII",
        "digits-of-another-script",
        ('(?:/(\\w+))?", re.ASCII)', '(?:/(\\w+))?")'),
        ("if text.isascii() and text.isdecimal():", "if text.isdecimal():"),
    ),
    _word(
        "names belong to two fields",
        "a-name-in-a-field-that-has-none",
        ('Field("minute", 0, 59)', 'Field("minute", 0, 59, WEEKDAYS)'),
    ),
    _word("names are of three letters", "a-whole-name", ("name = text.upper()", "name = text.upper()[:3]")),
    _word(
        "what is told to be written instead stands for what was meant",
        "six-fields seven-fields seven-fields-of-a-cadence a-zone"
        "-in-front a-frequency the-nickname-daily a-question-mark "
        "a-step-without-a-range a-range-that-runs-backward the-30th-of-feb"
        "ruary hour-twenty-four an-empty-entry a-whole-name nothing-at-all",
        ("    return mended\n\n\ndef _mend(", "    return None\n\n\ndef _mend("),
        file=_REPAIR,
    ),
    _word(
        "a seconds field that matters is not dropped",
        "six-fields-whose-seconds-matter six-fields-with-a-year-last",
        ('if found[0].strip("0"):', "if not found:"),
        ("found = found[1:]\n    return", "found = found[-5:] if found[5] == '*' else found[:5]\n    return"),
        file=_REPAIR,
    ),
    _word(
        "a year that matters is not dropped",
        "seven-fields-whose-year-matters",
        ('if len(found) == 7 and found[6] in ("*", "?"):', "if len(found) == 7:"),
        file=_REPAIR,
    ),
)

_CLOCKS = "both_passes=cron.star_hour, at_jump=True)"
_SKIPPED = "a-skipped-time-runs-at-the-jump the-first-skipped-minute the-last-skipped-minute"

CLOCK_CHANGES = (
    _clock(
        "what clocks skip runs at the jump",
        f"{_SKIPPED} a-skipped-time-runs-whatever-the-hour-field several-skipped-times-are-one-run "
        "a-skipped-time-and-the-time-of-the-jump-are-one-run every-minute-over-a-jump half-an-hour-forward "
        "a-skipped-time-of-one-day-of-the-year two-hours-forward a-whole-day-forward midnight-is-skipped "
        "half-an-hour-for-ever the-firings-before-a-jump-and-at-it a-whole-day-forward-lands-on-midnight",
        _CRON,
        (_CLOCKS, "both_passes=cron.star_hour, at_jump=False)"),
    ),
    _clock(
        "whatever the hour field",
        "a-skipped-time-runs-whatever-the-hour-field",
        _CRON,
        (_CLOCKS, "both_passes=cron.star_hour, at_jump=not cron.star_hour)"),
    ),
    _clock(
        "the first minute that is skipped",
        "the-first-skipped-minute several-skipped-times-are-one-run",
        _WALL,
        ("skipped = self.rule.first(start + before)", "skipped = self.rule.first(start + before + 1)"),
        (
            "return skipped is not None and skipped < start + offset",
            "return skipped is not None and skipped < start + before + 60",
        ),
    ),
    _clock(
        "the last minute that is skipped",
        "the-last-skipped-minute",
        _WALL,
        ("skipped < start + offset", "skipped < start + offset - 60"),
    ),
    _clock(
        "the minute after is none of them",
        "the-minute-after-those-that-are-skipped",
        _PREVIEW,
        (
            'if piece.jumped:\n        yield _firing(start + offset, offset, "gap")',
            'if before < offset:\n        yield _firing(start + offset, offset, "gap")',
        ),
    ),
    _clock(
        "what lands on one instant is one run",
        "a-skipped-time-and-the-time-of-the-jump-are-one-run a-whole-day-forward-lands-on-midnight",
        _WALL,
        ("start + offset + jumped)", "start + offset)"),
    ),
    _clock(
        "a change is over after it",
        "the-day-after-a-jump-is-as-ever",
        _WALL,
        ("jumped = start >= second and", "jumped ="),
        ("max(self._begin(start, before, offset), second + offset,", "max(self._begin(start, before, offset),"),
    ),
    _clock(
        "what comes twice runs in the first pass",
        "a-time-that-comes-twice-runs-in-the-first-pass it-does-not-run-when-asked-in-the-second-pass two-hours-back "
        "the-first-pass-runs-for-a-range-of-all-hours the-first-"
        "pass-runs-for-a-star-second-in-a-list half-an-hour-back "
        "a-star-for-the-minute-makes-no-second-pass back-over-mid"
        "night-into-the-day-before the-firing-before-a-second-pass",
        _CRON,
        (_CLOCKS, "both_passes=True, at_jump=True)"),
    ),
    _clock(
        "and in both for an hour field that starts with a star",
        "both-passes-run-for-a-star both-passes-run-for-a-step-from-a-star both-passes-run-for-a-star-first-in-a-list "
        "half-an-hour-back-in-both-passes back-over-midnight-in-both-passes-and-in-order "
        "a-second-pass-that-reaches-back-before-where-it-is-asked the-firing-before-in-a-second-pass-that-runs",
        _CRON,
        (_CLOCKS, "both_passes=False, at_jump=True)"),
    ),
    _clock(
        "a change of any size is near",
        "a-whole-day-forward a-whole-day-forward-lands-on-midnight",
        _WALL,
        ("_APART = MOST_EAST + MOST_WEST", "_APART = -100_000"),
    ),
    _clock("either day is enough", "either-day-is-enough", _CRON, ("test = any if either else all", "test = all")),
    _clock("both days must match", "both-days-must-match", _CRON, ("test = any if either else all", "test = any")),
    _clock(
        "there is no leap day in most centuries",
        "no-leap-day-in-a-century",
        _CRON,
        ("(year % 100 != 0 or year % 400 == 0)", "True"),
    ),
    _clock(
        "a search goes 41 years on",
        "a-sunday-that-is-a-leap-day-after-forty-years the-sunday-that-was-a-leap-day-forty-years-before",
        _SLOTS,
        ("SEARCH_YEARS = 41", "SEARCH_YEARS = 39"),
    ),
    _clock(
        "series end with the year 9999",
        "nothing-after-the-year-9999",
        _SLOTS,
        ("LAST_SECOND = (LAST_DAY + 1) * DAY - 1", "LAST_SECOND = (LAST_DAY + 2) * DAY - 1"),
    ),
    _clock(
        "and not before",
        "the-last-firing-of-all",
        _SLOTS,
        ("LAST_SECOND = (LAST_DAY + 1) * DAY - 1", "LAST_SECOND = LAST_DAY * DAY - 1"),
    ),
)
