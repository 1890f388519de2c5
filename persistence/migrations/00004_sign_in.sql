-- +goose Up

ALTER TABLE users ADD COLUMN must_change_password BOOLEAN NOT NULL DEFAULT FALSE;

-- One temporary password waits for each user at most. It is drawn at random and too long to guess, so that its SHA-256
-- is as good as a slow hash.
CREATE TABLE temporary_password (
    user_id       BYTEA  NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    password_hash BYTEA  NOT NULL,
    expires_at    BIGINT NOT NULL
);

-- The seed is sealed. It is a proposal until enabled_at is set. Codes of last_step and of the steps before are refused.
CREATE TABLE two_factor (
    user_id    BYTEA  NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    seed       BYTEA  NOT NULL,
    last_step  BIGINT NOT NULL,
    enabled_at BIGINT
);

CREATE TABLE recovery_code (
    user_id   BYTEA NOT NULL REFERENCES two_factor (user_id) ON DELETE CASCADE,
    code_hash BYTEA NOT NULL,
    PRIMARY KEY (user_id, code_hash)
);

-- Who a user is to an identity provider.
CREATE TABLE identity (
    issuer     TEXT   NOT NULL,
    subject    TEXT   NOT NULL,
    user_id    BYTEA  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);

CREATE INDEX identity_of_user ON identity (user_id);

CREATE TABLE magic_link (
    token_hash BYTEA  NOT NULL PRIMARY KEY,
    user_id    BYTEA  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);

CREATE INDEX magic_link_expiry ON magic_link (expires_at);
