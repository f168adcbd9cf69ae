-- Live matches that a newer version let go of: back, they are what they were.

CREATE TABLE let_go (
    topic_id INTEGER NOT NULL REFERENCES topics, seq INTEGER NOT NULL REFERENCES papers,
    number INTEGER NOT NULL,
    PRIMARY KEY (topic_id, seq)
) STRICT, WITHOUT ROWID;
