-- +goose Up

-- Readings of documents. Several of one reader within a short time are one row, which is the slot: the start of the interval.
CREATE TABLE document_view (
    organization BYTEA  NOT NULL,
    document     BYTEA  NOT NULL,
    id           BYTEA  NOT NULL,
    user_id      BYTEA  NOT NULL,
    share_id     BYTEA  NOT NULL,
    email        TEXT   NOT NULL,
    version      BIGINT NOT NULL,
    kind         TEXT   NOT NULL,
    slot         BIGINT NOT NULL,
    viewed_at    BIGINT NOT NULL,
    bytes        BIGINT NOT NULL,
    PRIMARY KEY (organization, document, id)
);

CREATE UNIQUE INDEX document_view_slot ON document_view (organization, document, user_id, share_id, version, kind, slot);
CREATE INDEX document_view_age ON document_view (viewed_at);
CREATE INDEX document_view_email ON document_view (email) WHERE email <> '';

-- The last code that was sent for a share.
CREATE TABLE share_code (
    share_id   BYTEA  NOT NULL PRIMARY KEY,
    code_hash  BYTEA  NOT NULL,
    attempts   BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

-- Browsers that entered the code of a share.
CREATE TABLE share_visit (
    token_hash BYTEA  NOT NULL PRIMARY KEY,
    share_id   BYTEA  NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE INDEX share_visit_age ON share_visit (expires_at);
