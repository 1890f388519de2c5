package persistence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// EntitiesByEmail returns the entities whose particulars contain the e-mail address, in any spelling, with their organizations, in
// ascending order of ids.
func (j *Journal) EntitiesByEmail(ctx context.Context, email string) (found []messages.KnownEntity, err error) {
	text, err := json.Marshal(strings.TrimSpace(email))
	if err != nil {
		return nil, fmt.Errorf("find holders: %w", err)
	}
	rows, err := j.db.reader.QueryContext(ctx, `SELECT organization, entity, value FROM particulars
		WHERE field = 'email' AND lower(value) = $1 ORDER BY organization, entity`, strings.ToLower(string(text)))
	if err != nil {
		return nil, fmt.Errorf("find holders: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var in, entity []byte
		var value, address string
		if err := rows.Scan(&in, &entity, &value); err != nil {
			return nil, fmt.Errorf("find holders: %w", err)
		}
		if json.Unmarshal([]byte(value), &address) == nil && messages.CanonicalEmail(address) == messages.CanonicalEmail(email) {
			found = append(found, messages.KnownEntity{Organization: organization.ID(in), Entity: captable.EntityID(entity)})
		}
	}
	return found, during("find holders", rows.Err())
}

// AddressesIn returns the e-mail addresses of the accounts that are members of the organization.
func (j *Journal) AddressesIn(ctx context.Context, id organization.ID) (_ map[organization.UserID]string, err error) {
	rows, err := j.db.reader.QueryContext(ctx, `SELECT users.id, users.email FROM membership
		JOIN users ON users.id = membership.user_id WHERE membership.organization = $1`, id[:])
	if err != nil {
		return nil, fmt.Errorf("list addresses: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	found := map[organization.UserID]string{}
	for rows.Next() {
		var user []byte
		var address string
		if err := rows.Scan(&user, &address); err != nil {
			return nil, fmt.Errorf("list addresses: %w", err)
		}
		found[organization.UserID(user)] = address
	}
	return found, during("list addresses", rows.Err())
}
