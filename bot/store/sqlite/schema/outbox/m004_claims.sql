-- Who holds a claim, and what was decided about a delivery while somebody does.

ALTER TABLE deliveries ADD COLUMN claims INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN verdict TEXT NOT NULL DEFAULT '';
