"""The database cannot be trusted: what happened, what can be done, and the newest backup beside it.

Shown before anything else is built. Nothing is overwritten: restoring puts the backup in place and keeps the damaged
file under a new name (design/architecture.md, State).
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from coven_desktop.qt.core import QDateTime, QLocale, Qt
from coven_desktop.qt.gui import QIcon
from coven_desktop.qt.widgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget
from coven_desktop.ui.bounded import BoundedDialog


class DamageDialog(BoundedDialog):
    """Accepted when the backup was restored, rejected when the person quits instead.

    `sentence` and `advice` are the fault's own; `backup` is the newest one, None when there is none or when restoring
    is no answer to this fault; `restore` puts it in place and returns where the damaged file is now. It may raise an
    exception whose text is shown.
    """

    def __init__(
        self,
        sentence: str,
        advice: str,
        backup: Path | None,
        restore: Callable[[Path], Path],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(self.tr("What happened"), 600, parent=parent)
        self._backup = backup
        self._restore = restore
        self.damaged_kept_at: Path | None = None
        self.setWindowTitle("Coven Desktop")
        heading = QLabel(sentence, self)
        font = heading.font()
        font.setPointSizeF(font.pointSizeF() * 1.15)
        font.setBold(True)
        heading.setFont(font)
        self.text = QLabel(self._say(advice), self)
        for label in (heading, self.text):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.restore_button = QPushButton(self.tr("&Restore the backup"), self)
        self.restore_button.setVisible(backup is not None)
        self.restore_button.clicked.connect(self._do_restore)
        self.quit_button = QPushButton(self.tr("&Quit"), self)
        self.quit_button.clicked.connect(self.reject)
        icon = QLabel(self)
        icon.setPixmap(QIcon.fromTheme("dialog-warning").pixmap(32, 32))
        icon.setVisible(not icon.pixmap().isNull())
        words = QVBoxLayout()
        words.addWidget(heading)
        words.addWidget(self.text)
        top = QHBoxLayout()
        top.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        top.addLayout(words, 1)
        self.column.addLayout(top)
        self.finish(self.restore_button, self.quit_button)

    def _say(self, advice: str) -> str:
        parts = [advice]
        if self._backup is not None:
            made = QDateTime.fromSecsSinceEpoch(int(self._backup.stat().st_mtime))
            when = QLocale().toString(made, QLocale.FormatType.ShortFormat)
            parts.append(
                self.tr("The newest backup is of {when}: {name}. What happened since then is not in it.").format(
                    when=when, name=self._backup.name
                )
            )
        else:
            parts.append(self.tr("There is nothing to restore from here. Nothing was changed."))
        return "\n\n".join(parts)

    def _do_restore(self) -> None:
        if self._backup is None:
            return
        try:
            self.damaged_kept_at = self._restore(self._backup)
        except Exception as error:  # noqa: BLE001 - whatever it is, the person must read it and can still quit
            self.text.setText(self.tr("Restoring failed: {reason}").format(reason=error))
            self.restore_button.setEnabled(False)
            return
        self.accept()
