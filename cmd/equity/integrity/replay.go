package integrity

import (
	"context"
	"fmt"

	"equity/captable"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// person is an account and the entity of one of its memberships.
type person struct {
	entity captable.EntityID
	user   organization.UserID
}

// replay reads one journal from its first row and derives the expected content of the tables.
type replay struct {
	journal *persistence.Journal
	id      organization.ID
	schema  *organization.Schema
	state   *organization.State
	last    messages.Row
	derived persistence.Derived
	holders []captable.EntityID
	persons []person
	// stored are the sequences of the stored snapshots, ascending; bad are the sequences of snapshots to remove.
	stored []uint64
	bad    []uint64
	faults []string
	// marked is the stored head, and markedHash the hash of the row with its sequence.
	marked     messages.Row
	markedHash messages.Hash
}

// run reads the journal. Its error describes the first invalid row.
func (r *replay) run(ctx context.Context) error {
	err := r.journal.Scan(ctx, r.id, 0, 0, func(row messages.Row) error {
		switch {
		case row.Sequence != r.last.Sequence+1:
			return fmt.Errorf("sequence %d is followed by %d", r.last.Sequence, row.Sequence)
		case !row.Fits(r.last.Hash):
			return fmt.Errorf("the row of sequence %d or an earlier row was altered", row.Sequence)
		}
		if row.Sequence == r.marked.Sequence {
			r.markedHash = row.Hash
		}
		event, err := r.schema.Decode(row.Type, row.Payload)
		if err != nil {
			return fmt.Errorf("sequence %d: %w", row.Sequence, err)
		}
		r.last = row
		r.state.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(row.RecordedAt), By: row.By})
		r.note(event)
		return r.compareSnapshot(ctx, row)
	})
	if err != nil {
		return err
	}
	if faults := r.state.Table().Audit(); len(faults) > 0 {
		return fmt.Errorf("the totals are inconsistent: %s", faults[0])
	}
	r.conclude()
	return nil
}

// note adds the rows of an event to the derived tables.
func (r *replay) note(event organization.Event) {
	for _, created := range event.Creates() {
		if _, known := r.derived.Resources[created.ID]; !known { // the table keeps the first row
			r.derived.Resources[created.ID] = created.Kind
		}
	}
	for _, record := range event.Records(r.state) {
		switch touched := record.(type) {
		case *captable.Shareholding:
			r.holders = append(r.holders, touched.Entity)
		case *captable.Grant:
			r.holders = append(r.holders, touched.Entity)
		case *captable.Instrument:
			r.holders = append(r.holders, touched.Entity)
		case *organization.Member:
			if _, member := r.state.MemberBy(touched.User); member && !touched.User.IsZero() {
				r.persons = append(r.persons, person{touched.Entity, touched.User})
			}
		}
	}
}

// conclude derives the remaining rows from the last state.
func (r *replay) conclude() {
	r.derived.Head = r.last
	for _, entity := range r.holders {
		if r.state.Table().Holds(entity) {
			r.derived.Holders[entity] = true
		}
	}
	for member := range r.state.Members() {
		if found, is := r.state.MemberBy(member.User); is && found.ID == member.ID && !member.User.IsZero() {
			r.derived.Members[member.User] = true
		}
	}
}

// compareSnapshot compares the snapshot of a row, if it exists, with the replayed state.
func (r *replay) compareSnapshot(ctx context.Context, row messages.Row) error {
	for len(r.stored) > 0 && r.stored[0] < row.Sequence { // sequence 0 belongs to no row
		r.spoilt(r.stored[0], "is of no row of the journal")
		r.stored = r.stored[1:]
	}
	if len(r.stored) == 0 || r.stored[0] != row.Sequence {
		return nil
	}
	r.stored = r.stored[1:]
	snapshot, err := r.journal.SnapshotAt(ctx, r.id, row.Sequence)
	if err != nil {
		return err
	}
	switch {
	case snapshot.Hash != (messages.Hash{}) && snapshot.Hash != row.Hash:
		r.spoilt(row.Sequence, "belongs to another row")
	case snapshot.Older(r.schema): // ignored; the next snapshot replaces it
	case snapshot.State != messages.NewSnapshot(row.Sequence, snapshot.Hash, r.state).State:
		r.spoilt(row.Sequence, "differs from a replay of the journal")
	}
	return nil
}

func (r *replay) spoilt(sequence uint64, fault string) {
	r.bad = append(r.bad, sequence)
	r.faults = append(r.faults, fmt.Sprintf("the snapshot of sequence %d %s", sequence, fault))
}
