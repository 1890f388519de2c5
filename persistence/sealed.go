package persistence

import (
	"context"
	"fmt"
	"time"

	"equity/messages"
	"equity/organization"
)

// Sealed stores secret values that belong to events of organizations.
type Sealed struct{ db *Database }

// NewSealed returns the Sealed of db.
func NewSealed(db *Database) *Sealed { return &Sealed{db: db} }

const putSealed = `INSERT INTO sealed_value (organization, name, address, value, created_at) VALUES ($1, $2, $3, $4, $5)
	ON CONFLICT (organization, name) DO UPDATE SET address = excluded.address, value = excluded.value`

// sealedRow is a value in its stored form.
type sealedRow struct {
	messages.Sealed
	organization organization.ID
	created      int64
}

func (r *sealedRow) arguments() []any {
	return []any{r.organization[:], r.Name, r.Address, r.Value, r.created}
}

// addSealed adds the values of the batch. A later value replaces an earlier one with its name.
func (x *indexes) addSealed(batch *messages.Append) {
	var created int64
	if len(batch.Rows) > 0 {
		created = Micros(batch.Rows[0].RecordedAt)
	}
	for _, value := range batch.Sealed {
		row := sealedRow{value, batch.Organization, created}
		replaced := false
		for i := range x.sealed {
			if x.sealed[i].organization == row.organization && x.sealed[i].Name == row.Name {
				x.sealed[i], replaced = row, true
			}
		}
		if !replaced {
			x.sealed = append(x.sealed, row)
		}
	}
}

// The first byte of a stored value. Values are plain only if the secrets of the store were not open, which occurs in tests and
// in tools that write no secrets.
const (
	valuePlain byte = iota
	valueSealed
)

// sealedAs returns the associated data that binds a value to its organization and its name.
func sealedAs(id organization.ID, name string) []byte {
	return append(append([]byte("sealed_value "), id[:]...), name...)
}

// sealValues returns copies of the values in their stored form.
func (d *Database) sealValues(id organization.ID, values []messages.Sealed) ([]messages.Sealed, error) {
	if len(values) == 0 {
		return nil, nil
	}
	stored := make([]messages.Sealed, len(values))
	for i, value := range values {
		var err error
		if value.Value, err = d.SealValue(id, value.Name, value.Value); err != nil {
			return nil, err
		}
		stored[i] = value
	}
	return stored, nil
}

// SealValue returns the stored form of a value for a column of another table. It is bound to the organization, which may be zero, and to
// the name.
func (d *Database) SealValue(id organization.ID, name string, plain []byte) ([]byte, error) {
	secrets := d.secrets.Load()
	if secrets == nil {
		return append([]byte{valuePlain}, plain...), nil
	}
	encrypted, err := secrets.Seal(plain, sealedAs(id, name))
	if err != nil {
		return nil, fmt.Errorf("seal value: %w", err)
	}
	return append([]byte{valueSealed}, encrypted...), nil
}

// Open returns a value, or messages.ErrNotSealed.
func (s *Sealed) Open(ctx context.Context, id organization.ID, name string) ([]byte, error) {
	stored, err := one(ctx, s.db.reader, messages.ErrNotSealed, "read sealed value", Value[[]byte],
		`SELECT value FROM sealed_value WHERE organization = $1 AND name = $2`, id[:], name)
	if err != nil {
		return nil, err
	}
	return s.db.OpenValue(ctx, id, name, stored)
}

// OpenValue is the inverse of [Database.SealValue]. A value whose key is missing is messages.ErrUnreadable.
func (d *Database) OpenValue(ctx context.Context, id organization.ID, name string, stored []byte) ([]byte, error) {
	switch {
	case len(stored) == 0:
		return nil, fmt.Errorf("read sealed value: %w", messages.ErrUnreadable)
	case stored[0] == valuePlain:
		return stored[1:], nil
	}
	secrets := d.secrets.Load()
	if secrets == nil {
		return nil, errNoSecrets
	}
	plain, err := secrets.Open(ctx, stored[1:], sealedAs(id, name))
	if err != nil {
		return nil, fmt.Errorf("read sealed value: %w: %w", messages.ErrUnreadable, err)
	}
	return plain, nil
}

// Put stores a value outside a batch, in place of an earlier one.
func (s *Sealed) Put(ctx context.Context, id organization.ID, value messages.Sealed, now time.Time) error {
	stored, err := s.db.SealValue(id, value.Name, value.Value)
	if err != nil {
		return err
	}
	value.Value = stored
	row := sealedRow{value, id, Micros(now)}
	return Execute(ctx, s.db.writer, "store sealed value", putSealed, row.arguments()...)
}

// Remove deletes a value. It is not an error if the value does not exist.
func (s *Sealed) Remove(ctx context.Context, id organization.ID, name string) error {
	return Execute(ctx, s.db.writer, "remove sealed value", `DELETE FROM sealed_value WHERE organization = $1 AND name = $2`, id[:], name)
}

// ForgetMail removes the contents of mails that were stored before the given time and not sent: their consumer was stopped
// by an event that nobody retried.
func (s *Sealed) ForgetMail(ctx context.Context, before time.Time) error {
	return Execute(ctx, s.db.writer, "forget sealed mail", `DELETE FROM sealed_value WHERE name LIKE 'mail/%' AND created_at < $1`, Micros(before))
}

// WaitingMail returns the number of mails that consumers have not sent, for a metric.
func (s *Sealed) WaitingMail(ctx context.Context) (number int, err error) {
	err = s.db.reader.QueryRowContext(ctx, `SELECT COUNT(*) FROM sealed_value WHERE name LIKE 'mail/%'`).Scan(&number)
	return number, during("count sealed mail", err)
}
