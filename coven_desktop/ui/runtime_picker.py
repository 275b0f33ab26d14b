"""Which command a routine runs: its name, what that starts on this machine, and a test that does nothing else."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from coven_desktop.qt.core import QCoreApplication, Qt, Signal
from coven_desktop.qt.gui import QPalette
from coven_desktop.qt.widgets import QComboBox, QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget
from coven_desktop.ui import tones
from coven_desktop.ui.aside import Aside
from coven_desktop.ui.doors import RuntimeChoice, Tried
from coven_desktop.ui.texts import Tone


class RuntimePicker(QWidget):
    """See the file's docstring. `changed` follows every change of the name."""

    changed = Signal()

    def __init__(self, choices: Sequence[RuntimeChoice], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choices = {choice.name: choice for choice in choices}
        self._tried = ""
        self.box = QComboBox(self)
        self.box.setEditable(True)
        self.box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.box.addItems([choice.name for choice in choices])
        self.box.setAccessibleName(self.tr("Runtime"))
        self.box.setWhatsThis(
            self.tr(
                "The command that does the work. Those built in are shell, coven-code, claude, codex and copilot; your"
                " own are in runtimes.toml."
            )
        )
        self.test = QPushButton(self.tr("Test"), self)
        self.test.setAutoDefault(False)
        self.command = QLabel(self)
        self.command.setWordWrap(True)
        self.command.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.result = QLabel(self)
        self.result.setWordWrap(True)
        self.result.hide()
        self.output = QPlainTextEdit(self)
        self.output.setReadOnly(True)
        self.output.setTabChangesFocus(True)
        self.output.setAccessibleName(self.tr("What the test printed"))
        self.output.setMaximumHeight(self.fontMetrics().height() * 5 + 12)
        self.output.hide()
        self.command.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        small = self.command.font()
        small.setPointSizeF(small.pointSizeF() * 0.92)
        for label in (self.command, self.result):
            label.setFont(small)
        line = QHBoxLayout()
        line.addWidget(self.box, 1)
        line.addWidget(self.test)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(line)
        column.addWidget(self.command)
        column.addWidget(self.result)
        column.addWidget(self.output)
        self.setFocusProxy(self.box)
        self.box.editTextChanged.connect(self._renamed)
        self.test.clicked.connect(self._try_out)
        self._show_choice()

    def name(self) -> str:
        """What is entered, known or not."""
        return self.box.currentText().strip()

    def set_name(self, name: str) -> None:
        """Show a name."""
        self.box.setEditText(name)

    def first_found(self) -> str:
        """What a new routine begins with: the first whose command is here, the person's own and agents alike."""
        return next((choice.name for choice in self._choices.values() if choice.found), "shell")

    def warning(self) -> str:
        """Why runs of this runtime will not start, and what to do about it; empty when nothing is known against it."""
        name = self.name()
        choice = self._choices.get(name)
        if not name or not self._choices or (choice is not None and choice.found):
            return ""
        if choice is None:
            return self.tr(
                "No runtime of this name is known: its runs will be refused. Choose another, or add it to"
                " runtimes.toml."
            )
        if choice.problem:
            return self.tr("Its runs will be refused: {problem}").format(problem=choice.problem)
        if choice.own:
            text = self.tr(
                "The command of “{name}” was not found on this machine: give its whole path in runtimes.toml. Until"
                " then its runs fail and are tried again as the routine says."
            )
        else:
            text = self.tr(
                "The command of “{name}” was not found on this machine: install it, so that a terminal finds it too."
                " Until then its runs fail and are tried again as the routine says."
            )
        return text.format(name=name)

    def _renamed(self) -> None:
        self.result.hide()
        self.output.hide()
        self._tried = ""
        self._show_choice()
        self.changed.emit()

    def _show_choice(self) -> None:
        choice = self._choices.get(self.name())
        usable = choice is not None and not choice.problem
        self.test.setEnabled(usable and choice is not None and choice.try_out is not None)
        self.test.setToolTip(self.tr("Ask the command for its version, as a run would start it. It does no work."))
        self.command.setVisible(usable and choice is not None and bool(choice.command))
        if choice is not None and choice.command:
            way = {
                "stdin": self.tr("Runs {command}, with the prompt as its input."),
                "file": self.tr("Runs {command}, with the prompt in a file."),
                "argument": self.tr("Runs {command}, with the prompt as an argument."),
            }[choice.prompt]
            self.command.setText(way.format(command=_shown(choice.command)))

    def _try_out(self) -> None:
        choice = self._choices.get(self.name())
        if choice is None or choice.try_out is None or self._tried:
            return
        self._tried = choice.name
        self.test.setEnabled(False)
        self._say(self.tr("Testing…"), Tone.BUSY)
        Aside(choice.try_out, lambda tried: self._show_result(choice.name, tried), self)

    def _show_result(self, name: str, tried: Tried) -> None:
        if self._tried != name:
            return  # another runtime is chosen by now
        self._tried = ""
        self.test.setEnabled(True)
        self._say(sentence(tried), Tone.GOOD if tried.verdict in ("works", "there") else Tone.BAD)
        self.output.setPlainText(tried.output)
        self.output.setVisible(bool(tried.output))

    def _say(self, text: str, tone: Tone) -> None:
        palette = self.result.palette()
        palette.setColor(QPalette.ColorRole.WindowText, tones.colour(tone, self.palette()))
        self.result.setPalette(palette)
        self.result.setText(text)
        self.result.show()
        self.test.setAccessibleDescription(text)


def sentence(tried: Tried) -> str:
    """How a trial went."""
    command = _shown(tried.command)
    if tried.verdict == "failed" and tried.exit_code is None:
        return _say("{command} could not be started.").format(command=command)
    return {
        "works": _say("It works: {command} answered."),
        "there": _say("Its command is there. It was not started: what it would do is not known."),
        "not_found": _say("Its command was not found."),
        "unknown": _say("No runtime of this name is known any more."),
        "failed": _say("{command} ended with code {code}."),
        "too_slow": _say("{command} did not answer in time and was ended."),
    }[tried.verdict].format(command=command, code=tried.exit_code)


def _shown(command: Sequence[str]) -> str:
    """A command line to read; placeholders as they stand."""
    return " ".join(word if word.startswith("{") else shlex.quote(word) for word in command)


def _say(text: str) -> str:
    return QCoreApplication.translate("RuntimePicker", text)
