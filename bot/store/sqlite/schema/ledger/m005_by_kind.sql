-- The latest look at any source is asked for by every digest: not among all that ever were.

CREATE INDEX runs_by_kind ON runs (kind, id);
