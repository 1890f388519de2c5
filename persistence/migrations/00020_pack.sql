-- +goose Up

-- The compressed rows of a large append. They are stored with the transaction of the append, and moved to the journal
-- afterwards in transactions of one pack each. The journal lacks these rows until then.
CREATE TABLE journal_pack (
    organization   BYTEA  NOT NULL,
    first_sequence BIGINT NOT NULL,
    recorded_at    BIGINT NOT NULL,
    previous_hash  BYTEA  NOT NULL,
    last_hash      BYTEA  NOT NULL,
    content        BYTEA  NOT NULL,
    PRIMARY KEY (organization, first_sequence)
);
