-- +goose Up

-- The conversations of users with the assistant.
CREATE TABLE agent_conversation (
    id           BYTEA  NOT NULL PRIMARY KEY,
    organization BYTEA  NOT NULL,
    user_id      BYTEA  NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    title        TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL
);

CREATE INDEX agent_conversation_of ON agent_conversation (organization, user_id, updated_at);
CREATE INDEX agent_conversation_age ON agent_conversation (updated_at);

CREATE TABLE agent_message (
    conversation BYTEA   NOT NULL REFERENCES agent_conversation (id) ON DELETE CASCADE,
    number       INTEGER NOT NULL,
    role         TEXT    NOT NULL,
    content      TEXT    NOT NULL,
    tool_calls   TEXT    NOT NULL,
    created_at   BIGINT  NOT NULL,
    PRIMARY KEY (conversation, number)
);

-- The changes that were proposed with a preview. conversation is NULL for other callers than the assistant, user_id for hooks.
CREATE TABLE agent_step (
    id           BYTEA  NOT NULL PRIMARY KEY,
    organization BYTEA,
    user_id      BYTEA REFERENCES users (id) ON DELETE CASCADE,
    credential   TEXT   NOT NULL,
    conversation BYTEA,
    operation    TEXT   NOT NULL,
    class        TEXT   NOT NULL,
    title        TEXT   NOT NULL,
    arguments    TEXT   NOT NULL,
    preview      TEXT   NOT NULL,
    previewed_at BIGINT,
    digests      TEXT   NOT NULL,
    basis        BIGINT NOT NULL,
    status       TEXT   NOT NULL,
    last_key     TEXT   NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    decided_at   BIGINT,
    sequence     BIGINT NOT NULL,
    next_step    BYTEA
);

CREATE INDEX agent_step_of ON agent_step (conversation);
CREATE INDEX agent_step_user ON agent_step (user_id);
CREATE INDEX agent_step_age ON agent_step (created_at);

-- The calls of tools that count towards the limits of an organization.
CREATE TABLE agent_call (
    organization BYTEA  NOT NULL,
    called_at    BIGINT NOT NULL,
    class        TEXT   NOT NULL
);

CREATE INDEX agent_call_of ON agent_call (organization, called_at);
CREATE INDEX agent_call_age ON agent_call (called_at);

-- The tokens of language models that an organization used in a month (YYYY-MM).
CREATE TABLE agent_usage (
    organization BYTEA  NOT NULL,
    month        TEXT   NOT NULL,
    tokens       BIGINT NOT NULL,
    PRIMARY KEY (organization, month)
);
