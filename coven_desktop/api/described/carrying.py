"""The actions that carry routines: out as a document, in from one, and in from a crontab (design/schedules.md)."""

from __future__ import annotations

from coven_desktop.api.described import desktop
from coven_desktop.api.described.definitions import KEY, MISMATCH, committed
from coven_desktop.api.described.model import Description, Error, Member, Type, choice, list_of, map_of, optional, shape
from coven_desktop.api.described.scalars import ANYTHING, BOOLEAN, INSTANT, TEXT, exactly, integer
from coven_desktop.contract import crontab, exported
from coven_desktop.contract.errors import Code

_DRY = optional("dryRun", BOOLEAN, "Only tell what would become of them; no when it is absent.")
_LINE = Member("line", integer(1, crontab.LINES_LIMIT + 1), "Of the crontab, counted from 1.")
_TEXT = Member("text", TEXT, "The line, cut when it is long.")
_REASON = Member("reason", TEXT, "For people.")

EXPORT = Description(
    "coven.desktop.export.v1",
    "Routines of every family as one document.",
    desktop.ROUTINES.fields,
    shape(
        Member("schemaVersion", exactly(exported.SCHEMA)),
        Member("exportedAt", INSTANT),
        Member("covenVersion", TEXT),
        *(desktop.ROUTINES.answer.members or ()),
        name="Export",
        words="Routines as a file of their own.",
    ),
    desktop.ROUTINES.errors,
    words="It has definitions, settings, and secrets by name only. Runs, how many there were and how the last one ended"
    " are not in it.",
    kind="desktop.export",
)
_OUTCOME = shape(
    Member("id", TEXT, "The routine; `(no id)` when the document gives it none."),
    Member("outcome", choice("imported", "skipped", "failed")),
    optional("reason", TEXT, "Why it was not imported, for people."),
    optional("error", map_of(ANYTHING, "object"), "Of one that failed, as a refusal has it: `details.field`."),
    optional("warnings", list_of(TEXT), "What was left out, and what is still to be done."),
)
IMPORT = Description(
    "coven.desktop.import.v1",
    "Take over the routines of an export, paused, once per key.",
    (
        KEY,
        Member("document", map_of(ANYTHING, "object"), "An [Export](#export); of each routine `definition` is enough."),
        _DRY,
    ),
    committed(Member("dryRun", BOOLEAN), Member("routines", list_of(_OUTCOME), "One for each, in their order.")),
    (Error(Code.VALIDATION_FAILED, "a field is missing or wrong, or the document is no export"), MISMATCH),
    words="One that is there already is skipped, and one that cannot be taken over keeps no other from it. A cadence"
    " that has ended is taken over too; its count of runs begins anew. `revision` is null.",
    answers_in="both",
    forbidden=("expectedRevision",),
    key="adoptionKey",
)
_JOB = shape(
    _LINE,
    Member("automationId", TEXT, "Made of what the job says: the same for the same line at every import."),
    _TEXT,
    Member("name", TEXT, "Its command, and a number when another routine is called so."),
    Member("expression", TEXT),
    Member("timezone", TEXT),
    Member("prompt", TEXT, "What the shell is given."),
    Member("environment", list_of(TEXT), "Names of the variables that stand above it."),
)
CRONTAB_IMPORT = Description(
    "coven.desktop.crontab.import.v1",
    "Import the jobs of a crontab as paused cron routines with the runtime `shell`, once per key.",
    (
        KEY,
        Member(
            "crontab",
            Type("text of a crontab", {"type": "string"}),
            f"As `crontab -l` prints it: at most {crontab.BYTES_LIMIT:,} bytes, {crontab.LINES_LIMIT:,} lines and"
            f" {crontab.JOBS_LIMIT:,} jobs.",
        ),
        _DRY,
    ),
    committed(
        Member("dryRun", BOOLEAN),
        Member("timezone", TEXT, "Of the machine: of the jobs that have no `CRON_TZ` above them."),
        Member("imported", list_of(_JOB)),
        Member(
            "skipped",
            list_of(shape(_LINE, Member("automationId", TEXT), _TEXT, _REASON)),
            "Those that are there already, whatever name and time they have by now.",
        ),
        Member(
            "refused",
            list_of(
                shape(
                    _LINE,
                    _TEXT,
                    _REASON,
                    Member("suggestion", TEXT.or_null, "What to write instead, where it is known."),
                )
            ),
        ),
        Member("reported", list_of(shape(_LINE, _TEXT, _REASON)), "Variables that are not carried as they stand."),
    ),
    (
        Error(
            Code.VALIDATION_FAILED, "a field is missing or wrong, the text is no crontab, or the machine has no zone"
        ),
        MISMATCH,
    ),
    words="Each runs in the home folder of the person who runs the app, with the variables that stand above it; what"
    " follows a `%` is its input. `revision` is null.",
    answers_in="both",
    forbidden=("expectedRevision",),
    key="adoptionKey",
)

ALL = (EXPORT, IMPORT, CRONTAB_IMPORT)
