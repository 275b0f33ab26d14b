"""What the person is told and when: the rules alone, on clocks that move when told."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

import pytest

from coven_desktop.desktop.notifications.rules import (
    AGAIN_MS,
    APART_MS,
    CATCH_UP_MS,
    FRESH_MS,
    GATHER_MS,
    JUST_NOW_MS,
    SETTLE_MS,
    Ended,
    Found,
    Kind,
    Matter,
    Memory,
    Preferences,
    Rules,
    Summary,
    Telling,
    Withdrawal,
)

NIGHT = 1_806_000_000_000
MINUTE, HOUR = 60_000, 3_600_000
ALL = Preferences(failures=True)


class Person:
    """Rules, the two clocks, and what is true just now."""

    def __init__(self, memory: Memory | None = None, preferences: Preferences = ALL) -> None:
        self.rules = Rules(memory or Memory(cursor=100))
        self.preferences = preferences
        self.passed = 0
        self.slept = 0
        self.position = self.rules.behind or 100
        self.matters: list[Matter] = []
        self.open_before = 0

    @property
    def wall(self) -> int:
        return NIGHT + self.passed + self.slept

    def wait(self, milliseconds: int) -> None:
        self.passed += milliseconds

    def look(self, ended: Iterable[Ended] = (), acts: Iterable[tuple[str, int]] = ()) -> list[Telling | Withdrawal]:
        found = Found(tuple(self.matters), tuple(ended), tuple(acts), self.position, self.open_before)
        return self.rules.look(found, self.wall, self.passed, self.preferences)

    def told(self) -> list[Telling]:
        """What is told when everything has been gathered that comes now."""
        self.look()
        self.wait(GATHER_MS)
        return [each for each in self.look() if isinstance(each, Telling)]

    def ended(self, name: str, ending: str = "failed", **members: object) -> Ended:
        self.position += 1
        made = Ended(
            position=self.position,
            automation_id=name,
            name=name,
            occurrence_id=f"occ-{name}-{self.position}",
            ending="failed",
            slots=1,
            scheduled_for=self.wall,
            created_at=self.wall,
            at=self.wall,
            reason="exit 1",
        )
        return replace(made, ending=ending, **members)  # type: ignore[arg-type]

    def later(self) -> Person:
        """The next app: what was kept went through a file."""
        after = Person(Memory.from_json(json.loads(json.dumps(self.rules.kept().as_json()))), self.preferences)
        after.passed, after.slept, after.matters, after.position = self.passed, self.slept, self.matters, self.position
        return after


def matter(name: str, topic: Kind = "quarantined", since: int = NIGHT) -> Matter:
    return Matter(topic, name, name, None if topic == "quarantined" else f"occ-{name}", since, "the login is gone")


def names(tellings: Iterable[Telling | Withdrawal]) -> list[list[str]]:
    return [[each.name for each in telling.matters] for telling in tellings if isinstance(telling, Telling)]


@pytest.fixture
def person() -> Person:
    return Person()


def test_six_failures_at_night_are_one_notification_that_counts(person: Person) -> None:
    shown: list[Telling | Withdrawal] = []
    for number in range(6):
        person.matters.append(matter(f"r{number}", since=person.wall))
        shown += person.look()
        person.wait(GATHER_MS // 4)
    # the sixth came after the others were told: it is told with them, in their place
    assert names(shown) == [["r0", "r1", "r2", "r3", "r4"]]
    person.wait(HOUR)
    assert names(person.look()) == [["r5", "r0", "r1", "r2", "r3", "r4"]]
    person.wait(HOUR)
    assert person.look() == []


def test_a_topic_is_told_anew_only_after_a_while(person: Person) -> None:
    person.matters = [matter("a")]
    assert names(person.told()) == [["a"]]
    person.matters.append(matter("b", since=person.wall))
    assert person.told() == []
    assert person.rules.next_look(person.wall, person.passed) == APART_MS - GATHER_MS
    person.wait(APART_MS - GATHER_MS)
    assert names(person.look()) == [["b", "a"]]
    assert person.rules.next_look(person.wall, person.passed) is None


def test_each_topic_waits_for_itself_alone(person: Person) -> None:
    person.matters = [matter("a")]
    assert names(person.told()) == [["a"]]
    person.matters.append(matter("b", "undecided", since=person.wall))
    assert [telling.topic for telling in person.told()] == ["undecided"]


def test_a_routine_is_told_once_for_a_reason_however_often_it_begins_anew(person: Person) -> None:
    person.matters = [matter("a")]
    assert names(person.told()) == [["a"]]
    for _ in range(5):
        person.matters = []
        person.look()
        person.wait(APART_MS)
        person.matters = [matter("a", since=person.wall)]
        assert person.told() == []
    person.matters = []
    person.wait(AGAIN_MS)
    person.look()
    person.matters = [matter("a", since=person.wall)]
    assert names(person.told()) == [["a"]]


def test_what_was_told_is_not_told_by_the_next_app(person: Person) -> None:
    person.matters = [matter("a")]
    assert names(person.told()) == [["a"]]
    after = person.later()
    after.matters.append(matter("b"))
    assert names(after.told()) == [["b"]]


def test_what_is_over_is_taken_from_the_screen(person: Person) -> None:
    person.matters = [matter("a"), matter("b")]
    assert names(person.told()) == [["a", "b"]]
    person.matters = [matter("b")]
    assert person.look() == []
    person.matters = []
    assert person.look() == [Withdrawal("quarantined")]
    assert person.look() == []


def test_what_is_over_before_it_was_told_is_never_told(person: Person) -> None:
    person.matters = [matter("a")]
    assert person.look() == []
    person.matters = []
    assert person.told() == []


def test_what_the_person_dismissed_is_not_counted_again(person: Person) -> None:
    person.matters = [matter("a")]
    person.told()
    person.rules.closed("quarantined")
    person.wait(APART_MS)
    person.matters.append(matter("b", since=person.wall))
    assert names(person.told()) == [["b"]]
    person.matters = [matter("a")]
    assert person.look() == [Withdrawal("quarantined")]


def test_never_what_the_person_just_did(person: Person) -> None:
    person.look(acts=[("a", person.wall)])
    person.wait(MINUTE)
    person.matters = [matter("a", since=person.wall), matter("b", "undecided", since=person.wall)]
    assert names(person.told()) == [["b"]]
    failed = person.ended("a")
    person.wait(GATHER_MS)
    assert person.look([failed]) == []
    person.wait(JUST_NOW_MS * 2)
    person.matters = []
    person.look([person.ended("a")])
    person.wait(GATHER_MS)
    (told,) = person.look()
    assert isinstance(told, Telling)
    assert [each.name for each in told.failures] == ["a"]


@pytest.mark.parametrize("decided_between", [True, False])
def test_what_was_not_told_keeps_no_next_one_silent(person: Person, decided_between: bool) -> None:
    person.look(acts=[("a", person.wall)])
    person.wait(MINUTE)
    person.matters = [matter("a", "undecided", since=person.wall)]
    assert person.told() == []
    person.wait(JUST_NOW_MS * 2)
    if decided_between:
        person.matters = []
    assert person.told() == []
    person.matters = [matter("a", "undecided", since=person.wall)]
    assert names(person.told()) == [["a"]]


def test_failures_are_told_only_if_wanted_and_not_beside_their_quarantine() -> None:
    person = Person(preferences=Preferences())
    person.matters = [matter("held", "held")]
    person.look([person.ended("a")])
    assert person.told() == []
    person = Person()
    person.matters = [matter("a"), matter("a", "held"), matter("b", "held")]
    person.look([person.ended("a"), person.ended("c"), person.ended("c")])
    told = {telling.topic: telling for telling in person.told()}
    assert {topic: [each.name for each in telling.matters] for topic, telling in told.items()} == {
        "quarantined": ["a"],
        "held": ["b"],
        "failed": [],
    }
    assert [each.name for each in told["failed"].failures] == ["c"]


def test_one_who_wants_none_gets_none_and_later_nothing_old() -> None:
    person = Person(preferences=Preferences(enabled=False, failures=True))
    person.matters = [matter("a")]
    person.look([person.ended("c")])
    assert person.told() == []
    assert person.rules.next_look(person.wall, person.passed) is None
    person.preferences = ALL
    assert person.told() == []
    person.matters.append(matter("b", since=person.wall))
    assert names(person.told()) == [["b"]]


def test_what_waits_is_let_go_when_none_are_wanted_any_more(person: Person) -> None:
    person.matters = [matter("a")]
    person.look([person.ended("c")])
    away(person)
    person.preferences = Preferences(enabled=False)
    person.look()
    assert person.rules.next_look(person.wall, person.passed) is None
    person.preferences = ALL
    assert person.told() == []


def test_a_snooze_keeps_silent_over_a_restart_and_then_tells_what_is_still_true(person: Person) -> None:
    person.rules.snooze(person.wall + 8 * HOUR)
    person.matters = [matter("a"), matter("b")]
    person.look([person.ended("c")])
    assert person.told() == []
    wait = person.rules.next_look(person.wall, person.passed)
    assert wait is not None
    assert wait == 8 * HOUR - GATHER_MS
    after = person.later()
    # a failure nobody was told of is found again
    assert after.rules.behind == 100
    after.matters = [matter("b")]
    after.look([after.ended("c")])
    after.wait(7 * HOUR)
    assert after.look() == []
    after.wait(HOUR)
    told = {each.topic: each for each in after.look() if isinstance(each, Telling)}
    assert [each.name for each in told["quarantined"].matters] == ["b"]
    assert [each.name for each in told["failed"].failures] == ["c"]


def test_a_snooze_can_be_ended_and_one_set_by_a_clock_that_was_ahead_does_not_count(person: Person) -> None:
    person.rules.snooze(person.wall + HOUR)
    assert person.rules.snoozed(person.wall)
    person.rules.snooze(0)
    assert not person.rules.snoozed(person.wall)
    person.rules.snooze(person.wall + 400 * 24 * HOUR)
    person.matters = [matter("a")]
    assert names(person.told()) == [["a"]]


def away(person: Person, sleep: int = 8 * HOUR) -> int:
    """The machine sleeps; returns the instant before it."""
    left = person.wall
    person.slept += sleep
    person.rules.came_back(person.wall, person.passed, left)
    return left


def test_one_summary_after_sleep_and_no_failures_beside_it(person: Person) -> None:
    left = away(person)
    returned = person.rules.before
    assert returned == person.wall
    slot = left + HOUR
    person.open_before = 1
    ended = [
        person.ended("a", "ran", scheduled_for=slot),
        person.ended("a", "missed", scheduled_for=slot, slots=7),
        person.ended("b", "failed", scheduled_for=slot),
    ]
    assert person.look(ended) == []
    person.wait(SETTLE_MS)
    # one is still being caught up
    assert person.look() == []
    person.open_before = 0
    (told,) = person.look([person.ended("c", "ran", scheduled_for=slot, created_at=left + 8 * HOUR)])
    assert told == Telling("away", summary=Summary(ran=2, failed=1, missed=7, going=0))
    assert person.rules.before is None
    assert person.look() == []


def test_the_summary_does_not_wait_for_ever(person: Person) -> None:
    left = away(person)
    person.open_before = 2
    person.look([person.ended("a", "ran", scheduled_for=left)])
    assert person.rules.next_look(person.wall, person.passed) == SETTLE_MS
    person.wait(SETTLE_MS)
    assert person.rules.next_look(person.wall, person.passed) == CATCH_UP_MS - SETTLE_MS
    person.wait(CATCH_UP_MS - SETTLE_MS)
    assert person.look() == [Telling("away", summary=Summary(1, 0, 0, 2))]


def test_what_is_held_since_then_counts_as_failed(person: Person) -> None:
    person.matters = [matter("old", "held", since=person.wall - HOUR)]
    person.preferences = Preferences()
    person.look()
    away(person)
    person.matters.append(matter("a", "held", since=person.wall))
    person.wait(SETTLE_MS)
    assert person.look() == [Telling("away", summary=Summary(0, 1, 0, 0))]


def test_a_sleep_in_which_nothing_happened_says_nothing(person: Person) -> None:
    left = away(person)
    person.wait(SETTLE_MS)
    # due after it, and one that was under way before it and ends long after it
    assert person.look([person.ended("a", "ran")]) == []
    assert person.told() == []
    person.look([person.ended("b", "failed", scheduled_for=left, created_at=left - HOUR)])
    person.wait(GATHER_MS)
    assert [each.topic for each in person.look() if isinstance(each, Telling)] == ["failed"]


def test_a_first_start_tells_no_history(person: Person) -> None:
    person = Person(Memory())
    assert person.rules.behind is None
    person.rules.came_back(person.wall, person.passed, person.wall)
    person.matters = [matter("a")]
    assert names(person.told()) == [["a"]]
    assert person.rules.behind == 100


def test_without_a_service_it_is_given_to_the_next_one_once_if_still_true(person: Person) -> None:
    person.matters = [matter("a")]
    assert names(person.told()) == [["a"]]
    person.rules.not_shown("quarantined")
    # nobody has seen it: the next app tells it
    assert names(person.later().told()) == [["a"]]
    assert names(person.rules.service_came(person.wall, person.passed)) == [["a"]]
    person.rules.closed("quarantined")
    assert person.rules.service_came(person.wall, person.passed) == []
    assert person.later().told() == []


def test_what_is_over_is_not_given_to_a_service_that_comes(person: Person) -> None:
    person.matters = [matter("a")]
    person.told()
    person.rules.not_shown("quarantined")
    person.matters = []
    assert person.look() == []
    assert person.rules.service_came(person.wall, person.passed) == []


def test_a_service_that_was_restarted_gets_what_needs_the_person_but_no_news(person: Person) -> None:
    person.matters = [matter("a")]
    person.look([person.ended("c")])
    assert {telling.topic for telling in person.told()} == {"quarantined", "failed"}
    assert [telling.topic for telling in person.rules.service_came(person.wall, person.passed)] == ["quarantined"]


def test_old_news_is_not_given_to_a_service_that_comes(person: Person) -> None:
    person.look([person.ended("c")])
    assert [telling.topic for telling in person.told()] == ["failed"]
    person.rules.not_shown("failed")
    person.wait(FRESH_MS)
    assert person.rules.service_came(person.wall, person.passed) == []


@pytest.mark.parametrize("kept", [None, 3, [], {}, {"cursor": "x", "told": {}, "snoozedUntil": 0}, {"told": {"a": []}}])
def test_what_is_no_memory_is_an_empty_one(kept: object) -> None:
    assert Memory.from_json(kept) == Memory()
