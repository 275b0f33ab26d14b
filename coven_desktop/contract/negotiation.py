"""Which variants of the contract this product carries, and what it says to a flat body that asks for another one.

The profile is data, advertised by the capability catalog, and the search below reads its answers from it. Structure,
order of the search and the names reported are contract/commands.md §8; the sentences are our own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from coven_desktop.contract.definition import RETRYABLE_CLASSES, Definition, parse
from coven_desktop.contract.rich_shapes import RICH_MEMBERS, is_well_formed
from coven_desktop.contract.text import is_blank, trim
from coven_desktop.schedule.rrule_grammar import ascii_upper

CONTRACT_PROFILE = "coven.automations.v1"


def _variants(*found: tuple[str, str]) -> list[dict[str, str]]:
    return [{"variant": variant, "notes": notes} for variant, notes in found]


VARIANT_NEGOTIATION: dict[str, Any] = {
    "version": 1,
    "contractProfile": CONTRACT_PROFILE,
    "description": "Routines that start a command-line agent on a daily or weekly rule, one run at a time, "
    "with one deadline for each run.",
    "supported": {
        "triggers": _variants(("schedule", "A daily or weekly rule with hours and weekdays, in one zone.")),
        "conditions": [],
        "actions": _variants(("familiarInvocation", "One prompt, given to one runtime in one working folder.")),
        "triggerPolicies": _variants(
            ("misfire.latest", "Of the slots that were missed only the newest is run."),
            ("overlap.forbid", "A routine never has two runs at the same time."),
            ("timeout.required", "Every run has a deadline, counted from its start over all of its attempts."),
            ("timezone.utc", "The zone utc."),
            ("timezone.iana", "Zones by their exact IANA name."),
            ("dst.gap.skip", "A wall time that does not exist on a day does not fire on that day."),
            ("dst.fold.first", "A wall time that comes twice fires the first time."),
            ("retry.attempts", "Up to ten attempts, all within the deadline of the one run."),
            ("retry.backoff.none", "The next attempt may begin at once."),
            ("retry.backoff.fixed", "The same wait before every further attempt."),
            ("retry.backoff.exponential", "Waits that grow, spread by a number that the run itself gives."),
            ("retry.safe-classes", "Only a launch that is proven to have begun nothing is tried again by itself."),
            ("retry.exhaustion-quarantine", "When all attempts are used up the routine rests until it is released."),
        ),
        "deliveryPolicies": [],
        "retentionPolicies": _variants(("retention.standard", "History is kept until the person sets a limit.")),
    },
    "experimental": [],
    "refused": [
        {"variant": "trigger.webhook", "reason": "Nothing outside this machine can start a routine."},
        {"variant": "action.pipeline", "reason": "A routine is one command; steps belong into its prompt or script."},
        {"variant": "misfire.backfill", "reason": "Missed slots are not caught up: the newest stands for all."},
        {
            "variant": "timezone.local.durable",
            "reason": "The zone of the machine is resolved to its exact name when a routine is saved.",
        },
        {"variant": "outputTarget.atomic", "reason": "What a run prints stays with its session."},
    ],
    "negotiationRules": [
        "A variant that is not listed as supported is refused with CAPABILITY_UNSUPPORTED, and the refusal names it.",
        "Each refusal stands for itself: what else a request holds does not change it.",
        "An unknown value inside a supported variant counts as an unknown variant.",
        "An experimental variant is unavailable unless its consumer has chosen it for itself.",
        "Nothing is ever replaced by something similar.",
    ],
}

_PROFILE = VARIANT_NEGOTIATION["supported"]
_SUPPORTED = frozenset(
    prefix + entry["variant"]
    for group, prefix in (
        ("triggers", "trigger."),
        ("conditions", "condition."),
        ("actions", "action."),
        ("triggerPolicies", ""),
        ("retentionPolicies", ""),
    )
    for entry in _PROFILE[group]
) | {f"retry.safe-classes.{name}" for name in RETRYABLE_CLASSES}
_REASONS: Mapping[str, str] = {entry["variant"]: entry["reason"] for entry in VARIANT_NEGOTIATION["refused"]}
_NOT_LISTED = "It is not among the variants that this app supports."

_ECHOED = re.compile(r"[A-Za-z0-9_-]{1,64}")
_FREQUENCIES = frozenset({"DAILY", "WEEKLY"})


class Unsupported(Exception):
    """A body that is valid but for a variant that is not carried: which one, and why not."""

    def __init__(self, variant: str) -> None:
        self.variant = variant
        self.reason = _REASONS.get(variant, _NOT_LISTED)
        super().__init__(f"{variant} is not supported: {self.reason}")

    @property
    def details(self) -> dict[str, str]:
        """The `details` of the refusal."""
        return {"contractProfile": CONTRACT_PROFILE, "reason": self.reason, "variant": self.variant}


def negotiate(raw: Mapping[str, Any]) -> Definition:
    """The routine of a flat body all of whose variants are supported; its timezone may still be `local`.

    Raises Unsupported for the first variant that is not, if the body is valid but for such variants; else
    DefinitionError. Rich members are never accepted in a flat body, not even supported ones.
    """
    search = _Search(raw)
    if search.found:
        search.check_the_rest()
        raise Unsupported(search.found[0])
    return parse(raw, drop_unknown=False)[0]


class _Search:
    """One look through a body in the contract's order: `found` variants, and the body with these made harmless.

    Only a text that is not blank is a variant; anything else is a fault of shape and is left for the parser. So is a
    flat timezone: `local` is resolved before it is stored, and no other name is a variant.
    """

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.found: list[str] = []
        self._body = dict(raw)
        for name, look in (("trigger", self._trigger), ("conditions", self._conditions), ("action", self._action)):
            self._replace(self._body, name, look)
        self._replace(self._body, "policies", self._policies)
        self._replace(self._body, "misfire", lambda value: self._text("misfire.", value, "latest"))
        self._replace(self._body, "overlap", lambda value: self._text("overlap.", value, "forbid"))
        self._replace(self._body, "retry", self._retry)
        if isinstance(self._body.get("outputTarget"), str):
            self.found.append("outputTarget.atomic")
            self._body["outputTarget"] = None
        self._replace(self._body, "rrule", self._rule)

    def check_the_rest(self) -> None:
        """Raise DefinitionError when the body would not be valid without the variants that were found."""
        rest = {
            name: value
            for name, value in self._body.items()
            if name not in RICH_MEMBERS or not is_well_formed(name, value)
        }
        parse(rest, drop_unknown=False)

    @staticmethod
    def _replace(members: dict[str, Any], name: str, look: Callable[[Any], Any]) -> None:
        if name in members:
            members[name] = look(members[name])

    def _text(self, prefix: str, value: Any, harmless: str) -> Any:
        """The harmless value in place of a variant that is not supported, else the value as it is."""
        if not isinstance(value, str) or is_blank(value) or prefix + value in _SUPPORTED:
            return value
        self.found.append(prefix + _echo(value))
        return harmless

    def _trigger(self, value: Any) -> Any:
        value = self._union("trigger.", value)
        if not isinstance(value, Mapping) or value.get("variant") != "schedule":
            return value
        schedule = value.get("schedule")
        if not isinstance(schedule, Mapping):
            return value
        schedule = dict(schedule)
        if schedule.get("timezone") == "local":
            self.found.append("timezone.local.durable")
            schedule["timezone"] = "utc"
        self._replace(schedule, "rrule", self._rule)
        return {**value, "schedule": schedule}

    def _conditions(self, value: Any) -> Any:
        return [self._union("condition.", condition) for condition in value] if isinstance(value, list) else value

    def _action(self, value: Any) -> Any:
        return self._union("action.", value)

    def _union(self, prefix: str, value: Any) -> Any:
        # what an unsupported union holds is not ours to judge: it stays as it is
        if isinstance(value, Mapping):
            self._text(prefix, value.get("variant"), "")
        return value

    def _policies(self, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        policies = {name: dict(policy) if isinstance(policy, Mapping) else policy for name, policy in value.items()}
        for policy, member, prefix, harmless in (
            ("misfire", "disposition", "misfire.", "latest"),
            ("concurrency", "overlap", "overlap.", "forbid"),
        ):
            if isinstance(policies.get(policy), dict) and member in policies[policy]:
                policies[policy][member] = self._text(prefix, policies[policy][member], harmless)
        self._replace(policies, "retry", self._retry)
        delivery = policies.get("delivery")
        if isinstance(delivery, dict) and isinstance(delivery.get("outputTarget"), str):
            self._replace(delivery, "mode", lambda mode: self._text("outputTarget.", mode, "atomic"))
        self._replace(policies, "retention", self._retention)
        return policies

    def _retention(self, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        return {
            name: {**kept, "classification": self._text("retention.", kept.get("classification"), "standard")}
            if isinstance(kept, Mapping)
            else kept
            for name, kept in value.items()
        }

    def _retry(self, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        retry = dict(value)
        self._replace(retry, "backoffPolicy", lambda policy: self._text("retry.backoff.", policy, "none"))
        classes = retry.get("retryableClasses")
        if isinstance(classes, list):
            before = len(self.found)
            kept = [name for name in classes if self._text("retry.safe-classes.", name, "") == name]
            if len(self.found) > before:
                retry["retryableClasses"] = kept
        return retry

    def _rule(self, value: Any) -> Any:
        """The rule with a frequency that has hours and weekdays in place of one that is not supported."""
        if not isinstance(value, str):
            return value
        parts = value.split(";")
        for index, part in enumerate(parts):
            key, _, asked = part.partition("=")
            if ascii_upper(trim(key)) != "FREQ":
                continue
            asked = trim(asked)
            if asked and ascii_upper(asked) not in _FREQUENCIES:
                self.found.append(f"trigger.schedule.frequency.{_echo(asked).lower()}")
                parts[index] = "FREQ=WEEKLY"
            break
        return ";".join(parts)


def _echo(value: str) -> str:
    """A caller's value as far as it may be repeated."""
    return value if _ECHOED.fullmatch(value) else "unknown"
