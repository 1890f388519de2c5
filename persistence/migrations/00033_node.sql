-- +goose Up

-- The running servers. address is empty for a server that is not part of a cluster. server, backend and backend_started identify the connection of
-- the server to PostgreSQL, whose end shows that the process has ended. Times are those of the database server.
CREATE TABLE node (
    id              TEXT   NOT NULL PRIMARY KEY,
    address         TEXT   NOT NULL,
    name            TEXT   NOT NULL,
    leaving         BIGINT NOT NULL,
    epoch           BIGINT NOT NULL,
    backend         BIGINT NOT NULL,
    backend_started BIGINT NOT NULL,
    server          BIGINT NOT NULL,
    renewed_at      BIGINT NOT NULL,
    leased_until    BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL
);

-- The number of changes of the list of servers, in one row.
CREATE TABLE node_epoch (
    epoch BIGINT NOT NULL
);

INSERT INTO node_epoch (epoch) VALUES (0);
