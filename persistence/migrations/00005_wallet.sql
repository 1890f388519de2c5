-- +goose Up

CREATE TABLE wallet (
    id                BYTEA  NOT NULL PRIMARY KEY,
    entity            BYTEA  NOT NULL,
    network           TEXT   NOT NULL,
    network_canonical TEXT   NOT NULL,
    address           TEXT   NOT NULL,
    address_canonical TEXT   NOT NULL,
    label             TEXT   NOT NULL,
    created_at        BIGINT NOT NULL,
    updated_at        BIGINT NOT NULL,
    UNIQUE (entity, network_canonical, address_canonical)
);

-- What was answered to a request that may be repeated. The key is hashed with whose it is.
CREATE TABLE answered (
    key_hash    BYTEA  NOT NULL PRIMARY KEY,
    fingerprint TEXT   NOT NULL,
    answer      TEXT   NOT NULL,
    answered_at BIGINT NOT NULL
);

CREATE INDEX answered_age ON answered (answered_at);
