CREATE TABLE inbox (                -- Slack repeats what was not acknowledged in time
    key TEXT PRIMARY KEY, at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX inbox_by_age ON inbox (at);
CREATE TABLE installations (
    enterprise_id TEXT NOT NULL,    -- '' outside of an Enterprise Grid
    team_id TEXT NOT NULL,          -- '' where a whole organisation installed it
    name TEXT NOT NULL,
    token TEXT NOT NULL,
    bot_id TEXT NOT NULL, bot_user_id TEXT NOT NULL,
    installed_by TEXT NOT NULL, installed_at INTEGER NOT NULL,
    gone_at INTEGER, gone_why TEXT NOT NULL DEFAULT '',  -- kept: people may come back
    PRIMARY KEY (enterprise_id, team_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX installations_by_team ON installations (team_id);
CREATE TABLE conversation_keepers ( -- who set a conversation's digest up, to be told of trouble
    workspace TEXT NOT NULL, conversation TEXT NOT NULL,
    user_id TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (workspace, conversation)
) STRICT, WITHOUT ROWID;
