-- +goose Up

CREATE TABLE users (
    id                BYTEA   NOT NULL PRIMARY KEY,
    entity            BYTEA   NOT NULL UNIQUE,
    email             TEXT    NOT NULL,
    email_canonical   TEXT    NOT NULL UNIQUE,
    username          TEXT    NOT NULL,
    first_name        TEXT    NOT NULL,
    last_name         TEXT    NOT NULL,
    password_hash     TEXT    NOT NULL,
    email_verified_at BIGINT,
    accepted_terms_at BIGINT,
    site_admin        BOOLEAN NOT NULL,
    registered_ip     TEXT    NOT NULL,
    created_at        BIGINT  NOT NULL
);

-- One code waits for each user at most; sending another replaces it. Only the code's SHA-256 is kept.
CREATE TABLE email_verification (
    user_id    BYTEA  NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
    code_hash  BYTEA  NOT NULL UNIQUE,
    sent_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    attempts   BIGINT NOT NULL
);

CREATE TABLE registration_count (
    address TEXT   NOT NULL PRIMARY KEY,
    number  BIGINT NOT NULL
);

CREATE TABLE blocked_email (
    email_canonical TEXT   NOT NULL PRIMARY KEY,
    created_at      BIGINT NOT NULL
);

CREATE TABLE blocked_domain (
    domain     TEXT   NOT NULL PRIMARY KEY,
    created_at BIGINT NOT NULL
);

-- A subject is hashed, so that guessing at accounts leaves no list of addresses behind.
CREATE TABLE throttle (
    subject   BYTEA  NOT NULL PRIMARY KEY,
    attempts  BIGINT NOT NULL,
    resets_at BIGINT NOT NULL
);

CREATE TABLE outbox (
    id              BYTEA  NOT NULL PRIMARY KEY,
    recipient       TEXT   NOT NULL,
    subject         TEXT   NOT NULL,
    plain_text      TEXT   NOT NULL,
    html            TEXT   NOT NULL,
    created_at      BIGINT NOT NULL,
    attempts        BIGINT NOT NULL,
    next_attempt_at BIGINT,
    sent_at         BIGINT,
    failure         TEXT   NOT NULL
);

-- Only what still waits is in this index. NULL means that nobody will try again.
CREATE INDEX outbox_waiting ON outbox (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
