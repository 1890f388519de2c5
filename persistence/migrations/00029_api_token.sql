-- +goose Up

-- Tokens of programs. A token is random and too long to guess, so that its SHA-256 is as good as a slow hash. The scopes are
-- separated by spaces. organization is NULL for a token of all organizations of its user.
CREATE TABLE api_token (
    id           BYTEA  NOT NULL PRIMARY KEY,
    token_hash   BYTEA  NOT NULL UNIQUE,
    user_id      BYTEA  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name         TEXT   NOT NULL,
    scopes       TEXT   NOT NULL,
    organization BYTEA,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    used_at      BIGINT
);

CREATE INDEX api_token_of_user ON api_token (user_id);
CREATE INDEX api_token_expiry ON api_token (expires_at);
