package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

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
	err := j.db.read(ctx, `SELECT id, kind FROM resource WHERE organization = $1`, id, func(key []byte, kind string) {
		found.Resources[[16]byte(key)] = kind
	})
	err = errors.Join(err, j.db.read(ctx, `SELECT user_id, '' FROM membership WHERE organization = $1`, id,
		func(key []byte, _ string) { found.Members[organization.UserID(key)] = true }))
	err = errors.Join(err, j.db.read(ctx, `SELECT entity, '' FROM stake WHERE organization = $1`, id,
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

// read calls each for the rows of a query that selects an id and a text and has the organization as its argument. Keys
// that are not 16 bytes long are invalid; they are passed as the zero id.
func (d *Database) read(ctx context.Context, query string, id organization.ID, each func(key []byte, text string)) (err error) {
	rows, err := d.reader.QueryContext(ctx, query, id[:])
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var key []byte
		var text string
		if err := rows.Scan(&key, &text); err != nil {
			return err
		}
		if len(key) != len(id) {
			key = make([]byte, len(id))
		}
		each(key, text)
	}
	return rows.Err()
}

// SnapshotSequences returns the sequences of the organization's snapshots in ascending order.
func (j *Journal) SnapshotSequences(ctx context.Context, id organization.ID) (found []uint64, err error) {
	rows, err := j.db.reader.QueryContext(ctx, `SELECT sequence FROM snapshot WHERE organization = $1 ORDER BY sequence`, id[:])
	if err != nil {
		return nil, fmt.Errorf("snapshots of %s: %w", id, err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var sequence int64
		if err := rows.Scan(&sequence); err != nil {
			return nil, fmt.Errorf("snapshots of %s: %w", id, err)
		}
		found = append(found, uint64(max(sequence, 0)))
	}
	return found, during("snapshots", rows.Err())
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

// Persons calls each for every row that assigns an entity to an account, and reports whether the account exists.
func (j *Journal) Persons(ctx context.Context, each func(captable.EntityID, organization.UserID, bool)) (err error) {
	rows, err := j.db.reader.QueryContext(ctx, `SELECT person.entity, person.user_id,
		CASE WHEN users.id IS NULL THEN 0 ELSE 1 END FROM person LEFT JOIN users ON users.id = person.user_id`)
	if err != nil {
		return fmt.Errorf("list persons: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var entity, user []byte
		var exists int
		if err := rows.Scan(&entity, &user, &exists); err != nil {
			return fmt.Errorf("list persons: %w", err)
		}
		var row personRow
		copy(row.entity[:], entity)
		copy(row.user[:], user)
		each(row.entity, row.user, exists == 1)
	}
	return during("list persons", rows.Err())
}

// AccountExists reports whether the user has an account.
func (j *Journal) AccountExists(ctx context.Context, user organization.UserID) (bool, error) {
	var number int
	err := j.db.reader.QueryRowContext(ctx, `SELECT COUNT(*) FROM users WHERE id = $1`, user[:]).Scan(&number)
	return number > 0, during("find account", err)
}

// CheckFile returns the findings of SQLite's integrity check, at most ten. PostgreSQL checks its
// pages itself.
func (d *Database) CheckFile(ctx context.Context) (faults []string, err error) {
	if d.engine != SQLite {
		return nil, nil
	}
	rows, err := d.reader.DB.QueryContext(ctx, `PRAGMA integrity_check(10)`)
	if err != nil {
		return nil, fmt.Errorf("check the file: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var fault string
		if err := rows.Scan(&fault); err != nil {
			return nil, fmt.Errorf("check the file: %w", err)
		}
		if fault != "ok" {
			faults = append(faults, fault)
		}
	}
	return faults, during("check the file", rows.Err())
}
