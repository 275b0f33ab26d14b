"""The environment of a run: an allow-list, never all the app happens to have (design/decisions.md 24)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"
FAMILIAR_VARIABLE = "COVEN_FAMILIAR_ID"
AUTOMATION_VARIABLE = "COVEN_AUTOMATION_ID"
RUN_VARIABLE = "COVEN_RUN_ID"
SESSION_VARIABLE = "COVEN_SESSION_ID"

_ALLOWED = frozenset(
    {
        "HOME", "LANG", "LANGUAGE", "TERM", "TZ", "USER", "LOGNAME", "SHELL",
        "SSH_AUTH_SOCK", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY",
    }
)  # fmt: skip
_ALLOWED_PREFIXES = ("LC_", "XDG_")


def allowed(base: Mapping[str, str]) -> dict[str, str]:
    """What of the app's own environment a run may see; PATH is not part of it."""
    return {name: value for name, value in base.items() if name in _ALLOWED or name.startswith(_ALLOWED_PREFIXES)}


def environment(
    base: Mapping[str, str],
    login_path: str | None,
    runtime_environment: Mapping[str, str],
    settings_environment: Mapping[str, str],
    *,
    executable: str | None,
    familiar_id: str | None,
    automation_id: str,
    run_id: str,
    session_id: str,
) -> dict[str, str]:
    """The whole environment of one run. Later ones win: allow-list, runtime, routine's settings and secrets, ids.

    PATH is that of the login shell (`login_path`), else the app's own; the folder of the executable is added at its
    end when it is not in it, because what lies beside an agent's command is often what runs it.
    """
    found = allowed(base)
    found["PATH"] = _with_folder_of(executable, login_path or base.get("PATH") or DEFAULT_PATH)
    found.update(runtime_environment)
    found.update(settings_environment)
    found[AUTOMATION_VARIABLE] = automation_id
    found[RUN_VARIABLE] = run_id
    found[SESSION_VARIABLE] = session_id
    if familiar_id is not None:
        found[FAMILIAR_VARIABLE] = familiar_id
    return found


def _with_folder_of(executable: str | None, path: str) -> str:
    if executable is None:
        return path
    folder = str(PurePosixPath(executable).parent)
    return path if folder in path.split(":") else f"{path}:{folder}"
