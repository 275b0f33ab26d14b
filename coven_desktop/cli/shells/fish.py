"""The completion script for fish."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coven_desktop.cli.completion import ASKED, FILES, FOLDERS, Command, Option, Value, of_all

_FUNCTIONS = r"""
# The command that was typed, or nothing; the folder of --home is no command.
function __covenctl_command
    set -l skip 0
    for word in (commandline -opc)[2..-1]
        if test $skip = 1
            set skip 0
        else if test "$word" = --home
            set skip 1
        else if not string match -q -- '-*' $word
            echo $word
            return
        end
    end
end

function __covenctl_is
    test (__covenctl_command | string collect; or echo) = "$argv[1]"
end

function __covenctl_home
    set -l words (commandline -opc)
    if set -l at (contains -i -- --home $words)
        echo $words[(math $at + 1)]
    else
        string replace -rf -- '^--home=' '' $words
    end
end

function __covenctl_names
    covenctl __complete $argv[1] $argv[2] (__covenctl_home | string collect) 2>/dev/null
end
"""


def script(whole: Command, commands: Mapping[str, Command]) -> Sequence[str]:
    """The lines of the script."""
    lines = [
        "# Completes covenctl in fish. Made by: covenctl completion fish",
        *_FUNCTIONS.rstrip("\n").split("\n"),
        "",
    ]
    lines += ["complete -c covenctl -f"]
    for name, command in commands.items():
        lines.append(f"complete -c covenctl -n '__covenctl_is \"\"' -a {name} -d {_quoted(command.help)}")
    for name, command in of_all(whole, commands).items():
        lines += [f"{_when(name)} {_option(name, option)}" for option in command.options]
        lines += [f"{_when(name)} {_place}" for place in command.places if (_place := _value(name, place))]
    return lines


def _when(command: str) -> str:
    return f"complete -c covenctl -n '__covenctl_is \"{command}\"'"


def _option(command: str, option: Option) -> str:
    names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
    taken = "" if option.value is None else " -r " + (_value(command, option.value) or "-f")
    return f"{names}{taken} -d {_quoted(option.help)}"


def _value(command: str, value: Value) -> str:
    if value.choices:
        return f"-f -a {_quoted(' '.join(value.choices))}"
    if value.metavar == FILES:
        return "-F"
    if value.metavar == FOLDERS:
        return "-f -a '(__fish_complete_directories)'"
    return f"-f -a '(__covenctl_names {command} {value.metavar})'" if value.metavar in ASKED else ""


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
