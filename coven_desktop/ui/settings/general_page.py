"""Starting, runs, looks and notifications: each change counts at once, and a bad one is refused where it stands."""

from __future__ import annotations

from coven_desktop.desktop.autostart import Autostart, AutostartFile, CannotSet
from coven_desktop.qt.core import QCoreApplication, QSignalBlocker
from coven_desktop.qt.widgets import QCheckBox, QComboBox, QLabel, QSpinBox, QWidget
from coven_desktop.settings import MINIMUM_RETENTION_DAYS, THEMES, Settings
from coven_desktop.ui import questions
from coven_desktop.ui.aside import Aside
from coven_desktop.ui.questions import Choice
from coven_desktop.ui.settings.keeper import Keeper
from coven_desktop.ui.settings.page import Page, StateLine
from coven_desktop.ui.texts import Tone

_NEW_LIMIT_DAYS = 365


class GeneralPage(Page):
    """See the file's docstring."""

    def __init__(self, keeper: Keeper, login: AutostartFile, parent: QWidget | None = None) -> None:
        super().__init__(_say("General"), parent)
        self._keeper = keeper
        self._login = login
        self._starting()
        self._runs()
        self._looks()
        self._notifications()
        self.trouble = StateLine(self)
        self.body.addWidget(self.trouble)
        self.body.addStretch(1)
        self._show(keeper.current)
        keeper.changed.connect(self._show)
        keeper.refused.connect(self._refused)

    def shown(self) -> None:
        """Look again at the autostart file: somebody else may have changed it."""
        self._look_at_login(None)

    # --- building ----------------------------------------------------------------------------------------------------

    def _starting(self) -> None:
        self.heading(self.tr("Starting"))
        self.at_login = QCheckBox(self.tr("Start at &login, in the tray"), self)
        self.at_login.clicked.connect(self._switch_login)
        self.login_state = StateLine(self)
        self.background = QCheckBox(self.tr("Keep running in the &tray when the window is closed"), self)
        self.background.clicked.connect(lambda on: self._keeper.change(run_in_background=on))
        for part in (self.at_login, self.login_state, self.background):
            self.body.addWidget(part)

    def _runs(self) -> None:
        self.heading(self.tr("Runs"))
        self.places = self._number(self.tr("Runs at the same &time:"), 0, 1_000, self.tr("no limit"))
        self.places.setToolTip(self.tr("What is due beyond that waits for its turn. Run now never waits."))
        self.places.valueChanged.connect(lambda value: self._keeper.change(max_concurrent_runs=value))
        self.failures = self._number(self.tr("Pause a routine after &failures in a row:"), 0, 1_000, self.tr("never"))
        self.failures.setToolTip(
            self.tr("Of routines with a cron schedule. The others are quarantined by their retries.")
        )
        self.failures.valueChanged.connect(lambda value: self._keeper.change(pause_after_failures=value))
        self.limits = QCheckBox(self.tr("&Delete history that is older than"), self)
        self.limits.setToolTip(
            self.tr("Unless you say so here, everything is kept. Routines are never deleted by this.")
        )
        self.days = QSpinBox(self)
        self.days.setRange(MINIMUM_RETENTION_DAYS, 36_500)
        self.days.setSuffix(self.tr(" days"))
        self.days.setKeyboardTracking(False)
        self.days.setAccessibleName(self.tr("Days of history that are kept"))
        self.limits.clicked.connect(lambda on: self._limit(self.days.value() if on else None))
        self.days.valueChanged.connect(self._limit)
        self.row(self.limits, self.days)

    def _looks(self) -> None:
        self.heading(self.tr("Looks"))
        self.theme = QComboBox(self)
        names = {"system": self.tr("As the system"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        for theme in THEMES:
            self.theme.addItem(names[theme], theme)
        label = QLabel(self.tr("&Colours:"), self)
        label.setBuddy(self.theme)
        self.theme.setAccessibleName(self.tr("Colours"))
        self.theme.activated.connect(lambda _: self._keeper.change(theme=self.theme.currentData()))
        self.row(label, self.theme)
        self.iso = QCheckBox(self.tr("Write dates as &2026-12-24 18:00"), self)
        self.iso.clicked.connect(lambda on: self._keeper.change(iso_dates=on))
        self.body.addWidget(self.iso)

    def _notifications(self) -> None:
        self.heading(self.tr("Notifications"))
        self.notify = QCheckBox(self.tr("&Notify me when something needs my decision"), self)
        self.notify.clicked.connect(lambda on: self._keeper.change(notifications=on))
        self.each = QCheckBox(self.tr("Also of &each run that failed"), self)
        self.each.clicked.connect(lambda on: self._keeper.change(notify_each_failure=on))
        self.quiet = QCheckBox(self.tr("&Quietly, without sound"), self)
        self.quiet.clicked.connect(lambda on: self._keeper.change(notify_quietly=on))
        for part in (self.notify, self.each, self.quiet):
            self.body.addWidget(part)

    def _number(self, text: str, least: int, most: int, at_least: str) -> QSpinBox:
        spin = QSpinBox(self)
        spin.setRange(least, most)
        spin.setSpecialValueText(at_least)
        spin.setKeyboardTracking(False)
        label = QLabel(text, self)
        label.setBuddy(spin)
        spin.setAccessibleName(text.replace("&", "").rstrip(":"))
        self.row(label, spin)
        return spin

    # --- showing and changing ----------------------------------------------------------------------------------------

    def _show(self, now: Settings) -> None:
        controls = (self.places, self.failures, self.days)
        blockers = [QSignalBlocker(control) for control in controls]
        self.background.setChecked(now.run_in_background)
        self.places.setValue(now.max_concurrent_runs)
        self.failures.setValue(now.pause_after_failures)
        self.limits.setChecked(now.retention_days is not None)
        self.days.setEnabled(now.retention_days is not None)
        if now.retention_days is not None or not self.days.hasFocus():
            self.days.setValue(now.retention_days or _NEW_LIMIT_DAYS)
        self.theme.setCurrentIndex(self.theme.findData(now.theme))
        self.iso.setChecked(now.iso_dates)
        self.notify.setChecked(now.notifications)
        for control in (self.each, self.quiet):
            control.setEnabled(now.notifications)
        self.each.setChecked(now.notify_each_failure)
        self.quiet.setChecked(now.notify_quietly)
        del blockers
        wrong = self._keeper.problems
        self.trouble.say(wrong[0].sentence if wrong else "", Tone.ASKS)

    def _refused(self, sentence: str) -> None:
        self._show(self._keeper.current)
        self.trouble.say(sentence, Tone.BAD)

    def _limit(self, days: int | None) -> None:
        """A tighter limit deletes what cannot be brought back, so it is confirmed (decisions.md 43)."""
        known = self._keeper.current.retention_days
        if days == known:
            return
        if days is None or (known is not None and days > known):
            self._keeper.change(retention_days=days)
            return
        question = questions.ask(
            self.tr("Delete history older than {n} days?").format(n=days),
            self.tr(
                "Runs that were settled longer ago are deleted with their output, in some minutes and then every few"
                " hours. That cannot be undone. What is open, and the newest run of each routine, stays."
            ),
            [
                Choice(self.tr("Delete what is older"), lambda: self._keeper.change(retention_days=days)),
                Choice(self.tr("Keep it")),
            ],
            self.window(),
        )
        question.finished.connect(lambda _: self._show(self._keeper.current))

    def _switch_login(self, on: bool) -> None:
        self._look_at_login(on)

    def _look_at_login(self, switch: bool | None) -> None:
        def work() -> Autostart | str:
            try:
                if switch is not None:
                    self._login.switch(switch)
            except CannotSet as error:
                return str(error)
            return self._login.look()

        Aside(work, self._show_login, self)

    def _show_login(self, found: Autostart | str) -> None:
        if isinstance(found, str):
            self.at_login.setChecked(False)
            self.login_state.say(found, Tone.BAD)
            return
        self.at_login.setChecked(found.state == "on")
        text, step = login_words(found)
        calm = found.state in ("on", "off")
        self.login_state.say("" if calm else text, Tone.ASKS, step, lambda: self._look_at_login(True))


def login_words(found: Autostart) -> tuple[str, str]:
    """How starting at login stands, in a sentence, and what the button that mends it says."""
    file, program = str(found.path), found.program
    match found.state:
        case "on":
            return _say("Coven Desktop starts at login, in the tray."), ""
        case "off":
            return _say("Coven Desktop does not start at login: nothing runs until you start it."), ""
        case "switched_off":
            text = _say("It is switched off in {file}, perhaps by your desktop's own settings.").format(file=file)
            return text, ""
        case "elsewhere":
            return _say("{file} says that it does not count on this desktop.").format(file=file), _say("Let it count")
        case "broken":
            text = _say("Login cannot start it: {file} names no program that is there.").format(file=file)
            return text, _say("Mend it")
        case "other":
            text = _say("Login starts something else: {program}").format(program=program)
            return text, _say("Start this one")


def _say(text: str) -> str:

    return QCoreApplication.translate("GeneralPage", text)
