"""The runtimes: what each one starts on this machine, whether it works, and the person's own to add and change."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from coven_desktop.qt.core import QCoreApplication
from coven_desktop.qt.gui import QFontDatabase
from coven_desktop.qt.widgets import (
    QPlainTextEdit,
    QTableWidgetItem,
    QWidget,
)
from coven_desktop.ui import questions, tones
from coven_desktop.ui.aside import Aside
from coven_desktop.ui.doors import RuntimeChoice, Tried
from coven_desktop.ui.plain import tip
from coven_desktop.ui.questions import Choice
from coven_desktop.ui.settings.doors import NotDone, SettingsDoors
from coven_desktop.ui.settings.page import Page, StateLine, attempt
from coven_desktop.ui.settings.runtime_editor import RuntimeEditor
from coven_desktop.ui.texts import Tone


class RuntimesPage(Page):
    """See the file's docstring."""

    def __init__(self, doors: SettingsDoors, parent: QWidget | None = None) -> None:
        super().__init__(_say("Runtimes"), parent)
        self._doors = doors
        self._known: Sequence[RuntimeChoice] = ()
        self._wanted = ""
        self.words(
            self.tr(
                "A runtime is the command that a routine's prompt goes to. Found here are those of your login shell."
            )
        )
        self.table = self.listing(
            self.tr("Runtimes"), [self.tr("Name"), self.tr("What it starts"), self.tr("State")], widest=1
        )
        self.table.setMinimumHeight(190)
        self.table.itemSelectionChanged.connect(self._allow)
        self.table.itemDoubleClicked.connect(lambda _: self._edit())
        self.test = self.button(self.tr("&Test"), self._test, self.tr("Ask the selected command whether it works"))
        self.add = self.button(self.tr("&Add…"), lambda: self._open(None), self.tr("Add a command of your own"))
        self.edit = self.button(self.tr("&Edit…"), self._edit, self.tr("Change the selected runtime of your own"))
        self.remove = self.button(self.tr("&Remove…"), self._remove, self.tr("Remove the selected runtime of your own"))
        self.again = self.button(self.tr("&Look again"), self._look_again, self.tr("Ask the login shell anew"))
        self.row(self.test, self.add, self.edit, self.remove, self.again)
        self.file_state = StateLine(self)
        self.body.addWidget(self.file_state)
        self.state = StateLine(self)
        self.body.addWidget(self.state)
        self.output = QPlainTextEdit(self)
        self.output.setReadOnly(True)
        self.output.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.output.setAccessibleName(self.tr("What the command printed"))
        self.output.setMaximumHeight(140)
        self.output.setTabChangesFocus(True)
        self.output.hide()
        self.body.addWidget(self.output)
        self._allow()

    def shown(self) -> None:
        """List them again: runtimes.toml may have been edited."""
        Aside(lambda: attempt(self._doors.runtimes), self._list, self)
        Aside(lambda: attempt(self._doors.runtimes_faults), self._tell_file, self)

    def _tell_file(self, faults: Sequence[str] | NotDone) -> None:
        """What is wrong in runtimes.toml and belongs to none of the rows."""
        if isinstance(faults, NotDone) or not faults:
            self.file_state.say("", Tone.QUIET)
            return
        mend = self.tr("What it names there is not known until it is mended; the others work.")
        self.file_state.say(" ".join((*faults, mend)), Tone.BAD)

    @property
    def selected(self) -> RuntimeChoice | None:
        """The runtime of the selected row."""
        row = self.table.currentRow()
        return self._known[row] if 0 <= row < len(self._known) and self.table.selectedItems() else None

    def _list(self, known: Sequence[RuntimeChoice] | NotDone) -> None:
        if isinstance(known, NotDone):
            self.state.say(str(known), Tone.BAD)
            return
        chosen = self._wanted or (self.selected.name if self.selected else "")
        self._wanted = ""
        self._known = known
        self.table.setRowCount(len(known))
        for row, one in enumerate(known):
            text, tone = _standing(one)
            cells = (one.name, " ".join(one.command), text)
            for column, cell in enumerate(cells):
                item = QTableWidgetItem(cell)
                item.setToolTip(tip(one.problem or cell))
                if column == 2:
                    item.setIcon(tones.mark(tone, self.palette()))
                self.table.setItem(row, column, item)
            if one.name == chosen:
                self.table.selectRow(row)
        if self.selected is None and known:
            self.table.selectRow(0)
        self._allow()

    def _allow(self) -> None:
        one = self.selected
        self.test.setEnabled(one is not None and not one.problem)
        for control in (self.edit, self.remove):
            control.setEnabled(one is not None and one.own)
        if one is not None and one.problem:
            self.state.say(one.problem, Tone.BAD)

    # --- testing -----------------------------------------------------------------------------------------------------

    def _test(self) -> None:
        one = self.selected
        if one is not None and one.try_out is not None:
            self._try(one.name, one.try_out)

    def _try(self, name: str, work: Callable[[], Tried]) -> None:
        self.test.setEnabled(False)
        self.output.hide()
        self.state.say(self.tr("Testing “{name}”; this takes 15 seconds at most…").format(name=name), Tone.BUSY)
        Aside(work, lambda tried: self._tested(name, tried), self)

    def _tested(self, name: str, tried: Tried) -> None:
        self._allow()
        text, tone = trial_words(name, tried)
        if tried.verdict == "there":
            program = self._program(name)
            step = self.tr("Run it with --version")
            self.state.say(text, tone, step, lambda: self._try(name, lambda: self._doors.try_version(program)))
        else:
            self.state.say(text, tone)
        shown = "\n".join(
            part for part in (f"$ {' '.join(tried.command)}" if tried.command else "", tried.output) if part
        )
        self.output.setPlainText(shown)
        self.output.setVisible(bool(shown))

    def _program(self, name: str) -> str:
        return next((one.command[0] for one in self._known if one.name == name and one.command), name)

    def _look_again(self) -> None:
        self.again.setEnabled(False)
        self.state.say(self.tr("Asking your login shell; this takes 5 seconds at most…"), Tone.BUSY)

        def told(outcome: NotDone | None) -> None:
            self.again.setEnabled(True)
            if isinstance(outcome, NotDone):
                self.state.say(str(outcome), Tone.ASKS)
            else:
                self.state.say(self.tr("The login shell was asked anew."), Tone.GOOD)
            self.shown()

        Aside(lambda: attempt(self._doors.look_for_commands), told, self)

    # --- the person's own --------------------------------------------------------------------------------------------

    def _edit(self) -> None:
        one = self.selected
        if one is not None and one.own:
            Aside(lambda: self._doors.own_runtime(one.name), lambda table: self._open(one.name, table), self)

    def _open(self, name: str | None, table: object = None) -> None:
        editor = RuntimeEditor(name, table if isinstance(table, dict) else {}, self._doors, self.window())

        def saved(given: str) -> None:
            self._wanted = given
            self.state.say(self.tr("“{name}” is saved. Test it here.").format(name=given), Tone.GOOD)
            self.shown()

        editor.saved.connect(saved)
        editor.open()

    def _remove(self) -> None:
        one = self.selected
        if one is None or not one.own:
            return

        def removed(outcome: NotDone | None) -> None:
            if isinstance(outcome, NotDone):
                self.state.say(str(outcome), Tone.BAD)
            self.shown()

        def remove() -> None:
            Aside(lambda: attempt(lambda: self._doors.remove_runtime(one.name)), removed, self)

        questions.ask(
            self.tr("Remove the runtime “{name}”?").format(name=one.name),
            self.tr("It leaves runtimes.toml. Routines that name it cannot run until they name another one."),
            [Choice(self.tr("Remove it"), remove), Choice(self.tr("Keep it"))],
            self.window(),
        )


def _standing(one: RuntimeChoice) -> tuple[str, Tone]:
    if one.problem:
        return _say("wrong in runtimes.toml"), Tone.BAD
    if one.found:
        return (_say("found, your own") if one.own else _say("found")), Tone.GOOD
    return _say("not found"), Tone.ASKS if one.own else Tone.QUIET


def trial_words(name: str, tried: Tried) -> tuple[str, Tone]:
    """How a test went, in a sentence."""
    match tried.verdict:
        case "works":
            return _say("“{name}” works.").format(name=name), Tone.GOOD
        case "there":
            text = _say("The command of “{name}” is there. It was not started: what it does is not known here.")
            return text.format(name=name), Tone.PLAIN
        case "not_found":
            text = _say("The command of “{name}” was not found. Install it, then look again.")
            return text.format(name=name), Tone.BAD
        case "unknown":
            return _say("There is no runtime “{name}” any more.").format(name=name), Tone.BAD
        case "too_slow":
            return _say("“{name}” gave no answer in time and was ended.").format(name=name), Tone.BAD
        case "failed":
            if tried.exit_code is None:
                return _say("“{name}” could not be started.").format(name=name), Tone.BAD
            text = _say("“{name}” ended with code {code}.")
            return text.format(name=name, code=tried.exit_code), Tone.BAD


def _say(text: str) -> str:
    return QCoreApplication.translate("RuntimesPage", text)
