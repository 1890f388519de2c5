-- +goose Up

-- The id of the access token that ends, because the sessions of its user have ended. Empty for none.
ALTER TABLE chat_user ADD COLUMN ending TEXT NOT NULL DEFAULT '';
