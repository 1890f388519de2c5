-- +goose Up

CREATE TABLE referral_code (
    entity     BYTEA  NOT NULL PRIMARY KEY,
    code       TEXT   NOT NULL UNIQUE,
    created_at BIGINT NOT NULL
);

-- Who came by whose code. Nobody comes twice.
CREATE TABLE referral (
    newcomer    BYTEA  NOT NULL PRIMARY KEY,
    referrer    BYTEA  NOT NULL CHECK (referrer <> newcomer),
    referred_at BIGINT NOT NULL
);

CREATE INDEX referral_by_referrer ON referral (referrer, referred_at);

-- A card waits for what it is for; then it is earned, and then it may be revealed, once. Newcomer is the entity whose
-- joining a card waits for, NULL for a card that waits for nothing.
CREATE TABLE reward_card (
    id          BYTEA  NOT NULL PRIMARY KEY,
    entity      BYTEA  NOT NULL,
    kind        TEXT   NOT NULL,
    value       BIGINT NOT NULL CHECK (value > 0),
    newcomer    BYTEA,
    earned_at   BIGINT,
    revealed_at BIGINT
);

CREATE INDEX reward_card_of_entity ON reward_card (entity, id);

CREATE INDEX reward_card_waiting ON reward_card (newcomer) WHERE earned_at IS NULL;

CREATE TABLE referral_company (
    id            BYTEA  NOT NULL PRIMARY KEY,
    site          TEXT   NOT NULL UNIQUE,
    entity        BYTEA  NOT NULL,
    name          TEXT   NOT NULL,
    website       TEXT   NOT NULL,
    contact_email TEXT   NOT NULL,
    note          TEXT   NOT NULL,
    created_at    BIGINT NOT NULL
);

CREATE TABLE invitation (
    id              BYTEA  NOT NULL PRIMARY KEY,
    user_id         BYTEA  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    email           TEXT   NOT NULL,
    email_canonical TEXT   NOT NULL,
    message         TEXT   NOT NULL,
    sent_at         BIGINT NOT NULL,
    times           BIGINT NOT NULL,
    UNIQUE (user_id, email_canonical)
);

CREATE INDEX users_by_age ON users (created_at);
