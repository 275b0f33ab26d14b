"""Cases that nobody wrote down: other zones, rules, times, policies, against a reckoning that shares no code with ours.

Wall times are reckoned with `zoneinfo`, on the same zone data; the rest is arithmetic on instants.
"""

from __future__ import annotations

import zoneinfo
from datetime import UTC, datetime, time, timedelta
from functools import cache
from typing import Any

from blake3 import blake3
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from coven_desktop.conformance.suites import compute
from coven_desktop.schedule import zones

# Each of these builds a store; a handful finds what a hundred would.
FEW = settings(max_examples=40)

ZONES = (
    "utc",
    "Europe/Lisbon",
    "Europe/Dublin",
    "America/St_Johns",
    "America/Sao_Paulo",
    "America/Havana",
    "Asia/Tehran",
    "Asia/Kathmandu",
    "Africa/Casablanca",
    "Africa/Cairo",
    "Australia/Adelaide",
    "Antarctica/Troll",
    "Pacific/Chatham",
    "Pacific/Apia",
)
# By number of the weekday, Monday first.
DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
MILLISECOND = timedelta(milliseconds=1)

# 2000 to 2037
instants = st.integers(946_684_800_000, 2_143_000_000_000).map(
    lambda since: datetime.fromtimestamp(0, UTC) + since * MILLISECOND
)
hour_sets = st.sets(st.integers(0, 23), min_size=1, max_size=4)
day_sets = st.none() | st.sets(st.integers(0, 6), min_size=1, max_size=3)


def text(instant: datetime) -> str:
    return instant.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.") + f"{instant.microsecond // 1000:03}Z"


def rule_text(hours: set[int], days: set[int] | None) -> str:
    by_hour = ",".join(map(str, sorted(hours, reverse=True)))
    if days is None:
        return f"FREQ=DAILY;BYHOUR={by_hour}"
    return f"BYDAY={','.join(DAYS[day] for day in days)};BYHOUR={by_hour};FREQ=WEEKLY"


@cache
def zone_info(zone: str) -> zoneinfo.ZoneInfo:
    """A zone of the zone data in use, read by the standard library."""
    with (zones.zone_data().folder / ("UTC" if zone == "utc" else zone)).open("rb") as data:
        return zoneinfo.ZoneInfo.from_file(data, key=zone)


def slots(hours: set[int], days: set[int] | None, zone: str, since: datetime, until: datetime) -> list[datetime]:
    """All slots with since < slot <= until, ascending."""
    info = zone_info(zone)
    found = []
    date = since.astimezone(info).date() - timedelta(days=1)
    while date <= until.astimezone(info).date():
        if days is None or date.weekday() in days:
            for hour in sorted(hours):
                wall = datetime.combine(date, time(hour), info)
                instant = wall.astimezone(UTC)
                exists = instant.astimezone(info).replace(tzinfo=None) == wall.replace(tzinfo=None)
                if exists and since < instant <= until:
                    found.append(instant)
        date += timedelta(days=1)
    return sorted(found)


def routine(**changes: Any) -> dict[str, Any]:
    return {
        "schemaVersion": 1,
        "id": "variant",
        "name": "Variant",
        "status": "ACTIVE",
        "rrule": "FREQ=DAILY",
        "timezone": "utc",
        "misfire": "latest",
        "overlap": "forbid",
        "timeoutMinutes": 10,
        "runtime": "shell",
        "prompt": "true",
    } | changes


@given(hours=hour_sets, days=day_sets, zone=st.sampled_from(ZONES), since=instants)
def test_the_next_slot(hours: set[int], days: set[int] | None, zone: str, since: datetime) -> None:
    due = slots(hours, days, zone, since, since + timedelta(days=16))

    actual = compute(
        "calendar-schedule-resolution", {"rrule": rule_text(hours, days), "timezone": zone, "from": text(since)}
    )

    assert actual == {"outcome": "scheduled", "nextDueAt": text(due[0])}


@given(
    hours=st.lists(st.integers(0, 30).map(str), max_size=4),
    days=st.lists(st.sampled_from([*DAYS, "mon", "Sun", "XX", ""]), max_size=4),
    frequency=st.sampled_from(["DAILY", "weekly", "Hourly", None]),
    data=st.data(),
)
def test_the_vocabulary(hours: list[str], days: list[str], frequency: str | None, data: st.DataObject) -> None:
    parts = data.draw(
        st.permutations(
            [
                *([f"FREQ={frequency}"] if frequency else []),
                *([f"BYHOUR={','.join(hours)}"] if hours else []),
                *([f"BYDAY={','.join(days)}"] if days else []),
            ]
        )
    )
    numbers = [int(hour) for hour in hours]
    short = [day[:2].upper() for day in days]
    good = (
        frequency in ("DAILY", "weekly")
        and all(number <= 23 for number in numbers)
        and len(set(numbers)) == len(numbers)
        and all(day in DAYS for day in short)
        and len(set(short)) == len(short)
        and not (days and frequency == "DAILY")
    )

    actual = compute("rrule-vocabulary", {"rrule": ";".join(parts)})

    assert actual["outcome"] == ("accepted" if good else "rejected")
    if good and frequency is not None:
        assert actual["frequency"] == frequency.lower()
        assert actual["byHour"] == (sorted(numbers) or [9])
        assert actual["byDay"] == ([] if frequency == "DAILY" else sorted(short) or ["MO"])


@FEW
@given(
    hours=hour_sets,
    days=day_sets,
    zone=st.sampled_from(ZONES),
    created=instants,
    away=st.timedeltas(timedelta(), timedelta(days=60)),
    status=st.sampled_from(["ACTIVE", "ACTIVE", "ACTIVE", "PAUSED", "DISABLED"]),
    data=st.data(),
)
def test_what_is_planned(
    hours: set[int],
    days: set[int] | None,
    zone: str,
    created: datetime,
    away: timedelta,
    status: str,
    data: st.DataObject,
) -> None:
    observed = created + away // MILLISECOND * MILLISECOND
    around = slots(hours, days, zone, created, observed + timedelta(days=20))
    existing = data.draw(st.none() | st.sampled_from(around))
    due = slots(hours, days, zone, max(created, existing or created), observed)
    case: dict[str, Any] = {
        "definition": routine(rrule=rule_text(hours, days), timezone=zone, status=status),
        "createdAt": text(created),
        "observedAt": text(observed),
    }
    if existing is not None:
        case["existingScheduledFor"] = text(existing)
    recorded = [existing] if existing is not None else []
    active = status == "ACTIVE"

    actual = compute("misfire-latest-planning", case)

    fenced = "already_fenced" if active and existing is not None and existing <= observed else "not_due"
    planned = active and bool(due)
    assert actual == {
        "firstOutcome": "planned" if planned else fenced,
        "secondOutcome": "already_fenced" if planned else fenced,
        "scheduledSlots": [text(slot) for slot in sorted([*recorded, *(due[-1:] if planned else [])])],
    }


BLOCKING = {
    "none": False,
    "claimed_occurrence": True,
    "running_occurrence": True,
    "running_run": True,
    "succeeded_occurrence": False,
    "failed_occurrence": False,
    "cancelled_occurrence": False,
}


@FEW
@given(now=instants, blocker=st.sampled_from(sorted(BLOCKING)))
def test_what_is_claimed(now: datetime, blocker: str) -> None:
    free = not BLOCKING[blocker]

    actual = compute("overlap-forbid-claiming", {"now": text(now), "blocker": blocker})

    assert (actual["claimed"], actual["targetState"]) == (free, "claimed" if free else "planned")
    assert (actual["targetAttempt"], actual["leaseOwner"]) == ((1, "daemon-a") if free else (0, None))
    assert actual["leaseExpiresAt"] == (text(now + timedelta(hours=1)) if free else None)


@FEW
@given(
    now=instants,
    left=st.integers(-100_000, 100_000) | st.integers(-1, 1),
    owner=st.sampled_from(["daemon", "daemon-z", "manual"]),
    state=st.sampled_from(["claimed", "running"]),
    has_run=st.booleans(),
)
def test_what_a_sweep_fails(now: datetime, left: int, owner: str, state: str, has_run: bool) -> None:
    end = text(now + left * MILLISECOND)
    initial = {"state": state, "leaseOwner": owner, "leaseExpiresAt": end, "runningRun": has_run}
    lost = state == "claimed" and not has_run and left <= 0

    actual = compute("occurrence-lease-recovery", {"now": text(now), "initial": initial})

    assert actual["recoveredCount"] == int(lost)
    assert actual["state"] == ("failed" if lost else state)
    assert (actual["leaseOwner"], actual["leaseExpiresAt"]) == ((None, None) if lost else (owner, end))
    assert actual["failureReason"] == ("lease expired" if lost else None)


@given(
    policy=st.sampled_from(["none", "fixed", "exponential"]),
    seconds=st.integers(1, 86_400) | st.sampled_from([1, 2, 86_399, 86_400]),
    given_seconds=st.booleans(),
    run=st.text("abcdef0123456789", min_size=1, max_size=40).map("run-".__add__),
    attempt=st.integers(2, 10),
    observed=instants,
)
def test_how_long_a_retry_waits(
    policy: str, seconds: int, given_seconds: bool, run: str, attempt: int, observed: datetime
) -> None:
    given_seconds = given_seconds or policy == "fixed"
    base = seconds if given_seconds else 1
    ceiling = {"none": 0, "fixed": base, "exponential": min(86_400, base * 2 ** (attempt - 2))}[policy]
    wait = ceiling
    if policy == "exponential":
        wait = int(blake3(f"{run}:{attempt}".encode()).hexdigest()[:16], 16) % ceiling + 1

    actual = compute(
        "retry-backoff-timing",
        {
            "policy": {
                "maxAttempts": 10,
                "backoffPolicy": policy,
                "retryableClasses": ["lease_expired"],
                **({"backoffSeconds": seconds} if given_seconds else {}),
            },
            "runId": run,
            "nextAttemptNumber": attempt,
            "observedAt": text(observed),
        },
    )

    assert actual == {
        "delaySeconds": wait,
        "minimumDelaySeconds": 1 if policy == "exponential" else ceiling,
        "maximumDelaySeconds": ceiling,
        "ceilingSeconds": ceiling,
        "notBefore": text(observed + timedelta(seconds=wait)),
        "deterministic": True,
    }


@FEW
@given(
    first=instants,
    gaps=st.lists(st.timedeltas(timedelta(milliseconds=1), timedelta(days=3)), max_size=4),
    release=st.none() | st.timedeltas(timedelta(milliseconds=1), timedelta(days=9)),
    data=st.data(),
)
def test_quarantine(first: datetime, gaps: list[timedelta], release: timedelta | None, data: st.DataObject) -> None:
    instants_of = [first]
    for gap in gaps:
        instants_of.append(instants_of[-1] + gap // MILLISECOND * MILLISECOND)
    released = None if release is None else first + release // MILLISECOND * MILLISECOND
    assume(released not in instants_of)
    classes = [data.draw(st.sampled_from(["runtime_unavailable", "lease_expired"])) for _ in instants_of]
    exhaustions = [
        {"at": text(at), "failureClass": kind, "reason": f"number {index}"}
        for index, (at, kind) in enumerate(zip(instants_of, classes, strict=True))
    ]
    observed = max([instants_of[-1], *([] if released is None else [released])]) + timedelta(days=2)
    standing = [entry for at, entry in zip(instants_of, exhaustions, strict=True) if released is None or at > released]
    latest = standing[-1] if standing else None

    actual = compute(
        "retry-quarantine-recovery",
        {"exhaustions": exhaustions, "observeAt": text(observed)}
        | ({"releaseAt": text(released)} if released is not None else {}),
    )

    assert actual == {
        "rowExists": True,
        "consecutiveExhaustions": len(standing),
        "quarantined": bool(standing),
        "quarantinedAt": latest["at"] if latest else None,
        "failureClass": latest["failureClass"] if latest else None,
        "reason": latest["reason"] if latest else None,
        "releaseChanged": released is not None,
        "plannedCount": int(not standing),
        "claimedCount": int(not standing),
    }


@FEW
@given(
    deadline=instants,
    ahead=st.integers(1, 20_000_000) | st.integers(1, 40_000),
    late=st.integers(0, 40_000),
    scenario=st.sampled_from(["cancellation_wins", "timeout_wins"]),
)
def test_who_stops_a_run(deadline: datetime, ahead: int, late: int, scenario: str) -> None:
    cancelled = scenario == "cancellation_wins"
    in_time = ahead + late < 30_000

    actual = compute(
        "cancellation-timeout-arbitration",
        {
            "scenario": scenario,
            "cancellationAt": text(deadline - ahead * MILLISECOND),
            "timeoutAt": text(deadline),
            "timeoutObservedAt": text(deadline + late * MILLISECOND),
        },
    )

    outcome = "illegal_transition" if not cancelled else "cancelled" if in_time else "recovery_required"
    assert (actual["cancellationOutcome"], actual["replayOutcome"]) == (outcome, outcome)
    assert actual["competingOutcome"] == ("deferred" if cancelled else "timed_out")
    assert actual["preCompetingCancellationState"] == ("stopping" if cancelled else "requested")
    assert actual["preCompetingStopFenceOwner"] == ("cancellation" if cancelled else None)
    assert (actual["competingCandidateObserved"], actual["runtimeStopCount"]) == (True, 1)
    assert actual["runStatus"] == actual["occurrenceState"] == ("cancelled" if cancelled else "failed")
    assert actual["attemptState"] == ("timed_out" if not cancelled else "cancelled" if in_time else "ambiguous")
    assert actual["cancellationState"] == ("cancelled" if cancelled else "rejected")


@FEW
@given(
    hours=hour_sets, zone=st.sampled_from(ZONES), created=instants, away=st.timedeltas(timedelta(), timedelta(days=9))
)
def test_starting(hours: set[int], zone: str, created: datetime, away: timedelta) -> None:
    observed = created + away // MILLISECOND * MILLISECOND
    due = bool(slots(hours, None, zone, created, observed))

    actual = compute(
        "startup-reconciliation-wake",
        {
            "scenario": "startup_immediate_reconcile",
            "definition": routine(rrule=rule_text(hours, None), timezone=zone, cwd="/srv"),
            "createdAt": text(created),
            "observedAt": text(observed),
        },
    )

    assert (actual["launchCount"], actual["launchedBeforeFirstWait"]) == (int(due), due)
    assert actual["occurrenceState"] == ("recovery_required" if due else None)
    assert (actual["outcome"], actual["lastPassTrigger"]) == ("startup_reconciled", "startup")
    assert actual["productionStartPath"] is actual["systemWaitObserved"] is True


@FEW
@given(
    hours=hour_sets,
    zone=st.sampled_from(ZONES),
    changed=instants,
    later=st.timedeltas(timedelta(), timedelta(seconds=50)) | st.timedeltas(timedelta(), timedelta(days=3)),
)
def test_waking(hours: set[int], zone: str, changed: datetime, later: timedelta) -> None:
    observed = changed + later // MILLISECOND * MILLISECOND
    due = bool(slots(hours, None, zone, changed, observed))
    revised = routine(rrule=rule_text(hours, None), timezone=zone, cwd="/srv")

    actual = compute(
        "startup-reconciliation-wake",
        {
            "scenario": "definition_change_wake",
            "definition": revised | {"status": "PAUSED"},
            "createdAt": text(changed - timedelta(days=2)),
            "observedAt": text(observed),
            "changedAt": text(changed),
            "revisedDefinition": revised,
        },
    )

    assert (actual["launchCount"], actual["launchedBeforeFirstWait"]) == (int(due), False)
    assert actual["occurrenceState"] == ("recovery_required" if due else None)
    assert (actual["outcome"], actual["lastPassTrigger"]) == ("definition_change_woke_scheduler", "wake")
    assert (actual["actionAccepted"], actual["wakeObserved"], actual["finalRevision"]) == (True, True, 2)
