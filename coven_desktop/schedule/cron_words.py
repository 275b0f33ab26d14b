"""A cron expression in words: cron-descriptor's for the fields, our own for the day rule and the changes of clocks.

The descriptor is not given the expression as typed but one that says the same plainly: it takes `*/40` for "every 40
minutes", and joins two day fields by "or" whatever the day rule says.
"""

from __future__ import annotations

from collections.abc import Sequence

from cron_descriptor import DescriptionTypeEnum, ExpressionDescriptor, Options

from coven_desktop.schedule.cron_grammar import FIVE, SECOND, Cron, Field
from coven_desktop.schedule.local_text import time_text
from coven_desktop.schedule.words import Say, in_english

# So many times of day are told one by one.
_FEW = 6


def words(cron: Cron) -> str:
    """When it runs: "At 09:00, Monday through Friday", "Every day at 09:00"."""
    times, days = _times(cron), _days(cron)
    if times.startswith("At") and _whole(cron.days, FIVE[2]) and len(cron.weekdays) == 7 and ":" in times:
        times = "Every day a" + times[1:]
    return times + days


def sentences(cron: Cron, say: Say = in_english) -> tuple[str, ...]:
    """What happens where clocks change."""
    if cron.star_hour:
        back = say("When clocks go back, times that come twice run both times, because the hour field starts with *.")
    else:
        back = say("When clocks go back, times that come twice run the first time only.")
    return say("When clocks go forward, one run at that moment stands for all times that are skipped."), back


def day_rule(cron: Cron, say: Say = in_english) -> tuple[str, ...]:
    """What is to be said of the two day fields, where both leave something out."""
    if _whole(cron.days, FIVE[2]) or len(cron.weekdays) == 7:
        return ()
    if cron.either_day:
        text = say(
            "Either day field is enough: it runs on the given days of the month, and on the given weekdays as well,"
            " because neither field starts with *."
        )
        return (text,)
    text = say(
        "Both day fields must match: it runs only on days that are given by both, because one of the fields starts with"
        " *."
    )
    return (text,)


def _times(cron: Cron) -> str:
    if len(cron.hours) * len(cron.minutes) * len(cron.seconds) <= _FEW:
        times = [
            time_text(hour * 3600 + minute * 60 + second)
            for hour in cron.hours
            for minute in cron.minutes
            for second in cron.seconds
        ]
        return "At " + (" and ".join((", ".join(times[:-1]), times[-1])) if len(times) > 1 else times[0])
    if len(cron.minutes) == 1 and cron.seconds == (0,) and _FEW < len(cron.hours) < 24 and _is_run(cron.hours):
        first, last = (time_text(hour * 3600 + cron.minutes[0] * 60) for hour in (cron.hours[0], cron.hours[-1]))
        return f"Every hour from {first} to {last}"
    seconds, minutes = _plain(cron.seconds, SECOND), _plain(cron.minutes, FIVE[0])
    hours = _plain(cron.hours, FIVE[1])
    if "," in hours and len(cron.minutes) == len(cron.seconds) == 1:
        hours = ",".join(map(str, cron.hours))  # at full hours a range would be told to its last minute
    return _described(f"{seconds} {minutes} {hours} * * *", DescriptionTypeEnum.FULL)


def _days(cron: Cron) -> str:
    days = "" if _whole(cron.days, FIVE[2]) else _of(2, _plain(cron.days, FIVE[2]))
    weekdays = "" if len(cron.weekdays) == 7 else _of(4, _plain(cron.weekdays, FIVE[4]))
    months = "" if len(cron.months) == 12 else _of(3, _plain(cron.months, FIVE[3]))
    if days and weekdays:
        # the descriptor's "only on Friday" would deny the other field
        weekdays = weekdays.removeprefix(", only on ").removeprefix(", ")
        one_of = weekdays.replace(" and ", " or ")
        weekdays = f" or on {weekdays}" if cron.either_day else f" and only if that is {one_of}"
    return days + weekdays + months


def _of(place: int, text: str) -> str:
    kind = {
        2: DescriptionTypeEnum.DAYOFMONTH,
        3: DescriptionTypeEnum.MONTH,
        4: DescriptionTypeEnum.DAYOFWEEK,
    }[place]
    fields = ["*"] * 5
    fields[place] = text
    return _described(" ".join(fields), kind)


def _described(expression: str, kind: DescriptionTypeEnum) -> str:
    options = Options()
    options.use_24hour_time_format = True
    options.locale_code = "en_US"
    text: str = ExpressionDescriptor(expression, options).get_description(kind)
    return text


def _whole(numbers: Sequence[int], field: Field) -> bool:
    return len(numbers) == field.high - field.low + 1


def _is_run(numbers: Sequence[int]) -> bool:
    return numbers[-1] - numbers[0] == len(numbers) - 1


def _plain(numbers: Sequence[int], field: Field) -> str:
    """The numbers as a text that the descriptor takes for what they are: `*`, an even `*/n`, or ranges and numbers."""
    if _whole(numbers, field):
        return "*"
    size = field.high - field.low + 1
    step = numbers[1] - numbers[0] if len(numbers) > 2 else 0
    if field.low == 0 and step > 1 and size % step == 0 and tuple(numbers) == tuple(range(0, size, step)):
        return f"*/{step}"
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(
        f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs
    )  # fmt: skip
