-- +goose Up

-- Clients that registered themselves. They are public: they have no secret.
CREATE TABLE oauth_client (
    id            BYTEA  NOT NULL PRIMARY KEY,
    name          TEXT   NOT NULL,
    redirect_uris TEXT   NOT NULL,
    created_at    BIGINT NOT NULL
);

-- The grant of a user to a client is a row of api_token with the client. Its end removes its code and its tokens.
ALTER TABLE api_token ADD COLUMN client_id BYTEA;

CREATE TABLE oauth_code (
    code_hash    BYTEA  NOT NULL PRIMARY KEY,
    grant_id     BYTEA  NOT NULL REFERENCES api_token (id) ON DELETE CASCADE,
    client_id    BYTEA  NOT NULL,
    redirect_uri TEXT   NOT NULL,
    challenge    TEXT   NOT NULL,
    expires_at   BIGINT NOT NULL,
    used_at      BIGINT
);

CREATE INDEX oauth_code_of_grant ON oauth_code (grant_id);

-- Access and refresh tokens. A used refresh token is kept until it expires, so that its reuse is recognized.
CREATE TABLE oauth_token (
    token_hash BYTEA   NOT NULL PRIMARY KEY,
    grant_id   BYTEA   NOT NULL REFERENCES api_token (id) ON DELETE CASCADE,
    refresh    BOOLEAN NOT NULL,
    expires_at BIGINT  NOT NULL,
    used_at    BIGINT
);

CREATE INDEX oauth_token_of_grant ON oauth_token (grant_id);
CREATE INDEX oauth_token_expiry ON oauth_token (expires_at);
