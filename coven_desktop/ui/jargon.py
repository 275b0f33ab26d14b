"""Reasons and refusals as a person reads them: without the words that are for programs.

The engine records its reasons in the contract's words, and clients of the socket compare them; these say the same to a
person who sits at the window.
"""

from __future__ import annotations

import re
from re import escape

from coven_desktop.engine import attempts, revisions, settlement
from coven_desktop.qt.core import QCoreApplication

# What is matched, and what says it. A group is what the sentence is about, or what follows in other words.
# A refusal may stand behind the name of what was refused; a reason is all that was recorded.
_REFUSALS = (
    (r"timezone must be `utc`, compatibility input `local`, or a valid IANA timezone, got `(.*)`", "zone"),
    (r"a routine with id `(.*)` exists already; use update, or choose another id", "taken"),
    (r"routine `(.*)` was deleted through the versioned API and its id is not used again", "gone"),
    (r"routine `(.*)` is managed by the versioned API; revise it there", "managed"),
    (r"stored routine `.*?` is invalid: (.*)", "as it is"),
    (r"no routine with id `(.*)`", "missing"),
    (r"no (?:run|occurrence) with id `(.*)`", "run missing"),
    (r"authority can only be declared through the versioned definition API", "authority"),
)
_REASONS = (
    (r"name must not be blank", "no name"),
    (r"prompt must not be blank", "no prompt"),
    (r"runtime must not be blank", "no runtime"),
    (r"rrule key `(.*)` is not supported", "no such part"),
    (r"FREQ `(.*)` is not supported \(DAILY or WEEKLY\)", "no such rule"),
    (r"(?:anchor|until) `(.*?)` does not exist in (.*)", "no such time"),
    (r"the command `(.*)` of runtime `(.*)` was not found", "no command"),
    (r"the working folder (.*) cannot be entered: .*", "no folder"),
    (r"superseded by latest misfire policy", "latest"),
    (r"(.*)" + escape(attempts.HELD), "held"),
    (escape(attempts.DECIDED) + r" \(failed_deterministic\)(?:: )?(.*)", "decided failed"),
    (escape(attempts.DECIDED) + r" \(retry_with_new_attempt\)(?:: )?(.*)", "decided again"),
    (r"operator retry(?:: )?(.*)", "retried"),
    (escape(settlement.CANCELLED), "stopped"),
    (escape(settlement.TIMED_OUT), "timed out"),
    (r"session .* automation timeout", "timed out"),
    (escape(settlement.VANISHED), "vanished"),
    (escape(settlement.LATE_EVIDENCE), "late"),
    (escape(settlement.STOPPED_FROM_OUTSIDE), "from outside"),
    (escape(settlement.LEASE_PROVEN), "not begun"),
    (escape(settlement.LEASES_SPENT), "never begun"),
    (r"lease expired", "not begun"),
    (escape(settlement.RETRY_WAIT_OVER), "waited too long"),
    (escape(settlement.NOBODY_RETRIED), "not retried"),
    (escape(settlement.DID_NOT_FINISH), "did not finish"),
    (r"\w+ stop was not confirmed", "no proof"),
    (escape(revisions.DELETED), "deleted"),
    (r"superseded by revision (\d+) of the routine before it was claimed", "revised"),
    (r"session (?:failed|killed) \(exit code (-?\d+)\)", "exit"),
    (r"session killed", "killed"),
    (r"session failed", "failed"),
)
_TOLD = tuple(
    (re.compile(pattern, re.DOTALL), what)
    for pattern, what in (*_REFUSALS, *((rf"\A{reason}\Z", what) for reason, what in _REASONS))
)


def plain(sentence: str) -> str:
    """A reason or refusal in plain words; what has no others comes back as it is."""
    for pattern, what in _TOLD:
        match = pattern.search(sentence)
        if match is not None:
            about, of = (*match.groups(), "", "")[:2]
            return _words(what).format(name=plain(about) if what in ("as it is", "held") else about, of=of).rstrip()
    return sentence


def _words(what: str) -> str:
    return {
        "zone": _say("“{name}” is no time zone that is known here. Choose one from the list, such as Europe/Paris."),
        "taken": _say("There is a routine with the id “{name}” already. Choose another id."),
        "gone": _say("A deleted routine had the id “{name}”, and its history keeps it. Choose another id."),
        "managed": _say("Another program manages “{name}” and has to change it there."),
        "as it is": "{name}",
        "missing": _say("There is no routine “{name}” any more."),
        "run missing": _say("This run is not kept any more."),
        "authority": _say("An authority cannot be set here: only a program that manages the routine can."),
        "no name": _say("it needs a name"),
        "no prompt": _say("it needs a prompt"),
        "no runtime": _say("it needs a runtime"),
        "no such part": _say("a Coven rule has no “{name}”; cadence or cron may say what you mean"),
        "no such rule": _say("a Coven rule is daily or weekly, not “{name}”; cadence or cron may say what you mean"),
        "no such time": _say("{name} does not exist in {of}"),
        "no command": _say("the command “{name}” of runtime “{of}” was not found"),
        "no folder": _say("the working folder {name} is not there, or cannot be entered"),
        "latest": _say("a later time was due as well, and only the latest one runs"),
        "held": _say("{name}; it is held for your retry"),
        "decided failed": _say("You decided that it failed. {name}"),
        "decided again": _say("You decided that it is tried again. {name}"),
        "retried": _say("You asked for a retry. {name}"),
        "stopped": _say("stopped on request"),
        "timed out": _say("it took longer than it may"),
        "vanished": _say("it ended and left no trace: whether its work was done is not known"),
        "late": _say("how it ended was found out only after a stop that had no answer"),
        "from outside": _say("it was ended from outside Coven Desktop, for example by a logout"),
        "not begun": _say("it was not started in time, and nothing of it began"),
        "never begun": _say("it was not started in time, at none of its attempts"),
        "waited too long": _say("its time was over before its retry could begin"),
        "not retried": _say("nobody retried it before its time was over"),
        "did not finish": _say("it did not finish"),
        "no proof": _say("it was told to stop, and whether all of it has ended is not known"),
        "deleted": _say("its routine was deleted before it began"),
        "revised": _say("its routine was changed before it began (revision {name})"),
        "exit": _say("it ended with exit code {name}"),
        "killed": _say("it was killed"),
        "failed": _say("it failed"),
    }[what]


def _say(text: str) -> str:
    return QCoreApplication.translate("States", text)
