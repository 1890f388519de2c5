-- +goose Up

-- When a site administrator shut the account; nobody signs in to it while it is set.
ALTER TABLE users ADD COLUMN disabled_at BIGINT;
