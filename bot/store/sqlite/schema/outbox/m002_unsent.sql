-- Counting what is not sent looks at that alone: nearly all that ever was has been sent.

CREATE INDEX deliveries_unsent ON deliveries (state, destination_id)
    WHERE state NOT IN ('sent', 'skipped');
