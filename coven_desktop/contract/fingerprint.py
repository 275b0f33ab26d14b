"""What makes two definition requests under one key the same (contract/commands.md §3.2).

A fingerprint is SHA-256 of the canonical form of a small command object: the command's name and the members it
covers. A JSON body is covered in its lossless form, in which every value carries the name of its type, so that `1`
and `1.0` differ, and an absent member from one that spells out its default.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coven_desktop.contract import digest


def of(command: str, covered: Mapping[str, Any]) -> str:
    """The fingerprint of a command with the members it covers, 64 hex digits. ValueError as `digest.canonical`."""
    return digest.digest({"command": command, **covered})


def wire(value: Any) -> dict[str, Any]:
    """A definition as it came: its tagged wire form."""
    return {"kind": "wire", "value": lossless(value)}


def lossless(value: Any) -> list[Any]:
    """A JSON value as tagged arrays; numbers as their decimal text. TypeError for what is not JSON."""
    match value:
        case None:
            return ["null"]
        case bool():
            return ["bool", value]
        case int() | float():
            # the decoder gives an int for a number written without fraction and exponent, a float for any other
            return ["number", repr(value)]
        case str():
            return ["string", value]
        case list() | tuple():
            return ["array", [lossless(item) for item in value]]
        case Mapping():
            return ["object", [[name, lossless(value[name])] for name in sorted(value)]]
        case _:
            raise TypeError(f"{type(value).__name__} is not a JSON value")
