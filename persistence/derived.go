package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// Derived is the content of the tables that can be rebuilt from one organization's journal.
type Derived struct {
	// Head is the last row of the journal. Its sequence is 0 if the table has no row.
	Head messages.Row
	// Resources maps the ids of records to their kinds.
	Resources map[[16]byte]string
	// Members are the users who are members.
	Members map[organization.UserID]bool
	// Holders are the entities that hold equity.
	Holders map[captable.EntityID]bool
}

// NewDerived returns an empty Derived.
func NewDerived() Derived {
	return Derived{
		Resources: map[[16]byte]string{}, Members: map[organization.UserID]bool{}, Holders: map[captable.EntityID]bool{},
	}
}

// Derived returns the stored content of the derived tables of the organization.
func (j *Journal) Derived(ctx context.Context, id organization.ID) (Derived, error) {
	found := NewDerived()
	err := j.read(ctx, `SELECT id, kind FROM resource WHERE organization = $1`, id, func(key []byte, kind string) {
		found.Resources[[16]byte(key)] = kind
	})
	err = errors.Join(err, j.read(ctx, `SELECT user_id, '' FROM membership WHERE organization = $1`, id,
		func(key []byte, _ string) { found.Members[organization.UserID(key)] = true }))
	err = errors.Join(err, j.read(ctx, `SELECT entity, '' FROM stake WHERE organization = $1`, id,
		func(key []byte, _ string) { found.Holders[captable.EntityID(key)] = true }))
	if err != nil {
		return found, fmt.Errorf("derived tables of %s: %w", id, err)
	}
	found.Head.Organization = id
	found.Head.Sequence, found.Head.Hash, err = j.StoredHead(ctx, id)
	if errors.Is(err, messages.ErrUnreadable) { // it counts as missing
		err = nil
	}
	return found, err
}

// read calls add for the rows of a query that selects an id and a text and has the organization as its argument. Keys
// that are not 16 bytes long are invalid; they are passed as the zero id.
func (j *Journal) read(ctx context.Context, query string, id organization.ID, add func(key []byte, text string)) error {
	return each(ctx, j.db.reader, "read keys", func(row Row) error {
		var key []byte
		var text string
		if err := row.Scan(&key, &text); err != nil {
			return err
		}
		if len(key) != len(id) {
			key = make([]byte, len(id))
		}
		add(key, text)
		return nil
	}, query, id[:])
}

// SnapshotSequences returns the sequences of the organization's snapshots in ascending order.
func (j *Journal) SnapshotSequences(ctx context.Context, id organization.ID) ([]uint64, error) {
	return Collect(ctx, j.db.reader, fmt.Sprintf("snapshots of %s", id), func(row Row) (sequence uint64, err error) {
		err = row.Scan(IntoCount(&sequence))
		return sequence, err
	}, `SELECT sequence FROM snapshot WHERE organization = $1 ORDER BY sequence`, id[:])
}

// EachOrganization calls each for every organization that occurs in a table of journals, snapshots or indexes, in
// ascending order of ids, including organizations with an empty journal.
func (j *Journal) EachOrganization(ctx context.Context, each func(organization.ID) error) error {
	last := make([]byte, len(organization.ID{}))
	for comparison := `>=`; ; comparison = `>` {
		var next []byte
		for _, table := range []string{"journal", "journal_head", "snapshot", "resource", "membership", "stake"} {
			var found []byte
			query := `SELECT organization FROM ` + table + ` WHERE organization ` + comparison + ` $1 ORDER BY organization LIMIT 1`
			err := j.db.reader.QueryRowContext(ctx, query, last).Scan(&found)
			if err != nil && !errors.Is(err, sql.ErrNoRows) {
				return fmt.Errorf("list organizations of %s: %w", table, err)
			}
			if found != nil && (next == nil || string(found) < string(next)) {
				next = found
			}
		}
		if next == nil {
			return nil
		}
		if last = next; len(last) != len(organization.ID{}) {
			continue // appends never write such a row, and queries never find it
		}
		if err := each(organization.ID(last)); err != nil {
			return err
		}
	}
}

// Persons calls use for every row that assigns an entity to an account, and reports whether the account exists.
func (j *Journal) Persons(ctx context.Context, use func(captable.EntityID, organization.UserID, bool)) error {
	return each(ctx, j.db.reader, "list persons", func(row Row) error {
		var entity, user []byte
		var exists bool
		err := row.Scan(&entity, &user, &exists)
		var person personRow
		copy(person.entity[:], entity)
		copy(person.user[:], user)
		if err == nil {
			use(person.entity, person.user, exists)
		}
		return err
	}, `SELECT person.entity, person.user_id, users.id IS NOT NULL FROM person LEFT JOIN users ON users.id = person.user_id`)
}

// AccountExists reports whether the user has an account.
func (j *Journal) AccountExists(ctx context.Context, user organization.UserID) (bool, error) {
	return exists(ctx, j.db.reader, `SELECT 1 FROM users WHERE id = $1`, user[:])
}

// CheckFile returns the findings of SQLite's integrity check, at most ten. PostgreSQL checks its
// pages itself.
func (d *Database) CheckFile(ctx context.Context) ([]string, error) {
	if d.engine != SQLite {
		return nil, nil
	}
	faults, err := Collect(ctx, d.reader.DB, "check the file", Value[string], `PRAGMA integrity_check(10)`)
	return slices.DeleteFunc(faults, func(fault string) bool { return fault == "ok" }), err
}
