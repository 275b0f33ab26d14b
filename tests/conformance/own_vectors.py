"""The project's own vector files, and running vector files as the command does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import coven_desktop

VECTORS = Path(coven_desktop.__file__).parent.parent / "vectors"


def suites() -> list[str]:
    """The suites that vectors/ has."""
    return sorted(path.name.removesuffix(".vectors.json") for path in VECTORS.iterdir())


def cases_of(suite: str) -> dict[str, dict[str, Any]]:
    """The cases of one suite by their caseId."""
    document = json.loads((VECTORS / f"{suite}.vectors.json").read_text(encoding="utf-8"))
    return {case["caseId"]: case for case in document["cases"]}
