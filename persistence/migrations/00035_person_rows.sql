-- +goose Up

-- Members of stores that are older than the table person have no row in it. In these stores, a member with an account has the
-- entity of the account.
INSERT INTO person (entity, user_id)
SELECT users.entity, users.id FROM users
WHERE EXISTS (SELECT 1 FROM membership WHERE membership.user_id = users.id)
  AND NOT EXISTS (SELECT 1 FROM person WHERE person.user_id = users.id OR person.entity = users.entity);
