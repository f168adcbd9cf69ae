-- Whoever reads a topic reads its names, too: not past those of all others.

CREATE INDEX topic_names_of ON topic_names (topic_id);
