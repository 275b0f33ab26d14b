"""Each case of the contract in which an action is refused, carried out over the socket: see refusals.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from coven_desktop.api.described import actions, service
from coven_desktop.contract.errors import Code
from tests.api.refusals import REFUSALS, Refusal, refused
from tests.api.scenes import SCENES
from tests.api.schemas import fits_exactly
from tests.conftest import LoggedWarnings


def test_the_table_names_actions_that_there_are_and_each_case_once() -> None:
    assert {row.action for row in REFUSALS} <= set(actions.ALL) == set(SCENES)
    cases = [(row.action, row.when) for row in REFUSALS]
    assert len(cases) == len(set(cases))


@pytest.mark.parametrize("row", REFUSALS, ids=lambda row: f"{row.action.split('.', 2)[2]}: {row.when}")
def test_it_is_refused(row: Refusal, tmp_path: Path, logged: LoggedWarnings) -> None:
    if row.code is Code.INTERNAL:
        logged.expect("receipt receipt-run-")
    reply = refused(row, tmp_path)
    error = reply.body.get("error", {})
    assert (reply.status, error.get("code")) == (row.status, row.code), reply.body
    assert error.get("retryable", False) is row.retryable
    fits_exactly(service.REJECTION, reply.body)
