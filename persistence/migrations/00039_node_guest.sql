-- +goose Up

-- The appends of servers to organizations of others. Owners read them when they renew their leases. ended_at is the end of the server, or 0.
CREATE TABLE node_guest (
    note         BIGINT NOT NULL PRIMARY KEY,
    node         TEXT   NOT NULL,
    organization BYTEA  NOT NULL,
    ended_at     BIGINT NOT NULL
);
