-- +goose Up

-- The tables of the journal are divided into 16 partitions by the hash of the organization. Each statement on the journal of one
-- organization concerns one partition of each table. The keys remain unique, because they begin with the organization.
-- Servers of the previous build wait during this step, and their statements stay valid.
LOCK TABLE journal, journal_head, journal_pack, snapshot IN ACCESS EXCLUSIVE MODE;

ALTER TABLE journal RENAME TO journal_whole;
ALTER TABLE journal_head RENAME TO journal_head_whole;
ALTER TABLE journal_pack RENAME TO journal_pack_whole;
ALTER TABLE snapshot RENAME TO snapshot_whole;

CREATE TABLE journal (
    organization    BYTEA  NOT NULL,
    sequence        BIGINT NOT NULL CHECK (sequence > 0),
    recorded_at     BIGINT NOT NULL,
    actor           TEXT   NOT NULL,
    type            TEXT   NOT NULL,
    payload         BYTEA  NOT NULL,
    idempotency_key TEXT   NOT NULL,
    fingerprint     TEXT   NOT NULL,
    previous_hash   BYTEA  NOT NULL,
    hash            BYTEA  NOT NULL
) PARTITION BY HASH (organization);

CREATE TABLE journal_head (
    organization BYTEA  NOT NULL,
    sequence     BIGINT NOT NULL,
    hash         BYTEA  NOT NULL,
    recorded_at  BIGINT NOT NULL
) PARTITION BY HASH (organization);

CREATE TABLE journal_pack (
    organization   BYTEA  NOT NULL,
    first_sequence BIGINT NOT NULL,
    recorded_at    BIGINT NOT NULL,
    previous_hash  BYTEA  NOT NULL,
    last_hash      BYTEA  NOT NULL,
    content        BYTEA  NOT NULL
) PARTITION BY HASH (organization);

CREATE TABLE snapshot (
    organization BYTEA  NOT NULL,
    sequence     BIGINT NOT NULL,
    state        BYTEA  NOT NULL,
    hash         BYTEA
) PARTITION BY HASH (organization);

-- Snapshots consist mostly of ids, which do not compress.
ALTER TABLE snapshot ALTER COLUMN state SET STORAGE EXTERNAL;

-- +goose StatementBegin
DO $$
BEGIN
    FOR number IN 0..15 LOOP
        EXECUTE format('CREATE TABLE journal_p%s PARTITION OF journal FOR VALUES WITH (MODULUS 16, REMAINDER %s)', number, number);
        EXECUTE format('CREATE TABLE journal_head_p%s PARTITION OF journal_head FOR VALUES WITH (MODULUS 16, REMAINDER %s)', number, number);
        EXECUTE format('CREATE TABLE journal_pack_p%s PARTITION OF journal_pack FOR VALUES WITH (MODULUS 16, REMAINDER %s)', number, number);
        EXECUTE format('CREATE TABLE snapshot_p%s PARTITION OF snapshot FOR VALUES WITH (MODULUS 16, REMAINDER %s)', number, number);
    END LOOP;
END
$$;
-- +goose StatementEnd

INSERT INTO journal (organization, sequence, recorded_at, actor, type, payload, idempotency_key, fingerprint, previous_hash, hash)
SELECT organization, sequence, recorded_at, actor, type, payload, idempotency_key, fingerprint, previous_hash, hash FROM journal_whole;

INSERT INTO journal_head (organization, sequence, hash, recorded_at)
SELECT organization, sequence, hash, recorded_at FROM journal_head_whole;

INSERT INTO journal_pack (organization, first_sequence, recorded_at, previous_hash, last_hash, content)
SELECT organization, first_sequence, recorded_at, previous_hash, last_hash, content FROM journal_pack_whole;

INSERT INTO snapshot (organization, sequence, state, hash)
SELECT organization, sequence, state, hash FROM snapshot_whole;

DROP TABLE journal_whole;
DROP TABLE journal_head_whole;
DROP TABLE journal_pack_whole;
DROP TABLE snapshot_whole;

ALTER TABLE journal ADD PRIMARY KEY (organization, sequence);
ALTER TABLE journal_head ADD PRIMARY KEY (organization);
ALTER TABLE journal_pack ADD PRIMARY KEY (organization, first_sequence);
ALTER TABLE snapshot ADD PRIMARY KEY (organization, sequence);

CREATE INDEX journal_key ON journal (organization, recorded_at) WHERE idempotency_key <> '';

ANALYZE journal;
ANALYZE journal_head;
ANALYZE snapshot;
