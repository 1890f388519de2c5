-- +goose Up

-- The HMAC of a row that makes a caller somebody, with a key that is not in the database in plain text: a writer of the table makes no
-- valid row. NULL until the row is signed, see sign.go.
ALTER TABLE users ADD COLUMN mac BYTEA;
ALTER TABLE identity ADD COLUMN mac BYTEA;
ALTER TABLE email_verification ADD COLUMN mac BYTEA;
ALTER TABLE temporary_password ADD COLUMN mac BYTEA;
ALTER TABLE magic_link ADD COLUMN mac BYTEA;
ALTER TABLE recovery_code ADD COLUMN mac BYTEA;
ALTER TABLE api_token ADD COLUMN mac BYTEA;
ALTER TABLE oauth_code ADD COLUMN mac BYTEA;
ALTER TABLE oauth_token ADD COLUMN mac BYTEA;
ALTER TABLE share_code ADD COLUMN mac BYTEA;
ALTER TABLE share_visit ADD COLUMN mac BYTEA;
ALTER TABLE hook_token ADD COLUMN mac BYTEA;
