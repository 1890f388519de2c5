-- +goose Up

-- The user who permitted the access to a drive. NULL for connections of earlier versions, which only Owners use as a whole.
ALTER TABLE drive_account ADD COLUMN user_id BYTEA;
