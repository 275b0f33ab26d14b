-- The first schema. Instants are RFC 3339 text in UTC (contract/timestamps.py); JSON is canonical text.
-- `number` is a stable integer key for the ids-only models of the window; `id` is the contract's id.
-- The triggers refuse the unlawful even to a raw UPDATE (design/architecture.md, State; decisions.md 6).

CREATE TABLE definitions (
    number        INTEGER PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,
    family        TEXT NOT NULL DEFAULT 'rrule' CHECK (family IN ('rrule', 'cadence', 'cron')),
    name          TEXT NOT NULL,
    body          TEXT NOT NULL CHECK (json_valid(body)),
    revision      INTEGER NOT NULL CHECK (revision >= 1),
    digest        TEXT NOT NULL CHECK (length(digest) = 64),
    lifecycle     TEXT NOT NULL CHECK (lifecycle IN ('draft', 'paused', 'active', 'disabled', 'invalid')),
    managed       TEXT NOT NULL DEFAULT 'legacy' CHECK (managed IN ('legacy', 'v1')),
    tombstoned_at TEXT,
    created_at    TEXT NOT NULL,
    revised_at    TEXT NOT NULL,
    next_due_at   TEXT,
    broken_reason TEXT
) STRICT;
CREATE INDEX definitions_due ON definitions (next_due_at) WHERE next_due_at IS NOT NULL;
CREATE INDEX definitions_broken ON definitions (id) WHERE broken_reason IS NOT NULL;
CREATE INDEX definitions_by_name ON definitions (name, id) WHERE tombstoned_at IS NULL;
CREATE INDEX definitions_by_lifecycle ON definitions (lifecycle) WHERE tombstoned_at IS NULL;

CREATE TABLE definition_revisions (
    automation_id TEXT NOT NULL REFERENCES definitions (id),
    revision      INTEGER NOT NULL,
    digest        TEXT NOT NULL,
    body          TEXT NOT NULL,
    lifecycle     TEXT NOT NULL,
    recorded_at   TEXT NOT NULL,
    PRIMARY KEY (automation_id, revision)
) STRICT, WITHOUT ROWID;

-- What stands beside the closed definition and is not part of its digest (decisions.md 41).
CREATE TABLE routine_settings (
    automation_id TEXT PRIMARY KEY REFERENCES definitions (id),
    environment   TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(environment)),
    secrets       TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(secrets)),
    updated_at    TEXT NOT NULL
) STRICT;

CREATE TABLE occurrences (
    number               INTEGER PRIMARY KEY,
    id                   TEXT NOT NULL UNIQUE,
    automation_id        TEXT NOT NULL REFERENCES definitions (id),
    automation_revision  INTEGER NOT NULL,
    definition_digest    TEXT NOT NULL,
    scheduled_for        TEXT NOT NULL,
    kind                 TEXT NOT NULL CHECK (kind IN ('scheduled', 'manual')),
    state                TEXT NOT NULL CHECK (state IN ('planned', 'claimed', 'running', 'recovery_required',
                             'succeeded', 'failed', 'cancelled', 'skipped', 'superseded')),
    lease_owner          TEXT,
    lease_expires_at     TEXT,
    scheduler_generation INTEGER,
    fence                INTEGER NOT NULL DEFAULT 0 CHECK (fence >= 0),
    failure_reason       TEXT,
    reason_class         TEXT,
    zone_data            TEXT,
    created_at           TEXT NOT NULL,
    updated_at           TEXT NOT NULL,
    UNIQUE (automation_id, scheduled_for)
) STRICT;
-- one index for each open state: SQLite takes a partial index only for the very condition it was made with
CREATE INDEX occurrences_planned ON occurrences (scheduled_for, id) WHERE state = 'planned';
CREATE INDEX occurrences_claimed ON occurrences (scheduled_for, id) WHERE state = 'claimed';
CREATE INDEX occurrences_running ON occurrences (scheduled_for, id) WHERE state = 'running';
CREATE INDEX occurrences_recovery ON occurrences (scheduled_for, id) WHERE state = 'recovery_required';
CREATE INDEX occurrences_leases ON occurrences (lease_expires_at) WHERE state = 'claimed';
CREATE INDEX occurrences_by_time ON occurrences (scheduled_for, number);
CREATE INDEX occurrences_by_routine_state ON occurrences (automation_id, state, scheduled_for);

CREATE TABLE runs (
    number              INTEGER PRIMARY KEY,
    id                  TEXT NOT NULL UNIQUE,
    automation_id       TEXT NOT NULL REFERENCES definitions (id),
    automation_revision INTEGER NOT NULL,
    definition_digest   TEXT NOT NULL,
    definition_snapshot TEXT NOT NULL CHECK (json_valid(definition_snapshot)),
    occurrence_id       TEXT REFERENCES occurrences (id) ON DELETE SET NULL,
    occurrence_fence    INTEGER NOT NULL CHECK (occurrence_fence >= 1),
    authority_profile   TEXT,
    receipt_id          TEXT,
    session_id          TEXT,
    familiar_id         TEXT,
    runtime             TEXT NOT NULL,
    environment_names   TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(environment_names)),
    status              TEXT NOT NULL CHECK (status IN ('accepted', 'running', 'succeeded', 'failed',
                            'cancelled', 'timed_out', 'ambiguous')),
    exit_code           INTEGER,
    log_json            TEXT,
    output_commit       TEXT,
    started_at          TEXT NOT NULL,
    timeout_at          TEXT,
    finished_at         TEXT,
    -- one fence generation never owns two accepted runs
    UNIQUE (occurrence_id, occurrence_fence)
) STRICT;
CREATE UNIQUE INDEX runs_one_open_for_occurrence ON runs (occurrence_id) WHERE status = 'running';
CREATE UNIQUE INDEX runs_one_open_for_routine ON runs (automation_id) WHERE status = 'running';
CREATE INDEX runs_by_routine ON runs (automation_id, started_at);
CREATE INDEX runs_by_occurrence ON runs (occurrence_id);
CREATE INDEX runs_by_session ON runs (session_id);
CREATE INDEX runs_open_deadline ON runs (timeout_at) WHERE status = 'running';

CREATE TABLE sessions (
    id           TEXT PRIMARY KEY,
    run_id       TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt_id   TEXT NOT NULL,
    title        TEXT NOT NULL,
    project_root TEXT NOT NULL,
    harness      TEXT NOT NULL,
    familiar_id  TEXT,
    status       TEXT NOT NULL CHECK (status IN ('created', 'running', 'idle', 'completed', 'failed',
                     'cancelled', 'killed', 'orphaned')),
    exit_code    INTEGER,
    pid          INTEGER,
    evidence     TEXT CHECK (evidence IS NULL OR json_valid(evidence)),
    created_at   TEXT NOT NULL,
    updated_at   TEXT NOT NULL,
    ended_at     TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_run ON sessions (run_id);
CREATE INDEX sessions_open ON sessions (created_at) WHERE status IN ('created', 'running', 'orphaned');

CREATE TABLE attempts (
    id                   TEXT PRIMARY KEY,
    run_id               TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    occurrence_id        TEXT NOT NULL REFERENCES occurrences (id),
    attempt_number       INTEGER NOT NULL CHECK (attempt_number BETWEEN 1 AND 10),
    adoption_key         TEXT NOT NULL UNIQUE,
    occurrence_fence     INTEGER NOT NULL CHECK (occurrence_fence >= 1),
    dispatch_generation  INTEGER NOT NULL DEFAULT 0,
    state                TEXT NOT NULL CHECK (state IN ('adopted', 'dispatching', 'started', 'observing',
                             'succeeded', 'failed', 'cancelled', 'timed_out', 'ambiguous')),
    failure_class        TEXT CHECK (failure_class IN ('transient_dispatch', 'lease_expired', 'runtime_unavailable',
                             'launch_refused', 'runtime_error', 'timeout', 'cancelled', 'ambiguous_evidence',
                             'runtime_authority_unsupported')),
    prior_attempt_number INTEGER,
    prior_disposition    TEXT CHECK (prior_disposition IN ('failed', 'timed_out', 'cancelled', 'ambiguous')),
    retry_classification TEXT NOT NULL CHECK (retry_classification IN ('initial', 'automatic_retry',
                             'operator_retry', 'operator_recovery')),
    not_before           TEXT NOT NULL,
    session_id           TEXT UNIQUE REFERENCES sessions (id),
    state_reason         TEXT,
    opened_at            TEXT NOT NULL,
    settled_at           TEXT,
    UNIQUE (run_id, attempt_number),
    CHECK ((attempt_number = 1 AND prior_attempt_number IS NULL AND prior_disposition IS NULL)
        OR (attempt_number > 1 AND prior_attempt_number IS attempt_number - 1 AND prior_disposition IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_by_occurrence ON attempts (occurrence_id);
CREATE INDEX attempts_waiting ON attempts (not_before) WHERE state = 'adopted';

-- Who may stop a run's session: one owner at a time (contract/engine.md §8.4).
CREATE TABLE stop_fences (
    run_id     TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    owner      TEXT NOT NULL CHECK (owner IN ('timeout', 'cancellation', 'recovery')),
    attempt_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    taken_at   TEXT NOT NULL,
    expires_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE cancellations (
    number           INTEGER PRIMARY KEY,
    adoption_key     TEXT NOT NULL UNIQUE,
    fingerprint      TEXT NOT NULL,
    run_id           TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    attempt_id       TEXT NOT NULL,
    session_id       TEXT NOT NULL,
    scope            TEXT NOT NULL CHECK (scope = 'run'),
    reason           TEXT NOT NULL,
    requested_by     TEXT NOT NULL,
    state            TEXT NOT NULL CHECK (state IN ('requested', 'stopping', 'cancelled', 'recovery_required', 'rejected')),
    requested_at     TEXT NOT NULL,
    lease_expires_at TEXT NOT NULL,
    acknowledged_at  TEXT,
    reconciled_at    TEXT
) STRICT;
CREATE UNIQUE INDEX cancellations_one_open ON cancellations (run_id) WHERE state IN ('requested', 'stopping');
CREATE INDEX cancellations_by_attempt ON cancellations (attempt_id);
CREATE INDEX cancellations_by_run ON cancellations (run_id);

CREATE TABLE retry_state (
    automation_id           TEXT PRIMARY KEY REFERENCES definitions (id),
    consecutive_exhaustions INTEGER NOT NULL DEFAULT 0 CHECK (consecutive_exhaustions >= 0),
    quarantined_at          TEXT,
    failure_class           TEXT,
    reason                  TEXT,
    updated_at              TEXT NOT NULL,
    CHECK ((quarantined_at IS NULL) = (failure_class IS NULL) AND (quarantined_at IS NULL) = (reason IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE scheduler_authority (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    generation  INTEGER NOT NULL CHECK (generation >= 0),
    owner_id    TEXT,
    acquired_at TEXT
) STRICT;
INSERT INTO scheduler_authority (id, generation) VALUES (1, 0);

CREATE TABLE scheduler_last_pass (
    id           INTEGER PRIMARY KEY CHECK (id = 1),
    generation   INTEGER NOT NULL,
    trigger      TEXT NOT NULL CHECK (trigger IN ('startup', 'deadline', 'wake')),
    scheduled_at TEXT NOT NULL,
    started_at   TEXT NOT NULL,
    start_lag_ms INTEGER NOT NULL,
    finished_at  TEXT NOT NULL,
    duration_ms  INTEGER NOT NULL,
    status       TEXT NOT NULL CHECK (status IN ('succeeded', 'failed')),
    error_class  TEXT,
    planned      INTEGER,
    recovered    INTEGER,
    claimed      INTEGER,
    dispatched   INTEGER,
    failures     INTEGER
) STRICT;

CREATE TABLE event_streams (
    kind          TEXT NOT NULL CHECK (kind IN ('automation', 'occurrence', 'run')),
    id            TEXT NOT NULL,
    next_sequence INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE events (
    position      INTEGER PRIMARY KEY,
    event_id      TEXT NOT NULL UNIQUE,
    stream_kind   TEXT NOT NULL,
    stream_id     TEXT NOT NULL,
    sequence      INTEGER NOT NULL,
    kind          TEXT NOT NULL,
    automation_id TEXT,
    recorded_at   TEXT NOT NULL,
    body          TEXT NOT NULL CHECK (json_valid(body)),
    UNIQUE (stream_kind, stream_id, sequence)
) STRICT;
CREATE INDEX events_by_routine ON events (automation_id, position);
CREATE INDEX events_by_time ON events (recorded_at);

CREATE TABLE adoptions (
    adoption_key  TEXT PRIMARY KEY,
    command       TEXT NOT NULL,
    fingerprint   TEXT NOT NULL,
    automation_id TEXT,
    outcome       TEXT NOT NULL CHECK (outcome IN ('committed', 'rejected')),
    revision      INTEGER,
    response      TEXT NOT NULL CHECK (json_valid(response)),
    adopted_at    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Facts about the file itself: clean_end, last_quick_check, last_integrity_check, last_backup, clock_shift, zone_data, …
CREATE TABLE maintenance (
    name       TEXT PRIMARY KEY,
    value      TEXT NOT NULL,
    updated_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The one way to delete history (decisions.md 36). A permit names one occurrence and is only granted for one that
-- `prunable` shows; the triggers below let its rows go, and nobody else's. No permit outlives its transaction: it refers
-- to a row that cannot be, so that a commit fails until it is taken away.
CREATE TABLE retention_permit (
    occurrence_id TEXT PRIMARY KEY CHECK (occurrence_id <> ''),
    taken_back    TEXT NOT NULL DEFAULT '' CHECK (taken_back = '')
                      REFERENCES retention_permit (occurrence_id) DEFERRABLE INITIALLY DEFERRED
) STRICT, WITHOUT ROWID;

-- Settled occurrences that nothing needs any more but the memory of them. What keeps one longer stands here and nowhere
-- else: the newest slot of its routine (planning goes on from it), a quarantine of its routine, whatever of it is open
-- or being stopped, and the newest event of the feed (positions count on from it).
CREATE VIEW prunable AS
SELECT o.number, o.id, o.updated_at AS settled_at
FROM occurrences o
WHERE o.state IN ('succeeded', 'failed', 'cancelled', 'skipped', 'superseded')
  AND o.scheduled_for IS NOT (SELECT max(n.scheduled_for) FROM occurrences n
                              WHERE n.automation_id = o.automation_id AND n.kind = 'scheduled')
  AND NOT EXISTS (SELECT 1 FROM retry_state q WHERE q.automation_id = o.automation_id AND q.quarantined_at IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM attempts a WHERE a.occurrence_id = o.id
                  AND a.state IN ('adopted', 'dispatching', 'started', 'observing'))
  AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.occurrence_id = o.id
                  AND (r.status IN ('accepted', 'running')
                       OR EXISTS (SELECT 1 FROM stop_fences f WHERE f.run_id = r.id)
                       OR EXISTS (SELECT 1 FROM cancellations c WHERE c.run_id = r.id
                                  AND c.state IN ('requested', 'stopping'))
                       OR EXISTS (SELECT 1 FROM sessions s WHERE s.run_id = r.id AND s.status IN ('created', 'running'))))
  AND NOT EXISTS (SELECT 1 FROM events e WHERE e.position = (SELECT max(position) FROM events)
                  AND ((e.stream_kind = 'occurrence' AND e.stream_id = o.id)
                       OR (e.stream_kind = 'run'
                           AND e.stream_id IN (SELECT r.id FROM runs r WHERE r.occurrence_id = o.id))));

CREATE TRIGGER retention_permit_granted BEFORE INSERT ON retention_permit
WHEN NOT EXISTS (SELECT 1 FROM prunable WHERE id = NEW.occurrence_id)
BEGIN SELECT RAISE(ABORT, 'this occurrence is still needed'); END;
CREATE TRIGGER retention_permit_update BEFORE UPDATE ON retention_permit
BEGIN SELECT RAISE(ABORT, 'a permit is for one occurrence'); END;

-- Terminal rows never change; they are deleted under a permit alone.

CREATE TRIGGER occurrences_terminal_update BEFORE UPDATE ON occurrences
WHEN OLD.state IN ('succeeded', 'failed', 'cancelled', 'skipped', 'superseded')
BEGIN SELECT RAISE(ABORT, 'terminal occurrence is immutable'); END;

CREATE TRIGGER occurrences_delete BEFORE DELETE ON occurrences
WHEN NOT EXISTS (SELECT 1 FROM retention_permit p WHERE p.occurrence_id = OLD.id)
BEGIN SELECT RAISE(ABORT, 'occurrences are kept'); END;

CREATE TRIGGER runs_terminal_update BEFORE UPDATE ON runs
WHEN OLD.status IN ('succeeded', 'failed', 'cancelled', 'timed_out', 'ambiguous')
 AND NOT (OLD.receipt_id IS NULL AND NEW.receipt_id IS NOT NULL
      AND OLD.id IS NEW.id AND OLD.automation_id IS NEW.automation_id
      AND OLD.automation_revision IS NEW.automation_revision AND OLD.definition_digest IS NEW.definition_digest
      AND OLD.definition_snapshot IS NEW.definition_snapshot AND OLD.occurrence_id IS NEW.occurrence_id
      AND OLD.occurrence_fence IS NEW.occurrence_fence AND OLD.authority_profile IS NEW.authority_profile
      AND OLD.session_id IS NEW.session_id AND OLD.familiar_id IS NEW.familiar_id AND OLD.runtime IS NEW.runtime
      AND OLD.environment_names IS NEW.environment_names
      AND OLD.status IS NEW.status AND OLD.exit_code IS NEW.exit_code AND OLD.log_json IS NEW.log_json
      AND OLD.output_commit IS NEW.output_commit AND OLD.started_at IS NEW.started_at
      AND OLD.timeout_at IS NEW.timeout_at AND OLD.finished_at IS NEW.finished_at)
BEGIN SELECT RAISE(ABORT, 'terminal run is immutable'); END;

CREATE TRIGGER runs_terminal_delete BEFORE DELETE ON runs
WHEN OLD.status IN ('succeeded', 'failed', 'cancelled', 'timed_out', 'ambiguous')
 AND NOT EXISTS (SELECT 1 FROM retention_permit p WHERE p.occurrence_id = OLD.occurrence_id)
BEGIN SELECT RAISE(ABORT, 'terminal run cannot be deleted'); END;

CREATE TRIGGER attempts_terminal_update BEFORE UPDATE ON attempts
WHEN OLD.state IN ('succeeded', 'failed', 'cancelled', 'timed_out', 'ambiguous')
BEGIN SELECT RAISE(ABORT, 'terminal attempt is immutable'); END;

CREATE TRIGGER attempts_terminal_delete BEFORE DELETE ON attempts
WHEN OLD.state IN ('succeeded', 'failed', 'cancelled', 'timed_out', 'ambiguous')
 AND NOT EXISTS (SELECT 1 FROM retention_permit p WHERE p.occurrence_id = OLD.occurrence_id)
BEGIN SELECT RAISE(ABORT, 'terminal attempt cannot be deleted'); END;

-- An open row is deleted only when an acceptance is taken back: nothing was started under it.

CREATE TRIGGER attempts_open_delete BEFORE DELETE ON attempts
WHEN OLD.state IN ('started', 'observing')
  OR (OLD.state IN ('adopted', 'dispatching') AND OLD.session_id IS NOT NULL)
BEGIN SELECT RAISE(ABORT, 'an attempt that was started cannot be deleted'); END;

CREATE TRIGGER runs_open_delete BEFORE DELETE ON runs
WHEN OLD.status IN ('accepted', 'running')
 AND EXISTS (SELECT 1 FROM attempts a WHERE a.run_id = OLD.id
             AND (a.state NOT IN ('adopted', 'dispatching') OR a.session_id IS NOT NULL))
BEGIN SELECT RAISE(ABORT, 'a run with an attempt that was started cannot be deleted'); END;

-- What a session left as evidence stays as it is.

CREATE TRIGGER sessions_evidence_update BEFORE UPDATE ON sessions
WHEN OLD.evidence IS NOT NULL AND OLD.evidence IS NOT NEW.evidence
BEGIN SELECT RAISE(ABORT, 'the evidence of a session is written once'); END;

CREATE TRIGGER sessions_evidence_delete BEFORE DELETE ON sessions
WHEN OLD.evidence IS NOT NULL
 AND NOT EXISTS (SELECT 1 FROM runs r JOIN retention_permit p ON p.occurrence_id = r.occurrence_id
                 WHERE r.id = OLD.run_id)
BEGIN SELECT RAISE(ABORT, 'a session with evidence cannot be deleted'); END;

-- What a row was created against is pinned.

CREATE TRIGGER occurrences_pins BEFORE UPDATE ON occurrences
WHEN OLD.id IS NOT NEW.id OR OLD.automation_id IS NOT NEW.automation_id
  OR OLD.automation_revision IS NOT NEW.automation_revision OR OLD.definition_digest IS NOT NEW.definition_digest
  OR OLD.scheduled_for IS NOT NEW.scheduled_for OR OLD.kind IS NOT NEW.kind OR OLD.created_at IS NOT NEW.created_at
BEGIN SELECT RAISE(ABORT, 'the identity and the pinned revision of an occurrence never change'); END;

CREATE TRIGGER occurrences_fence BEFORE UPDATE ON occurrences WHEN NEW.fence < OLD.fence
BEGIN SELECT RAISE(ABORT, 'the fence of an occurrence never goes down'); END;

CREATE TRIGGER runs_pins BEFORE UPDATE ON runs
WHEN OLD.id IS NOT NEW.id OR OLD.automation_id IS NOT NEW.automation_id
  OR OLD.automation_revision IS NOT NEW.automation_revision OR OLD.definition_digest IS NOT NEW.definition_digest
  OR OLD.definition_snapshot IS NOT NEW.definition_snapshot OR OLD.authority_profile IS NOT NEW.authority_profile
  OR OLD.occurrence_fence IS NOT NEW.occurrence_fence
  OR (OLD.occurrence_id IS NOT NEW.occurrence_id AND NEW.occurrence_id IS NOT NULL)
  OR OLD.started_at IS NOT NEW.started_at OR OLD.timeout_at IS NOT NEW.timeout_at
BEGIN SELECT RAISE(ABORT, 'the identity, the pinned revision and the deadline of a run never change'); END;

CREATE TRIGGER attempts_pins BEFORE UPDATE ON attempts
WHEN OLD.id IS NOT NEW.id OR OLD.run_id IS NOT NEW.run_id OR OLD.occurrence_id IS NOT NEW.occurrence_id
  OR OLD.attempt_number IS NOT NEW.attempt_number OR OLD.adoption_key IS NOT NEW.adoption_key
  OR OLD.prior_attempt_number IS NOT NEW.prior_attempt_number OR OLD.prior_disposition IS NOT NEW.prior_disposition
  OR OLD.retry_classification IS NOT NEW.retry_classification OR OLD.opened_at IS NOT NEW.opened_at
BEGIN SELECT RAISE(ABORT, 'the identity of an attempt never changes'); END;

CREATE TRIGGER attempts_one_session BEFORE UPDATE OF session_id ON attempts
WHEN OLD.session_id IS NOT NULL AND OLD.session_id IS NOT NEW.session_id
BEGIN SELECT RAISE(ABORT, 'an attempt binds one session'); END;

CREATE TRIGGER scheduler_generation BEFORE UPDATE ON scheduler_authority WHEN NEW.generation < OLD.generation
BEGIN SELECT RAISE(ABORT, 'the generation of the scheduler never goes down'); END;
CREATE TRIGGER scheduler_generation_delete BEFORE DELETE ON scheduler_authority
BEGIN SELECT RAISE(ABORT, 'the generation of the scheduler never goes down'); END;

-- Append-only ledgers.

CREATE TRIGGER events_update BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_delete BEFORE DELETE ON events
WHEN OLD.position IS (SELECT max(position) FROM events)
  OR NOT EXISTS (SELECT 1 FROM retention_permit p
                 WHERE (OLD.stream_kind = 'occurrence' AND OLD.stream_id = p.occurrence_id)
                    -- of a run that was taken back, the events alone are left
                    OR (OLD.stream_kind = 'run'
                        AND p.occurrence_id IN (json_extract(OLD.body, '$.occurrenceId'),
                                                (SELECT r.occurrence_id FROM runs r WHERE r.id = OLD.stream_id))))
BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER adoptions_update BEFORE UPDATE ON adoptions
BEGIN SELECT RAISE(ABORT, 'adoptions are append-only'); END;
CREATE TRIGGER adoptions_delete BEFORE DELETE ON adoptions
BEGIN SELECT RAISE(ABORT, 'adoptions are append-only'); END;
CREATE TRIGGER definition_revisions_update BEFORE UPDATE ON definition_revisions
BEGIN SELECT RAISE(ABORT, 'revisions are append-only'); END;
CREATE TRIGGER definition_revisions_delete BEFORE DELETE ON definition_revisions
BEGIN SELECT RAISE(ABORT, 'revisions are append-only'); END;
CREATE TRIGGER definitions_delete BEFORE DELETE ON definitions
BEGIN SELECT RAISE(ABORT, 'definitions are tombstoned, never deleted'); END;
CREATE TRIGGER definitions_revision BEFORE UPDATE ON definitions
WHEN NEW.revision NOT IN (OLD.revision, OLD.revision + 1) OR NEW.id IS NOT OLD.id
BEGIN SELECT RAISE(ABORT, 'a revision rises by one'); END;

-- Attempt keys and command keys share one name space.

CREATE TRIGGER attempts_key_collision BEFORE INSERT ON attempts
WHEN EXISTS (SELECT 1 FROM adoptions WHERE adoption_key = NEW.adoption_key)
  OR EXISTS (SELECT 1 FROM cancellations WHERE adoption_key = NEW.adoption_key)
BEGIN SELECT RAISE(ABORT, 'the attempt key is already a command key'); END;
CREATE TRIGGER adoptions_key_collision BEFORE INSERT ON adoptions
WHEN EXISTS (SELECT 1 FROM attempts WHERE adoption_key = NEW.adoption_key)
BEGIN SELECT RAISE(ABORT, 'the command key is already an attempt key'); END;
CREATE TRIGGER cancellations_key_collision BEFORE INSERT ON cancellations
WHEN EXISTS (SELECT 1 FROM attempts WHERE adoption_key = NEW.adoption_key)
BEGIN SELECT RAISE(ABORT, 'the command key is already an attempt key'); END;
