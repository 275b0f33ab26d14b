"""The completion script for zsh: a file for fpath, which can be sourced as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coven_desktop.cli.completion import ASKED, FILES, FOLDERS, Command, Option, Value

_NAMES = r"""
_covenctl_names() {
    local -a names
    local name text
    while IFS=$'\t' read -r name text; do
        names+=("$name:${text//:/\\:}")
    done < <(covenctl __complete "$1" "$2" "$_covenctl_home" 2>/dev/null)
    _describe "$2" names
}
"""

_HEAD = r"""
_covenctl() {
    local curcontext=$curcontext state line _covenctl_home
    local -a commands
    typeset -A opt_args
"""

_TAIL = r"""
if [[ ${funcstack[1]} == _covenctl ]]; then
    _covenctl "$@"
else
    compdef _covenctl covenctl
fi
"""


def script(whole: Command, commands: Mapping[str, Command]) -> Sequence[str]:
    """The lines of the script."""
    lines = ["#compdef covenctl", "# Completes covenctl in zsh. Made by: covenctl completion zsh"]
    lines += [*_NAMES.rstrip("\n").split("\n"), *_HEAD.rstrip("\n").split("\n")]
    lines += ["    commands=("]
    lines += [f"        {_quoted(f'{name}:{_escaped(command.help)}')}" for name, command in commands.items()]
    lines += ["    )", "    _arguments -C \\"]
    lines += [f"        {spec} \\" for option in whole.options for spec in _option("", option)]
    lines += ["        '1: :->command' '*:: :->argument'", "    _covenctl_home=${opt_args[--home]}"]
    lines += ["    case $state in", "        command) _describe command commands ;;", "        argument)"]
    lines += ["            case $words[1] in"]
    for name, command in commands.items():
        specs = [spec for option in command.options for spec in _option(name, option)]
        specs += [_place(name, number, place) for number, place in enumerate(command.places, 1)]
        lines += [f"                {name})", "                    _arguments \\"]
        lines += [f"                        {spec} \\" for spec in specs[:-1]]
        lines += [f"                        {specs[-1]}", "                    ;;"]
    return [*lines, "            esac", "            ;;", "    esac", "}", *_TAIL.rstrip("\n").split("\n")]


def _option(command: str, option: Option) -> list[str]:
    """One spec for each name of the option, each shutting out the others."""
    shut = "*" if option.many else f"({' '.join(option.names)})" if len(option.names) > 1 else ""
    found = []
    for name in option.names:
        taken = "" if option.value is None else f":{option.value.metavar}:{_action(command, option.value)}"
        joined = "=" if option.value is not None and name.startswith("--") else ""
        found.append(_quoted(f"{shut}{name}{joined}[{_escaped(option.help)}]{taken}"))
    return found


def _place(command: str, number: int, place: Value) -> str:
    return _quoted(f"{'*' if place.many else number}:{place.metavar}:{_action(command, place)}")


def _action(command: str, value: Value) -> str:
    if value.choices:
        return f"({' '.join(value.choices)})"
    if value.metavar == FILES:
        return "_files"
    if value.metavar == FOLDERS:
        return "_files -/"
    # The blank before it keeps _arguments from handing over options of its own.
    return f" _covenctl_names {command} {value.metavar}" if value.metavar in ASKED else " "


def _escaped(text: str) -> str:
    for character in "\\[]:":
        text = text.replace(character, f"\\{character}")
    return text


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
