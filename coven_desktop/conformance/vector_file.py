"""Vector files: reading them, and telling whether what was computed is what a case expects (decisions.md 14)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from coven_desktop.contract import strict_json

_SCHEMA = re.compile(r"coven\.automations\.([a-z0-9]+(?:-[a-z0-9]+)*)-vectors\.v1")


class NotVectors(Exception):
    """A file that is not a vector file; the text says why."""


@dataclass(frozen=True)
class Case:
    """One case. `inputs` is what it is computed from: neither its name nor what it expects is among them."""

    id: str
    inputs: Mapping[str, Any]
    expected: Any


@dataclass(frozen=True)
class VectorFile:
    """The cases of one suite."""

    suite: str
    cases: tuple[Case, ...]


def read(path: Path) -> VectorFile:
    """The vectors of a file. Raises NotVectors."""
    try:
        document = strict_json.decode(path.read_bytes(), parts=None)
    except OSError as error:
        raise NotVectors(f"{path} cannot be read: {error.strerror}") from error
    except strict_json.JsonError as error:
        raise NotVectors(f"{path}: {error.message}") from error
    schema = document.get("schemaVersion") if isinstance(document, dict) else None
    matched = _SCHEMA.fullmatch(schema) if isinstance(schema, str) else None
    if matched is None:
        raise NotVectors(f"{path}: schemaVersion must be coven.automations.<suite>-vectors.v1")
    cases = document.get("cases")
    if not isinstance(cases, list) or not cases:
        raise NotVectors(f"{path}: cases must be a list of at least one case")
    found = tuple(_case(path, index, case) for index, case in enumerate(cases, start=1))
    names = [case.id for case in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise NotVectors(f"{path}: two cases have the caseId {twice}")
    return VectorFile(matched[1], found)


def _case(path: Path, index: int, case: Any) -> Case:
    if not isinstance(case, dict) or not isinstance(case.get("caseId"), str) or not case["caseId"]:
        raise NotVectors(f"{path}: case {index} is not an object with a caseId")
    if "expected" not in case and _is_in_steps(case.get("steps")):
        # a case in steps says with each of them what is expected of it
        expected = {"steps": [step.get("expect", {}) for step in case["steps"]]}
        steps = [{name: value for name, value in step.items() if name != "expect"} for step in case["steps"]]
        case = {**case, "steps": steps, "expected": expected}
    if not isinstance(case.get("expected"), dict):
        raise NotVectors(f"{path}: case {case['caseId']} has no object `expected`")
    inputs = {name: value for name, value in case.items() if name not in ("caseId", "expected")}
    return Case(case["caseId"], inputs, case["expected"])


def _is_in_steps(steps: Any) -> bool:
    return isinstance(steps, list) and all(
        isinstance(step, dict) and isinstance(step.get("expect", {}), dict) for step in steps
    )


def passes(expected: Mapping[str, Any], actual: Mapping[str, Any]) -> bool:
    """Whether every member of `expected` equals the same member of `actual`; of steps, what is said of each of them."""
    return all(
        name in actual and (_covers if name == "steps" else _same)(value, actual[name])
        for name, value in expected.items()
    )


def _covers(expected: Any, actual: Any) -> bool:
    """Whether all that is said of objects, at any depth, is so; they may have more."""
    if isinstance(expected, list) and isinstance(actual, list):
        return len(expected) == len(actual) and all(_covers(*pair) for pair in zip(expected, actual, strict=True))
    if isinstance(expected, dict) and isinstance(actual, dict):
        return all(name in actual and _covers(value, actual[name]) for name, value in expected.items())
    return _same(expected, actual)


def _same(one: Any, other: Any) -> bool:
    """Equality of JSON values: true is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(_same(*pair) for pair in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(value, other[name]) for name, value in one.items())
    return bool(one == other)
