"""The grammars of ids and keys, and the names we make ourselves."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coven_desktop.contract import ids

Grammar = Callable[[object], bool]

# grammar, shortest and longest length, characters beside letters and digits, whether those may come first
GRAMMARS: list[tuple[Grammar, int, int, str, bool]] = [
    (ids.is_adoption_key, 8, 200, "._:-", False),
    (ids.is_automation_id, 1, 96, "._-", False),
    (ids.is_entity_id, 1, 160, "._-", False),
    (ids.is_flat_routine_id, 1, 96, "._-", True),
    (ids.is_correlation_id, 1, 200, "._:-", False),
    (ids.is_principal_id, 1, 128, "._:@-", False),
    (ids.is_event_id, 20, 64, "", False),
]


@pytest.mark.parametrize(("fits", "shortest", "longest", "marks", "mark_first"), GRAMMARS)
def test_grammar(fits: Grammar, shortest: int, longest: int, marks: str, mark_first: bool) -> None:
    assert fits("a" * shortest)
    assert fits("Z" * longest)
    assert fits("9" * shortest)
    assert not fits("a" * (shortest - 1))
    assert not fits("a" * (longest + 1))
    for mark in "._:@-/ \t\n\0é٣":
        assert fits("a" * shortest + mark) == (mark in marks), mark
        assert fits(mark + "a" * shortest) == (mark in marks and mark_first), mark
    for other in (None, 1, True, ["a" * shortest], b"a" * shortest):
        assert not fits(other)


def test_ids_made_of_other_ids() -> None:
    assert ids.scheduled_occurrence_id("tiny", 1_788_080_400_000) == "tiny-1788080400000"
    assert ids.attempt_id("run-1", 2) == "attempt-run-1-2"
    assert ids.attempt_key("run-1", 2) == "automation:run-1:2"
    assert ids.event_id(0) == "evt" + "0" * 32
    assert ids.event_id(255) == "evt" + "0" * 30 + "ff"


def test_derived_keys_are_the_contracts_examples() -> None:
    assert ids.manual_occurrence_id("adopt:now:tiny-0001") == "occ-manual-acc5bb58c09b5faf6c91e983e760e905"
    assert ids.delegated_cancel_key("adopt:cancel:tiny-0001") == "rc:c49c8ce1bf5595202b84a360b5e900cd396b9875"
    assert (
        ids.legacy_adoption_key("coven.automations.create", "intent-1")
        == "legacy:ffb9565cdefa5e1e1acac6af5b64a20ce73c736e3830c0375ee78763b396e57d"
    )


def test_an_intent_belongs_to_one_action() -> None:
    made = {ids.legacy_adoption_key(f"coven.automations.{verb}", "x") for verb in ("create", "update", "delete")}
    assert len(made) == 3


@pytest.mark.parametrize(
    ("make", "shape"),
    [
        (ids.legacy_manual_occurrence_id, r"occ-[0-9a-f]{32}"),
        (ids.new_run_id, r"run-[0-9a-f]{32}"),
        (ids.new_session_id, r"session-[0-9a-f]{32}"),
        (lambda: ids.legacy_adoption_key("coven.automations.create", None), r"legacy:[0-9a-f]{32}"),
    ],
)
def test_new_names_are_new(make: Callable[[], str], shape: str) -> None:
    made = {make() for _ in range(50)}
    assert len(made) == 50
    assert all(re.fullmatch(shape, name) for name in made)


@given(st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}", fullmatch=True), st.integers(0, 253_402_300_799_999))
def test_what_we_make_fits_the_contracts_grammars(automation_id: str, slot_ms: int) -> None:
    run_id = ids.new_run_id()
    assert ids.is_automation_id(automation_id)
    assert ids.is_entity_id(ids.scheduled_occurrence_id(automation_id, slot_ms))
    assert ids.is_entity_id(ids.attempt_id(run_id, 10))
    assert ids.is_adoption_key(ids.attempt_key(run_id, 10))
    assert ids.is_adoption_key(ids.legacy_adoption_key("coven.automations.create", automation_id))
    assert ids.is_adoption_key(ids.delegated_cancel_key(automation_id))
    assert ids.is_event_id(ids.event_id(slot_ms))
