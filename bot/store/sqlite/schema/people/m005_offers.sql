-- What was offered last to whoever asked something, for as long as it can be answered.

CREATE TABLE offers (
    asker TEXT NOT NULL,            -- an identity, who may be no subscriber
    place TEXT NOT NULL,            -- the conversation, '' for none
    offered TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (asker, place)
) STRICT, WITHOUT ROWID;
