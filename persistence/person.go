package persistence

import (
	"context"

	"equity/captable"
	"equity/organization"
)

// Person returns the account of an entity: the account created with it, or the first that became a member of an
// organization with it. It returns the zero id for a holder without an account, an organization or an erased user.
func (j *Journal) Person(ctx context.Context, entity captable.EntityID) (organization.UserID, error) {
	return one(ctx, j.db.reader, nil, "find person", Identifier[organization.UserID], `SELECT id FROM users WHERE entity = $1
		UNION ALL SELECT user_id FROM person WHERE entity = $1`, entity[:])
}

// EntitiesOf returns the entities of the user's memberships in ascending order of ids. The account's own entity
// is included only if it has a membership.
func (j *Journal) EntitiesOf(ctx context.Context, user organization.UserID) ([]captable.EntityID, error) {
	return Collect(ctx, j.db.reader, "list entities", Identifier[captable.EntityID], `SELECT entity FROM person WHERE user_id = $1 ORDER BY entity`, user[:])
}
