"""What a wheel carries besides the modules: the migrations, and the resources in the place `resource` looks at."""

from __future__ import annotations

import tomllib
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).resolve().parent.parent.parent


def test_carries_resources_and_migrations(tmp_path: Path) -> None:
    builder = WheelBuilder(str(ROOT))
    carried = {file.distribution_path for file in builder.recurse_included_files()}

    resources = {
        f"coven_desktop/resources_data/{path.relative_to(ROOT / 'resources')}"
        for path in (ROOT / "resources").rglob("*")
        if path.is_file()
    }
    assert resources
    assert resources <= carried
    migrations = {str(path.relative_to(ROOT)) for path in ROOT.glob("coven_desktop/store/migrations/*.sql")}
    assert migrations
    assert migrations <= carried


def test_the_version_stands_in_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "version" not in project
    assert project["dynamic"] == ["version"]
