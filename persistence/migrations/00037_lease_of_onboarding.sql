-- +goose Up

-- The server that holds the lease of an analysis or a build; empty for a pause, and for leases of earlier builds.
ALTER TABLE onboarding ADD COLUMN leased_by TEXT NOT NULL DEFAULT '';
