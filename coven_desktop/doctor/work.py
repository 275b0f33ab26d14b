"""What routines need to run: their runtimes' commands, and their working folders."""

from __future__ import annotations

import http.client
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from coven_desktop.doctor import running, storage
from coven_desktop.doctor.report import Check
from coven_desktop.doctor.running import App
from coven_desktop.home import Home
from coven_desktop.runtime import probe
from coven_desktop.runtime.registry import Registry, RuntimeSpec
from coven_desktop.store.errors import StoreFault


def look(registry: Registry, found: probe.ProbeResult) -> Iterator[Check]:
    """Say which runtimes are known, and where the login shell and the well-known folders have their commands."""
    if found.problem is not None:
        yield Check(
            "Login shell",
            "attention",
            found.problem,
            "Without its answer commands are only looked for in well-known folders.",
        )
    for problem in registry.problems:
        yield Check("Runtimes", "attention", problem.sentence, "The other runtimes are not touched by it.")
    for name in registry.names():
        spec = registry.get(name)
        if spec is not None:
            yield _runtime(spec, _executable(spec, found))


def look_at_routines(
    home: Home, app: App, registry: Registry, found: probe.ProbeResult, *, deep: bool
) -> Iterator[Check]:
    """Say which routines could not run as they stand. The app is asked, or the file is read with `--deep`."""
    if app.health is None and not home.database.exists():
        return
    try:
        if app.health is not None:
            routines: Sequence[Mapping[str, Any]] = running.routines(home)
        elif deep:
            routines = _stored(home, app)
        else:
            yield Check(
                "Routines",
                "unchecked",
                "The routines' runtimes and working folders were not looked at: the app does not answer.",
                "Start it, or add --deep to read them from the database.",
            )
            return
    except (OSError, http.client.HTTPException, StoreFault, ValueError, KeyError, TypeError) as error:
        yield Check("Routines", "unchecked", f"The routines could not be read ({type(error).__name__}).")
        return
    troubled = False
    for routine in routines:
        for trouble in _troubles(routine, registry, found):
            troubled = True
            yield Check("Routines", "attention", f"{routine['id']}: {trouble}", None, {"automationId": routine["id"]})
    if not troubled:
        text = f"{len(routines)} routines; their runtimes and working folders are there."
        yield Check("Routines", "fine", text if routines else "There are none yet.", None, {"count": len(routines)})


def _runtime(spec: RuntimeSpec, executable: str | None) -> Check:
    facts = {"name": spec.name, "executable": executable, "source": spec.source, "verified": spec.verified}
    if executable is not None:
        unverified = spec.verified is not None and spec.verified.startswith("unverified")
        remark = " (how it is called could not be verified)" if unverified else ""
        return Check("Runtimes", "fine", f"{spec.name}: {executable}{remark}.", None, facts)
    if spec.source == "built-in":
        return Check("Runtimes", "note", f"{spec.name}: the command {spec.argv[0]} is not installed.", None, facts)
    return Check(
        "Runtimes",
        "attention",
        f"{spec.name}: the command {spec.argv[0]} was not found.",
        "Install it, or give its absolute path in runtimes.toml.",
        facts,
    )


def _executable(spec: RuntimeSpec, found: probe.ProbeResult) -> str | None:
    command = spec.argv[0]
    if os.path.isabs(command):
        return command if os.path.isfile(command) and os.access(command, os.X_OK) else None
    return found.found.get(command)


def _troubles(routine: Mapping[str, Any], registry: Registry, found: probe.ProbeResult) -> Iterator[str]:
    name = str(routine.get("runtime"))
    spec = registry.get(name)
    if spec is None:
        yield f"its runtime {name} is not known."
    elif _executable(spec, found) is None:
        yield f"its runtime {name} is not installed here: the command {spec.argv[0]} was not found."
    cwd = routine.get("cwd")
    if not cwd:
        yield "it has no working folder."
    elif not os.path.isabs(cwd):
        yield f"its working folder {cwd} is not an absolute path."
    elif not os.path.exists(cwd):
        yield f"its working folder {cwd} is not there."
    elif not os.path.isdir(cwd):
        yield f"its working folder {cwd} is not a folder."


def _stored(home: Home, app: App) -> list[Mapping[str, Any]]:
    """The live routines as the database has them."""
    with storage.opened(home.database, running=app.is_running) as connection:
        rows = connection.execute(
            "SELECT id, body ->> '$.runtime', body ->> '$.cwd' FROM definitions WHERE tombstoned_at IS NULL ORDER BY id"
        ).fetchall()
    return [{"id": row[0], "runtime": row[1], "cwd": row[2]} for row in rows]
