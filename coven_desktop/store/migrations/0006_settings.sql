-- Settings of routines (decisions.md 41): every change of them, by names; the newest number is their revision. A line
-- stands behind the event of the feed that was the newest then, so that both are told in one order. And the names of the
-- secrets that were given to the keyring from here, which cannot list them itself. Values of secrets are nowhere.

CREATE TABLE routine_settings_changes (
    number        INTEGER PRIMARY KEY,
    automation_id TEXT NOT NULL REFERENCES definitions (id),
    revision      INTEGER NOT NULL CHECK (revision >= 1),
    changes       TEXT NOT NULL CHECK (json_valid(changes)),
    feed_position INTEGER NOT NULL,
    adoption_key  TEXT,
    recorded_at   TEXT NOT NULL,
    UNIQUE (automation_id, revision)
) STRICT;
CREATE TRIGGER routine_settings_changes_update BEFORE UPDATE ON routine_settings_changes
BEGIN SELECT RAISE(ABORT, 'what was changed in settings is append-only'); END;
CREATE TRIGGER routine_settings_changes_delete BEFORE DELETE ON routine_settings_changes
BEGIN SELECT RAISE(ABORT, 'what was changed in settings is append-only'); END;
CREATE INDEX routine_settings_changes_feed ON routine_settings_changes (feed_position, number);

INSERT INTO routine_settings_changes (automation_id, revision, changes, feed_position, recorded_at)
SELECT automation_id, 1,
       json_object('environmentSet', json((SELECT json_group_array(key) FROM json_each(environment))),
                   'environmentRemoved', json_array(),
                   'secretsAdded', json(secrets), 'secretsRemoved', json_array()),
       (SELECT ifnull(max(position), 0) FROM events), updated_at
FROM routine_settings;

CREATE TABLE secret_names (
    name   TEXT PRIMARY KEY CHECK (name <> ''),
    set_at TEXT NOT NULL
) STRICT, WITHOUT ROWID;
