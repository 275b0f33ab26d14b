-- Stored `local` (decisions.md 32): what a migration at open has rewritten is kept here as it was, and no live routine
-- gets the zone `local` any more.

CREATE TABLE migration_ledger (
    number        INTEGER PRIMARY KEY,
    migration     TEXT NOT NULL CHECK (migration <> ''),
    automation_id TEXT NOT NULL REFERENCES definitions (id),
    old_revision  INTEGER NOT NULL,
    old_digest    TEXT NOT NULL,
    old_body      TEXT NOT NULL,
    new_revision  INTEGER NOT NULL CHECK (new_revision = old_revision + 1),
    new_digest    TEXT NOT NULL,
    recorded_at   TEXT NOT NULL,
    UNIQUE (automation_id, old_revision)
) STRICT;
CREATE TRIGGER migration_ledger_update BEFORE UPDATE ON migration_ledger
BEGIN SELECT RAISE(ABORT, 'the ledger of migrations is append-only'); END;
CREATE TRIGGER migration_ledger_delete BEFORE DELETE ON migration_ledger
BEGIN SELECT RAISE(ABORT, 'the ledger of migrations is append-only'); END;

-- What every opening looks for. A body that is no JSON at all is nobody's `local`, and must not stop an opening.
CREATE INDEX definitions_local ON definitions (id)
WHERE CASE WHEN json_valid(body) THEN json_extract(body, '$.timezone') END = 'local';

-- Triggers, since a CHECK would also refuse what is there: a routine whose zone the host cannot tell stays as it is
-- until it can, and must still be marked as broken, disabled or deleted meanwhile.
CREATE TRIGGER definitions_local_insert BEFORE INSERT ON definitions
WHEN CASE WHEN json_valid(NEW.body) THEN json_extract(NEW.body, '$.timezone') END = 'local'
BEGIN SELECT RAISE(ABORT, 'the zone local is resolved before it is stored'); END;
CREATE TRIGGER definitions_local_update BEFORE UPDATE OF body ON definitions
WHEN NEW.body IS NOT OLD.body
 AND CASE WHEN json_valid(NEW.body) THEN json_extract(NEW.body, '$.timezone') END = 'local'
BEGIN SELECT RAISE(ABORT, 'the zone local is resolved before it is stored'); END;
