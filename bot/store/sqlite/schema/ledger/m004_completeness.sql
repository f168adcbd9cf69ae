-- How much a look showed was told by words of its reason so far.

ALTER TABLE runs ADD COLUMN completeness TEXT NOT NULL DEFAULT 'whole';
UPDATE runs SET completeness = 'part' WHERE kind = 'poll'
    AND (instr(reason, 'incomplete') OR instr(reason, 'the rest comes next time'));
UPDATE runs SET completeness = 'stale' WHERE kind = 'poll'
    AND instr(reason, 'stale: the listing');
UPDATE runs SET completeness = 'doubtful' WHERE kind = 'poll'
    AND instr(reason, 'suspicious') = 1;
