CREATE TABLE revisions (            -- withdrawals, and titles that were changed
    id INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL REFERENCES papers,
    at INTEGER NOT NULL,            -- when we saw it
    before TEXT NOT NULL,           -- the title until then
    withdrawn INTEGER NOT NULL
) STRICT;
CREATE INDEX revisions_by_age ON revisions (at);
