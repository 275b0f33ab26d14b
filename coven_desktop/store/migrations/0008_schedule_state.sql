-- What counts for cadence and cron routines, one row each, kept when the routine is disabled (design/schedules.md):
-- since when their slots count, how many runs were dispatched, how many failed in a row.
CREATE TABLE schedule_state (
    automation_id     TEXT PRIMARY KEY REFERENCES definitions (id),
    counts_from       TEXT NOT NULL,
    runs_counted      INTEGER NOT NULL DEFAULT 0 CHECK (runs_counted >= 0),
    failures_in_a_row INTEGER NOT NULL DEFAULT 0 CHECK (failures_in_a_row >= 0)
) STRICT, WITHOUT ROWID;
CREATE INDEX schedule_state_failures ON schedule_state (failures_in_a_row) WHERE failures_in_a_row > 0;

-- Of a skipped occurrence that stands for several slots: how many, the first and the last.
CREATE TABLE missed_spans (
    occurrence_id TEXT PRIMARY KEY REFERENCES occurrences (id) ON DELETE CASCADE,
    slots         INTEGER NOT NULL CHECK (slots >= 1),
    first_slot    TEXT NOT NULL,
    last_slot     TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER missed_spans_update BEFORE UPDATE ON missed_spans
BEGIN SELECT RAISE(ABORT, 'what was missed stays as it was recorded'); END;
