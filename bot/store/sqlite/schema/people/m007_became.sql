-- Links name destinations, also those that are one with another since.

CREATE TABLE became (
    id INTEGER PRIMARY KEY,          -- a destination that is gone
    destination_id INTEGER NOT NULL REFERENCES destinations ON DELETE CASCADE,
    since INTEGER NOT NULL,          -- its own epoch: links of an older one were void
    epoch INTEGER NOT NULL           -- the other's, that its links are as good as
) STRICT;
CREATE INDEX became_of ON became (destination_id);
