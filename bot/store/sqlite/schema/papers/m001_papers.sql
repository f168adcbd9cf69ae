CREATE TABLE papers (
    seq INTEGER PRIMARY KEY,        -- our own increasing number: first seen
    arxiv_id TEXT NOT NULL UNIQUE,  -- without version
    version INTEGER NOT NULL,
    title TEXT NOT NULL,
    abstract TEXT NOT NULL,
    primary_category TEXT NOT NULL,
    submitted_at INTEGER NOT NULL,  -- of version 1; epoch seconds UTC, as all instants here
    updated_at INTEGER NOT NULL,
    first_seen_at INTEGER NOT NULL,
    announced_on TEXT,              -- the listing's date
    withdrawn INTEGER NOT NULL DEFAULT 0,
    comment TEXT NOT NULL DEFAULT '',
    doi TEXT NOT NULL DEFAULT '',
    journal_ref TEXT NOT NULL DEFAULT '',
    code_url TEXT NOT NULL DEFAULT '',
    backfilled INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX papers_submitted ON papers (submitted_at);
CREATE TABLE paper_authors (
    seq INTEGER NOT NULL REFERENCES papers, position INTEGER NOT NULL,
    name TEXT NOT NULL, affiliations TEXT NOT NULL DEFAULT '',  -- JSON array, '' for none
    PRIMARY KEY (seq, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE paper_categories (
    seq INTEGER NOT NULL REFERENCES papers, position INTEGER NOT NULL, category TEXT NOT NULL,
    PRIMARY KEY (seq, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX paper_categories_by_name ON paper_categories (category, seq);
CREATE VIRTUAL TABLE papers_fts USING fts5 (
    title, abstract, content = 'papers', content_rowid = 'seq',
    tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER papers_found AFTER INSERT ON papers BEGIN
    INSERT INTO papers_fts (rowid, title, abstract) VALUES (new.seq, new.title, new.abstract);
END;
CREATE TRIGGER papers_changed AFTER UPDATE OF title, abstract ON papers BEGIN
    INSERT INTO papers_fts (papers_fts, rowid, title, abstract)
    VALUES ('delete', old.seq, old.title, old.abstract);
    INSERT INTO papers_fts (rowid, title, abstract) VALUES (new.seq, new.title, new.abstract);
END;
