package persistence

import (
	"context"
	"time"

	"equity/messages"
	"equity/organization"
)

// Anchors knows the heads of journals that were signed. Its rows only save work: the evidence is outside of the store.
type Anchors struct{ db *Database }

// NewAnchors returns the Anchors of db.
func NewAnchors(db *Database) *Anchors { return &Anchors{db} }

// Unanchored is a head that differs from the last signed one.
type Unanchored struct {
	messages.Head
	// Signed is the last signed head; its sequence is 0 without one.
	Signed messages.Head
}

// Next returns heads that differ from the last signed ones, of organizations after the given one, in their order, except for organizations with a
// signed head after the time.
func (s *Anchors) Next(ctx context.Context, after organization.ID, signedBy time.Time, limit int) ([]Unanchored, error) {
	return Collect(ctx, s.db.reader, "list heads", func(row Row) (next Unanchored, err error) {
		err = row.Scan(
			IntoBytes(next.Organization[:]), &next.Sequence, IntoBytes(next.Hash[:]), &next.Signed.Sequence, IntoBytes(next.Signed.Hash[:]),
		)
		next.Signed.Organization = next.Organization
		return next, err
	}, `SELECT h.organization, h.sequence, h.hash, COALESCE(a.sequence, 0), a.hash
		FROM journal_head h LEFT JOIN journal_anchor a ON a.organization = h.organization
		WHERE h.organization > $1 AND (a.sequence IS NULL OR a.anchored_at <= $2 AND (a.sequence <> h.sequence OR a.hash <> h.hash))
		ORDER BY h.organization LIMIT $3`, after[:], Micros(signedBy), limit)
}

// Signed returns the last signed head, whose sequence is 0 without one.
func (s *Anchors) Signed(ctx context.Context, id organization.ID) (messages.Head, error) {
	head := messages.Head{Organization: id}
	_, err := scanRow(s.db.reader.QueryRowContext(ctx, `SELECT sequence, hash FROM journal_anchor WHERE organization = $1`, id[:]),
		"read signed head", &head.Sequence, IntoBytes(head.Hash[:]))
	return head, err
}

// Mark notes the heads as signed.
func (s *Anchors) Mark(ctx context.Context, heads []messages.Head, at time.Time) error {
	marks := make([]change, 0, len(heads))
	for _, head := range heads {
		marks = append(marks, change{
			"note signed head", `INSERT INTO journal_anchor (organization, sequence, hash, anchored_at) VALUES ($1, $2, $3, $4)
			ON CONFLICT (organization) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash, anchored_at = excluded.anchored_at`,
			[]any{head.Organization[:], int64(head.Sequence), head.Hash[:], Micros(at)}, //nolint:gosec // counts from 1
			nil,
		})
	}
	return s.db.together(ctx, marks...)
}

// HashAt returns the hash of the row with the sequence; false if it is missing.
func (j *Journal) HashAt(ctx context.Context, id organization.ID, sequence uint64) (hash messages.Hash, found bool, err error) {
	err = j.Scan(ctx, id, sequence-1, sequence, func(row messages.Row) error {
		hash, found = row.Hash, true
		return nil
	})
	return hash, found, err
}
