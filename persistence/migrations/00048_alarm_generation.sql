-- +goose Up

-- The generation of an alarm. A user who requests work raises it, so that a server that has not seen the request keeps the alarm.
ALTER TABLE alarm ADD COLUMN generation BIGINT NOT NULL DEFAULT 0;
