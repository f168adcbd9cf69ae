DROP TRIGGER papers_found;
DROP TRIGGER papers_changed;
DROP TABLE papers_fts;
CREATE VIEW papers_plainly AS       -- as typed without letters that have no mark to be left out
SELECT seq,
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        replace(replace(replace(replace(replace(replace(replace(replace(replace(title,
            'ł', 'l'), 'Ł', 'L'), 'ø', 'o'), 'Ø', 'O'), 'đ', 'd'),
            'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H'),
            'ı', 'i'), 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'Ae'),
            'œ', 'oe'), 'Œ', 'Oe'), 'þ', 'th'), 'Þ', 'Th') AS title,
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        replace(replace(replace(replace(replace(replace(replace(replace(replace(abstract,
            'ł', 'l'), 'Ł', 'L'), 'ø', 'o'), 'Ø', 'O'), 'đ', 'd'),
            'Đ', 'D'), 'ð', 'd'), 'Ð', 'D'), 'ħ', 'h'), 'Ħ', 'H'),
            'ı', 'i'), 'ß', 'ss'), 'ẞ', 'SS'), 'æ', 'ae'), 'Æ', 'Ae'),
            'œ', 'oe'), 'Œ', 'Oe'), 'þ', 'th'), 'Þ', 'Th') AS abstract
FROM papers;
CREATE VIRTUAL TABLE papers_fts USING fts5 (
    title, abstract, content = 'papers_plainly', content_rowid = 'seq',
    tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER papers_found AFTER INSERT ON papers BEGIN
    INSERT INTO papers_fts (rowid, title, abstract)
    SELECT seq, title, abstract FROM papers_plainly WHERE seq = new.seq;
END;
CREATE TRIGGER papers_forgotten BEFORE UPDATE OF title, abstract ON papers BEGIN
    INSERT INTO papers_fts (papers_fts, rowid, title, abstract)
    SELECT 'delete', seq, title, abstract FROM papers_plainly WHERE seq = old.seq;
END;
CREATE TRIGGER papers_changed AFTER UPDATE OF title, abstract ON papers BEGIN
    INSERT INTO papers_fts (rowid, title, abstract)
    SELECT seq, title, abstract FROM papers_plainly WHERE seq = new.seq;
END;
INSERT INTO papers_fts (papers_fts) VALUES ('rebuild');
