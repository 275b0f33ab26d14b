"""Put this checkout into the desktop's menu, or take it out: `desktop_entry.py install PROGRAM | uninstall`.

Writes below XDG_DATA_HOME only: the .desktop file with an absolute Exec, and the icons. The home, where the routines
are, is never touched.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from coven_desktop.resources import resource

NAME = "coven-desktop"
ICONS = "icons/hicolor/scalable/apps"
# The tray's states, for panels that colour them themselves.
SYMBOLIC = "icons/hicolor/symbolic/apps"
STATES = ("idle", "running", "paused", "attention", "stalled")


def data_home() -> Path:
    """XDG_DATA_HOME; a relative one counts as unset, as the base directory specification says."""
    named = os.environ.get("XDG_DATA_HOME", "")
    return Path(named) if os.path.isabs(named) else Path.home() / ".local" / "share"


def exec_word(path: str) -> str:
    """One word of an Exec line: quoted, then escaped once more because the value is a string (specification, Exec)."""
    quoted = "".join("\\" + char if char in '"`$\\' else char for char in path)
    return '"' + quoted.replace("\\", "\\\\").replace("%", "%%") + '"'


def entry(template: str, program: str) -> str:
    """The .desktop file for a program at this absolute path."""
    lines: list[str] = []
    for line in template.splitlines():
        key, _, value = line.partition("=")
        if key == "Exec":
            options = value.split(" ", 1)[1:]
            lines.append(f"TryExec={program.replace(chr(92), chr(92) * 2)}")
            line = " ".join([f"Exec={exec_word(program)}", *options])
        lines.append(line)
    return "\n".join(lines) + "\n"


def installed_files(root: Path) -> tuple[Path, Path]:
    """Where the .desktop file and the icon go."""
    return root / "applications" / f"{NAME}.desktop", root / ICONS / f"{NAME}.svg"


def installed_symbols(root: Path) -> dict[str, Path]:
    """The tray's icons by their resource, and where they go."""
    names = [f"{NAME}-{state}-symbolic.svg" for state in STATES]
    return {f"icons/symbolic/{name}": root / SYMBOLIC / name for name in names}


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all, readable by the desktop."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    fresh.write_text(text, encoding="utf-8")
    fresh.chmod(0o644)
    fresh.replace(path)


def tell_the_desktop(root: Path) -> None:
    """Renew the caches of menus and icons where there are tools for it; without them desktops look by themselves."""
    for command in (
        ["update-desktop-database", "-q", str(root / "applications")],
        ["gtk-update-icon-cache", "-q", "-t", "-f", str(root / "icons" / "hicolor")],
    ):
        if shutil.which(command[0]) and Path(command[-1]).is_dir():
            subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def install(program: str) -> int:
    """Write both files. The program must be an absolute path to something executable."""
    if not os.path.isabs(program) or not os.access(program, os.X_OK):
        print(f"{program} is not an absolute path to a program.", file=sys.stderr)
        return 1
    root = data_home()
    desktop, icon = installed_files(root)
    write(desktop, entry(resource(f"{NAME}.desktop").read_text(encoding="utf-8"), program))
    write(icon, resource(f"icons/{NAME}.svg").read_text(encoding="utf-8"))
    for name, place in installed_symbols(root).items():
        write(place, resource(name).read_text(encoding="utf-8"))
    tell_the_desktop(root)
    print(f"Coven Desktop is in the menu: {desktop}")
    print(f"It starts {program}; packaging/run --uninstall takes it out again.")
    return 0


def uninstall() -> int:
    """Remove both files; what is not there is not missed."""
    root = data_home()
    removed = [path for path in (*installed_files(root), *installed_symbols(root).values()) if path.exists()]
    for path in removed:
        path.unlink()
        print(f"Removed {path}")
    if removed:
        tell_the_desktop(root)
    else:
        print("Coven Desktop was not in the menu.")
    print(f"Your routines were left alone; they are in {root / NAME} unless you named another home.")
    return 0


def main(arguments: list[str]) -> int:
    """Exit code 0 done, 1 refused, 2 usage."""
    match arguments:
        case ["install", program]:
            return install(program)
        case ["uninstall"]:
            return uninstall()
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        sys.exit(1)
