-- Whether anything is written down of times to come is asked every few seconds.

CREATE INDEX runs_by_time ON runs (at);
