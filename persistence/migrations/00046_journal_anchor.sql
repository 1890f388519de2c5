-- +goose Up

-- The last signed head of each journal. The signed lines are outside of the database.
CREATE TABLE journal_anchor (
    organization BYTEA  NOT NULL PRIMARY KEY,
    sequence     BIGINT NOT NULL,
    hash         BYTEA  NOT NULL,
    anchored_at  BIGINT NOT NULL
);
