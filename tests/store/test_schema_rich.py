"""What the schema refuses of rich definitions, even to raw SQL."""

from __future__ import annotations

import apsw
import pytest

from tests.store import rows


def test_a_rich_definition_belongs_to_a_routine_and_says_so(connection: apsw.Connection) -> None:
    rows.definition(connection)
    rows.definition(connection, "evening")
    rows.rich_definition(connection)
    for columns in (
        {"automation_id": "noon", "body": '{"automationId":"noon"}'},
        {"automation_id": "evening", "body": '{"automationId":"morning"}'},
        {"automation_id": "evening", "body": "{}"},
        {"automation_id": "evening", "body": "not JSON"},
        {"automation_id": "evening", "body": None},
    ):
        with pytest.raises(apsw.ConstraintError):
            rows.rich_definition(connection, **columns)


def test_a_routine_has_one(connection: apsw.Connection) -> None:
    rows.definition(connection)
    rows.rich_definition(connection)
    with pytest.raises(apsw.ConstraintError):
        rows.rich_definition(connection)
