"""Dates and times as the person's locale writes them, or as ISO 8601 has them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import pytest
from PySide6.QtCore import QDate, QLocale, QTime

from coven_desktop.ui import times

EVENING = datetime.fromisoformat("2026-03-09T18:04:07")
NARROW = "\u202f"  # the space that some locales put before PM


@pytest.fixture(autouse=True)
def _locale() -> Iterator[None]:
    before = QLocale()
    yield
    QLocale.setDefault(before)
    times.use_iso_dates(False)


@pytest.mark.parametrize(
    ("locale", "day", "with_year", "clock", "with_seconds"),
    [
        ("C", "Mon 9 Mar", "Mon 9 Mar 2026", "18:04", "18:04:07"),
        ("en_US", "Mon Mar 9", "Mon Mar 9, 2026", "6:04 PM", "6:04:07 PM"),
        ("en_GB", "Mon 9 Mar", "Mon 9 Mar 2026", "18:04", "18:04:07"),
        ("de_DE", "Mo. 9. März", "Mo. 9. März 2026", "18:04", "18:04:07"),
        ("es_ES", "lun 9 de mar", "lun 9 de mar de 2026", "18:04", "18:04:07"),
        ("fi_FI", "ma 9. maalis", "ma 9. maalis 2026", "18.04", "18.04.07"),
        ("hu_HU", "márc. 9., H", "2026. márc. 9., H", "18:04", "18:04:07"),
        ("ja_JP", "3月9日月", "2026年3月9日月", "18:04", "18時04分07秒"),
    ],
)
def test_day_and_time_in_the_order_of_the_locale(
    locale: str, day: str, with_year: str, clock: str, with_seconds: str
) -> None:
    QLocale.setDefault(QLocale(locale))

    said = times.day(EVENING), times.day(EVENING, year=True), times.clock_face(EVENING)
    assert [text.replace(NARROW, " ") for text in said] == [day, with_year, clock]
    assert times.clock_face(EVENING, seconds=True).replace(NARROW, " ") == with_seconds


def test_every_locale_of_qt_says_day_and_month_and_leaves_the_year_out() -> None:
    every = QLocale.matchingLocales(QLocale.Language.AnyLanguage, QLocale.Script.AnyScript, QLocale.Country.AnyCountry)
    assert len(every) > 500
    for locale in every:
        QLocale.setDefault(locale)
        short, full = times.day(EVENING), times.day(EVENING, year=True)
        year = locale.toString(QDate(2026, 3, 9), "yyyy")
        assert year in full, locale.name()
        assert year not in short, locale.name()
        assert locale.toString(QDate(2026, 3, 9), "d") in short, locale.name()
        assert short == short.strip(" ,"), locale.name()
        clock = times.clock_face(EVENING, seconds=True)
        assert locale.toString(QTime(0, 0, 7), "s") in clock, locale.name()
        assert clock == clock.strip(" ,[]()"), locale.name()


def test_iso_wins_over_the_locale() -> None:
    QLocale.setDefault(QLocale("en_US"))
    times.use_iso_dates(True)

    assert times.day(EVENING) == times.day(EVENING, year=True) == "2026-03-09"
    assert times.clock_face(EVENING) == "18:04"
    assert times.clock_face(EVENING, seconds=True) == "18:04:07"


def test_durations_have_the_decimal_sign_of_the_locale() -> None:
    QLocale.setDefault(QLocale("de_DE"))

    assert times.duration(4_200) == "4,2 s"


def test_large_numbers_are_grouped_as_the_locale_does() -> None:
    QLocale.setDefault(QLocale("en_US"))
    assert times.grouped(12_345) == "12,345"
    QLocale.setDefault(QLocale("de_DE"))
    assert times.grouped(12_345) == "12.345"
