-- +goose Up

-- The recent calls of an organization that its limits count, for all servers: JSON with the kind, the second and the number of calls. The
-- version detects changes of other servers.
CREATE TABLE call_log (
    organization BYTEA  NOT NULL,
    subject      TEXT   NOT NULL,
    version      BIGINT NOT NULL,
    calls        TEXT   NOT NULL,
    changed_at   BIGINT NOT NULL,
    PRIMARY KEY (organization, subject)
);

CREATE INDEX call_log_age ON call_log (changed_at);

DROP TABLE agent_call;
