"""The options of the commands that only look."""

from __future__ import annotations

import argparse

from coven_desktop.cli.options.values import identity, number

RUNS_DEFAULT = 20
RUNS_LIMIT = 100
PAGES_LIMIT = 10_000
EVENTS_LIMIT = 1_000
VIEWS = ("due", "eligible", "claimed", "running", "recovery_required")

_ROUTINE = "a routine id, as covenctl list shows it"
_PRINTED_MEANT = "a run, an occurrence, or a routine: its only live run, or with none its newest"


def status(command: argparse.ArgumentParser) -> str:
    """Nothing but what all take."""
    return "Exit 0 says that the app is running, 4 that it is not.\n\nExample:\n  covenctl status || coven-desktop"


def list_routines(command: argparse.ArgumentParser) -> str:
    """Nothing but what all take."""
    return (
        "Examples:\n  covenctl list\n  covenctl list --json | jq -r '.routines[] | select(.status == \"PAUSED\") | .id'"
    )


def upcoming(command: argparse.ArgumentParser) -> str:
    """How many."""
    command.add_argument("--limit", type=number(1, 1_000), default=10, metavar="N", help="how many, 1 to 1000 (10)")
    return "Example:\n  covenctl next --limit 3"


def show(command: argparse.ArgumentParser) -> str:
    """ROUTINE."""
    identity(command, "ROUTINE", _ROUTINE)
    return "Exit 1: there is no such routine.\n\nExample:\n  covenctl show daily-notes"


def runs(command: argparse.ArgumentParser) -> str:
    """ROUTINE, and how many."""
    identity(command, "ROUTINE", "a routine id; those of a deleted one stay readable")
    command.add_argument(
        "--limit", type=number(1, RUNS_LIMIT), default=RUNS_DEFAULT, metavar="N", help="how many, 1 to 100 (20)"
    )
    return "Exit 1: there is no such routine.\n\nExample:\n  covenctl runs daily-notes --limit 5"


def history(command: argparse.ArgumentParser) -> str:
    """ROUTINE, the occurrence, and the page."""
    identity(command, "ROUTINE", "a routine id; the history of a deleted one stays readable")
    command.add_argument("--occurrence", metavar="OCCURRENCE", help="only the runs of this occurrence")
    _paged(command)
    return (
        "Exit 1: there is neither a run nor such a routine.\n\n"
        "Examples:\n"
        "  covenctl history daily-notes\n"
        "  covenctl history daily-notes --all --json | jq '.runs | length'"
    )


def occurrences(command: argparse.ArgumentParser) -> str:
    """ROUTINE or a view, and the page."""
    command.add_argument(
        "id", nargs="?", metavar="ROUTINE", help="a routine id: its occurrences, newest first; needed without --view"
    )
    command.add_argument("--view", choices=VIEWS, help="what is open now in this state, oldest first (at most 100)")
    _paged(command)
    return "Examples:\n  covenctl occurrences daily-notes\n  covenctl occurrences --view recovery_required"


def receipt(command: argparse.ArgumentParser) -> str:
    """RUN."""
    identity(command, "RUN", "a receipt, a run, an occurrence, or a routine: of its newest settled run")
    return (
        "Every run has one from the moment it is settled. Exit 1: there is none yet, or it is not yours to see.\n\n"
        "Example:\n"
        "  covenctl receipt daily-notes"
    )


def events(command: argparse.ArgumentParser) -> str:
    """The stream, the place in it, and whether to go on."""
    stream = command.add_mutually_exclusive_group()
    stream.add_argument("--routine", metavar="ROUTINE", help="only the changes of this routine's definition")
    stream.add_argument("--run", metavar="RUN", help="only what happened to this run and its attempts")
    stream.add_argument("--occurrence", metavar="OCCURRENCE", help="only what happened to this occurrence")
    place = command.add_mutually_exclusive_group()
    place.add_argument(
        "--from", dest="start", metavar="TIME", help="from this instant on, RFC 3339, as 2026-03-28T12:00:00Z"
    )
    place.add_argument(
        "--after", type=number(0, 2**53 - 1), metavar="N", help="after this position, as an earlier answer named it"
    )
    command.add_argument(
        "--limit",
        type=number(1, EVENTS_LIMIT),
        metavar="N",
        help="how many, 1 to 1000 (20; with --follow these are shown first, 10); without --from or --after the newest",
    )
    command.add_argument("--follow", "-f", action="store_true", help="go on with what happens until Ctrl-C")
    return (
        "Following goes on over a restart of the app, from the last event shown. With --json each event is one line\n"
        "when following, else the answer is one value. Ctrl-C ends by its signal, which a shell reports as 130.\n\n"
        "Examples:\n"
        "  covenctl events --follow\n"
        "  covenctl events --routine daily-notes --from 2026-03-28T00:00:00Z\n"
        "  covenctl events --follow --json | jq -c 'select(.kind == \"run.transitioned\") | .payload'"
    )


def logs(command: argparse.ArgumentParser) -> str:
    """What is meant, and whether to go on."""
    identity(command, "ID", _PRINTED_MEANT)
    command.add_argument("--follow", "-f", action="store_true", help="go on until the run has ended")
    return "Examples:\n  covenctl logs daily-notes\n  covenctl logs --follow daily-notes"


def runtimes(command: argparse.ArgumentParser) -> str:
    """Nothing but what all take."""
    return "Example:\n  covenctl runtimes --json | jq -r '.runtimes[] | select(.found) | .name'"


def preview(command: argparse.ArgumentParser) -> str:
    """The schedule, the start and how many: texts that the command refuses in the contract's words."""
    _schedule(command)
    place = command.add_mutually_exclusive_group()
    place.add_argument(
        "--from", dest="start", metavar="TIME", help="RFC 3339, as 2026-03-28T12:00:00Z; firings come after it (now)"
    )
    place.add_argument("--before", metavar="TIME", help="the last firings before this instant instead")
    command.add_argument("--count", default="10", metavar="N", help="how many, 1 to 1000 (10)")
    return (
        "Examples:\n"
        '  covenctl preview --rrule "FREQ=DAILY;BYHOUR=9,17" --timezone Europe/Paris\n'
        '  covenctl preview --cron "*/20 2 * * *" --from 2026-10-24T12:00:00Z\n'
        "  covenctl preview --cadence monthly --anchor 2026-01-31T09:00:00 --until 2026-12-31T00:00:00"
    )


def explain(command: argparse.ArgumentParser) -> str:
    """The schedule."""
    _schedule(command)
    return (
        "Exit 1: it is refused, and what to write instead is told.\n\n"
        "Examples:\n"
        '  covenctl explain --cron "0 9 13 * fri"\n'
        '  covenctl explain --cron "@daily"'
    )


def _schedule(command: argparse.ArgumentParser) -> None:
    command.add_argument("--rrule", dest="rule", metavar="RULE", help='such as "FREQ=WEEKLY;BYDAY=MO;BYHOUR=9"')
    command.add_argument(
        "--cron", metavar="EXPRESSION", help='five fields, as "0 9 * * mon-fri"; with --cadence cron also six'
    )
    command.add_argument(
        "--cadence",
        metavar="MODE",
        help="hourly, daily, weekly, monthly, yearly, every_n_minutes (needs --minutes), once, or cron (needs --cron)",
    )
    command.add_argument(
        "--anchor", metavar="TIME", help="what a cadence counts from: a wall time, 2026-01-31T09:00:00, or an instant"
    )
    command.add_argument("--minutes", metavar="N", help="of every_n_minutes, 1 to 525600")
    command.add_argument("--until", metavar="TIME", help="the last time of a cadence, itself within; as --anchor")
    command.add_argument("--max-runs", metavar="N", help="after how many runs a cadence ends")
    command.add_argument(
        "--timezone", default="local", metavar="ZONE", help="utc, an IANA name, or local: this machine's (local)"
    )


def _paged(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--limit", type=number(1, PAGES_LIMIT), default=RUNS_DEFAULT, metavar="N", help="how many, 1 to 10000 (20)"
    )
    command.add_argument("--all", action="store_true", help="all there are")
    command.add_argument("--cursor", metavar="CURSOR", help="go on where an earlier answer ended")
