"""What the form asks of an editor for one family of schedules (design/schedules.md).

The form knows no rule: it shows an editor, and previews what the editor's rule says through the engine's own function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from coven_desktop.contract.definition import DefinitionError
from coven_desktop.qt.core import SignalInstance
from coven_desktop.schedule import rrule, words, zones
from coven_desktop.schedule.slots import Schedule
from coven_desktop.ui import schedule_words


class NoRule(ValueError):
    """There is nothing to preview; the text says why."""


class Rule(NamedTuple):
    """A rule in one zone: a sentence for people, and the schedule that the engine goes by."""

    words: str
    schedule: Schedule


class FamilyEditor(Protocol):
    """A widget that edits the rule of one family. The zone is a field of its own."""

    @property
    def changed(self) -> SignalInstance:
        """The person changed the rule."""

    @property
    def field(self) -> str:
        """The member of the definition under which its rule is refused."""

    def members(self) -> dict[str, Any]:
        """The members of the definition that say the rule, as they stand, good or not."""

    def show_members(self, body: Mapping[str, Any]) -> None:
        """Show the rule of a definition, its text as it is; without one, what a new routine begins with."""

    def take(self, suggestion: str) -> None:
        """Take a suggested rule as if it had been typed."""

    def problem(self) -> DefinitionError | None:
        """Why the rule cannot be saved, in the contract's words, with what was probably meant."""

    def rule(self, zone_name: str) -> Rule:
        """The rule in a zone, `local` too. Raises NoRule."""


def rule_of(body: Mapping[str, Any], zone_name: str) -> Rule:
    """The rule that a stored or an edited definition says, in a zone. Raises NoRule."""
    try:
        exact = zones.resolve_local() if zone_name == "local" else zone_name
        schedule = rrule.schedule(str(body.get("rrule", "")), exact)
    except (rrule.RruleError, zones.ZoneError) as error:
        raise NoRule(error.message) from error
    return Rule(words.words(schedule.rule, exact, schedule_words.say), schedule)
