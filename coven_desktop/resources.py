"""Where pictures and the like are: beside the package in the source tree, inside it in the wheel. And the README."""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_PLACES = (_PACKAGE / "resources_data", _PACKAGE.parent / "resources")


def resource(name: str) -> Path:
    """The path of one resource, such as "icons/coven-desktop.svg". Raises FileNotFoundError when it was not carried."""
    for place in _PLACES:
        path = place / name
        if path.is_file():
            return path
    raise FileNotFoundError(f"the resource {name} is missing from this installation")


def read_me() -> str:
    """The README, in Markdown; empty when this installation does not carry it."""
    source = _PACKAGE.parent
    try:
        if (source / "pyproject.toml").is_file():
            return (source / "README.md").read_text("utf-8")
        return metadata.metadata("coven-desktop")["Description"] or ""
    except (OSError, metadata.PackageNotFoundError):
        return ""
