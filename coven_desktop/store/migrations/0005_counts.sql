-- Quick where there is much: how many occurrences a routine has in each state, kept by the triggers below, so that nobody
-- counts a million rows; and the order in which routines come due, so that none of a thousand is sorted again a slice.

CREATE TABLE occurrence_counts (
    automation_id TEXT NOT NULL,
    state         TEXT NOT NULL,
    amount        INTEGER NOT NULL CHECK (amount >= 0),
    PRIMARY KEY (automation_id, state)
) STRICT, WITHOUT ROWID;
INSERT INTO occurrence_counts SELECT automation_id, state, count(*) FROM occurrences GROUP BY automation_id, state;

CREATE TRIGGER occurrences_counted_insert AFTER INSERT ON occurrences
BEGIN
    INSERT INTO occurrence_counts VALUES (NEW.automation_id, NEW.state, 1)
    ON CONFLICT (automation_id, state) DO UPDATE SET amount = amount + 1;
END;
CREATE TRIGGER occurrences_counted_update AFTER UPDATE OF state ON occurrences WHEN OLD.state IS NOT NEW.state
BEGIN
    UPDATE occurrence_counts SET amount = amount - 1 WHERE automation_id = OLD.automation_id AND state = OLD.state;
    INSERT INTO occurrence_counts VALUES (NEW.automation_id, NEW.state, 1)
    ON CONFLICT (automation_id, state) DO UPDATE SET amount = amount + 1;
END;
CREATE TRIGGER occurrences_counted_delete AFTER DELETE ON occurrences
BEGIN
    UPDATE occurrence_counts SET amount = amount - 1 WHERE automation_id = OLD.automation_id AND state = OLD.state;
END;

DROP INDEX definitions_due;
CREATE INDEX definitions_due ON definitions (next_due_at, id) WHERE next_due_at IS NOT NULL;
