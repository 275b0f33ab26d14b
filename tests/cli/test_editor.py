"""edit in the person's editor: what is refused can be mended, and what was typed is never lost."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.covenctl import on_a_terminal
from tests.cli.stand_in import HUNG_UP, StandIn, completed, rejected
from tests.cli.test_moving import entry
from tests.cli.test_reading import ROUTINE


class Editor:
    """An editor that makes one edit, a sed script, each time it is called; what it found is kept."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.program = folder / "my editor"
        self.calls = folder / "calls"
        self.program.write_text(
            "#!/bin/sh\n"
            f'cd "{folder}"; if [ -e interrupt ]; then trap : INT; kill -INT 0; fi\n'
            "echo x >> calls; count=$(wc -l < calls)\n"
            'cp "$2" found.$count; [ "$1" = --wait ] || exit 9\n'
            'if [ -e edit.$count ]; then sed -i -f edit.$count "$2" || exit 8; fi\n'
            "if [ -e exit.$count ]; then exit $(cat exit.$count); fi\n"
        )
        self.program.chmod(0o755)

    def edits(self, *scripts: str) -> None:
        for number, script in enumerate(scripts, 1):
            (self.folder / f"edit.{number}").write_text(script)

    def fails(self, code: int) -> None:
        (self.folder / "exit.1").write_text(str(code))

    def found(self, number: int = 1) -> dict[str, Any]:
        read: dict[str, Any] = json.loads((self.folder / f"found.{number}").read_text())
        return read

    def run(self, home: Path, typed: str = "", *options: str) -> tuple[int, str]:
        env = {"EDITOR": f"'{self.program}' --wait", "TMPDIR": str(self.folder)}
        code, shown = on_a_terminal(home, ["edit", "daily-notes", *options], typed, VISUAL="", **env)
        return code, shown.replace("\r\n", "\n")

    def kept(self) -> list[Path]:
        return sorted(self.folder.glob("covenctl-*.json"))


@pytest.fixture
def editor(tmp_path: Path) -> Editor:
    folder = tmp_path / "editing"
    folder.mkdir()
    return Editor(folder)


@pytest.fixture
def known(app: StandIn) -> StandIn:
    app.routines(entry())
    app.payload("health", {"health": {"nextDueAt": None}})
    app.actions["coven.automations.update"] = lambda body: completed({"routine": body["definition"], "updatedAt": "x"})
    return app


def test_the_whole_definition_is_edited(home: Path, known: StandIn, editor: Editor) -> None:
    editor.edits('s/"Daily notes"/"Notes"/; /"model"/d')
    code, shown = editor.run(home)
    assert code == 0, shown
    assert "daily-notes is at revision 4." in shown
    assert "opus → –" in shown
    assert editor.found() == ROUTINE
    assert '"日記"' in (editor.folder / "found.1").read_text()
    (sent,) = known.sent("update")
    assert sent["expectedRevision"] == 3
    assert sent["definition"] == {**{k: v for k, v in ROUTINE.items() if k != "model"}, "name": "Notes"}
    assert editor.kept() == []


def test_nothing_is_sent_when_nothing_was_typed(home: Path, known: StandIn, editor: Editor) -> None:
    code, shown = editor.run(home)
    assert (code, shown) == (0, "Nothing was changed.\n")
    assert not known.sent("update")
    assert editor.kept() == []


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        ("s/BYHOUR=9/BYHOUR=99/", "BYHOUR entry 99 exceeds 23"),
        ("s/^{/{{/", "not valid JSON"),
        ("s/daily-notes/other/", "the id of a routine stays what it is"),
        ("/.*/d", "empty"),
    ],
)
def test_what_is_refused_is_mended_or_kept(home: Path, known: StandIn, editor: Editor, edit: str, said: str) -> None:
    editor.edits(edit)
    code, shown = editor.run(home, "n\n")
    assert (code, said in shown) == (1, True), shown
    (kept,) = editor.kept()
    assert f"What you wrote is kept in {kept}" in shown
    assert kept.stat().st_mode & 0o777 == 0o600
    assert not known.sent("update")


def test_a_second_look_finds_what_was_typed(home: Path, known: StandIn, editor: Editor) -> None:
    editor.edits("s/BYHOUR=9/BYHOUR=99/; s/Daily notes/Notes/", "s/BYHOUR=99/BYHOUR=10/")
    code, shown = editor.run(home, "\n")
    assert code == 0, shown
    assert editor.found(2)["name"] == "Notes"
    (sent,) = known.sent("update")
    assert (sent["definition"]["name"], sent["definition"]["rrule"]) == ("Notes", "FREQ=DAILY;BYHOUR=10")
    assert editor.kept() == []


def test_what_somebody_else_changed_is_told_before_it_is_replaced(home: Path, known: StandIn, editor: Editor) -> None:
    def conflict(body: Any) -> tuple[int, bytes]:
        known.routines(entry(revision=4, definition={**ROUTINE, "prompt": "Else."}))
        return rejected(409, "at revision 4", code="REVISION_CONFLICT", currentRevision=4)

    takes = known.actions["coven.automations.update"]
    known.actions["coven.automations.update"] = lambda body: (
        conflict(body) if body["expectedRevision"] == 3 else takes(body)
    )
    editor.edits("s/Daily notes/Notes/")
    code, shown = editor.run(home, "y\n")
    assert code == 0, shown
    assert "Meanwhile, revision 4 was made." in shown
    assert "+Else." in shown
    assert [sent["expectedRevision"] for sent in known.sent("update")] == [3, 4]


def test_an_app_that_ends_costs_nothing_that_was_typed(home: Path, known: StandIn, editor: Editor) -> None:
    known.answers("update", HUNG_UP)
    editor.edits("s/Daily notes/Notes/")
    code, shown = editor.run(home, "\x04")
    assert (code, "Whether it was changed is not known" in shown) == (3, True)
    (kept,) = editor.kept()
    assert json.loads(kept.read_text())["name"] == "Notes"


def test_an_editor_that_fails(home: Path, known: StandIn, editor: Editor) -> None:
    editor.fails(1)
    code, shown = editor.run(home)
    assert code == 1
    assert re.search("The editor .*my editor ended with 1, so nothing was sent", shown)
    assert editor.kept() == []
    editor.calls.unlink()
    editor.edits("s/Daily notes/Notes/")
    code, shown = editor.run(home, "n\n")
    assert (code, len(editor.kept())) == (1, 1)
    code, shown = on_a_terminal(home, ["edit", "daily-notes"], "", VISUAL="/nowhere/ed", TMPDIR=str(editor.folder))
    assert (code, "cannot be started: No such file" in shown) == (1, True)
    code, shown = on_a_terminal(home, ["edit", "daily-notes"], "", VISUAL="ed '", TMPDIR=str(editor.folder))
    assert (code, "not understood" in shown) == (2, True)
    assert not known.sent("update")


def test_a_dry_run_in_the_editor(home: Path, known: StandIn, editor: Editor) -> None:
    editor.edits("s/BYHOUR=9/BYHOUR=10/")
    known.read("/api/v1/health", {"ok": True})
    code, shown = editor.run(home, "", "--dry-run")
    assert (code, "Dry run: nothing was changed." in shown) == (0, True), shown
    assert not known.sent("update")
    (kept,) = editor.kept()
    assert f"covenctl edit daily-notes -f {kept}" in shown


def test_ctrl_c_in_the_editor_is_the_editors(home: Path, known: StandIn, editor: Editor) -> None:
    (editor.folder / "interrupt").touch()
    editor.edits("s/Daily notes/Notes/")
    code, shown = editor.run(home)
    assert code == 0, shown
    assert len(known.sent("update")) == 1
