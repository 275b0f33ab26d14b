"""The completion script for bash (4.4 and later). It needs nothing of the bash-completion package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from coven_desktop.cli.completion import ASKED, FILES, FOLDERS, Command, Value, of_all

# What is offered is compared word by word and never expanded: a name is data.
_BODY = r"""
_covenctl() {
    local cur=${COMP_WORDS[COMP_CWORD]} command= option= home= place=0 word kind name
    COMPREPLY=()
    # Readline hands `--home=DIR` over as three words.
    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        if [[ -n $option ]]; then
            [[ $word == '=' ]] && continue
            [[ $option == --home ]] && home=$word
            option=
        elif [[ $word == --home=* ]]; then
            home=${word#*=}
        elif [[ $word == -* ]]; then
            _covenctl_value "$command" "$word" && option=$word
        elif [[ -z $command ]]; then
            command=$word
        else
            place=$((place + 1))
        fi
    done
    if [[ $cur == '=' ]]; then
        [[ -z $option ]] && return
        cur=
    fi
    if [[ -n $option ]]; then
        _covenctl_value "$command" "$option"
    elif [[ $cur == -* ]]; then
        _covenctl_options "$command"
    elif [[ -z $command ]]; then
        kind=$_covenctl_commands
    else
        _covenctl_place "$command" "$place"
    fi
    case $kind in
        '') ;;
        @FILE) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); compopt -o filenames 2>/dev/null ;;
        @DIR) mapfile -t COMPREPLY < <(compgen -d -- "$cur"); compopt -o filenames 2>/dev/null ;;
        @*)
            while IFS=$'\t' read -r name _; do
                [[ $name == "$cur"* ]] && COMPREPLY+=("$name")
            done < <(covenctl __complete "$command" "${kind#@}" "$home" 2>/dev/null)
            ;;
        *)
            for name in $kind; do
                [[ $name == "$cur"* ]] && COMPREPLY+=("$name")
            done
            ;;
    esac
}
complete -F _covenctl covenctl
"""


def script(whole: Command, commands: Mapping[str, Command]) -> Sequence[str]:
    """The lines of the script. The three functions set `kind`: words to offer, or @ and what to ask for."""
    everything = of_all(whole, commands)
    lines = [
        "# Completes covenctl in bash. Made by: covenctl completion bash",
        "",
        f"_covenctl_commands='{' '.join(commands)}'",
        "",
        "# What the option of a command takes; not 0 when it takes nothing.",
        "_covenctl_value() {",
        "    kind=",
        "    case $1:$2 in",
    ]
    for name, command in everything.items():
        for option in command.options:
            if option.value is not None:
                names = "|".join(f"{name}:{one}" for one in option.names)
                lines.append(f"        {names}) kind='{_kind(option.value)}' ;;")
    lines += ["        *) return 1 ;;", "    esac", "}", "", "_covenctl_options() {", "    case $1 in"]
    for name, command in everything.items():
        names = " ".join(one for option in command.options for one in option.names)
        lines.append(f"        {_pattern(name)}) kind='{names}' ;;")
    lines += ["    esac", "}", "", "_covenctl_place() {", "    case $1:$2 in"]
    for name, command in commands.items():
        for number, place in enumerate(command.places):
            lines.append(f"        {name}:{'*' if place.many else number}) kind='{_kind(place)}' ;;")
    return [*lines, "    esac", "}", *_BODY.rstrip("\n").split("\n")]


def _kind(value: Value) -> str:
    if value.choices:
        return " ".join(value.choices)
    return f"@{value.metavar}" if value.metavar in (FILES, FOLDERS, *ASKED) else ""


def _pattern(name: str) -> str:
    return name or "''"
