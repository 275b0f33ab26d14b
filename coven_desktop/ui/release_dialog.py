"""Releasing a routine from quarantine: why it is there, and what will be due next. No button is a default."""

from __future__ import annotations

from collections.abc import Callable

from coven_desktop.engine.listing import AfterRelease, Quarantine, RoutineRow
from coven_desktop.qt.widgets import QPushButton, QVBoxLayout, QWidget
from coven_desktop.ui import refusals, texts
from coven_desktop.ui.acts import Acts
from coven_desktop.ui.deciding_dialog import DecidingDialog, step_button
from coven_desktop.ui.facts import Facts
from coven_desktop.ui.failed_runs import FailedRuns
from coven_desktop.ui.reader import ReaderThread
from coven_desktop.ui.texts import Tone
from coven_desktop.ui.times import Times

Read = Callable[[], tuple[RoutineRow, AfterRelease] | None]


class ReleaseDialog(DecidingDialog):
    """Shows the quarantine of a routine and ends it when the person says so.

    `read` gives the routine and what its release would bring now, None when it was deleted; `refresh` asks it again.
    """

    def __init__(
        self, row: RoutineRow, read: Read, times: Times, acts: Acts, reader: ReaderThread, parent: QWidget | None = None
    ) -> None:
        super().__init__(
            acts,
            self.tr("Release “{name}”?").format(name=row.name),
            self.tr("“{name}” is quarantined: nothing of it is started").format(name=row.name),
            parent,
        )
        self.automation_id = row.id
        self._name = row.name
        self._read = read
        self._times = times
        self._row: RoutineRow | None = row
        self._quarantine: Quarantine | None = None
        self.why = Facts(parent=self)
        self.why.setAccessibleName(self.tr("Why it is quarantined"))
        self.runs = FailedRuns(reader, times, self)
        self.follow = self.paragraph(self.tr("What follows from the release"))
        self.release = QPushButton(self.tr("&Release"), self)
        later = QPushButton(self.tr("Not &yet"), self)
        self.release.clicked.connect(self._release)
        later.clicked.connect(self.reject)
        runs = QVBoxLayout()
        runs.setSpacing(4)
        runs.addWidget(self.caption(self.tr("Its last failed runs"), self.runs))
        runs.addWidget(self.runs)
        self.column.addWidget(self.why)
        self.column.addLayout(runs, 1)
        self.column.addWidget(self.follow)
        self.finish(self.release, later)
        self.refresh()

    def refresh(self) -> None:
        """The routine may have been released, failed again or deleted meanwhile."""
        if self.asked:
            return
        found = self._read()
        self._row = found[0] if found is not None else None
        quarantine = self._row.quarantine if self._row is not None else None
        if quarantine is not None and quarantine != self._quarantine:
            self._quarantine = quarantine
            self.why.show_facts(self._why(quarantine))
            self.runs.show_routine(self.automation_id, quarantine.exhaustions)
        if found is not None and quarantine is not None:
            self.follow.setText("\n".join(self._follows(*found)))
        self.restate()

    def restate(self) -> None:
        """See `DecidingDialog`."""
        off = ""
        if self.asked:
            off = self.tr("The release is being asked for.")
        elif self._row is None:
            off = self.tr("The routine was deleted meanwhile.")
        elif self._row.quarantine is None:
            off = self.tr("It was released elsewhere meanwhile: it is not in quarantine any more.")
        step_button(self.tr("&Release"), off, self.release)
        if off and not self.asked:
            self.say(off, Tone.PLAIN)

    def _why(self, quarantine: Quarantine) -> list[tuple[str, str]]:
        if quarantine.exhaustions == 1:
            count = self.tr("its attempts were used up once")
        else:
            count = self.tr("its attempts were used up {n} times in a row").format(n=quarantine.exhaustions)
        what = self.tr("at its last attempt it {what}").format(what=texts.failure_class(quarantine.failure_class))
        since = self.tr("{time}, {relative}").format(
            time=self._times.day_and_time(quarantine.since), relative=self._times.relative(quarantine.since)
        )
        return [
            (self.tr("Since"), since),
            (self.tr("Because"), count),
            (self.tr("Kind"), what),
            (self.tr("Reason"), refusals.sentence(quarantine.reason)),
        ]

    def _follows(self, row: RoutineRow, after: AfterRelease) -> list[str]:
        lines = [self.tr("If you release it:")]
        run = row.run
        if run is not None and run.phase == "held":
            lines.append(
                self.tr(
                    "– Its last run: {state}. It can then be retried; until that is settled no other run starts."
                ).format(state=texts.waits_for(run, self._times))
            )
        elif run is not None and run.phase == "waiting":
            lines.append(self.tr("– Its run goes on: {state}.").format(state=texts.waits_for(run, self._times)))
        if row.lifecycle != "active":
            lines.append(self._stays(row))
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
        lines.append(
            self.tr("– If the cause is still there, its next run fails the same way and it is quarantined again.")
        )
        return lines

    def _stays(self, row: RoutineRow) -> str:
        return {
            "paused": self.tr("– It stays paused, so nothing is due."),
            "disabled": self.tr("– It stays disabled, so nothing is due."),
        }.get(row.lifecycle, self.tr("– It is not active, so nothing is due."))

    def _release(self) -> None:
        self.act(lambda then: self._acts.release(self.automation_id, self._name, then))
