-- Who gets mail now said yes.  `ledger` knows of those who did and have stopped it since.

ALTER TABLE destinations ADD COLUMN confirmed_at INTEGER;  -- a mail address was said yes to
UPDATE destinations SET confirmed_at = (SELECT created_at FROM subscribers s
        WHERE s.id = subscriber_id)
    WHERE channel = 'email' AND (state = 'active' OR reason = 'only for notices');
