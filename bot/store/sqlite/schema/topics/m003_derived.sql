-- Own topics whose query never changed may be read from their names.
--
-- One that was typed as a query is its own name: `core.catalogue.read_anew` tells those apart.

ALTER TABLE topics ADD COLUMN derived INTEGER NOT NULL DEFAULT 0;
UPDATE topics SET derived = 1
    WHERE origin = 'own' AND name NOT LIKE '%(mine)' AND name NOT LIKE '%…' AND NOT EXISTS
    (SELECT 1 FROM topic_versions a JOIN topic_versions b USING (topic_id)
        WHERE a.topic_id = topics.id AND a.query != b.query);
