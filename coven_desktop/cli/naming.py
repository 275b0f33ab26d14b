"""Which run is meant: by a run id, an occurrence id, or a routine id with exactly one live run; and which routines.

`retry` wants a held one of a routine, `recover` one without evidence; `logs` takes the newest when none is live. The
ids do not give away what they name (a scheduled occurrence's begins with its routine's), so the app is asked: run,
occurrence, routine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from coven_desktop.cli import knowing, words
from coven_desktop.cli.client import Client
from coven_desktop.cli.refusals import CODE_NOT_FOUND, CODE_NOT_ONE_RUN, Refused
from coven_desktop.cli.table import cut, one_line
from coven_desktop.contract import ids

_RUNS_ASKED = 100
_CANDIDATES = 10
_IDS_AT_ONCE = 500
LIVE_RUN = "live run"


class Meant:
    """What a name means: an occurrence, and its newest run or None when it has none yet.

    `state` is the occurrence's, where it was named itself. `instead`: nothing wanted was found, this is the newest run.
    """

    def __init__(
        self,
        automation_id: str,
        occurrence_id: str,
        run: Mapping[str, Any] | None,
        *,
        state: str | None = None,
        instead: bool = False,
    ) -> None:
        self.automation_id = automation_id
        self.occurrence_id = occurrence_id
        self.run = run
        self.state = state
        self.instead = instead

    @property
    def label(self) -> str:
        """`run-… of daily-notes`."""
        return f"{self.run['id'] if self.run else self.occurrence_id} of {self.automation_id}"


def _is_open(run: Mapping[str, Any]) -> bool:
    return bool(run["status"] == "running")


def find(
    client: Client,
    name: str,
    wanted: Callable[[Mapping[str, Any]], bool] = _is_open,
    kind: str = LIVE_RUN,
    *,
    or_newest: bool = False,
) -> Meant:
    """The run or occurrence that is meant; of a routine its only `wanted` run. Else refused with the candidates.

    `or_newest`: a routine with no wanted run at all means its newest one.
    """
    if ids.is_entity_id(name):
        run = client.act("run.get.v1", id=name)["run"]
        if run is not None:
            return _of_run(run)
        occurrence = client.act("occurrence.get.v1", id=name)["occurrence"]
        if occurrence is not None:
            newest = newest_run(occurrence["runs"])
            return Meant(occurrence["automationId"], occurrence["id"], newest, state=occurrence["state"])
    rows = client.act("runs", id=name, limit=_RUNS_ASKED)["runs"]
    live = [run for run in rows if wanted(run)]
    if len(live) == 1:
        return _of_run(live[0])
    if or_newest and not live and (last := newest_run(rows)) is not None:
        return Meant(last["automationId"], last["occurrenceId"], last, instead=True)
    if not rows and not knowing.exists(client, name):
        raise Refused(
            CODE_NOT_FOUND,
            f"There is no run, occurrence or routine {cut(one_line(name), 100)}. covenctl list shows all routines.",
        )
    raise _not_one(client, name, kind, live, rows)


def routines(client: Client, names: Iterable[str]) -> tuple[dict[str, dict[str, Any]], dict[str, Refused]]:
    """The routines of these ids as `coven.desktop.routine.list.v1` tells them, and a refusal for each that is none.

    Only whole ids count: what is changed or deleted is never guessed. What was probably meant is suggested.
    """
    asked = list(dict.fromkeys(names))
    found: dict[str, dict[str, Any]] = {}
    for start in range(0, len(asked), _IDS_AT_ONCE):
        some = asked[start : start + _IDS_AT_ONCE]
        found |= {one["id"]: one for one in client.desktop("routine.list.v1", ids=some)["routines"]}
    missing = [name for name in asked if name not in found]
    if not missing:
        return found, {}
    known = knowing.names(client)
    return found, {name: unknown_routine(name, known) for name in missing}


def routine(client: Client, name: str) -> dict[str, Any]:
    """The one routine of this id. Raises Refused with what was probably meant."""
    found, missing = routines(client, [name])
    if missing:
        raise missing[name]
    return found[name]


def unknown_routine(name: str, known: Mapping[str, str]) -> Refused:
    """The refusal of a routine that does not exist; `known` has the names of those that do, by id."""
    import difflib  # only a slip of the pen pays for it

    likely = next((identity for identity, called in known.items() if called.casefold() == name.casefold()), None)
    likely = likely or next(iter(difflib.get_close_matches(name, known, n=1)), None)
    more = {} if likely is None else {"suggestion": likely}
    said = f"There is no routine {cut(one_line(name), 100)}. covenctl list shows them all."
    return Refused(CODE_NOT_FOUND, said, **more)


def newest_run(runs: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """The run that started last, or None."""
    return max(runs, key=lambda run: str(run["startedAt"]), default=None)


def _of_run(run: Mapping[str, Any]) -> Meant:
    return Meant(run["automationId"], run["occurrenceId"], run)


def _not_one(
    client: Client, name: str, kind: str, live: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]
) -> Refused:
    if live:
        said = f"Routine {name} has {len(live)} {kind}s; name the one that is meant:"
        candidates = [(run["id"], words.run_state(run).text) for run in live]
    else:
        said = f"Routine {name} has no {kind}."
        begun = [] if kind != LIVE_RUN else _open_occurrences(client, name)
        candidates = [*begun, *((run["id"], words.run_state(run).text) for run in rows)]
        if candidates:
            said += " Name what is meant:" if kind == LIVE_RUN else " Its runs:"
    shown = candidates[:_CANDIDATES]
    lines = [said, *(f"  {identity}  {state}" for identity, state in shown)]
    if len(candidates) > len(shown):
        lines.append(f"  and {len(candidates) - len(shown)} older ones: covenctl runs {name}")
    return Refused(CODE_NOT_ONE_RUN, "\n".join(lines), candidates=[identity for identity, _ in shown])


def _open_occurrences(client: Client, automation_id: str) -> list[tuple[str, str]]:
    """What is planned or claimed and has no run yet: it can be cancelled by its own id."""
    found = []
    for view in ("claimed", "due"):
        payload = client.act("occurrence.list.v1", view=view, automationId=automation_id)
        found += [(one["id"], words.state(one["state"]).text) for one in payload["occurrences"]]
    return found
