"""Holding JSON values against described types."""

from __future__ import annotations

from typing import Any

from jsonschema import Draft202012Validator

from coven_desktop.api.described.model import Type
from coven_desktop.api.described.schemas import body, named, schema


def fits(of: Type, value: Any) -> bool:
    """Whether a value is of a type as clients may send it."""
    return bool(_validator(of, exact=False).is_valid(value))


def fits_exactly(of: Type, value: Any) -> None:
    """Fails unless a value is of a type, with the members described and no others."""
    faults = [f"{error.json_path}: {error.message[:400]}" for error in _validator(of, exact=True).iter_errors(value)]
    assert not faults, "\n".join(faults)


def _validator(of: Type, *, exact: bool) -> Draft202012Validator:
    """Made once for each type: most are constants, and a test asks hundreds of times."""
    key = (id(of), exact)
    if key not in _MADE:
        components = {name: body(inner, exact=exact) for name, inner in named((of,)).items()}
        validator = Draft202012Validator({**schema(of, exact=exact), "components": {"schemas": components}})
        # the type is kept, too, so that its identity is not given to another
        _MADE[key] = (of, validator)
    return _MADE[key][1]


_MADE: dict[tuple[int, bool], tuple[Type, Draft202012Validator]] = {}
