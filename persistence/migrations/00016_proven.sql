-- +goose Up

-- When a reader of the account's mail was known to have chosen its credentials. NULL while somebody else may have
-- chosen them: they end when the address is proven. Accounts that were verified before this step count as proven.
ALTER TABLE users ADD COLUMN proven_at BIGINT;

UPDATE users SET proven_at = email_verified_at;

-- SHA-256 of the cookie of the browser that registered.
ALTER TABLE users ADD COLUMN registrar_hash BYTEA;
