-- +goose Up

-- The SHA-256 of valid hook tokens.
CREATE TABLE hook_token (
    hash         BYTEA  NOT NULL PRIMARY KEY,
    organization BYTEA  NOT NULL,
    id           BYTEA  NOT NULL,
    created_at   BIGINT NOT NULL
);

CREATE INDEX hook_token_of ON hook_token (organization, id);

-- The runs that hooks requested. The request is JSON. ended_at is NULL until the summary is stored.
CREATE TABLE hook_run (
    run_id       TEXT    NOT NULL PRIMARY KEY,
    organization BYTEA   NOT NULL,
    request      BYTEA   NOT NULL,
    status       TEXT    NOT NULL,
    summary      TEXT    NOT NULL,
    delivered    BOOLEAN NOT NULL,
    reason       TEXT    NOT NULL,
    attempts     BIGINT  NOT NULL,
    leased_until BIGINT  NOT NULL,
    created_at   BIGINT  NOT NULL,
    ended_at     BIGINT
);

CREATE INDEX hook_run_of ON hook_run (organization, created_at);
CREATE INDEX hook_run_open ON hook_run (organization, created_at) WHERE ended_at IS NULL;
CREATE INDEX hook_run_age ON hook_run (created_at);

-- The events of the main session of an organization.
CREATE TABLE hook_event (
    id           TEXT    NOT NULL PRIMARY KEY,
    organization BYTEA   NOT NULL,
    at           BIGINT  NOT NULL,
    text         TEXT    NOT NULL,
    source       TEXT    NOT NULL,
    handled      BOOLEAN NOT NULL
);

CREATE INDEX hook_event_of ON hook_event (organization, id);
CREATE INDEX hook_event_age ON hook_event (at);

-- The last requested heartbeat of the main session.
CREATE TABLE hook_heartbeat (
    organization BYTEA  NOT NULL PRIMARY KEY,
    requested_at BIGINT NOT NULL
);

-- The requests with an idempotency key, by the hash of token, path, key and fields.
CREATE TABLE hook_repetition (
    organization BYTEA  NOT NULL,
    repetition   BYTEA  NOT NULL,
    answer       TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (organization, repetition)
);

CREATE INDEX hook_repetition_age ON hook_repetition (created_at);
