DROP INDEX destinations_due;
CREATE INDEX destinations_due ON destinations (next_due_at) WHERE state != 'off';
