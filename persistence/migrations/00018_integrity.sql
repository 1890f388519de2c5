-- +goose Up

-- The last row of each journal, written in the transaction that appends it. It proves that no row is missing at the
-- end of a journal: the chain of hashes alone cannot.
CREATE TABLE journal_head (
    organization BYTEA  NOT NULL PRIMARY KEY,
    sequence     BIGINT NOT NULL,
    hash         BYTEA  NOT NULL,
    recorded_at  BIGINT NOT NULL
);

INSERT INTO journal_head (organization, sequence, hash, recorded_at)
SELECT journal.organization, journal.sequence, journal.hash, journal.recorded_at
FROM journal JOIN (SELECT organization, MAX(sequence) AS last FROM journal GROUP BY organization) AS ends
    ON ends.organization = journal.organization AND ends.last = journal.sequence;

-- The hash of the journal's row at the snapshot's sequence. NULL in snapshots of earlier builds.
ALTER TABLE snapshot ADD COLUMN hash BYTEA;

-- The last moment, in microseconds, that a server's clock showed and the server believed. At most one row.
CREATE TABLE clock_reading (
    id       BIGINT NOT NULL PRIMARY KEY CHECK (id = 1),
    known_at BIGINT NOT NULL
);
