-- +goose Up

CREATE TABLE session (
    id_hash    BYTEA  NOT NULL PRIMARY KEY,
    user_id    TEXT   NOT NULL,
    data       TEXT   NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE INDEX session_of_user ON session (user_id);

CREATE INDEX session_expiry ON session (expires_at);

-- Values sealed by the store's keyset, and the keyset itself, wrapped by the configured key.
CREATE TABLE secret (
    name       TEXT   NOT NULL PRIMARY KEY,
    value      BYTEA  NOT NULL,
    updated_at BIGINT NOT NULL
);
