"""settings.toml: what it may say, and how each mistake in it is told."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from coven_desktop import settings
from coven_desktop.settings import Problem, Settings

KNOWN = (
    "retentionDays, maxConcurrentRuns, pauseAfterFailures, runInBackground, theme, isoDates, notifications,"
    " notifyEachFailure, notifyQuietly"
)


def parse(text: str) -> tuple[Settings, tuple[Problem, ...]]:
    return settings.parse(text, "settings.toml")


def test_no_file_sets_nothing(tmp_path: Path) -> None:
    assert settings.read(tmp_path / "settings.toml") == (Settings(None, 4), ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Settings(None, 4)),
        ("# nothing\n", Settings(None, 4)),
        ("retentionDays = 30", Settings(30, 4)),
        ("retentionDays = 36_500\r\nmaxConcurrentRuns = 0\r\n", Settings(36_500, 0)),
        ('"maxConcurrentRuns" = 1000 # many\n', Settings(None, 1000)),
    ],
)
def test_what_is_set_counts(tmp_path: Path, text: str, expected: Settings) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(text.encode())
    assert settings.read(path) == (expected, ())


@pytest.mark.parametrize("value", ["29", "0", "-30", "36501", "30.0", "true", '"90"', "[90]", "1979-05-27"])
def test_a_wrong_limit_keeps_everything(value: str) -> None:
    found, problems = parse(f"# first\n\nmaxConcurrentRuns = 2\nretentionDays = {value}\n")
    assert found == Settings(None, 2)
    (problem,) = problems
    assert (problem.name, problem.line) == ("retentionDays", 4)
    assert "settings.toml line 4: retentionDays must be a whole number of days, 30 to 36500" in problem.sentence


@pytest.mark.parametrize("value", ["-1", "1001", "4.0", "false", '"4"'])
def test_a_wrong_number_of_runs_is_not_used(value: str) -> None:
    found, problems = parse(f"maxConcurrentRuns = {value}\nretentionDays = 31")
    assert found == Settings(31, 4)
    assert [(problem.name, problem.line) for problem in problems] == [("maxConcurrentRuns", 1)]
    assert "4 is used" in problems[0].sentence


def test_every_mistake_is_told_where_it_stands_and_the_rest_is_used() -> None:
    found, problems = parse('colour = """\nretentionDays = 5\n"""\nretentionDays = 40\n\n[window]\nwidth = 3\n')
    assert found == Settings(40, 4)
    assert [(problem.name, problem.line) for problem in problems] == [("colour", 1), ("window", 6)]
    assert problems[0].sentence == (f"settings.toml line 1: colour is no setting; known are {KNOWN}.")


def test_a_value_of_several_lines_is_told_at_its_first() -> None:
    _, problems = parse("# here\nretentionDays = [\n  90,\n]\n")
    assert [problem.line for problem in problems] == [2]


@pytest.mark.parametrize(
    ("wrong", "line"),
    [("retentionDays 90", 2), ("= 3", 2), ("maxConcurrentRuns = 9", 3), ("what = ", 2)],
)
def test_nothing_is_deleted_on_the_word_of_a_file_that_cannot_be_read_whole(wrong: str, line: int) -> None:
    text = f"retentionDays = 30\n{wrong}\nmaxConcurrentRuns = 2\n"
    found, problems = parse(text)
    assert found.retention_days is None
    assert found.max_concurrent_runs in (2, 9)
    (problem,) = problems
    assert (problem.name, problem.line) == (None, line)
    assert problem.sentence.startswith(f"settings.toml line {line} cannot be read as TOML: ")


def test_of_many_lines_that_cannot_be_read_some_are_told() -> None:
    found, problems = parse("this is no settings file\n" * 1000)
    assert found == Settings()
    assert [problem.line for problem in problems] == list(range(1, 11))


@pytest.mark.parametrize("text", ['a = """\nnever closed', "a = [1,\n"])
def test_what_never_ends_is_told(text: str) -> None:
    found, problems = parse("maxConcurrentRuns = 2\n" + text)
    assert found == Settings()
    assert problems
    assert all(problem.sentence.startswith("settings.toml ") for problem in problems)


def test_a_file_that_is_no_text_or_cannot_be_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(b"retentionDays = 30 # \xff")
    assert settings.read(path) == (Settings(), (Problem(None, None, "settings.toml is not UTF-8 text."),))
    path.unlink()
    path.mkdir()
    (problem,) = settings.read(path)[1]
    assert problem.sentence == "settings.toml cannot be read: Is a directory."


@pytest.mark.parametrize(
    "text", ["maxConcurrentRuns = " + "9" * 5_000, "a = " + "[" * 3_000 + "]" * 3_000], ids=["number", "nesting"]
)
def test_what_python_itself_refuses_is_told_and_sets_nothing(text: str) -> None:
    found, problems = parse(f"retentionDays = 30\n{text}\n")
    assert found == Settings(None, 4)
    assert [problem.sentence for problem in problems] == [
        "settings.toml cannot be read: it has a number that is too long, or is nested too deeply."
    ]


def test_a_pipe_is_told_and_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    os.mkfifo(path)
    found, problems = settings.read(path)
    assert found == Settings(None, 4)
    assert [problem.sentence for problem in problems] == ["settings.toml cannot be read: it is not a file."]


def test_a_file_far_too_large_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    path.write_text("retentionDays = 30\n" + "# a remark\n" * 1_000)
    found, problems = settings.read(path)
    assert found == Settings(None, 4)
    assert [problem.sentence for problem in problems] == ["settings.toml is not used: it is larger than 8,192 bytes."]


def test_of_many_names_that_are_no_settings_the_first_are_told() -> None:
    found, problems = parse("maxConcurrentRuns = 3\n" + "".join(f"k{number} = 1\n" for number in range(30)))
    assert found == Settings(None, 3)
    assert [(problem.name, problem.line) for problem in problems] == [(f"k{at}", at + 2) for at in range(10)]


def test_a_name_far_down_is_told_without_its_line() -> None:
    _, problems = parse("# a remark\n" * 200 + "colour = 1\n")
    assert problems == (Problem("colour", None, f"settings.toml: colour is no setting; known are {KNOWN}."),)
