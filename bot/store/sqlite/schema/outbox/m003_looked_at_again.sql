-- Papers given back, and follows resumed: no number says what else to look at again.
--
-- Of a follow that ended before this step nobody knows how far it was considered.

CREATE TABLE given_back (           -- live matches to be decided again, whatever their number
    destination_id INTEGER NOT NULL REFERENCES destinations ON DELETE CASCADE,
    number INTEGER NOT NULL,
    PRIMARY KEY (destination_id, number)
) STRICT, WITHOUT ROWID;
ALTER TABLE told DROP COLUMN number;
CREATE TABLE left_off (             -- what was `considered` when a follow ended
    destination_id INTEGER NOT NULL REFERENCES destinations ON DELETE CASCADE,
    follow_id INTEGER NOT NULL REFERENCES follows ON DELETE CASCADE,
    number INTEGER NOT NULL,
    PRIMARY KEY (destination_id, follow_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX left_off_follows ON left_off (follow_id);
INSERT INTO left_off (destination_id, follow_id, number)
    SELECT d.id, f.id, f.since FROM destinations d
    JOIN follows f ON f.subscriber_id = d.subscriber_id AND f.ended_at IS NOT NULL;
