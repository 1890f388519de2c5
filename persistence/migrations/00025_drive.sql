-- +goose Up

-- The accounts of connections to cloud drives. Tokens are encrypted.
CREATE TABLE drive_account (
    connection   BYTEA   NOT NULL PRIMARY KEY,
    organization BYTEA   NOT NULL,
    email        TEXT    NOT NULL,
    token        BYTEA   NOT NULL,
    refused      BOOLEAN NOT NULL,
    created_at   BIGINT  NOT NULL
);

CREATE INDEX drive_account_of ON drive_account (organization);

-- The open requests of users for an authorization. Verifiers are encrypted.
CREATE TABLE drive_request (
    nonce        TEXT   NOT NULL PRIMARY KEY,
    organization BYTEA  NOT NULL,
    user_id      BYTEA  NOT NULL,
    verifier     BYTEA  NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);

CREATE INDEX drive_request_expiry ON drive_request (expires_at);

-- The progress of configurations between their runs.
CREATE TABLE drive_sync (
    configuration BYTEA  NOT NULL PRIMARY KEY,
    organization  BYTEA  NOT NULL,
    page_token    TEXT   NOT NULL,
    scope         TEXT   NOT NULL,
    next_at       BIGINT,
    last_sync_at  BIGINT,
    error         TEXT   NOT NULL
);

CREATE INDEX drive_sync_of ON drive_sync (organization);

-- The files and folders of the drive, as they were last copied.
CREATE TABLE drive_file (
    configuration BYTEA   NOT NULL,
    external_id   TEXT    NOT NULL,
    parent        TEXT    NOT NULL,
    name          TEXT    NOT NULL,
    folder        BOOLEAN NOT NULL,
    document      BYTEA   NOT NULL,
    fingerprint   TEXT    NOT NULL,
    run           BYTEA   NOT NULL,
    queued        BIGINT  NOT NULL,
    gone          BOOLEAN NOT NULL,
    organization  BYTEA   NOT NULL,
    PRIMARY KEY (configuration, external_id)
);

CREATE INDEX drive_file_parent ON drive_file (configuration, parent);
CREATE INDEX drive_file_queue ON drive_file (configuration, queued) WHERE queued > 0;
CREATE INDEX drive_file_gone ON drive_file (configuration) WHERE gone;
CREATE INDEX drive_file_external ON drive_file (organization, external_id);

-- The runs of the synchronization. A configuration has at most one run with work.
CREATE TABLE drive_run (
    id            BYTEA  NOT NULL PRIMARY KEY,
    organization  BYTEA  NOT NULL,
    configuration BYTEA  NOT NULL,
    status        TEXT   NOT NULL,
    error         TEXT   NOT NULL,
    processed     BIGINT NOT NULL,
    added         BIGINT NOT NULL,
    updated       BIGINT NOT NULL,
    skipped       BIGINT NOT NULL,
    failed        BIGINT NOT NULL,
    triggered_at  BIGINT NOT NULL,
    started_at    BIGINT,
    completed_at  BIGINT,
    resume_at     BIGINT,
    progress      TEXT   NOT NULL
);

CREATE INDEX drive_run_of ON drive_run (organization, triggered_at, id);
CREATE UNIQUE INDEX drive_run_open ON drive_run (configuration) WHERE status IN ('running', 'partial');
