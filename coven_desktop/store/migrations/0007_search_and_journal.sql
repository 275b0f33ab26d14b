-- Words of routines to search for: name, id and prompt, in pieces of three characters, whatever their case and accents.
-- A copy, kept by the triggers; definitions are never deleted. Of a prompt the first 8,000 characters: a very long one
-- would hold the engine's thread for a second.
CREATE VIRTUAL TABLE routine_search USING fts5 (name, id, prompt, tokenize = 'trigram remove_diacritics 1');
INSERT INTO routine_search (rowid, name, id, prompt)
SELECT number, name, id, substr(ifnull(iif(json_valid(body), json_extract(body, '$.prompt'), NULL), ''), 1, 8000) FROM definitions;
CREATE TRIGGER definitions_searched_insert AFTER INSERT ON definitions
BEGIN
    INSERT INTO routine_search (rowid, name, id, prompt)
    VALUES (NEW.number, NEW.name, NEW.id, substr(ifnull(iif(json_valid(NEW.body), json_extract(NEW.body, '$.prompt'), NULL), ''), 1, 8000));
END;
CREATE TRIGGER definitions_searched_update AFTER UPDATE OF name, body ON definitions
WHEN OLD.name IS NOT NEW.name
  OR iif(json_valid(OLD.body), json_extract(OLD.body, '$.prompt'), NULL) IS NOT iif(json_valid(NEW.body), json_extract(NEW.body, '$.prompt'), NULL)
BEGIN
    UPDATE routine_search SET name = NEW.name, prompt = substr(ifnull(iif(json_valid(NEW.body), json_extract(NEW.body, '$.prompt'), NULL), ''), 1, 8000)
    WHERE rowid = NEW.number;
END;

-- What happened to the app itself and is no event of the contract's: it was away, a pass had errors. For Activity. The
-- position is that of the newest event when it was written: the two are told in one order.
CREATE TABLE journal (
    number        INTEGER PRIMARY KEY,
    position      INTEGER NOT NULL,
    recorded_at   TEXT NOT NULL,
    kind          TEXT NOT NULL CHECK (kind <> ''),
    automation_id TEXT REFERENCES definitions (id),
    body          TEXT NOT NULL CHECK (json_valid(body))
) STRICT;
CREATE INDEX journal_by_position ON journal (position, number);
CREATE TRIGGER journal_update BEFORE UPDATE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER journal_delete BEFORE DELETE ON journal
BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;

-- What is changed in a routine's settings is told there too.
INSERT INTO journal (position, recorded_at, kind, automation_id, body)
SELECT max(feed_position, 0), recorded_at, 'settings.changed', automation_id, changes
FROM routine_settings_changes ORDER BY number;
CREATE TRIGGER routine_settings_changes_told AFTER INSERT ON routine_settings_changes
BEGIN
    INSERT INTO journal (position, recorded_at, kind, automation_id, body)
    VALUES (max(NEW.feed_position, 0), NEW.recorded_at, 'settings.changed', NEW.automation_id, NEW.changes);
END;
