-- +goose Up

-- The last starts of periodic jobs that one server of a store does for all.
CREATE TABLE job (
    name       TEXT   NOT NULL PRIMARY KEY,
    started_at BIGINT NOT NULL
);
