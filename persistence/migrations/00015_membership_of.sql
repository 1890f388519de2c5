-- +goose Up

-- The members of an organization who have an account.
CREATE INDEX membership_of ON membership (organization);
