-- What a run that succeeded has to deliver, and what became of it (design/schedules.md, Delivery): one row for each
-- run with a delivery, from the evidence of success on. The run stays running until its delivery has ended.
CREATE TABLE deliveries (
    run_id   TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE,
    kind     TEXT NOT NULL CHECK (kind IN ('file', 'notification')),
    path     TEXT,
    mode     TEXT CHECK (mode IN ('replace', 'append')),
    status   TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
    begun_at TEXT,  -- from here on something outside may have changed
    ended_at TEXT,
    error    TEXT,
    CHECK ((kind = 'file') = (path IS NOT NULL) AND (kind = 'file') = (mode IS NOT NULL)),
    CHECK ((status = 'pending') = (ended_at IS NULL) AND (status = 'failed') = (error IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_pending ON deliveries (run_id) WHERE status = 'pending';

-- What the command came to and what became of its output are two things: of a run that has something to deliver the
-- outcome is ok, whatever becomes of the delivery.
CREATE VIEW run_outcomes AS
SELECT r.id AS run_id,
       CASE WHEN d.run_id IS NOT NULL OR r.status = 'succeeded' THEN 'ok' WHEN r.status = 'failed' THEN 'failed' END
           AS outcome,
       ifnull(d.status, 'none') AS delivery_status,
       d.error AS delivery_error
FROM runs r LEFT JOIN deliveries d ON d.run_id = r.id;

CREATE TRIGGER deliveries_insert BEFORE INSERT ON deliveries
WHEN NEW.status <> 'pending' OR NEW.begun_at IS NOT NULL
  OR NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = NEW.run_id AND r.status = 'running')
BEGIN SELECT RAISE(ABORT, 'a delivery begins pending, of a run that is running'); END;

CREATE TRIGGER deliveries_pins BEFORE UPDATE ON deliveries
WHEN OLD.run_id IS NOT NEW.run_id OR OLD.kind IS NOT NEW.kind OR OLD.path IS NOT NEW.path OR OLD.mode IS NOT NEW.mode
  OR (OLD.begun_at IS NOT NULL AND OLD.begun_at IS NOT NEW.begun_at)
BEGIN SELECT RAISE(ABORT, 'what is to be delivered, and that it was begun, never changes'); END;

CREATE TRIGGER deliveries_ended BEFORE UPDATE ON deliveries WHEN OLD.status <> 'pending'
BEGIN SELECT RAISE(ABORT, 'a delivery that has ended is immutable'); END;

-- The run of a delivery ends after it, and as it did.
CREATE TRIGGER runs_after_delivery BEFORE UPDATE OF status ON runs
WHEN OLD.status IS NOT NEW.status
 AND EXISTS (SELECT 1 FROM deliveries d WHERE d.run_id = NEW.id
             AND NEW.status <> CASE d.status WHEN 'delivered' THEN 'succeeded' WHEN 'failed' THEN 'failed' ELSE '' END)
BEGIN SELECT RAISE(ABORT, 'a run ends as its delivery did, and not before it'); END;
