-- +goose Up

-- What people say of themselves, as JSON. It is personal and can be erased.
CREATE TABLE profile (
    entity      BYTEA  NOT NULL PRIMARY KEY,
    particulars TEXT   NOT NULL,
    version     BIGINT NOT NULL,
    updated_at  BIGINT NOT NULL
);
