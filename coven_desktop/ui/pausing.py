"""Pause all and resume, as tray and window ask for them (design/decisions.md 39)."""

from __future__ import annotations

from typing import Any

from coven_desktop.contract import timestamps
from coven_desktop.engine.answers import Answer, Outcome
from coven_desktop.engine.commands import pausing
from coven_desktop.qt.core import QObject, Signal
from coven_desktop.ui.acts import new_key, reason_of
from coven_desktop.ui.doors import Command, Gateway


class Pausing(QObject):
    """Asks for it; what becomes of it is seen in the state. `refused`: what was asked, and why not."""

    refused = Signal(str, str)

    def __init__(self, gateway: Gateway, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._gateway = gateway

    def pause(self, until: int | None) -> None:
        """Pause everything until an instant, UTC milliseconds, or until it is resumed."""
        text = None if until is None else timestamps.to_text(until)
        self._ask(pausing.pause_all, {"adoptionKey": new_key("pause"), "until": text}, self.tr("Pause all"))

    def resume(self) -> None:
        """End the pause of everything."""
        self._ask(pausing.resume_all, {"adoptionKey": new_key("resume")}, self.tr("Resume everything"))

    def _ask(self, command: Command, body: dict[str, Any], what: str) -> None:
        def done(outcome: Outcome) -> None:
            if not isinstance(outcome, Answer):
                self.refused.emit(what, reason_of(outcome))

        self._gateway.submit(command, body, done)
