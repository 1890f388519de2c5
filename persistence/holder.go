package persistence

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

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
	err = each(ctx, j.db.reader, "find holders", func(row Row) error {
		var known messages.KnownEntity
		var value, address string
		err := row.Scan(IntoBytes(known.Organization[:]), IntoBytes(known.Entity[:]), &value)
		if err == nil && json.Unmarshal([]byte(value), &address) == nil && messages.CanonicalEmail(address) == messages.CanonicalEmail(email) {
			found = append(found, known)
		}
		return err
	}, `SELECT organization, entity, value FROM particulars
		WHERE field = 'email' AND lower(value) = $1 ORDER BY organization, entity`, strings.ToLower(string(text)))
	return found, err
}

// AddressesIn returns the e-mail addresses of the accounts that are members of the organization.
func (j *Journal) AddressesIn(ctx context.Context, id organization.ID) (map[organization.UserID]string, error) {
	found := map[organization.UserID]string{}
	err := each(ctx, j.db.reader, "list addresses", func(row Row) error {
		var user organization.UserID
		var address string
		err := row.Scan(IntoBytes(user[:]), &address)
		found[user] = address
		return err
	}, `SELECT users.id, users.email FROM membership
		JOIN users ON users.id = membership.user_id WHERE membership.organization = $1`, id[:])
	return found, err
}
