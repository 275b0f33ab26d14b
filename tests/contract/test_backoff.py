"""Waits before a retry, against the contract's own check values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.contract.backoff import ceiling_seconds, delay_seconds
from coven_desktop.contract.definition import RetryPolicy


def exponential(seconds: int | None) -> RetryPolicy:
    return RetryPolicy(max_attempts=10, backoff_policy="exponential", backoff_seconds=seconds)


@pytest.mark.parametrize(
    ("run_id", "number", "base", "ceiling", "delay"),
    [
        ("retry-exponential-two", 2, 10, 10, 8),
        ("retry-exponential-four", 4, 10, 40, 17),
        ("retry-exponential-cap", 3, 50_000, 86_400, 61_621),
        ("run-73e7ba0b62db4a52bf264a3f29cd94bf", 2, 3, 3, 1),
        ("run-73e7ba0b62db4a52bf264a3f29cd94bf", 3, 3, 6, 5),
        ("run-73e7ba0b62db4a52bf264a3f29cd94bf", 4, 3, 12, 8),
    ],
)
def test_exponential_waits_are_the_contracts(run_id: str, number: int, base: int, ceiling: int, delay: int) -> None:
    assert ceiling_seconds(exponential(base), number) == ceiling
    assert delay_seconds(exponential(base), run_id, number) == delay


def test_none_does_not_wait_even_with_seconds() -> None:
    policy = RetryPolicy(max_attempts=2, backoff_policy="none", backoff_seconds=60)
    assert (ceiling_seconds(policy, 2), delay_seconds(policy, "run-1", 2)) == (0, 0)


def test_fixed_always_waits_the_same() -> None:
    policy = RetryPolicy(max_attempts=9, backoff_policy="fixed", backoff_seconds=60)
    assert {delay_seconds(policy, f"run-{number}", number) for number in range(2, 10)} == {60}
    assert ceiling_seconds(policy, 9) == 60


def test_missing_seconds_count_as_one() -> None:
    assert ceiling_seconds(exponential(None), 2) == 1
    assert delay_seconds(exponential(None), "run-1", 2) == 1


def test_the_ceiling_stops_at_a_day() -> None:
    assert ceiling_seconds(exponential(86_400), 10) == 86_400
    assert ceiling_seconds(exponential(1), 10_000) == 65_536


@given(st.integers(1, 86_400), st.integers(2, 10), st.text(min_size=1, max_size=40))
def test_a_wait_lies_within_its_ceiling_and_is_always_the_same(base: int, number: int, run_id: str) -> None:
    policy = exponential(base)
    delay = delay_seconds(policy, run_id, number)
    assert 1 <= delay <= ceiling_seconds(policy, number) <= 86_400
    assert delay == delay_seconds(policy, run_id, number)
