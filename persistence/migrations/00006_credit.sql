-- +goose Up

-- Every booking moves an amount out of one account into another, so that all balances add up to zero whatever is in
-- here. No balance is stored. Rows are only ever added. The account of zeros is the house.
CREATE TABLE credit_booking (
    id           BYTEA  NOT NULL PRIMARY KEY,
    from_account BYTEA  NOT NULL,
    to_account   BYTEA  NOT NULL CHECK (to_account <> from_account),
    amount       BIGINT NOT NULL CHECK (amount > 0),
    kind         TEXT   NOT NULL,
    author       TEXT   NOT NULL,
    booked_at    BIGINT NOT NULL
);

CREATE INDEX credit_out ON credit_booking (from_account, id);

CREATE INDEX credit_in ON credit_booking (to_account, id);

-- Who takes from an account holds its row: of two who would take the same credit, the second sees what is left.
CREATE TABLE credit_account (
    account BYTEA NOT NULL PRIMARY KEY
);
