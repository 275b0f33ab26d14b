"""The four machines against the contract's edges and against what is recorded, both written out here."""

from __future__ import annotations

import pytest

from coven_desktop.contract import states

# The edges of the contract's machines: "from to on actor".
MACHINES = {
    "definition": """
        draft paused definition_revise_committed command_handler
        draft tombstoned definition_tombstoned command_handler
        paused active definition_activated command_handler
        paused disabled definition_disabled command_handler
        paused tombstoned definition_tombstoned command_handler
        active paused definition_paused command_handler
        active disabled definition_disabled command_handler
        active invalid definition_invalidated command_handler
        active tombstoned definition_tombstoned command_handler
        disabled paused definition_reenabled command_handler
        disabled tombstoned definition_tombstoned command_handler
        invalid paused definition_revise_committed command_handler
        invalid tombstoned definition_tombstoned command_handler
    """,
    "occurrence": """
        planned eligible eligibility_passed scheduler
        planned skipped misfire scheduler
        planned superseded definition_superseded scheduler
        planned cancelled cancel_acknowledged command_handler
        eligible claimed claim scheduler
        eligible skipped misfire scheduler
        eligible superseded definition_superseded scheduler
        eligible cancelled cancel_acknowledged command_handler
        claimed planned operator_retry command_handler
        claimed planned automatic_retry dispatcher
        claimed failed run_settled dispatcher
        claimed dispatching attempt_adopted dispatcher
        claimed recovering lease_expired scheduler
        claimed cancelled cancel_acknowledged command_handler
        dispatching running runtime_started dispatcher
        dispatching failed launch_refused dispatcher
        dispatching recovering lease_expired scheduler
        dispatching cancelled cancel_acknowledged command_handler
        running planned operator_retry command_handler
        running succeeded run_settled dispatcher
        running failed run_settled dispatcher
        running timed_out timeout scheduler
        running cancelled cancel_acknowledged command_handler
        running recovery_required evidence_lost scheduler
        recovering failed recovery_determined scheduler
        recovering recovery_required recovery_ambiguous scheduler
        recovery_required failed operator_recovery_failed command_handler
        recovery_required dispatching operator_recovery_attempt command_handler
    """,
    "run": """
        accepted running attempt_started dispatcher
        accepted failed launch_refused dispatcher
        accepted cancelled cancel_acknowledged command_handler
        running succeeded attempt_settled dispatcher
        running failed attempt_settled dispatcher
        running timed_out timeout scheduler
        running cancelled cancel_acknowledged command_handler
        running ambiguous attempt_ambiguous dispatcher
    """,
    "attempt": """
        adopted dispatching dispatch dispatcher
        adopted cancelled cancel_acknowledged command_handler
        dispatching started runtime_started dispatcher
        dispatching failed launch_refused dispatcher
        dispatching ambiguous dispatch_unconfirmed dispatcher
        dispatching cancelled cancel_acknowledged command_handler
        started observing evidence_stream_open worker
        started failed run_settled worker
        started succeeded run_settled worker
        started ambiguous evidence_lost scheduler
        observing succeeded run_settled worker
        observing failed run_settled worker
        observing timed_out timeout scheduler
        observing cancelled cancel_acknowledged command_handler
        observing ambiguous evidence_lost scheduler
    """,
}

# What contract/recorded-states.md lets the product store: source, then every target.
RECORDED = {
    "definition": {
        "none": "draft paused active invalid",
        "draft": "paused tombstoned",
        "paused": "active disabled tombstoned",
        "active": "paused disabled tombstoned",
        "disabled": "paused tombstoned",
        "invalid": "paused tombstoned",
        "tombstoned": "paused active",
    },
    "occurrence": {
        "none": "planned claimed skipped",
        "planned": "claimed skipped superseded cancelled",
        "claimed": "planned running failed cancelled recovery_required",
        "running": "planned succeeded failed cancelled recovery_required",
        "recovery_required": "planned failed cancelled",
    },
    "run": {"none": "running", "running": "succeeded failed cancelled"},
    "attempt": {
        "none": "adopted",
        "adopted": "dispatching cancelled timed_out",
        "dispatching": "adopted started failed cancelled timed_out ambiguous",
        "started": "observing succeeded failed cancelled timed_out ambiguous",
        "observing": "succeeded failed cancelled timed_out ambiguous",
    },
}

NEVER_STORED = {
    "definition": set(),
    "occurrence": {"eligible", "dispatching", "recovering", "timed_out"},
    "run": {"accepted", "timed_out", "ambiguous"},
    "attempt": set(),
}

TERMINAL = {
    "definition": {"tombstoned"},
    "occurrence": {"succeeded", "failed", "cancelled", "timed_out", "skipped", "superseded"},
    "run": {"succeeded", "failed", "cancelled", "timed_out", "ambiguous"},
    "attempt": {"succeeded", "failed", "cancelled", "timed_out", "ambiguous"},
}

ENTITIES = sorted(MACHINES)


def recorded_pairs(entity: str) -> set[tuple[str, str]]:
    return {(source, target) for source, targets in RECORDED[entity].items() for target in targets.split()}


@pytest.mark.parametrize("entity", ENTITIES)
def test_every_edge_of_the_contract_is_there(entity: str) -> None:
    edges = {tuple(line.split()) for line in MACHINES[entity].strip().splitlines()}
    moves = {(move.source, move.target, move.on, move.actor) for move in states.MOVES if move.entity == entity}
    assert edges <= moves


@pytest.mark.parametrize("entity", ENTITIES)
def test_exactly_what_is_recorded_is_lawful(entity: str) -> None:
    places = ("none", *states.STATES[entity])
    lawful = {(source, target) for source in places for target in places if states.lawful(entity, source, target)}
    assert lawful == recorded_pairs(entity)


@pytest.mark.parametrize("entity", ENTITIES)
def test_a_move_that_is_not_recorded_is_an_edge_of_the_contract(entity: str) -> None:
    edges = {tuple(line.split()) for line in MACHINES[entity].strip().splitlines()}
    for move in states.MOVES:
        if move.entity == entity and not move.recorded:
            assert (move.source, move.target, move.on, move.actor) in edges


@pytest.mark.parametrize("entity", ENTITIES)
def test_states_that_are_never_stored_are_in_no_recorded_move(entity: str) -> None:
    stored = {state for pair in recorded_pairs(entity) for state in pair} - {"none"}
    assert set(states.STATES[entity]) - stored == NEVER_STORED[entity]


@pytest.mark.parametrize("entity", ENTITIES)
def test_terminal_states_are_terminal(entity: str) -> None:
    assert states.TERMINAL[entity] == TERMINAL[entity]
    leaving = {
        (move.source, move.target)
        for move in states.MOVES
        if move.entity == entity and move.source in states.TERMINAL[entity]
    }
    # only an unversioned create revives a deleted routine
    assert leaving == ({("tombstoned", "paused"), ("tombstoned", "active")} if entity == "definition" else set())


@pytest.mark.parametrize("entity", ENTITIES)
def test_every_move_is_between_known_states_for_a_named_cause(entity: str) -> None:
    moves = [move for move in states.MOVES if move.entity == entity]
    for move in moves:
        assert move.source in ("none", *states.STATES[entity])
        assert move.target in states.STATES[entity]
        assert move.source != move.target
        assert move.on
        assert move.actor in ("command_handler", "scheduler", "dispatcher", "worker", "migration")
    assert len({move[:5] for move in moves}) == len(moves)


@pytest.mark.parametrize("entity", ENTITIES)
def test_a_recorded_move_can_be_looked_up(entity: str) -> None:
    for source, target in recorded_pairs(entity):
        move = states.move(entity, source, target)
        assert (move.entity, move.source, move.target, move.recorded) == (entity, source, target, True)


@pytest.mark.parametrize(
    ("entity", "source", "target"),
    [
        ("occurrence", "succeeded", "planned"),
        ("occurrence", "planned", "eligible"),
        ("occurrence", "running", "timed_out"),
        ("run", "running", "ambiguous"),
        ("definition", "draft", "disabled"),
        ("definition", "disabled", "active"),
        ("attempt", "failed", "adopted"),
        ("nobody", "none", "planned"),
    ],
)
def test_what_is_not_recorded_is_unlawful_and_has_no_move(entity: str, source: str, target: str) -> None:
    assert not states.lawful(entity, source, target)
    with pytest.raises(KeyError):
        states.move(entity, source, target)


def test_causes_of_claims_and_launches() -> None:
    assert states.move("occurrence", "planned", "claimed")[3:5] == ("claim", "scheduler")
    assert states.move("occurrence", "claimed", "running")[3:5] == ("runtime_started", "dispatcher")
    assert states.move("definition", "disabled", "paused")[3:5] == ("definition_reenabled", "command_handler")


def test_all_invariants_have_a_sentence() -> None:
    assert [name for name, _ in states.INVARIANTS] == [
        "adoption-before-side-effects",
        "one-fence-one-run",
        "one-attempt-one-session",
        "terminal-no-regress",
        "no-evidence-no-success",
        "cancellation-is-a-request",
        "retry-new-attempt",
        "ambiguous-never-auto-retried",
        "revision-pins-history",
        "tombstone-preserves-history",
    ]
    assert all(sentence.endswith(".") for _, sentence in states.INVARIANTS)


@pytest.mark.parametrize("entity", ENTITIES)
def test_the_diagram_has_one_line_for_each_recorded_cause(entity: str) -> None:
    lines = states.mermaid(entity).splitlines()
    recorded = [move for move in states.MOVES if move.entity == entity and move.recorded]
    assert lines[0] == "stateDiagram-v2"
    assert len(lines) == 1 + len(recorded)
    assert not any("none" in line for line in lines)
