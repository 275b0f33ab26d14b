"""Releasing a routine from quarantine: why it is there, and what will be due next. No button is a default."""

from __future__ import annotations

from coven_desktop.engine.listing import AfterRelease, Quarantine, RoutineRow
from coven_desktop.qt.core import Qt
from coven_desktop.qt.widgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget
from coven_desktop.ui import texts
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.times import Times


class ReleaseDialog(QDialog):
    """Shows the quarantine of a routine and ends it when the person says so."""

    def __init__(
        self,
        row: RoutineRow,
        quarantine: Quarantine,
        after: AfterRelease,
        times: Times,
        acts: Acts,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._row = row
        self._times = times
        self._acts = acts
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Release “{name}”?").format(name=row.name))
        heading = QLabel(self.tr("Nothing of this routine is started while it is quarantined"), self)
        heading.setWordWrap(True)
        font = heading.font()
        font.setPointSizeF(font.pointSizeF() * 1.15)
        font.setBold(True)
        heading.setFont(font)
        self.why = QLabel("\n".join(self._why(quarantine)), self)
        self.why.setAccessibleName(self.tr("Why it is quarantined"))
        self.follow = QLabel("\n".join(self._follows(after)), self)
        self.follow.setAccessibleName(self.tr("What follows from the release"))
        for text in (self.why, self.follow):
            text.setWordWrap(True)
            text.setMinimumWidth(520)
            text.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        self.release = QPushButton(self.tr("&Release"), self)
        later = QPushButton(self.tr("Not &yet"), self)
        for button in (self.release, later):
            button.setAutoDefault(False)
        self.release.clicked.connect(self._release)
        later.clicked.connect(self.reject)
        line = QHBoxLayout()
        line.addStretch(1)
        line.addWidget(self.release)
        line.addWidget(later)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 14)
        column.setSpacing(12)
        for part in (heading, self.why, self.follow):
            column.addWidget(part)
        column.addLayout(line)
        later.setFocus()

    def _why(self, quarantine: Quarantine) -> list[str]:
        if quarantine.exhaustions == 1:
            count = self.tr("Its attempts were used up once.")
        else:
            count = self.tr("Its attempts were used up {n} times in a row.").format(n=quarantine.exhaustions)
        return [
            self.tr("Quarantined since {time}.").format(time=self._times.day_and_time(quarantine.since)),
            count,
            self.tr("At its last attempt it {what} ({name}).").format(
                what=texts.failure_class(quarantine.failure_class), name=quarantine.failure_class
            ),
            self.tr("Reason: {reason}").format(reason=quarantine.reason),
        ]

    def _follows(self, after: AfterRelease) -> list[str]:
        lines = [self.tr("If you release it:")]
        run = self._row.run
        if run is not None and run.phase == "held":
            lines.append(
                self.tr(
                    "– Its last run: {state}. It can then be retried; until that is settled no other run starts."
                ).format(state=texts.waits_for(run, self._times))
            )
        elif run is not None and run.phase == "waiting":
            lines.append(self.tr("– Its run goes on: {state}.").format(state=texts.waits_for(run, self._times)))
        if self._row.lifecycle != "active":
            lines.append(self.tr("– It stays {state}, so nothing is due.").format(state=self._row.lifecycle))
            return lines
        if after.at_once is not None:
            lines.append(
                self.tr("– The run of {time}, which came due meanwhile, is planned at once.").format(
                    time=self._times.day_and_time(after.at_once)
                )
            )
        if after.following is not None:
            lines.append(
                self.tr("– Its next run is due {time} ({relative}).").format(
                    time=self._times.day_and_time(after.following), relative=self._times.relative(after.following)
                )
            )
        lines.append(self.tr("– What else came due in the quarantine is left out and does not count as missed."))
        return lines

    def _release(self) -> None:
        self._acts.release(self._row.id, self._row.name)
        self.accept()
