-- +goose Up

-- What nobody will send any more, by age, so that it can be forgotten.
CREATE INDEX outbox_settled ON outbox (created_at) WHERE next_attempt_at IS NULL;
