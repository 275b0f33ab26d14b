"""Breaks of deliveries: what delivery-outcome notices."""

from __future__ import annotations

from tests.conformance.breaks import Break, made

_DOCUMENT = "contract/delivery.py"
_ENGINE = "engine/delivery.py"
_SETTLEMENT = "engine/settlement.py"
_RECEIPTS = "engine/receipts.py"
_STORE = "store/deliveries.py"
_HELPER = "runtime/delivery_helper.py"


def _rule(rule: str, cases: str, file: str, *pairs: tuple[str, str]) -> Break:
    return made(rule, "delivery-outcome", cases, *((file, old, new) for old, new in pairs))


_AWAITS = 'elif verdict.run == "succeeded" and delivery.await_delivery('
_OUTCOME = '    outcome: Literal["succeeded", "failed"] = "succeeded" if error is None else "failed"'
_APPEND = 'if row.mode == "append":'
_TRIED = 'if row.mode == "replace" and self._tries[run_id] < TRIES:'
_FAILED = 'elif outcome == "failed" and not open_runs'

DELIVERY_OUTCOME = (
    # what may be said
    _rule(
        "a file may be replaced",
        "a-file-is-replaced a-run-goes-on-until-its-output-is-delivered",
        _DOCUMENT,
        ('MODES: tuple[Mode, ...] = ("replace", "append")', 'MODES: tuple[Mode, ...] = ("append",)'),
    ),
    _rule(
        "a file may be appended to",
        "a-file-is-appended-to-by-a-cadence an-append-is-not-repeated-after-a-crash",
        _DOCUMENT,
        ('MODES: tuple[Mode, ...] = ("replace", "append")', 'MODES: tuple[Mode, ...] = ("replace",)'),
    ),
    _rule(
        "a notification may be delivered",
        "a-notification-says-no-more a-notification-is-delivered-without-a-file",
        _DOCUMENT,
        ('"mode"), "notification": ("kind",)}', '"mode")}'),
    ),
    _rule("a path is absolute", "a-path-that-begins-nowhere", _DOCUMENT, ('not value.startswith("/")', "not value")),
    _rule(
        "a home folder is written out", "a-path-from-a-home-folder", _DOCUMENT, ('value.startswith("~")', "not value")
    ),
    _rule("a path names a file", "a-path-that-names-a-folder", _DOCUMENT, ('in ("", ".", "..")', 'in (".", "..")')),
    _rule("a path is one line", "a-path-of-two-lines", _DOCUMENT, ("ord(letter) < 0x20 or ", "")),
    _rule("a path is required", "a-file-without-a-path", _DOCUMENT, ('raw.get("path")', 'raw.get("path", "/srv/x")')),
    _rule("a mode is required", "a-file-without-a-mode", _DOCUMENT, ('raw.get("mode")', 'raw.get("mode", "replace")')),
    _rule("modes are these", "a-mode-that-is-none", _DOCUMENT, ("if mode not in MODES:", "if not mode:")),
    _rule(
        "kinds are these",
        "a-kind-that-is-none",
        _DOCUMENT,
        (
            "    if not isinstance(kind, str) or kind not in _MEMBERS:",
            '    kind = kind if kind in _MEMBERS else "notification"\n    if kind is None:',
        ),
    ),
    _rule(
        "what a file has is named where it is not for a notification",
        "a-path-of-a-notification",
        _DOCUMENT,
        ('if name in _MEMBERS["file"]:', "if name in ():"),
    ),
    _rule(
        "members are these",
        "a-member-that-is-none",
        _DOCUMENT,
        ('refuse_unknown("delivery.", name, _MEMBERS[kind])', "continue"),
    ),
    _rule(
        "contract routines deliver nothing",
        "a-routine-of-the-contract-delivers-nothing",
        "contract/routine.py",
        ("        if delivery is not None:", "        if delivery is None and not raw:"),
    ),
    # what becomes of the run
    _rule(
        "a run that has something to deliver goes on",
        "a-run-goes-on-until-its-output-is-delivered a-notification-is-delivered-without-a-file a-cadence-delivers-too",
        _SETTLEMENT,
        (_AWAITS, 'elif verdict.run == "" and delivery.await_delivery('),
    ),
    _rule(
        "the outcome is the command's",
        "a-failed-delivery-leaves-the-outcome-as-it-is a-cadence-delivers-too",
        "store/migrations/0009_deliveries.sql",
        ("CASE WHEN d.run_id IS NOT NULL OR r.status", "CASE WHEN r.status"),
    ),
    _rule(
        "a failed delivery fails the run",
        "a-failed-delivery-leaves-the-outcome-as-it-is a-cadence-delivers-too",
        _ENGINE,
        ("    reason = error if error is None or error == UNKNOWN else NOT_DELIVERED + error", "    reason = None"),
    ),
    _rule(
        "only success is delivered",
        "a-command-that-failed-delivers-nothing",
        _SETTLEMENT,
        (_AWAITS, "elif delivery.await_delivery("),
    ),
    _rule(
        "who has nothing to deliver delivers nothing",
        "a-run-without-a-delivery-is-over-with-its-command",
        _ENGINE,
        ("    if what is None:\n", '    what = what or {"kind": "notification"}\n    if not what:\n'),
    ),
    _rule(
        "a notification is no file",
        "a-notification-is-delivered-without-a-file",
        _ENGINE,
        ('if row.kind == "notification":', 'if row.kind == "":'),
    ),
    _rule(
        "the command is not run again",
        "a-failed-delivery-does-not-run-the-command-again",
        _ENGINE,
        (
            _OUTCOME,
            "    if error is not None:\n        last = runs.latest_attempt(tx, run_id)\n        runs.open_attempt("
            'tx, last, classification="automatic_retry", not_before=tx.now_text)\n'
            "        occurrences.give_back(tx, run.occurrence_id)\n        return True\n" + _OUTCOME,
        ),
    ),
    _rule(
        "what delivers blocks cron",
        "what-delivers-blocks-the-next-time-of-cron",
        "engine/planning_cron.py",
        ("if occurrences.any_open(tx, row.id):", "if not row.id:"),
    ),
    _rule(
        "what delivers blocks a cadence",
        "what-delivers-keeps-a-cadence-waiting",
        "store/occurrences.py",
        ("b.state IN ('claimed', 'running'))\"\n    \" AND NOT", "b.state IN ('claimed'))\"\n    \" AND NOT"),
        ("f.status = 'running'\"", "f.status = 'accepted'\""),
    ),
    made(
        "a run's deadline is its command's",
        "delivery-outcome",
        "the-deadline-of-the-run-ends-no-delivery",
        (
            "store/runs.py",
            "OR (a.state = 'failed' AND o.state IN",
            "OR (a.state IN ('failed', 'succeeded') AND o.state IN",
        ),
        (
            "store/migrations/0009_deliveries.sql",
            "SELECT RAISE(ABORT, 'a run ends as its delivery did, and not before it')",
            "SELECT 1",
        ),
    ),
    _rule(
        "a delivery is not stopped",
        "a-delivery-is-not-stopped",
        "engine/commands/cancellation.py",
        ('latest is not None and latest.state == "failed":', "latest is not None:"),
    ),
    _rule(
        "a replacement is repeated",
        "a-replacement-is-repeated-after-a-crash",
        _ENGINE,
        (_APPEND, 'if row.kind == "file":'),
    ),
    _rule(
        "an append is begun once",
        "an-append-is-not-repeated-after-a-crash a-crash-before-the-command-ended-repeats-nothing",
        _ENGINE,
        (_APPEND, 'if row.mode == "":'),
    ),
    _rule(
        "what was begun is not begun again",
        "an-append-is-not-repeated-after-a-crash",
        _ENGINE,
        ("if row.begun_at is not None:", "if row.begun_at == '':"),
    ),
    _rule(
        "what has ended is over",
        "a-crash-after-the-delivery-repeats-nothing",
        _STORE,
        ("WHERE status = 'pending' ORDER BY run_id", "WHERE status <> 'failed' ORDER BY run_id"),
    ),
    _rule(
        "a replacement of which nobody knows is tried anew",
        "a-replacement-of-which-nobody-knows-is-tried-anew a-replacement-is-not-tried-anew-for-ever",
        _ENGINE,
        (_TRIED, 'if row.mode == "" and self._tries[run_id] < TRIES:'),
    ),
    _rule("it is given up", "a-replacement-is-not-tried-anew-for-ever", _ENGINE, ("TRIES = 3", "TRIES = 99")),
    _rule(
        "an append of which nobody knows is not tried anew",
        "an-append-of-which-nobody-knows-is-not-tried-anew",
        _ENGINE,
        (_TRIED, "if self._tries[run_id] < TRIES:"),
    ),
    _rule(
        "a failed delivery is a failure",
        "failed-deliveries-in-a-row-pause-cron a-delivery-that-comes-off-begins-the-row-anew",
        _RECEIPTS,
        (_FAILED, _FAILED.replace("and not", 'and runs.latest_attempt(tx, run.id).state != "succeeded" and not')),
    ),
    _rule(
        "a delivery that comes off begins the row anew",
        "a-delivery-that-comes-off-begins-the-row-anew",
        _RECEIPTS,
        ('    if outcome == "succeeded":\n        schedule_state', '    if outcome == "":\n        schedule_state'),
    ),
    _rule(
        "a run delivers as it was saved",
        "a-run-delivers-as-it-was-saved-when-it-began",
        _ENGINE,
        (
            'json.loads(run.definition_snapshot).get("delivery")',
            'json.loads(tx.one("SELECT body FROM definitions WHERE id = ?", (run.automation_id,))[0]).get("delivery")',
        ),
    ),
    # what lies in the file
    _rule(
        "to replace is not to append",
        "the-whole-file-is-replaced to-replace-twice-is-to-replace who-printed-nothing-empties-the-file",
        _HELPER,
        ('if mode == "replace":', 'if mode == "":'),
    ),
    _rule(
        "there may be no file",
        "a-file-that-is-not-there-is-made what-is-not-kept-is-told-in-its-place",
        _HELPER,
        ("    except FileNotFoundError:\n        return None\n", "    except FileNotFoundError:\n        raise\n"),
    ),
    _rule(
        "nothing is left beside it",
        "the-whole-file-is-replaced to-replace-twice-is-to-replace",
        _HELPER,
        (
            "os.rename(beside, name,",
            "os.link(beside, 'kept', src_dir_fd=folder, dst_dir_fd=folder)\n            os.rename(beside, name,",
        ),
    ),
    _rule(
        "to append is not to replace",
        "it-is-appended-behind-what-is-there to-append-twice-is-to-have-it-twice who-printed-nothing-appends-nothing",
        _HELPER,
        ("os.O_WRONLY | os.O_APPEND | os.O_CREAT", "os.O_WRONLY | os.O_TRUNC | os.O_CREAT"),
    ),
    _rule(
        "nothing is an output too",
        "who-printed-nothing-empties-the-file",
        _HELPER,
        (
            "            os.rename(beside, name,",
            "            if not os.stat(beside, dir_fd=folder).st_size:\n                return\n"
            "            os.rename(beside, name,",
        ),
    ),
    _rule(
        "what is not kept is told",
        "what-is-not-kept-is-told-in-its-place",
        _HELPER,
        ('output_log.text([record]).encode() if record.stream == "mark" else record.data', "record.data"),
    ),
    _rule(
        "both streams are output",
        "the-whole-file-is-replaced a-file-that-is-not-there-is-made it-is-appended-behind-what-is-there",
        _HELPER,
        (
            "else record.data for record in records",
            'else record.data for record in records if record.stream != "stderr"',
        ),
    ),
    _rule(
        "a link is followed",
        "of-a-link-what-it-leads-to-is-replaced",
        _HELPER,
        ("target = os.path.realpath(path)", "target = path"),
    ),
    _rule(
        "no folder is made",
        "to-replace-needs-the-folder",
        _HELPER,
        (
            "    folder = os.open(os.path.dirname(target),",
            "    os.makedirs(os.path.dirname(target), exist_ok=True)\n    folder = os.open(os.path.dirname(target),",
        ),
    ),
    _rule(
        "a folder that is missing is named",
        "to-replace-needs-the-folder to-append-needs-the-folder",
        _HELPER,
        ("case errno.ENOENT if not os.path.isdir(folder):", "case errno.EXDEV:"),
    ),
    _rule(
        "a folder that is none is named",
        "to-replace-needs-a-folder-that-is-one to-append-needs-a-folder-that-is-one",
        _HELPER,
        ("case errno.ENOTDIR:", "case errno.EXDEV:"),
    ),
    _rule(
        "a folder is not replaced",
        "to-replace-takes-no-folder",
        _HELPER,
        ("if stat.S_ISDIR(mode):", "if mode == 0:"),
    ),
    _rule("a folder is named", "to-append-takes-no-folder", _HELPER, ("case errno.EISDIR:", "case errno.EXDEV:")),
    _rule(
        "a pipe is not replaced",
        "to-replace-takes-no-pipe",
        _HELPER,
        ("if not stat.S_ISREG(mode):", "if mode == 0:"),
    ),
    _rule(
        "a pipe that nobody reads is not waited for",
        "to-append-takes-no-pipe",
        _HELPER,
        ("if fault.errno in (errno.ENXIO, errno.EOPNOTSUPP):", "if fault.errno == 0:"),
    ),
)
