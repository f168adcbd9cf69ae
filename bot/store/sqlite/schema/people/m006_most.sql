-- So many papers are shown in a digest; 0: all of them.

ALTER TABLE destinations ADD COLUMN most INTEGER NOT NULL DEFAULT 0;
