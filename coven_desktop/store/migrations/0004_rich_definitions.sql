-- What the author of a rich definition wrote, for as long as its routine stands for it (contract/commands.md §7.4). What
-- the scheduler works with stays in `definitions`.
CREATE TABLE rich_definitions (
    automation_id TEXT PRIMARY KEY REFERENCES definitions (id),
    body          TEXT NOT NULL CHECK (json_valid(body) AND json_extract(body, '$.automationId') IS automation_id)
) STRICT;
