-- +goose Up

-- The ids of documents in the office suite. created_by is empty for items that were created there.
CREATE TABLE office_item (
    organization BYTEA NOT NULL,
    id           BYTEA NOT NULL,
    item_id      TEXT  NOT NULL UNIQUE,
    created_by   TEXT  NOT NULL,
    PRIMARY KEY (organization, id)
);
