-- +goose Up

-- The accounts of users at the chat server, with their access tokens. Tokens are encrypted. A row outlives its user until
-- the account has left its teams and the token is revoked: leaving_at is the time of the next attempt.
CREATE TABLE chat_user (
    user_id      BYTEA  NOT NULL PRIMARY KEY,
    chat_user_id TEXT   NOT NULL UNIQUE,
    token_id     TEXT   NOT NULL,
    token        BYTEA,
    token_at     BIGINT NOT NULL,
    leaving_at   BIGINT
);

CREATE INDEX chat_user_leaving ON chat_user (leaving_at) WHERE leaving_at IS NOT NULL;

-- The teams of organizations at the chat server.
CREATE TABLE chat_team (
    organization BYTEA NOT NULL PRIMARY KEY,
    team_id      TEXT  NOT NULL UNIQUE
);
