"""Notifications: what the rules say in words, shown by the desktop, and what the person chose there.

`Notices` looks at the state on the reader thread whenever something has changed, at most twice a second, and when the
rules want to look again. What it keeps over a restart lies beside the window's size.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from coven_desktop.clock import Clock
from coven_desktop.desktop.notifications import rules
from coven_desktop.desktop.notifications.rules import Matter, Preferences, Rules, Telling, Withdrawal
from coven_desktop.desktop.notifications.service import OPEN, Notification, Service, Urgency
from coven_desktop.engine import happenings
from coven_desktop.engine.happenings import Look, Printed
from coven_desktop.qt.core import QObject, QSettings, QTimer, Signal
from coven_desktop.ui import delivery_words, notice_words
from coven_desktop.ui.notice_words import Leads
from coven_desktop.ui.reader import ReaderThread, Sources

PACE_MS = 500
LONGEST_WAIT_MS = 3_600_000
SLEPT_MS = 60_000
"""The wall clock moved so much against the monotonic one, which stands still in a sleep."""
BEFORE_START_MS = 60_000
"""The engine has begun before the window: what it planned since then was planned after the start."""
NOTE = "note"
REMEMBERED = 50
"""Of so many outputs that were shown it is known where they lead; the older ones lead to what needs attention."""
_KEPT = "notices/memory"


class Notices(QObject):
    """See the file's docstring. Made, asked and closed on the GUI thread.

    `chosen`: what the person wants to see (`window`, `attention`, `routine`, `run`, `runs`, `release`, `decide`), the
    id it is about, and an activation token or nothing. `snooze_changed`: another end, or none any more.
    """

    chosen = Signal(str, str, str)
    snooze_changed = Signal()

    def __init__(
        self,
        reader: ReaderThread,
        clock: Clock,
        service: Service,
        instead: Service,
        settings: QSettings,
        preferences: Callable[[], Preferences],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._reader = reader
        self._clock = clock
        self._service = service
        self._instead = instead
        self._settings = settings
        self._preferences = preferences
        self._kept = str(settings.value(_KEPT) or "")
        self._rules = Rules(_memory(self._kept))
        self._shown: dict[str, Notification] = {}
        self._leads: dict[tuple[str, str], tuple[str, str]] = {}
        self._offset = clock.wall() - clock.monotonic()
        self._seen_at = clock.wall()
        self._printed: list[Printed] = []
        self._closed = False
        self._looked = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(PACE_MS)
        self._soon.timeout.connect(self._look)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._look)
        service.came.connect(self._service_came)
        service.not_shown.connect(self._not_shown)
        service.closed.connect(self._gone)
        service.acted.connect(self._acted)
        instead.acted.connect(self._acted)

    @property
    def looked(self) -> bool:
        """Whether it knows the state: a first look has been answered."""
        return self._looked

    @property
    def snoozed_until(self) -> int | None:
        """Until when nothing is shown, UTC milliseconds; None: notifications come as ever."""
        return self._rules.memory.snoozed_until if self._rules.snoozed(self._clock.wall()) else None

    def start(self) -> None:
        """Begin to look."""
        self._service.open()
        now = self._clock.wall()
        self._rules.came_back(now, self._clock.monotonic(), now - BEFORE_START_MS)
        self._look()

    def changed(self) -> None:
        """Something may have happened."""
        if not self._soon.isActive() and not self._closed:
            self._soon.start()

    def snooze(self, until: int) -> None:
        """Show nothing until an instant, also after a restart; 0: show them again."""
        self._rules.snooze(until)
        self._keep()
        self.snooze_changed.emit()
        self._look()

    def close(self) -> None:
        """Look no longer. What is on the screen stays there."""
        self._closed = True
        self._soon.stop()
        self._later.stop()
        self._keep()
        self._service.close()

    def say(self, title: str, body: str) -> None:
        """Tell something about the app itself, once and at once; a click opens the window."""
        notification = Notification(NOTE, title, body, ((OPEN, self.tr("Open")),), Urgency.LOW)
        self._shown[NOTE] = notification
        self._leads[(NOTE, OPEN)] = ("window", "")
        self._service.show(notification)

    # --- looking -----------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        if self._closed:
            return
        wall, monotonic = self._clock.wall(), self._clock.monotonic()
        slept = wall - monotonic - self._offset
        self._offset += slept
        if slept > SLEPT_MS:
            self._rules.came_back(wall, monotonic, self._seen_at)
        self._seen_at = wall
        question = partial(_ask, self._rules.behind, self._rules.before, self._preferences().pausing_failures)
        self._reader.ask("notices", question, self._found, lambda _sentence: None)

    def _found(self, found: Look) -> None:
        if self._closed:
            return
        self._looked = True
        wall, monotonic = self._clock.wall(), self._clock.monotonic()
        for each in self._rules.look(_found(found), wall, monotonic, self._preferences()):
            if isinstance(each, Withdrawal):
                self._service.withdraw(each.topic)
            else:
                self._tell(each)
        self._show_printed(found.printed)
        self._keep()
        wait = PACE_MS if found.more else self._rules.next_look(wall, monotonic)
        self._later.stop()
        if wait is not None:
            self._later.start(min(max(wait, PACE_MS), LONGEST_WAIT_MS))

    def _keep(self) -> None:
        kept = json.dumps(self._rules.kept().as_json(), separators=(",", ":"))
        if kept != self._kept:
            self._kept = kept
            self._settings.setValue(_KEPT, kept)

    # --- showing -----------------------------------------------------------------------------------------------------

    def _tell(self, telling: Telling) -> None:
        notification, leads = notice_words.words(telling)
        self._give(replace(notification, quiet=self._preferences().quiet), leads)

    def _show_printed(self, printed: Sequence[Printed]) -> None:
        """What routines want to have shown is neither joined nor told again: each is what one run printed."""
        self._printed += printed
        if self.snoozed_until is not None:
            return
        shown, self._printed = self._printed, []
        for each in shown if self._preferences().enabled else ():
            notification, leads = delivery_words.notification(each)
            self._give(replace(notification, quiet=self._preferences().quiet), leads)
        known = [topic for topic in self._shown if topic.startswith(delivery_words.TOPIC)]
        for topic in known[:-REMEMBERED]:
            del self._shown[topic]
            self._leads = {key: lead for key, lead in self._leads.items() if key[0] != topic}

    def _give(self, notification: Notification, leads: Leads) -> None:
        topic = notification.topic
        self._shown[topic] = notification
        self._leads.update({(topic, key): lead for key, lead in leads.items()})
        self._service.show(notification)

    def _not_shown(self, topic: str) -> None:
        for known in _known(topic):
            self._rules.not_shown(known)
        self._keep()
        if topic in self._shown:
            self._instead.show(self._shown[topic])

    def _gone(self, topic: str) -> None:
        for known in _known(topic):
            self._rules.closed(known)

    def _service_came(self) -> None:
        for telling in self._rules.service_came(self._clock.wall(), self._clock.monotonic()):
            self._tell(telling)

    def _acted(self, topic: str, key: str, token: str) -> None:
        what, about = self._leads.get((topic, key), ("attention", ""))
        self._gone(topic)
        self._service.withdraw(topic)
        self.chosen.emit(what, about, token)


def _ask(behind: int | None, before: int | None, pausing_failures: int, sources: Sources) -> Look:
    return happenings.look(sources.reads, behind, before, pausing_failures)


def _memory(kept: str) -> rules.Memory:
    try:
        return rules.Memory.from_json(json.loads(kept))
    except ValueError:
        return rules.Memory()


def _known(topic: str) -> list[rules.Topic]:
    """The topic as the rules know it; they do not know of what the app says of itself."""
    return [each for each in rules.TOPICS if each == topic]


def _found(look: Look) -> rules.Found:
    """The engine's words as the rules' own: the desktop floor does not know the engine."""
    return rules.Found(
        matters=[
            Matter(each.kind, each.automation_id, each.name, each.occurrence_id, each.since, each.reason)
            for each in look.waiting
        ],
        ended=[
            rules.Ended(
                position=each.position,
                automation_id=each.automation_id,
                name=each.name,
                occurrence_id=each.occurrence_id,
                ending=each.ending,
                slots=each.slots,
                scheduled_for=each.scheduled_for,
                created_at=each.created_at,
                at=each.at,
                reason=each.reason,
            )
            for each in look.ended
        ],
        acts=[(act.automation_id, act.at) for act in look.acts],
        reached=look.reached,
        open_before=look.open_before,
    )
