-- +goose Up

-- The running servers and their last heartbeats, by the clock of the database server. address is empty for a server that is not part of a
-- cluster. The list decides only which server is asked first: the key of the journal orders the writes.
DROP TABLE node;
DROP TABLE node_epoch;
DROP TABLE node_guest;

CREATE TABLE node (
    id      TEXT   NOT NULL PRIMARY KEY,
    address TEXT   NOT NULL,
    name    TEXT   NOT NULL,
    seen_at BIGINT NOT NULL
);

-- The server that has claimed an alarm, so that the others can claim it when that server has ended.
ALTER TABLE alarm ADD COLUMN holder TEXT NOT NULL DEFAULT '';
