-- +goose Up

-- The progress of each consumer of the journal. A consumer has a row in an organization after its first round there.
CREATE TABLE consumer_cursor (
    organization    BYTEA  NOT NULL,
    consumer        TEXT   NOT NULL,
    sequence        BIGINT NOT NULL,
    epoch           BIGINT NOT NULL,
    state           TEXT   NOT NULL,
    failures        BIGINT NOT NULL,
    failing_since   BIGINT,
    last_success_at BIGINT,
    last_error      TEXT   NOT NULL,
    next_attempt_at BIGINT,
    version         BIGINT NOT NULL,
    PRIMARY KEY (organization, consumer)
);

-- Pending work of consumers. A row is written in the transaction of the event that causes the work, and is removed when
-- nothing is pending. A NULL due_at pauses the row until a user retries or skips.
CREATE TABLE alarm (
    organization   BYTEA  NOT NULL,
    consumer       TEXT   NOT NULL,
    due_at         BIGINT,
    leased_until   BIGINT NOT NULL,
    first_sequence BIGINT NOT NULL,
    last_sequence  BIGINT NOT NULL,
    PRIMARY KEY (organization, consumer)
);

CREATE INDEX alarm_due ON alarm (due_at) WHERE due_at IS NOT NULL;

-- The skipped events, with the author of each decision.
CREATE TABLE consumer_skip (
    organization BYTEA  NOT NULL,
    consumer     TEXT   NOT NULL,
    sequence     BIGINT NOT NULL,
    actor        TEXT   NOT NULL,
    skipped_at   BIGINT NOT NULL,
    PRIMARY KEY (organization, consumer, sequence)
);

-- Secret values that belong to events, such as the contents of invitations and the secrets of webhooks. They are encrypted.
CREATE TABLE sealed_value (
    organization BYTEA  NOT NULL,
    name         TEXT   NOT NULL,
    address      TEXT   NOT NULL,
    value        BYTEA  NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (organization, name)
);

CREATE INDEX sealed_value_address ON sealed_value (address) WHERE address <> '';

-- Attempts to deliver events to webhooks. The body is kept while an attempt is pending.
CREATE TABLE webhook_delivery (
    organization    BYTEA  NOT NULL,
    webhook         TEXT   NOT NULL,
    event_id        TEXT   NOT NULL,
    event_type      TEXT   NOT NULL,
    sequence        BIGINT NOT NULL,
    state           TEXT   NOT NULL,
    status_code     BIGINT NOT NULL,
    attempts        BIGINT NOT NULL,
    duration_ms     BIGINT NOT NULL,
    failure         TEXT   NOT NULL,
    created_at      BIGINT NOT NULL,
    attempted_at    BIGINT NOT NULL,
    next_attempt_at BIGINT,
    body            BYTEA,
    PRIMARY KEY (organization, webhook, event_id)
);

CREATE INDEX webhook_delivery_due ON webhook_delivery (organization, webhook, next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_delivery_latest ON webhook_delivery (organization, webhook, attempted_at);
CREATE INDEX webhook_delivery_age ON webhook_delivery (created_at);
