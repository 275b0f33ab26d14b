"""`covenctl preview`: its document, its refusals, and how its options may be written."""

from __future__ import annotations

import json

import pytest

from tests.cli.covenctl import Result, covenctl


def preview(*options: str, **env: str) -> Result:
    return covenctl("preview", "--json", *options, env=env)


def test_the_document(tmp_path: object) -> None:
    result = preview(
        "--rrule",
        "FREQ=DAILY;BYHOUR=2,9",
        "--timezone",
        "Europe/Paris",
        "--from",
        "2026-03-28T12:00:00Z",
        "--count",
        "2",
    )
    assert result.code == 0
    assert list(result.json) == ["timezone", "zoneData", "firings", "notes"]
    assert result.json["timezone"] == "Europe/Paris"
    assert result.json["zoneData"]
    assert result.json["firings"] == [
        {"at": "2026-03-29T07:00:00.000Z", "local": "2026-03-29T09:00:00+02:00", "note": None},
        {"at": "2026-03-30T00:00:00.000Z", "local": "2026-03-30T02:00:00+02:00", "note": None},
    ]
    (note,) = result.json["notes"]
    assert list(note) == ["kind", "wall", "text"]
    assert (note["kind"], note["wall"]) == ("skipped", "2026-03-29T02:00:00")


def test_a_repeated_hour_is_marked_and_noted() -> None:
    result = preview(
        "--rrule=FREQ=DAILY;BYHOUR=2", "--timezone=Europe/Paris", "--from=2026-10-24T12:00:00+02:00", "--count=1"
    )
    assert result.json["firings"] == [
        {"at": "2026-10-25T00:00:00.000Z", "local": "2026-10-25T02:00:00+02:00", "note": "repeated"}
    ]
    assert [(note["kind"], note["wall"]) for note in result.json["notes"]] == [("repeated", "2026-10-25T02:00:00")]


def test_firings_come_strictly_after_the_start() -> None:
    def first(start: str) -> str:
        at: str = preview("--rrule=FREQ=DAILY", "--timezone=utc", f"--from={start}", "--count=1").json["firings"][0][
            "at"
        ]
        return at

    assert first("2026-03-28T09:00:00Z") == "2026-03-29T09:00:00.000Z"
    assert first("2026-03-28T08:59:59.999Z") == "2026-03-28T09:00:00.000Z"
    assert first("2026-03-28T09:00:00.000000001Z") == "2026-03-29T09:00:00.000Z"
    assert first("2026-03-28T10:59:59.9+02:00") == "2026-03-28T09:00:00.000Z"


def test_ten_firings_from_now_by_default() -> None:
    result = preview("--rrule=FREQ=DAILY", "--timezone=utc")
    assert len(result.json["firings"]) == 10


def test_a_thousand_firings_and_the_end_of_time() -> None:
    assert len(preview("--rrule=FREQ=WEEKLY", "--timezone=utc", "--count=1000").json["firings"]) == 1000
    last = preview("--rrule=FREQ=DAILY", "--timezone=utc", "--from=9999-12-30T12:00:00Z")
    assert last.json["firings"] == [
        {"at": "9999-12-31T09:00:00.000Z", "local": "9999-12-31T09:00:00+00:00", "note": "last"}
    ]
    assert preview("--rrule=FREQ=DAILY", "--timezone=utc", "--from=9999-12-31T23:59:59Z").json["firings"] == []
    assert preview("--rrule=FREQ=DAILY", "--timezone=utc", "--from=0001-01-01T00:00:00Z", "--count=1").code == 0


def test_without_a_zone_it_is_this_machines() -> None:
    result = preview("--rrule=FREQ=DAILY", TZ="Asia/Kathmandu")
    assert result.json["timezone"] == "Asia/Kathmandu"
    assert preview("--rrule=FREQ=DAILY", "--timezone", "local", TZ="utc").json["timezone"] == "utc"
    told = covenctl("preview", "--rrule=FREQ=DAILY", env={"TZ": "Asia/Kathmandu"})
    assert "Asia/Kathmandu, this machine's zone" in told.out
    broken = preview("--rrule=FREQ=DAILY", TZ="Nowhere/Land")
    assert (broken.code, broken.json["error"]["field"]) == (1, "timezone")


GOOD = ("--rrule=FREQ=DAILY", "--timezone=utc")


@pytest.mark.parametrize(
    ("options", "field"),
    [
        (("--rrule=", "--timezone=utc"), "rrule"),
        (("--rrule", "", "--timezone=utc"), "rrule"),
        (("--rrule=FREQ=HOURLY", "--timezone=utc"), "rrule"),
        (("--rrule=FREQ=DAILY;BYHOUR=+9", "--timezone=utc"), "rrule"),
        (("--rrule=FREQ=DAILY;BYHOUR=\udcff", "--timezone=utc"), "rrule"),
        (("--rrule=FREQ=DAILY", "--timezone="), "timezone"),
        (("--rrule=FREQ=DAILY", "--timezone=europe/paris"), "timezone"),
        (("--rrule=FREQ=DAILY", "--timezone=../../etc/passwd"), "timezone"),
        (("--rrule=FREQ=DAILY", "--timezone=\udcff"), "timezone"),
        ((*GOOD, "--from="), "from"),
        ((*GOOD, "--from=now"), "from"),
        ((*GOOD, "--from=2026-03-28"), "from"),
        ((*GOOD, "--from=2026-03-28T12:00Z"), "from"),
        ((*GOOD, "--from=2026-03-28 12:00:00Z"), "from"),
        ((*GOOD, "--from=2026-03-28T12:00:00"), "from"),
        ((*GOOD, "--from=2026-03-28T12:00:00z"), "from"),
        ((*GOOD, "--from=2026-03-28T12:00:00.Z"), "from"),
        ((*GOOD, "--from=2026-03-28T12:00:00+0100"), "from"),
        ((*GOOD, "--from=2026-02-29T12:00:00Z"), "from"),
        ((*GOOD, "--from=2026-03-28T24:00:00Z"), "from"),
        ((*GOOD, "--from=2026-03-28T23:59:60Z"), "from"),
        ((*GOOD, "--from=0000-01-01T00:00:00Z"), "from"),
        ((*GOOD, "--from=9999-12-31T23:00:00-09:00"), "from"),
        ((*GOOD, "--from=\N{ARABIC-INDIC DIGIT TWO}026-03-28T12:00:00Z"), "from"),
        ((*GOOD, "--count="), "count"),
        ((*GOOD, "--count=0"), "count"),
        ((*GOOD, "--count", "-1"), "count"),
        ((*GOOD, "--count=1001"), "count"),
        ((*GOOD, "--count=1.0"), "count"),
        ((*GOOD, "--count=+5"), "count"),
        ((*GOOD, "--count=1_0"), "count"),
        ((*GOOD, "--count=" + "9" * 5000), "count"),
        ((*GOOD, "--count=\N{ARABIC-INDIC DIGIT TWO}"), "count"),
    ],
)
def test_what_is_refused(options: tuple[str, ...], field: str) -> None:
    result = preview(*options)
    assert result.code == 1
    assert list(result.json) == ["error"]
    error = result.json["error"]
    assert set(error) == {"code", "message", "field", "suggestion"}
    assert error["code"] == "VALIDATION_FAILED"
    assert error["field"] == field
    assert error["message"]
    assert error["suggestion"] is None or isinstance(error["suggestion"], str)
    assert len(result.out) < 2000
    told = covenctl("preview", *options)
    assert told.code == 1
    assert told.out == ""
    assert told.err.startswith("covenctl: refused (VALIDATION_FAILED): ")


def test_a_refusal_cannot_steer_the_terminal() -> None:
    told = covenctl("preview", "--rrule=FREQ=DAILY;X\x1b[2J=1", "--timezone=utc")
    assert told.code == 1
    assert "\x1b" not in told.err
    assert "X\\x1b[2J" in told.err


@pytest.mark.parametrize(
    ("start", "suggestion"),
    [
        ("2026-03-28", "2026-03-28T00:00:00Z"),
        ("2026-03-28 12:00", "2026-03-28T12:00:00Z"),
        ("2026-03-28t12:00:00.5z", "2026-03-28T12:00:00.5Z"),
        (" 2026-03-28T12:00+01:00 ", "2026-03-28T12:00:00+01:00"),
        ("2026-02-30", None),
        ("28.3.2026", None),
    ],
)
def test_what_is_suggested_for_a_start(start: str, suggestion: str | None) -> None:
    assert preview(*GOOD, f"--from={start}").json["error"]["suggestion"] == suggestion


@pytest.mark.parametrize(
    "arguments",
    [
        ("preview", "--rrule"),
        ("preview", "--rr", "FREQ=DAILY"),
        ("preview", "--rrule=FREQ=DAILY", "extra"),
        (),
        ("nonsense",),
        ("list", "--limit", "3"),
        ("runs", "x", "--limit", "0"),
        ("runs", "x", "--limit="),
        ("show", ""),
        ("show",),
    ],
)
def test_usage_errors_are_exit_2(arguments: tuple[str, ...]) -> None:
    result = covenctl(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert "usage: covenctl" in result.err


def test_for_people_it_says_the_rule_in_words() -> None:
    result = covenctl(
        "preview", "--rrule=FREQ=DAILY;BYHOUR=2", "--timezone=Europe/Paris", "--from=2026-03-28T12:00:00Z", "--count=1"
    )
    lines = result.out.splitlines()
    assert lines[0] == "Every day at 02:00 (Europe/Paris)"
    assert "Mon  2026-03-30 02:00 +02:00  2026-03-30 00:00Z" in result.out
    assert "does not exist" in lines[-1]


def test_no_home_and_no_app_are_needed() -> None:
    result = covenctl("--home", "/nonexistent/home", "preview", "--json", *GOOD)
    assert result.code == 0
    assert json.loads(result.out)["timezone"] == "utc"


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("preview", "--help"), ("run", "-h")])
def test_help_is_exit_0(arguments: tuple[str, ...]) -> None:
    result = covenctl(*arguments)
    assert result.code == 0
    assert "covenctl" in result.out


PARIS = "--timezone=Europe/Paris"


def test_cron_over_both_changes_of_clocks() -> None:
    spring = preview("--cron=30 2 * * *", PARIS, "--from=2026-03-28T12:00:00Z", "--count=1").json
    assert spring["firings"] == [
        {"at": "2026-03-29T01:00:00.000Z", "local": "2026-03-29T03:00:00+02:00", "note": "gap"}
    ]
    assert [(note["kind"], note["wall"]) for note in spring["notes"]] == [("moved", "2026-03-29T02:30:00")]
    autumn = preview("--cron=30 * * * *", PARIS, "--from=2026-10-25T00:00:00Z", "--count=3").json
    assert [(firing["local"], firing["note"]) for firing in autumn["firings"]] == [
        ("2026-10-25T02:30:00+02:00", "repeated"),
        ("2026-10-25T02:30:00+01:00", "repeated"),
        ("2026-10-25T03:30:00+01:00", None),
    ]


def test_a_cadence_to_its_end() -> None:
    monthly = ("--cadence=monthly", "--anchor=2026-01-31T09:00:00", "--timezone=utc", "--from=2026-01-01T00:00:00Z")
    found = preview(*monthly, "--until=2026-03-31T09:00:00").json
    assert [(firing["at"][:10], firing["note"]) for firing in found["firings"]] == [
        ("2026-01-31", None),
        ("2026-02-28", "clamped"),
        ("2026-03-31", "last"),
    ]
    assert len(preview(*monthly, "--max-runs=2").json["firings"]) == 2
    minutes = preview(
        "--cadence=every_n_minutes", "--minutes=45", "--anchor=2026-01-01T00:00:30Z", "--timezone=utc",
        "--from=2026-01-01T00:00:30Z", "--count=1",
    )  # fmt: skip
    assert minutes.json["firings"][0]["at"] == "2026-01-01T00:45:30.000Z"
    six = preview("--cadence=cron", "--cron=30 0 9 * * *", "--timezone=utc", "--from=2026-01-01T00:00:00Z", "--count=1")
    assert six.json["firings"][0]["at"] == "2026-01-01T09:00:30.000Z"


def test_the_firings_before() -> None:
    found = preview("--cron=0 9 * * *", "--timezone=utc", "--before=2026-01-03T09:00:00Z", "--count=2").json
    assert [firing["at"] for firing in found["firings"]] == ["2026-01-01T09:00:00.000Z", "2026-01-02T09:00:00.000Z"]
    rule = preview("--rrule=FREQ=DAILY", "--timezone=utc", "--before=2026-01-03T09:00:00Z", "--count=1").json
    assert rule["firings"][0]["at"] == "2026-01-02T09:00:00.000Z"
    none = covenctl(
        "preview", "--cadence=daily", "--anchor=2026-01-31T09:00:00", "--timezone=utc", "--before=2026-01-31T09:00:00Z"
    )
    assert "It did not fire before." in none.out
    assert preview("--cron=0 9 * * *", "--timezone=utc", "--before=now").json["error"]["field"] == "before"


def test_seconds_are_shown_where_they_say_something() -> None:
    told = covenctl(
        "preview", "--cadence=hourly", "--anchor=2026-01-31T09:00:30", "--timezone=utc", "--from=2026-01-31T00:00:00Z",
        "--count=1",
    )  # fmt: skip
    assert "2026-01-31 09:00:30 +00:00  2026-01-31 09:00:30Z" in told.out


@pytest.mark.parametrize(
    ("options", "field", "suggestion"),
    [
        (("--cron=@daily",), "expression", "0 0 * * *"),
        (("--cron=0 0 9 * * *",), "expression", "0 9 * * *"),
        (("--cron=",), "expression", "0 9 * * *"),
        (("--cadence=day", "--anchor=2026-01-31T09:00:00"), "mode", "daily"),
        (("--cadence=daily", "--anchor=2026-03-29T02:30:00"), "anchor", "2026-03-29T03:00:00"),
        (("--cadence=daily",), "anchor", None),
        (("--cadence=daily", "--anchor=2026-01-31T09:00:00", "--until=2026-01-30"), "until", "2026-01-30T00:00:00"),
        (("--cadence=daily", "--anchor=2026-01-31T09:00:00", "--max-runs=0"), "maxRuns", None),
        (("--cadence=daily", "--anchor=2026-01-31T09:00:00", "--max-runs=many"), "maxRuns", None),
        (("--cadence=every_n_minutes", "--anchor=2026-01-31T09:00:00", "--minutes=-1"), "minutes", None),
        (("--cadence=daily", "--anchor=2026-01-31T09:00:00", "--cron=0 9 * * *"), "expression", None),
    ],
)
@pytest.mark.parametrize("command", ["preview", "explain"])
def test_what_is_refused_of_the_other_families(
    command: str, options: tuple[str, ...], field: str, suggestion: str | None
) -> None:
    result = covenctl(command, "--json", PARIS, *options)
    assert result.code == 1
    error = result.json["error"]
    assert (error["code"], error["field"], error["suggestion"]) == ("VALIDATION_FAILED", field, suggestion)
    told = covenctl(command, PARIS, *options)
    assert told.err.startswith("covenctl: refused (VALIDATION_FAILED): ")
    if suggestion is not None:
        assert f"Instead: {suggestion}" in told.err


@pytest.mark.parametrize("command", ["preview", "explain"])
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--timezone=utc",),
        ("--rrule=FREQ=DAILY", "--cron=0 9 * * *"),
        ("--rrule=FREQ=DAILY", "--cadence=daily"),
        ("--rrule=FREQ=DAILY", "--anchor=2026-01-31T09:00:00"),
        ("--cron=0 9 * * *", "--max-runs=3"),
    ],
)
def test_one_schedule_is_to_be_named(command: str, options: tuple[str, ...]) -> None:
    assert covenctl(command, *options).code == 2


def test_explain_tells_what_is_less_plain() -> None:
    told = covenctl("explain", "--cron=0 9 13 * fri", PARIS).out.splitlines()
    assert told[0] == "At 09:00, on day 13 of the month or on Friday (Europe/Paris)"
    assert any("Either day field is enough" in line for line in told[1:])
    assert any("clocks go forward" in line for line in told[1:])
    found = covenctl("explain", "--json", "--rrule=FREQ=DAILY", "--timezone=utc").json
    assert found == {"kind": "rrule", "timezone": "utc", "words": "Every day at 09:00 (UTC)", "sentences": []}
