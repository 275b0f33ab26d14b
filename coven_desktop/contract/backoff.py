"""How long a retry waits. The same run waits the same time everywhere (contract/engine.md §5.5)."""

from __future__ import annotations

from coven_desktop.contract.definition import RetryPolicy

DAY_SECONDS = 86_400
_MOST_DOUBLINGS = 16


def ceiling_seconds(policy: RetryPolicy, next_attempt: int) -> int:
    """The longest wait in seconds before the attempt numbered `next_attempt` (2 for the first retry).

    None is 0 and fixed is its seconds; exponential doubles from the second retry on, up to a day. Missing
    seconds count as 1.
    """
    base = policy.backoff_seconds or 1
    if policy.backoff_policy == "none":
        return 0
    if policy.backoff_policy == "fixed":
        return base
    doublings = min(_MOST_DOUBLINGS, max(0, next_attempt - 2))
    return min(DAY_SECONDS, base << doublings)


def delay_seconds(policy: RetryPolicy, run_id: str, next_attempt: int) -> int:
    """The wait in seconds: exact for none and fixed, for exponential 1 up to and including the ceiling.

    Exponential waits are drawn from BLAKE3 of `{runId}:{n}`: first 8 bytes, big-endian, modulo ceiling, plus 1.
    """
    ceiling = ceiling_seconds(policy, next_attempt)
    if policy.backoff_policy != "exponential":
        return ceiling
    from blake3 import blake3  # only who retries needs it

    drawn = int.from_bytes(blake3(f"{run_id}:{next_attempt}".encode()).digest(length=8), "big")
    return drawn % ceiling + 1
