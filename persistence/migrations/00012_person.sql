-- +goose Up

-- Who an entity is, from the moment an account became a member as it: for good, whatever becomes of the membership. It
-- moves in the transaction of the events that cause it.
CREATE TABLE person (
    entity  BYTEA NOT NULL PRIMARY KEY,
    user_id BYTEA NOT NULL
);

CREATE INDEX person_by_user ON person (user_id);
