-- +goose Up

-- The rights of the user at the creation of a token, by organization, as JSON. NULL for tokens of earlier versions: their present rights
-- bound them.
ALTER TABLE api_token ADD COLUMN rights BYTEA;
