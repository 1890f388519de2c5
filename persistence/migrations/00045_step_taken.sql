-- +goose Up

-- The confirmed changes without a result, which a server carries out again after a failure.
CREATE INDEX agent_step_taken ON agent_step (decided_at) WHERE status = 'taken';
