"""The delivery helper: a process that brings what one run printed into a file, and ends (design/schedules.md).

`python -I -m coven_desktop.runtime.delivery_helper`, with the order as JSON on stdin:

    {"output": PATH, "path": PATH, "mode": "replace"|"append", "mark": TEXT, "parent": PID}

On stdout come lines of JSON: `{"writing": true}` before the first byte that cannot be taken back, and at the end
`{"error": TEXT|null}`, a clause for people.

In place of the whole file: written beside it, synced, renamed, so that a reader finds the old one or the new one and a
repetition does no harm. Behind what is there: one write under a lock, which takes part in nothing twice. The app is not
kept by a disk that does not answer, and a helper does not outlive the app: what it did then is judged by the next one.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from coven_desktop.runtime import host, output_log

_PR_SET_PDEATHSIG = 1
_SIGKILL = 9
_PIECE = 1 << 20
_NEW_FILE = 0o666  # less what the umask of the app takes


class Undelivered(Exception):
    """Nothing of it was written; the text says why."""


def main() -> None:
    """Carry out the order on stdin and say what became of it."""
    with open(0, "rb", closefd=False) as source:
        order = json.loads(source.read())
    host.prctl(_PR_SET_PDEATHSIG, _SIGKILL)
    if os.getppid() != order["parent"]:
        return  # the app ended before it could take this helper with it

    def writing() -> None:
        os.write(1, b'{"writing": true}\n')

    error = None
    try:
        deliver(Path(order["output"]), order["path"], order["mode"], order["mark"], writing)
    except Undelivered as reason:
        error = str(reason)
    except OSError as fault:
        error = told(fault, order["path"])
    except output_log.OutputError:
        error = "what the run printed cannot be read: the log of its output is damaged"
    os.write(1, json.dumps({"error": error}).encode() + b"\n")


def deliver(output: Path, path: str, mode: str, mark: str, writing: Callable[[], None]) -> None:
    """Bring the output that lies at `output` into the file at `path`; `writing` is called when there is no way back.

    `mark` names what is written beside a file, so that a repetition takes the place of what an earlier try has left.
    Raises Undelivered, OSError or OutputError with the file as it was.
    """
    if not output.exists():
        raise Undelivered("what the run printed is not kept any more")
    if mode == "replace":
        _replace(output, path, f".coven-desktop-{mark}.part", writing)
    else:
        _append(output, path, writing)


def told(fault: OSError, path: str) -> str:
    """What the system says, as a clause that names the place and what would help."""
    folder = os.path.dirname(path)
    match fault.errno:
        case errno.ENOENT if not os.path.isdir(folder):
            return f"the folder {folder} does not exist"
        case errno.ENOTDIR:
            return f"{folder} is not a folder"
        case errno.EISDIR:
            return f"{path} is a folder"
        case errno.EACCES | errno.EPERM:
            return f"{path} may not be written by this account"
        case errno.EROFS:
            return f"the disk of {path} is read-only"
        case errno.ENOSPC | errno.EDQUOT:
            return f"the disk of {path} is full"
        case errno.EFBIG:
            return f"{path} would become larger than files may be here"
        case errno.ENAMETOOLONG:
            return f"the name of {path} is too long"
        case errno.ELOOP:
            return f"{path} is a link that leads in a circle"
        case errno.ETXTBSY:
            return f"{path} is a program that runs"
    return f"{path} cannot be written: {fault.strerror}"


def _replace(output: Path, path: str, beside: str, writing: Callable[[], None]) -> None:
    # of a link the file it leads to is replaced, and the link stays
    target = os.path.realpath(path)
    if os.path.islink(target):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    folder = os.open(os.path.dirname(target), os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    name = os.path.basename(target)
    try:
        mode = _mode_of(folder, name, path)
        _remove(folder, beside)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
        descriptor = os.open(beside, flags, _NEW_FILE, dir_fd=folder)
        try:
            try:
                if mode is not None:
                    os.fchmod(descriptor, mode)
                for part in _pieces(output):
                    _write_whole(descriptor, part)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
            writing()
            os.rename(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            _remove(folder, beside)
            raise
        os.fsync(folder)
    finally:
        os.close(folder)


def _append(output: Path, path: str, writing: Callable[[], None]) -> None:
    # whoever reads the other end of a pipe is not waited for
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
    try:
        descriptor = os.open(path, flags, _NEW_FILE)
    except OSError as fault:
        if fault.errno in (errno.ENXIO, errno.EOPNOTSUPP):
            raise Undelivered(f"{path} is no ordinary file, but a pipe, a socket or a device") from fault
        raise
    try:
        _check_ordinary(os.fstat(descriptor).st_mode, path)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        text = b"".join(_pieces(output))
        before = os.fstat(descriptor).st_size
        writing()
        written = os.write(descriptor, text) if text else 0
        if written < len(text):
            # no room for the rest: what is there of it is taken back, unless somebody wrote behind it without the lock
            if os.fstat(descriptor).st_size == before + written:
                os.ftruncate(descriptor, before)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _mode_of(folder: int, name: str, path: str) -> int | None:
    """The permissions of the file that is to be replaced; None when there is none."""
    try:
        found = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return None
    _check_ordinary(found, path)
    if not os.access(name, os.W_OK, dir_fd=folder):
        # a rename would go over what the person has protected
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return stat.S_IMODE(found) & 0o777


def _check_ordinary(mode: int, path: str) -> None:
    if stat.S_ISDIR(mode):
        raise Undelivered(f"{path} is a folder")
    if not stat.S_ISREG(mode):
        raise Undelivered(f"{path} is no ordinary file, but a pipe, a socket or a device")


def _pieces(output: Path) -> Iterator[bytes]:
    """What was printed, both streams in the order in which it came; where some is not kept, a line that says so."""
    records, position = output_log.read(output, at_most=_PIECE)
    while records:
        yield b"".join(
            output_log.text([record]).encode() if record.stream == "mark" else record.data for record in records
        )
        records, position = output_log.read(output, after=position, at_most=_PIECE)


def _write_whole(descriptor: int, part: bytes) -> None:
    rest = memoryview(part)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _remove(folder: int, name: str) -> None:
    try:
        os.unlink(name, dir_fd=folder)
    except FileNotFoundError:
        return


if __name__ == "__main__":
    main()
