-- Papers submitted up to then still wait for a topic's query; NULL: none does.

ALTER TABLE topics ADD COLUMN matched_after INTEGER;
UPDATE topics SET matched_after = (SELECT max(submitted_at) FROM papers)
    WHERE rematch_from IS NOT NULL AND NOT EXISTS
    (SELECT 1 FROM topic_versions a JOIN topic_versions b USING (topic_id)
        WHERE a.topic_id = topics.id AND a.version = topics.version
        AND b.version = a.version - 1 AND a.query = b.query);
