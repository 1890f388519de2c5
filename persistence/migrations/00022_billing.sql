-- +goose Up

-- The customer of each organization at the billing provider. Ids of the provider are stored here and in billing_inbox only.
CREATE TABLE billing_customer (
    organization  BYTEA  NOT NULL PRIMARY KEY,
    customer      TEXT   NOT NULL UNIQUE,
    subscription  TEXT   NOT NULL,
    item          TEXT   NOT NULL,
    card_brand    TEXT   NOT NULL,
    card_last4    TEXT   NOT NULL,
    card_expires  TEXT   NOT NULL,
    dunned_at     BIGINT,
    reconciled_at BIGINT,
    created_at    BIGINT NOT NULL
);

-- Events of the billing provider. Only their references are stored, because each event is a request to query the provider.
CREATE TABLE billing_inbox (
    event_id     TEXT   NOT NULL PRIMARY KEY,
    event_type   TEXT   NOT NULL,
    organization BYTEA,
    claimed      TEXT   NOT NULL,
    customer     TEXT   NOT NULL,
    subscription TEXT   NOT NULL,
    invoice      TEXT   NOT NULL,
    state        TEXT   NOT NULL,
    received_at  BIGINT NOT NULL
);

CREATE INDEX billing_inbox_open ON billing_inbox (state, organization, received_at);
CREATE INDEX billing_inbox_age ON billing_inbox (received_at);

-- The last counts that each organization sent to the billing provider.
CREATE TABLE billing_push (
    organization BYTEA  NOT NULL PRIMARY KEY,
    sequence     BIGINT NOT NULL,
    shareholders BIGINT NOT NULL,
    members      BIGINT NOT NULL,
    quantity     BIGINT NOT NULL,
    pushed_at    BIGINT NOT NULL
);
