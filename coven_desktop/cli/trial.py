"""What `--dry-run` of `create` and `edit` shows: the definition as it would be, and its next firings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from coven_desktop.cli.changes import print_changes, print_routine
from coven_desktop.cli.drafting import Checked
from coven_desktop.cli.knowing import is_own, schedule
from coven_desktop.cli.output import Output
from coven_desktop.cli.previewing import print_firings
from coven_desktop.cli.refusals import DONE, Refused
from coven_desktop.schedule import families, preview
from coven_desktop.schedule.errors import ScheduleError
from coven_desktop.schedule.explaining import explained
from coven_desktop.schedule.zones import ZoneError, resolve_local

_FIRINGS = 5


def resolved(checked: Checked) -> Checked:
    """The same with an exact zone in place of `local`, as the app would store it, if its zone is that of this shell.

    Raises Refused, in the app's words, when it cannot be known.
    """
    if is_own(checked.routine) or checked.routine["timezone"] != "local":
        return checked
    try:
        return Checked({**checked.routine, "timezone": resolve_local()}, checked.warnings)
    except ZoneError as error:
        raise _refused(error) from None


def show(output: Output, checked: Checked, now: int, changed: Sequence[Mapping[str, Any]] | None = None) -> int:
    """Print it; `changed` for an edit. Raises Refused for a zone that does not load, in the app's words."""
    routine = checked.routine
    try:
        family = families.read(schedule(routine))
    except ScheduleError as error:
        raise _refused(error) from None
    found = preview.preview(family.schedule, now, _FIRINGS, family.max_runs)
    document: Mapping[str, Any] = preview.document_of(family.schedule, found)
    if output.json_wanted:
        changes = {} if changed is None else {"changes": list(changed)}
        output.json({"dryRun": True, "routine": routine, **changes, **document, "warnings": list(checked.warnings)})
        return DONE
    if changed is None:
        print_routine(output, routine)
    else:
        print_changes(output, changed)
    tell_warnings(output, checked.warnings)
    output.line()
    output.line(output.style(explained(family.schedule).words, "bold"))
    if routine["status"] != "ACTIVE":
        output.line("It would be paused; once resumed, its next firings were:")
    print_firings(output, document, now)
    output.line()
    output.line("Dry run: nothing was changed.")
    return DONE


def _refused(error: ScheduleError | ZoneError) -> Refused:
    refusal: Any = preview.refusal(error)["error"]
    return Refused.passed_on(refusal)


def tell_warnings(output: Output, warnings: Sequence[object]) -> None:
    """What the app took, but not as it was written."""
    for warning in warnings:
        output.note(f"covenctl: warning: {warning}")
