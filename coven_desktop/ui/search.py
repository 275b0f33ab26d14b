"""The filter of a table: a line that offers its words while one types, and says calmly what it does not know."""

from __future__ import annotations

from collections.abc import Sequence

from coven_desktop.engine import filter_words
from coven_desktop.engine.filter_words import Unknown
from coven_desktop.qt.core import QCoreApplication, QModelIndex, QPersistentModelIndex, QStringListModel, Qt
from coven_desktop.qt.widgets import QCompleter, QLineEdit, QWidget

# What is offered after `status:`, the words that a person sees in the tables.
_STATUSES = (
    "active", "paused", "draft", "disabled", "invalid", "broken", "deleted", "quarantined", "attention", "planned",
    "starting", "running", "waiting", "held", "undecided", "succeeded", "failed", "stopped", "skipped", "superseded",
)  # fmt: skip


def _say(text: str) -> str:
    return QCoreApplication.translate("Search", text)


def help_text() -> str:
    """The words of the filter, for its tooltip."""
    lines = (
        _say("Words are looked for in names and prompts; all of them must be found. “In quotes” stay together."),
        _say("status:failed, status:paused, status:attention, status:deleted …"),
        _say("tag:notes, runtime:claude, zone:paris"),
        _say("due:today, due:tomorrow, due:24h, due:-7d, due:overdue, due:none"),
        _say("due:2026-03-29, due:2026-03-29..2026-04-02, due:2026-03-29T09:00..2026-03-29T12:00"),
        _say("A minus in front leaves out what matches: -status:succeeded"),
    )
    return "\n".join(lines)


def told(unknown: Sequence[Unknown]) -> str:
    """What is said of words that mean nothing here."""
    lines = []
    for one in unknown:
        if one.kind == "key":
            known = " ".join(f"{key}:" for key in filter_words.KEYS)
            text = _say("“{word}” is no word of the filter, so it is looked for as text. There are {known}")
        elif one.kind == "status":
            known = ", ".join(_STATUSES)
            text = _say("There is no status “{word}”. There are {known}.")
        else:
            known = ", ".join(filter_words.DUES)
            text = _say("“due:{word}” is not understood and left out. Try {known}, or a date such as 2026-03-29.")
        lines.append(text.format(word=one.word, known=known))
    return "\n".join(lines)


class _Words(QCompleter):
    """Completes the last word of the line."""

    def splitPath(self, path: str) -> list[str]:
        """See `QCompleter`."""
        word = path.rsplit(" ", 1)[-1].removeprefix("-")
        return [word or "\0"]

    def pathFromIndex(self, index: QModelIndex | QPersistentModelIndex) -> str:
        """See `QCompleter`."""
        line = self.widget()
        text = line.text() if isinstance(line, QLineEdit) else ""
        before, space, last = text.rpartition(" ")
        minus = "-" if last.startswith("-") else ""
        return f"{before}{space}{minus}{index.data()}"


class FilterEdit(QLineEdit):
    """See the file's docstring."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText(self.tr("Filter: words, status: due: tag: runtime: zone:"))
        self.setAccessibleName(self.tr("Filter"))
        self.setAccessibleDescription(help_text())
        self.setToolTip(help_text())
        self.setClearButtonEnabled(True)
        words = [f"status:{status}" for status in _STATUSES]
        words += [f"due:{due}" for due in filter_words.DUES] + ["tag:", "runtime:", "zone:"]
        completer = _Words(self)
        completer.setModel(QStringListModel(words, completer))
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setCompleter(completer)
