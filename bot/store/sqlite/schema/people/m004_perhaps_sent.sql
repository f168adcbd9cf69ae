-- Restored from a backup: when a digest was last due, until one is composed.

ALTER TABLE destinations ADD COLUMN perhaps_sent INTEGER;
