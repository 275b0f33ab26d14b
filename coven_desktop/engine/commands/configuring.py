"""What the window asks of the engine when the person changes a setting, or wants a backup now. Not on the socket."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.engine.answers import Answer, Pending
from coven_desktop.engine.engine import Engine
from coven_desktop.settings import Settings


def configure(engine: Engine, body: Mapping[str, Any]) -> Answer:
    """Work by these settings from now on. Body: `settings`, as they have been written."""
    chosen = body["settings"]
    assert isinstance(chosen, Settings)
    engine.configure(chosen)
    return Answer()


def back_up(engine: Engine, body: Mapping[str, Any]) -> Pending:
    """Make a backup now. Payload: `path`. Fails with StoreFault, told in its words."""
    del body
    return engine.upkeep.back_up_now()
