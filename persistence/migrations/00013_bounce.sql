-- +goose Up

-- Which event of which organization a mail goes with, where it goes with one: so that a mail that is refused for good can be told to it.
ALTER TABLE outbox ADD COLUMN organization BYTEA;
ALTER TABLE outbox ADD COLUMN cause BYTEA;
