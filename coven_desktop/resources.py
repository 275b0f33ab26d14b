"""Where the pictures and the like are: beside the package in the source tree, inside it in the wheel."""

from __future__ import annotations

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
