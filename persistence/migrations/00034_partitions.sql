-- +goose Up

-- The tables of the journal have partitions on PostgreSQL only; migrations/postgresql has the step with this name.
SELECT 1;
