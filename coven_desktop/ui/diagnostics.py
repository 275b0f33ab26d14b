"""What somebody who helps needs to know of a run, as text: ids, times, exits, versions; no output and no prompt.

In English and UTC whatever the person's language is: it is read by others.
"""

from __future__ import annotations

import json
import platform

from coven_desktop import __version__
from coven_desktop.contract import timestamps
from coven_desktop.engine.circumstances import Stop
from coven_desktop.engine.listing import AttemptRow, RunDetail
from coven_desktop.qt.core import qVersion


def of_run(detail: RunDetail, stop: Stop | None) -> str:
    """Lines of names and values."""
    row = detail.occurrence
    lines = [
        f"app         Coven Desktop {__version__}, Python {platform.python_version()}, Qt {qVersion()}",
        f"system      {platform.system()} {platform.release()} {platform.machine()}",
        f"routine     {row.automation_id} (revision {row.revision}, {row.lifecycle})",
        f"occurrence  {row.id}  {row.kind}  {row.state}",
        f"due         {timestamps.to_text(row.scheduled_for)}",
        f"run         {row.run_id or '-'}  {row.run_status or '-'}  exit {row.exit_code}",
        f"started     {_instant(row.started_at)}",
        f"finished    {_instant(row.finished_at)}",
        f"stop        {_stop(stop)}",
        f"deadline    {_instant(row.run.deadline) if row.run is not None else '-'}",
        f"waits       {row.phase if row.phase in ('held', 'waiting') else '-'}",
        f"quarantine  {'yes' if row.quarantined else 'no'}",
        f"reason      {row.reason or '-'}",
    ]
    for attempt in detail.attempts:
        lines += _attempt(attempt)
    return "\n".join(lines) + "\n"


def _attempt(attempt: AttemptRow) -> list[str]:
    return [
        f"attempt {attempt.number}   {attempt.state}  {attempt.failure_class or '-'}  {attempt.reason or '-'}",
        f"  session   {attempt.session_id or '-'}  {attempt.session_status or '-'}  pid {attempt.pid}",
        f"  runtime   {attempt.runtime or '-'}  exit {attempt.exit_code}",
        f"  times     opened {_instant(attempt.opened_at)}  started {_instant(attempt.started_at)}"
        f"  ended {_instant(attempt.ended_at)}  settled {_instant(attempt.settled_at)}",
        f"  evidence  {json.dumps(attempt.evidence, sort_keys=True) if attempt.evidence else 'none'}",
    ]


def _stop(stop: Stop | None) -> str:
    if stop is None:
        return "-"
    parts = [stop.outcome or "-", f"by {stop.owner or '-'}", f"since {_instant(stop.since)}"]
    parts += [f"until {_instant(stop.until)}", f"ended {_instant(stop.ended_at)}", stop.reason or "-"]
    return "  ".join(parts)


def _instant(ms: int | None) -> str:
    return "-" if ms is None else timestamps.to_text(ms)
