"""The options of import and export, of the shells' completion, and of the programs of their own."""

from __future__ import annotations

import argparse

from coven_desktop.cli.options.values import identities, name

SHELLS = ("bash", "zsh", "fish")


def import_routines(command: argparse.ArgumentParser) -> str:
    """The files, and whether only to report."""
    command.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="what covenctl export wrote; - is standard input; none: Codex's folder; crontab [FILE]: a crontab",
    )
    command.add_argument("--dry-run", action="store_true", help="report what would happen; change nothing")
    return (
        "Everything lands paused. Without FILE the app reads the automations of Codex, in ~/.codex/automations.\n"
        "With the word crontab each job of a crontab becomes a cron routine: of yours (crontab -l), or of a FILE.\n"
        "What is not taken over is told with its line, the reason and what to write instead.\n"
        "Exit 0: all are imported, or skipped because they exist or have nothing to run. Exit 1: any failed.\n\n"
        "Examples:\n"
        "  covenctl import --dry-run\n"
        "  covenctl import routines.json\n"
        "  covenctl import crontab --dry-run\n"
        "  ssh other crontab -l | covenctl import crontab -"
    )


def export(command: argparse.ArgumentParser) -> str:
    """Which, and where to."""
    identities(command, "routine ids (all)", least="*")
    command.add_argument(
        "-o", "--output", metavar="FILE", type=name, help="write here, whole or not at all; without it standard output"
    )
    return (
        "One JSON document, coven.desktop.export.v1: each routine's definition, revision and settings. Secrets are\n"
        "named, never told. Exit 1: a named routine does not exist; then nothing is written.\n\n"
        "Examples:\n"
        "  covenctl export -o routines.json\n"
        "  covenctl export daily-notes | ssh other covenctl import -"
    )


def completion(command: argparse.ArgumentParser) -> str:
    """Which shell."""
    command.add_argument("shell", choices=SHELLS, help="whose completion script to print")
    return (
        "For a first try, in the shell itself:\n"
        "  source <(covenctl completion bash)\n"
        "  source <(covenctl completion zsh)\n"
        "  covenctl completion fish | source\n\n"
        "For good:\n"
        "  covenctl completion bash > ~/.local/share/bash-completion/completions/covenctl\n"
        "  covenctl completion zsh > ~/.zfunc/_covenctl      (with ~/.zfunc in fpath before compinit)\n"
        "  covenctl completion fish > ~/.config/fish/completions/covenctl.fish"
    )


def doctor(command: argparse.ArgumentParser) -> str:
    """How deep."""
    command.add_argument("--deep", action="store_true", help="also read every page of the database")
    return "Exit 0: all is well. Exit 1: something was found.\n\nExample:\n  covenctl doctor --deep"


def conformance(command: argparse.ArgumentParser) -> str:
    """The files."""
    command.add_argument("files", nargs="+", metavar="FILE", help="a vector file of the Coven contract")
    return "Example:\n  covenctl conformance vectors/*.json"
