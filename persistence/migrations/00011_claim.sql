-- +goose Up

-- Whoever registers with the address of a holder without an account is found by it.
CREATE INDEX particulars_by_email ON particulars (lower(value)) WHERE field = 'email';
