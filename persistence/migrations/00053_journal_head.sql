-- +goose Up

-- The heads of the journals have no partitions on PostgreSQL any more; migrations/postgresql has the step with this name.
SELECT 1;
