-- Who has stopped their mail said yes to it once, if that was written down.
--
-- One that brought digests and was never asked is the operator's word.

UPDATE destinations SET confirmed_at = (SELECT created_at FROM subscribers s
        WHERE s.id = subscriber_id)
    WHERE channel = 'email' AND confirmed_at IS NULL
    AND reason != 'waiting for its owner to confirm'
    AND (EXISTS (SELECT 1 FROM runs WHERE kind = 'consent'
            AND subject = 'd' || destinations.id)
        OR EXISTS (SELECT 1 FROM deliveries v WHERE v.destination_id = destinations.id
            AND v.kind = 'digest' AND v.state = 'sent')
        AND NOT EXISTS (SELECT 1 FROM deliveries v WHERE v.destination_id = destinations.id
            AND substr(v.period, 1, 15) = 'letter confirm.'));
