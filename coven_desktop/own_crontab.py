"""The crontab of the person who asks, as `crontab -l` prints it."""

from __future__ import annotations

import subprocess

from coven_desktop.chosen_file import CannotRead

_WAIT_S = 10
_LONGEST_REASON = 200


def read(limit: int) -> bytes:
    """Its bytes, at most so many; waits for the command up to 10 s. Raises CannotRead, also when there is none."""
    try:
        asked = subprocess.Popen(
            ["crontab", "-l"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    except OSError as error:
        raise CannotRead("system", f"the command crontab cannot be started: {error.strerror}") from error
    with asked:
        try:
            data, told = asked.communicate(timeout=_WAIT_S)
        except subprocess.TimeoutExpired:
            asked.kill()
            raise CannotRead("system", f"`crontab -l` did not answer within {_WAIT_S} s") from None
    if asked.returncode:
        words = " ".join(told.decode("utf-8", "replace").split())[:_LONGEST_REASON]
        raise CannotRead("system", words or f"`crontab -l` ended with {asked.returncode}")
    if len(data) > limit:
        raise CannotRead("too_large", f"it is larger than {limit:,} bytes")
    return data
