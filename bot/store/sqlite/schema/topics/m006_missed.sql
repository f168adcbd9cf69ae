-- What could not be matched when it came, and is owed to whoever waits for it.

ALTER TABLE topics ADD COLUMN missed_after INTEGER;  -- the last paper before it was left out
CREATE TABLE unmatched (
    seq INTEGER PRIMARY KEY REFERENCES papers, live INTEGER NOT NULL
) STRICT;
