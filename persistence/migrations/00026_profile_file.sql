-- +goose Up

-- Files of profiles, such as photos. The bytes are in the store of documents.
CREATE TABLE profile_file (
    id         BYTEA  NOT NULL PRIMARY KEY,
    entity     BYTEA  NOT NULL,
    name       TEXT   NOT NULL,
    media_type TEXT   NOT NULL,
    size       BIGINT NOT NULL,
    sha256     TEXT   NOT NULL,
    scan       TEXT   NOT NULL,
    created_by TEXT   NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX profile_file_entity ON profile_file (entity, created_at, id);
