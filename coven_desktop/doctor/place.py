"""The home: whether it is a private folder of this account, whether there is room, and whose files others can use."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator

from coven_desktop import home as homes
from coven_desktop import settings
from coven_desktop.doctor.report import Check
from coven_desktop.home import Home

# Below this the API's health calls storage critical as well (contract/api.md, Health body).
_LITTLE_ROOM = 256 * 1024 * 1024


def look(home: Home) -> Iterator[Check]:
    """Look at the home's folder and the files in it."""
    if not os.path.lexists(home.root):
        yield Check("Home", "note", f"{home.root} does not exist yet.", "Starting Coven Desktop makes it.")
        return
    try:
        homes.check(home)
    except homes.HomeError as error:
        yield Check("Home", "attention", str(error))
        return
    mode = stat.S_IMODE(home.root.stat().st_mode)
    room = os.statvfs(home.root)
    free = room.f_bavail * room.f_frsize
    facts = {"path": str(home.root), "mode": f"{mode:04o}", "freeBytes": free}
    if mode & 0o077:
        yield Check(
            "Home",
            "attention",
            f"{home.root} is open to other accounts (mode {mode:04o}).",
            f"Make it private: chmod 700 '{home.root}'. The app does not serve until it is.",
            facts,
        )
    elif not os.access(home.root, os.W_OK | os.X_OK, effective_ids=True):
        why = "its disk is mounted read-only" if room.f_flag & os.ST_RDONLY else "the folder is read-only"
        yield Check("Home", "attention", f"{home.root} cannot be written: {why}.", "Make it writable.", facts)
    elif free < _LITTLE_ROOM:
        yield Check(
            "Home", "attention", f"Only {size_text(free)} are free where {home.root} lies.", "Free some space.", facts
        )
    else:
        yield Check("Home", "fine", f"{home.root} is private, with {size_text(free)} free.", None, facts)
    yield from _loose_files(home, private=not mode & 0o077)
    for problem in settings.read(home.settings)[1]:
        yield Check("Settings", "attention", problem.sentence, "Mend it with an editor, or set it in the settings.")


def _loose_files(home: Home, *, private: bool) -> Iterator[Check]:
    """Files whose own mode lets others in. In a private home nobody gets at them: those the person wrote are a note."""
    loose = []
    for place, _, names in os.walk(home.root, onerror=None):
        for name in names:
            path = os.path.join(place, name)
            try:
                found = os.lstat(path)
            except OSError:
                continue
            if stat.S_ISREG(found.st_mode) and stat.S_IMODE(found.st_mode) & 0o077:
                loose.append(path)
    written = [path for path in loose if private and path in (str(home.settings), str(home.runtimes))]
    if written:
        written.sort()
        which = " and ".join(os.path.basename(path) for path in written)
        yield Check(
            "Home",
            "note",
            f"{which}: private all the same, because the home is; the file mode alone would let others in.",
            "To keep it so when copied: chmod 600 " + " ".join(f"'{path}'" for path in written),
            {"files": written, "count": len(written)},
        )
    others = [path for path in loose if path not in written]
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        what = (
            "Files that the app makes private have another mode; only the home's own keeps other accounts out"
            if private
            else "Files in the home are open to other accounts"
        )
        yield Check(
            "Home",
            "attention",
            f"{what}: {others[0]}{more}.",
            f"Make them private: chmod -R go-rwx '{home.root}'.",
            {"files": others[:20], "count": len(others)},
        )


def size_text(count: int) -> str:
    """Bytes for people."""
    size = float(count)
    for unit in ("bytes", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1024
    return f"{size:.1f} TiB"
