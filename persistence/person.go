package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"equity/captable"
	"equity/organization"
)

// Person returns the account of an entity: the account created with it, or the first that became a member of an
// organization with it. It returns the zero id for a holder without an account, an organization or an erased user.
func (j *Journal) Person(ctx context.Context, entity captable.EntityID) (organization.UserID, error) {
	var found organization.UserID
	var user []byte
	err := j.db.reader.QueryRowContext(ctx, `SELECT id FROM users WHERE entity = $1
		UNION ALL SELECT user_id FROM person WHERE entity = $1`, entity[:]).Scan(&user)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return found, fmt.Errorf("find person: %w", err)
	}
	copy(found[:], user)
	return found, nil
}

// EntitiesOf returns the entities of the user's memberships in ascending order of ids. The account's own entity
// is included only if it has a membership.
func (j *Journal) EntitiesOf(ctx context.Context, user organization.UserID) (found []captable.EntityID, err error) {
	rows, err := j.db.reader.QueryContext(ctx, `SELECT entity FROM person WHERE user_id = $1 ORDER BY entity`, user[:])
	if err != nil {
		return nil, fmt.Errorf("list entities: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var entity []byte
		if err := rows.Scan(&entity); err != nil {
			return nil, fmt.Errorf("list entities: %w", err)
		}
		found = append(found, captable.EntityID(entity))
	}
	return found, during("list entities", rows.Err())
}
