"""The actions that take over what other programs have (contract/commands.md §3.4 and §3.8)."""

from __future__ import annotations

from coven_desktop.api.described.definitions import AUTOMATIONS, KEY, MISMATCH, committed
from coven_desktop.api.described.model import Description, Error, Member, list_of, optional, shape
from coven_desktop.api.described.scalars import BOOLEAN, TEXT, exactly
from coven_desktop.contract.codex_automation import SOURCE
from coven_desktop.contract.errors import Code

_TOLD = (
    Member("imported", list_of(TEXT), "The ids of the new routines."),
    Member("skipped", list_of(TEXT), "A sentence for each that is there already, or that makes no routine."),
    Member("failures", list_of(TEXT), "A sentence for each that could not be read."),
)
_WHERE = "They are read from `.codex/automations/<id>/automation.toml` in the home of the person who runs the app."

IMPORT = Description(
    AUTOMATIONS + "import",
    "Import the automations of Codex as paused routines.",
    (),
    shape(*_TOLD),
    words=f"{_WHERE} Sent again, it skips what it has imported.",
)
LEGACY_IMPORT = Description(
    AUTOMATIONS + "legacy.import.v1",
    "Import the automations of Codex as drafts, once per key.",
    (
        KEY,
        Member("source", exactly(SOURCE)),
        optional("dryRun", BOOLEAN, "Only tell what would be imported; no when it is absent."),
    ),
    committed(Member("source", exactly(SOURCE)), Member("dryRun", BOOLEAN), *_TOLD),
    (Error(Code.VALIDATION_FAILED, "a field is missing or wrong"), MISMATCH),
    words=f"{_WHERE} A draft runs once it was revised as `PAUSED` and then activated. `revision` is null.",
    answers_in="both",
    forbidden=("expectedRevision",),
    key="adoptionKey",
)

ALL = (IMPORT, LEGACY_IMPORT)
