"""What the form asks of an editor for one family of schedules (design/schedules.md).

The form knows no rule: it shows an editor, and previews what the editor's rule says through the engine's own function.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from coven_desktop.contract.definition import DefinitionError
from coven_desktop.qt.core import SignalInstance
from coven_desktop.schedule import families
from coven_desktop.schedule.errors import ScheduleError
from coven_desktop.schedule.explaining import explained
from coven_desktop.schedule.slots import Schedule
from coven_desktop.ui import policy_words, schedule_words


class NoRule(ValueError):
    """There is nothing to preview; the text says why."""


class Rule(NamedTuple):
    """A rule in one zone: a sentence for people, the schedule that the engine goes by, and what is less plain in it.

    `most_runs`: it ends after so many; None for no such end. `bounds` are those of the sentences that say from when,
    until when, how often.
    """

    words: str
    schedule: Schedule
    sentences: tuple[str, ...] = ()
    most_runs: int | None = None
    bounds: tuple[str, ...] = ()


class FamilyEditor(Protocol):
    """A widget that edits the rule of one family. The zone is a field of its own."""

    @property
    def changed(self) -> SignalInstance:
        """The person changed the rule."""

    def members(self) -> dict[str, Any]:
        """The members of the schedule's document that say the rule, as they stand, good or not; no kind and no zone."""

    def show_members(self, document: Mapping[str, Any]) -> None:
        """Show the rule of a document, its texts as they are; without one, what a new routine begins with."""

    def take(self, suggestion: str) -> None:
        """Take the suggested rule as if it had been typed."""

    def refuse(self, error: DefinitionError | None) -> bool:
        """Say at the member that it is about why the rule is refused; None: nothing is.

        False: there is no such place, and it is to be said of the whole.
        """


def document_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """The schedule's document of a definition of either form: the contract's, or ours."""
    schedule = body.get("schedule")
    if isinstance(schedule, Mapping):
        return dict(schedule)
    return {"kind": "rrule", "rrule": body.get("rrule", ""), "timezone": body.get("timezone", "")}


def rule_of(document: Mapping[str, Any]) -> Rule:
    """The rule that a schedule's document says. Raises NoRule."""
    try:
        found = families.read(document)
    except ScheduleError as error:
        raise NoRule(plain(error.message)) from error
    told = explained(found.schedule, schedule_words.say)
    return Rule(told.words, found.schedule, told.sentences, found.max_runs, told.bounds)


def described(body: Mapping[str, Any]) -> str:
    """The schedule of a definition with all that counts for it: its bounds and its policy too. Raises NoRule."""
    document = document_of(body)
    rule = rule_of(document)
    parts = [rule.words]
    if document["kind"] == "cadence":
        parts += rule.bounds
        parts.append(policy_words.catch_up(document.get("catchUp")))
    return " · ".join(part.removesuffix(".") for part in parts)


def plain(message: str) -> str:
    """A refusal without the beginning that those of the contract have."""
    for beginning in ("rrule failed validation: ", "routine definition failed validation: "):
        message = message.removeprefix(beginning)
    return message
