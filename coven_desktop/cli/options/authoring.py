"""The options of the commands that write a routine: create, edit and settings."""

from __future__ import annotations

import argparse

from coven_desktop.cli.options.values import identity, name, number
from coven_desktop.contract.definition import BACKOFF_POLICIES, RETRYABLE_CLASSES

_STATUSES = ("active", "paused")


def create(command: argparse.ArgumentParser) -> str:
    """The id, and the members of the definition."""
    command.add_argument(
        "id", nargs="?", metavar="NEW-ID", type=name, help="the new routine's id; without it, one made of the name"
    )
    _members(command, "a JSON object with members of the definition; - is standard input. Options go before it")
    command.add_argument("--key", metavar="KEY", help="may be sent again with the same request: it is done once")
    _dry(command)
    return (
        "Name, schedule, runtime and prompt must be given. What else is not given is: active, the app's zone,\n"
        "30 minutes, no retries, this folder. With --key a repeated request is answered as before and makes\n"
        "nothing anew.\n\n"
        "Examples:\n"
        "  covenctl create notes --name 'Daily notes' --rrule 'FREQ=DAILY;BYHOUR=9' --runtime claude \\\n"
        "      --prompt-file notes.md --cwd ~/notes\n"
        "  covenctl create backup --cadence daily --anchor 2026-12-01T02:30:00 --catch-up run-all --runtime shell \\\n"
        "      --prompt ./backup.sh\n"
        "  covenctl create triage --cron '*/20 9-17 * * mon-fri' --runtime claude --prompt-file triage.md\n"
        "  covenctl create -f routine.json --dry-run"
    )


def edit(command: argparse.ArgumentParser) -> str:
    """The routine, and what changes."""
    identity(command, "ROUTINE", "a routine id, as covenctl list shows it")
    _members(command, "a JSON object with the members to change, null takes one away; - is standard input")
    command.add_argument(
        "--expected-revision", type=number(1, 2**53 - 1), metavar="N", help="refuse if it is at another revision by now"
    )
    command.add_argument("--key", metavar="KEY", help="may be sent again with the same request: it is done once")
    command.add_argument("--flat", action="store_true", help="drop what only the rich form of its definition holds")
    _dry(command)
    return (
        "Changes only what is named; an empty value takes an optional member away. With nothing named, on a terminal,\n"
        "the whole definition opens in $VISUAL or $EDITOR; what is refused can be mended there, and is never lost.\n"
        "To repeat a request safely, give --key and --expected-revision.\n\n"
        "Examples:\n"
        "  covenctl edit notes --rrule 'FREQ=DAILY;BYHOUR=8' --dry-run\n"
        "  covenctl edit notes --model '' --tag daily --tag writing\n"
        "  covenctl edit backup --cadence weekly --max-runs 10\n"
        "  covenctl edit notes"
    )


def enable(command: argparse.ArgumentParser) -> str:
    """The routine, and what ends it from now on."""
    identity(command, "ROUTINE", "a disabled routine")
    _cadence(command.add_argument_group("of a cadence, in place of what has ended it"), mode=False)
    command.add_argument(
        "--expected-revision", type=number(1, 2**53 - 1), metavar="N", help="refuse if it is at another revision by now"
    )
    command.add_argument("--key", metavar="KEY", help="may be sent again with the same request: it is done once")
    return (
        "Its configuration, its history and how often it has run stay. A cadence that has ended needs another end; an\n"
        "empty value takes --until or --max-runs away. Let it run again then: covenctl resume ROUTINE\n\n"
        "Examples:\n"
        "  covenctl enable backup --until 2027-12-31T00:00:00\n"
        "  covenctl enable backup --max-runs ''"
    )


def settings(command: argparse.ArgumentParser) -> str:
    """The routine, and what is given to its runs or no longer given."""
    identity(command, "ROUTINE", "a routine id, as covenctl list shows it")
    command.add_argument("--env", action="append", metavar="NAME=VALUE", help="a variable; may be repeated")
    command.add_argument("--unset-env", action="append", metavar="NAME", help="a variable to take away")
    command.add_argument(
        "--secret", action="append", dest="secrets", metavar="NAME", help="a secret of the keyring, by name"
    )
    command.add_argument(
        "--unset-secret", action="append", dest="unset_secrets", metavar="NAME", help="a secret to take away"
    )
    command.add_argument(
        "--expected-revision",
        type=number(0, 2**53 - 1),
        metavar="N",
        help="refuse if the settings are at another revision by now",
    )
    command.add_argument("--key", metavar="KEY", help="may be sent again with the same request: it is done once")
    return (
        "With nothing named it shows them. The definition and its revision stay what they are; the next start or\n"
        "retry has them. A secret is read from the keyring then, and given to the command as that variable.\n"
        "Its value is set in the window, or without one by: keyring set coven-desktop NAME\n\n"
        "Examples:\n"
        "  covenctl settings notes\n"
        "  covenctl settings notes --env LEVEL=brief --secret NOTES_TOKEN\n"
        "  covenctl settings notes --unset-env LEVEL"
    )


def _members(command: argparse.ArgumentParser, file: str) -> None:
    command.add_argument("-f", "--file", metavar="FILE", type=name, help=file)
    members = command.add_argument_group("members of the definition")
    members.add_argument("--name", metavar="TEXT", help="its name, for people")
    members.add_argument("--rrule", metavar="RULE", help='such as "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9"')
    members.add_argument("--cron", metavar="EXPRESSION", help='five fields, as "0 9 * * mon-fri", in place of a rule')
    members.add_argument("--timezone", metavar="ZONE", help="utc, an IANA name, or local: the app's")
    members.add_argument("--runtime", metavar="RUNTIME", help="what takes the prompt: shell, claude, codex, ...")
    prompt = members.add_mutually_exclusive_group()
    prompt.add_argument("--prompt", metavar="TEXT", help="the prompt; for shell a script")
    prompt.add_argument(
        "--prompt-file", metavar="FILE", type=name, help="read the prompt from here; - is standard input"
    )
    members.add_argument("--cwd", metavar="DIR", help="the working folder; a relative one is taken from here")
    members.add_argument(
        "--timeout", type=number(1, 44_640), metavar="MINUTES", help="how long a run may take, retries and all"
    )
    members.add_argument("--model", metavar="MODEL", help="the model that the runtime is asked to use")
    members.add_argument("--familiar", metavar="FAMILIAR", help="the familiar on whose behalf it runs")
    members.add_argument(
        "--tag", action="append", dest="tags", metavar="TAG", help="a tag; may be repeated; these become all of them"
    )
    status = members.add_mutually_exclusive_group()
    status.add_argument("--status", choices=_STATUSES, help="whether it runs by its schedule")
    status.add_argument(
        "--paused", action="store_const", const="paused", dest="status", help="the same as --status paused"
    )
    _cadence(command.add_argument_group("a cadence in place of a rule"), mode=True)
    retries = command.add_argument_group("retries of a launch that began nothing")
    retries.add_argument(
        "--retry-attempts", type=number(1, 10), metavar="N", help="how many attempts, the first counted"
    )
    retries.add_argument("--retry-backoff", choices=BACKOFF_POLICIES, help="the wait before each further one")
    retries.add_argument("--retry-seconds", type=number(1, 86_400), metavar="SECONDS", help="that wait, or its base")
    retries.add_argument(
        "--retry-on", action="append", choices=RETRYABLE_CLASSES, help="what is retried; may be repeated"
    )
    retries.add_argument("--no-retry", action="store_true", help="no retries at all")


def _cadence(group: argparse._ArgumentGroup, *, mode: bool) -> None:
    if mode:
        group.add_argument(
            "--cadence",
            metavar="MODE",
            help="hourly, daily, weekly, monthly, yearly, every_n_minutes (needs --minutes), once, or cron (needs"
            " --cron, of five or six fields)",
        )
    group.add_argument(
        "--anchor", metavar="TIME", help="what it counts from: a wall time, 2026-01-31T09:00:00, or an instant"
    )
    group.add_argument("--until", metavar="TIME", help="the last time, itself within; as --anchor")
    group.add_argument("--max-runs", metavar="N", help="after how many runs it ends")
    if mode:
        group.add_argument("--minutes", metavar="N", help="of every_n_minutes, 1 to 525600")
        group.add_argument("--catch-up", metavar="POLICY", help="of missed times: skip, run-once (as usual) or run-all")


def _dry(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--dry-run", action="store_true", help="check it here and show the next firings; change nothing"
    )
