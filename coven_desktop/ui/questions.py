"""Questions that are asked before something that cannot be undone, or that is not what it seems.

None of them has a default button: Enter alone does nothing (design/product.md 5; decisions.md 43).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coven_desktop.qt.core import QCoreApplication, Qt
from coven_desktop.qt.widgets import QLabel, QPushButton, QWidget
from coven_desktop.ui.bounded import BoundedDialog

WIDTH = 480


@dataclass(frozen=True)
class Choice:
    """A button: what it says and what it does (None: it only closes the question)."""

    text: str
    does: Callable[[], None] | None = None


class Question(BoundedDialog):
    """A sentence, what follows from it, and choices; the last one is the safe one and what Escape means."""

    def __init__(self, title: str, text: str, choices: Sequence[Choice], parent: QWidget | None = None) -> None:
        super().__init__(_say("The question"), WIDTH, parent=parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleDescription(text)
        heading = QLabel(title, self)
        heading.setWordWrap(True)
        font = heading.font()
        font.setPointSizeF(font.pointSizeF() * 1.15)
        font.setBold(True)
        heading.setFont(font)
        body = QLabel(text, self)
        body.setWordWrap(True)
        body.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.buttons: list[QPushButton] = []
        for choice in choices:
            button = QPushButton(choice.text, self)
            button.clicked.connect(lambda _checked=False, does=choice.does: self._chosen(does))
            self.buttons.append(button)
        self.column.addWidget(heading)
        self.column.addWidget(body)
        self.finish(*self.buttons)

    def _chosen(self, does: Callable[[], None] | None) -> None:
        self.close()
        if does is not None:
            does()


def ask(title: str, text: str, choices: Sequence[Choice], parent: QWidget | None) -> Question:
    """Show a question and return it; nothing waits for it."""
    question = Question(title, text, choices, parent)
    question.open() if parent is not None and parent.isVisible() else question.show()
    question.raise_()
    question.activateWindow()
    return question


def confirm_stop(name: str, does: Callable[[], None], parent: QWidget | None) -> Question:
    """Before a stop: it cannot be undone."""
    return ask(
        _say("Stop “{name}”?").format(name=name),
        _say(
            "Everything this run has started is told to end, and ended by force if it does not. It counts as stopped"
            " only when it is proven that nothing is left. Work it has half done stays half done."
        ),
        [Choice(_say("Stop it"), does), Choice(_say("Keep it running"))],
        parent,
    )


def confirm_give_up(name: str, outlived: bool, does: Callable[[], None], parent: QWidget | None) -> Question:
    """Before a held run is given up: it cannot be retried afterwards (contract/engine.md §7).

    `outlived`: its routine was deleted after it began, and could not be retried before either.
    """
    if outlived:
        text = _say(
            "Nothing of it is running. It is recorded as stopped, and its failed attempts stay as they are. Its routine"
            " was deleted."
        )
    else:
        text = _say(
            "Nothing of it is running. It is recorded as stopped, its failed attempts stay as they are, and it cannot"
            " be retried any more. The routine goes on with its schedule."
        )
    return ask(
        _say("Give up this run of “{name}”?").format(name=name),
        text,
        [Choice(_say("Give it up"), does), Choice(_say("Keep it"))],
        parent,
    )


def confirm_cancel(name: str, retry: bool, does: Callable[[], None], parent: QWidget | None) -> Question:
    """Before what has not begun is cancelled: a planned run, or (`retry`) the next attempt of one."""
    if retry:
        title, text = _say("Cancel the retry of “{name}”?"), _say("Nothing of it is running. The run ends as stopped.")
    else:
        title, text = _say("Cancel this run of “{name}”?"), _say("It has not begun yet, and it will not begin.")
    return ask(
        title.format(name=name),
        text + " " + _say("The routine goes on with its schedule."),
        [Choice(_say("Cancel it"), does), Choice(_say("Keep it"))],
        parent,
    )


def confirm_discard(does: Callable[[], None], parent: QWidget | None) -> Question:
    """Before what was typed into a form is thrown away: it is kept nowhere else."""
    return ask(
        _say("Discard what you entered?"),
        _say("It is not saved, and it cannot be brought back."),
        [Choice(_say("Discard"), does), Choice(_say("Keep editing"))],
        parent,
    )


def confirm_discard_all(forms: int, does: Callable[[], None], parent: QWidget | None) -> Question:
    """Before the app quits with forms that hold what is saved nowhere."""
    if forms == 1:
        text = _say("A routine is open that you changed and did not save. What you entered cannot be brought back.")
    else:
        text = _say("{n} routines are open that you changed and did not save. What you entered cannot be brought back.")
    return ask(
        _say("Discard what you entered?"),
        text.format(n=forms),
        [Choice(_say("Discard and quit"), does), Choice(_say("Keep editing"))],
        parent,
    )


def tell(title: str, text: str, parent: QWidget | None) -> Question:
    """Say that something was refused, and why."""
    return ask(title, text, [Choice(_say("Close"))], parent)


def confirm_quit(
    running: int, let_run: Callable[[], None], stop_all: Callable[[], None], parent: QWidget | None
) -> Question:
    """Quit with work under way: says what happens to it (decisions.md 4)."""
    count = _say("One run is going on.") if running == 1 else _say("{n} runs are going on.").format(n=running)
    return ask(
        _say("Quit Coven Desktop?"),
        count
        + " "
        + _say(
            "Runs go on without the app until you log out; at the next start it meets them again and records how they"
            " ended. Nothing new starts while the app is not running."
        ),
        [
            Choice(_say("Quit, let them run"), let_run),
            Choice(_say("Stop them, then quit"), stop_all),
            Choice(_say("Stay")),
        ],
        parent,
    )


def _say(text: str) -> str:
    return QCoreApplication.translate("Questions", text)
