-- +goose Up

-- A page of a list reads the range of an index after the last record of the previous page.
CREATE INDEX invitation_of ON invitation (user_id, sent_at, id);

DROP INDEX agent_conversation_of;
CREATE INDEX agent_conversation_of ON agent_conversation (organization, user_id, updated_at, id);

DROP INDEX agent_step_user;
CREATE INDEX agent_step_user ON agent_step (user_id, id);
