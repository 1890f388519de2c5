-- +goose Up

-- The descriptions of companies and the organizations that are built from them. user_id is NULL until a user links the onboarding. work is
-- JSON.
CREATE TABLE onboarding (
    id           BYTEA  NOT NULL PRIMARY KEY,
    email        TEXT   NOT NULL,
    user_id      BYTEA REFERENCES users (id) ON DELETE CASCADE,
    organization BYTEA,
    status       TEXT   NOT NULL,
    work         TEXT   NOT NULL,
    revision     BIGINT NOT NULL,
    leased_until BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL
);

CREATE INDEX onboarding_of ON onboarding (user_id, created_at);
CREATE INDEX onboarding_email ON onboarding (email, created_at);
CREATE INDEX onboarding_running ON onboarding (leased_until) WHERE status IN ('created', 'analyzing', 'building');
CREATE INDEX onboarding_unlinked ON onboarding (expires_at) WHERE user_id IS NULL;

-- The attached packages.
CREATE TABLE onboarding_file (
    onboarding BYTEA NOT NULL PRIMARY KEY REFERENCES onboarding (id) ON DELETE CASCADE,
    name       TEXT  NOT NULL,
    content    BYTEA NOT NULL
);

-- The users who completed or skipped their first steps.
CREATE TABLE welcomed_user (
    user_id BYTEA NOT NULL PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE
);
