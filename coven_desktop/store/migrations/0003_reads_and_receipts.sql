-- Reads over the socket: pages of history, checkpoints of the change feed, receipts of settled runs.

-- Pages come by keyset, newest first by instant, then id. A scheduled slot is stored with three fraction digits and a
-- manual start with nine: padded to one length they compare as instants (store/history.py says the same words).
CREATE INDEX occurrences_history ON occurrences (automation_id, substr(rtrim(scheduled_for, 'Z') || '000000', 1, 29), id);
DROP INDEX runs_by_routine;
CREATE INDEX runs_by_routine ON runs (automation_id, started_at, id);
CREATE INDEX sessions_by_time ON sessions (created_at, id);

-- Where a reader of the change feed has come to (contract/commands.md §6). `cursor` is the last sequence it has seen, of
-- the feed the last position counted from 0; -1 is before the first. `lapsed` once its time is known to be over: rows
-- cannot ask for the time, and what an unexpired checkpoint needs is not pruned.
CREATE TABLE event_checkpoints (
    checkpoint  TEXT PRIMARY KEY,
    stream_kind TEXT NOT NULL CHECK (stream_kind IN ('automation', 'occurrence', 'run', 'feed')),
    stream_id   TEXT NOT NULL,
    cursor      INTEGER NOT NULL CHECK (cursor >= -1),
    expires_at  TEXT NOT NULL,
    lapsed      INTEGER NOT NULL DEFAULT 0 CHECK (lapsed IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX event_checkpoints_by_end ON event_checkpoints (lapsed, expires_at);
CREATE INDEX event_checkpoints_live ON event_checkpoints (stream_kind, stream_id, cursor) WHERE lapsed = 0;
CREATE TRIGGER event_checkpoints_update BEFORE UPDATE ON event_checkpoints
WHEN OLD.checkpoint IS NOT NEW.checkpoint OR OLD.stream_kind IS NOT NEW.stream_kind
  OR OLD.stream_id IS NOT NEW.stream_id OR OLD.cursor IS NOT NEW.cursor OR OLD.expires_at IS NOT NEW.expires_at
  OR NEW.lapsed < OLD.lapsed
BEGIN SELECT RAISE(ABORT, 'a checkpoint never moves'); END;

-- One receipt for every settled run, and for the attempt that ended it; kept for ever, also when the run is pruned.
CREATE TABLE receipts (
    number        INTEGER PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,
    run_id        TEXT NOT NULL UNIQUE,
    attempt_id    TEXT NOT NULL UNIQUE,
    automation_id TEXT NOT NULL REFERENCES definitions (id),
    body          TEXT NOT NULL CHECK (json_valid(body)),
    produced_at   TEXT NOT NULL
) STRICT;
CREATE TRIGGER receipts_update BEFORE UPDATE ON receipts
BEGIN SELECT RAISE(ABORT, 'receipts are append-only'); END;
CREATE TRIGGER receipts_delete BEFORE DELETE ON receipts
BEGIN SELECT RAISE(ABORT, 'receipts are append-only'); END;

-- A run names its own receipt, once. Runs that an earlier version settled have none, and stay without.
CREATE TRIGGER runs_receipt_insert BEFORE INSERT ON runs WHEN NEW.receipt_id IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a run has a receipt when it is settled'); END;
CREATE TRIGGER runs_receipt_update BEFORE UPDATE OF receipt_id ON runs
WHEN OLD.receipt_id IS NOT NEW.receipt_id
 AND (OLD.receipt_id IS NOT NULL
      OR NOT EXISTS (SELECT 1 FROM receipts q WHERE q.id = NEW.receipt_id AND q.run_id = NEW.id))
BEGIN SELECT RAISE(ABORT, 'a run names its own receipt, once'); END;

-- As in the first schema, and what a live checkpoint has not read yet: of the feed whatever lies beyond it, of a stream
-- what follows in it.
DROP VIEW prunable;
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
  AND NOT EXISTS (SELECT 1 FROM events e
                  WHERE ((e.stream_kind = 'occurrence' AND e.stream_id = o.id)
                         OR (e.stream_kind = 'run'
                             AND e.stream_id IN (SELECT r.id FROM runs r WHERE r.occurrence_id = o.id)))
                    AND (e.position = (SELECT max(position) FROM events)
                         OR EXISTS (SELECT 1 FROM event_checkpoints k WHERE k.lapsed = 0 AND k.stream_kind = 'feed'
                                    AND k.stream_id = 'all' AND k.cursor < e.position - 1)
                         OR EXISTS (SELECT 1 FROM event_checkpoints k WHERE k.lapsed = 0
                                    AND k.stream_kind = e.stream_kind AND k.stream_id = e.stream_id
                                    AND k.cursor < e.sequence)));
