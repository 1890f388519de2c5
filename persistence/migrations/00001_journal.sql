-- +goose Up

-- The journal is the only source of truth for an organization. Its primary key is the fence: of two writers that both
-- believe they own an organization, the second is refused. The payload is kept as bytes, since its hash is over bytes.
CREATE TABLE journal (
    organization    BYTEA  NOT NULL,
    sequence        BIGINT NOT NULL CHECK (sequence > 0),
    recorded_at     BIGINT NOT NULL,
    actor           TEXT   NOT NULL,
    type            TEXT   NOT NULL,
    payload         BYTEA  NOT NULL,
    idempotency_key TEXT   NOT NULL,
    fingerprint     TEXT   NOT NULL,
    previous_hash   BYTEA  NOT NULL,
    hash            BYTEA  NOT NULL,
    PRIMARY KEY (organization, sequence)
);

-- Only rows that carry a key are in this index: the others cost nothing.
CREATE INDEX journal_key ON journal (organization, recorded_at) WHERE idempotency_key <> '';

CREATE TABLE snapshot (
    organization BYTEA  NOT NULL,
    sequence     BIGINT NOT NULL,
    state        BYTEA  NOT NULL,
    PRIMARY KEY (organization, sequence)
);

-- The tables below are indexes that move in the same transaction as the events that cause them.
CREATE TABLE resource (
    id           BYTEA NOT NULL PRIMARY KEY,
    organization BYTEA NOT NULL,
    kind         TEXT  NOT NULL
);

CREATE TABLE membership (
    user_id      BYTEA NOT NULL,
    organization BYTEA NOT NULL,
    PRIMARY KEY (user_id, organization)
);

CREATE TABLE stake (
    entity       BYTEA NOT NULL,
    organization BYTEA NOT NULL,
    PRIMARY KEY (entity, organization)
);

-- Personal particulars live outside the journal so that they can be erased. The value is JSON.
CREATE TABLE particulars (
    organization BYTEA NOT NULL,
    entity       BYTEA NOT NULL,
    field        TEXT  NOT NULL,
    value        TEXT  NOT NULL,
    PRIMARY KEY (organization, entity, field)
);
