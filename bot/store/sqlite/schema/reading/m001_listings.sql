-- Matches with the date and category of their papers, kept by triggers.
--
-- A page of a topic would else look up every paper of the topic to sort them by date: 40 ms for
-- 20,000 of them, against 0.1 ms here.

CREATE TABLE listings (
    topic_id INTEGER NOT NULL, submitted_at INTEGER NOT NULL, seq INTEGER NOT NULL,
    score REAL NOT NULL, category TEXT NOT NULL,
    PRIMARY KEY (topic_id, submitted_at, seq)
) STRICT, WITHOUT ROWID;
INSERT INTO listings SELECT m.topic_id, p.submitted_at, m.seq, m.score, p.primary_category
    FROM matches m JOIN papers p ON p.seq = m.seq;
CREATE TRIGGER match_listed AFTER INSERT ON matches BEGIN
    INSERT INTO listings (topic_id, submitted_at, seq, score, category)
    SELECT new.topic_id, p.submitted_at, new.seq, new.score, p.primary_category
    FROM papers p WHERE p.seq = new.seq;
END;
CREATE TRIGGER match_scored AFTER UPDATE OF score ON matches BEGIN
    UPDATE listings SET score = new.score WHERE topic_id = new.topic_id AND seq = new.seq
    AND submitted_at = (SELECT submitted_at FROM papers WHERE seq = new.seq);
END;
CREATE TRIGGER match_unlisted AFTER DELETE ON matches BEGIN
    DELETE FROM listings WHERE topic_id = old.topic_id AND seq = old.seq
    AND submitted_at = (SELECT submitted_at FROM papers WHERE seq = old.seq);
END;
