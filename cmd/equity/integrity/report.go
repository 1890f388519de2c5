package integrity

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"equity/captable"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

var errNoRows = errors.New("the journal has no rows; derived tables have some")

// Report is the result of checking one organization.
type Report struct {
	Organization organization.ID
	// Events is the number of valid rows.
	Events uint64
	// Journal is the error of the first invalid row, or nil.
	Journal error
	// Missing is the evidence of missing rows at the end of the journal, or nil.
	Missing error
	// Derived are the faults of the derived tables. They are only checked if Journal is nil.
	Derived []string
	// Repaired is set after the derived tables were rebuilt.
	Repaired bool

	replay *replay
}

// Holds reports whether the check found no fault.
func (r *Report) Holds() bool { return r.Journal == nil && r.Missing == nil && len(r.Derived) == 0 }

// State returns the state at the end of the journal. It is complete only if Journal is nil.
func (r *Report) State() *organization.State { return r.replay.state }

// Checker checks the organizations of one store, one after another.
type Checker struct {
	schema  *organization.Schema
	journal *persistence.Journal
	// persons are the candidate accounts of each entity, in order of membership.
	persons map[captable.EntityID][]organization.UserID
	// unread counts the organizations with unknown persons, because their journal is damaged.
	unread int
}

// NewChecker returns a Checker of the journal's store.
func NewChecker(schema *organization.Schema, journal *persistence.Journal) *Checker {
	return &Checker{schema: schema, journal: journal, persons: map[captable.EntityID][]organization.UserID{}}
}

// Check checks one organization: its chain, its replay, the end of its journal, its snapshots and its derived tables. A
// server may append concurrently: compared data is read before the journal or belongs to one of its rows.
func (c *Checker) Check(ctx context.Context, id organization.ID) (Report, error) {
	for range 5 {
		report, moved, err := c.check(ctx, id)
		if err != nil || !moved {
			return report, err
		}
	}
	return Report{}, fmt.Errorf("%s is written to so often that it could not be read at rest; try again later", id)
}

// check checks the organization once. It returns moved if rows were appended between the reading of the journal and
// of the tables.
func (c *Checker) check(ctx context.Context, id organization.ID) (report Report, moved bool, err error) {
	r := &replay{
		journal: c.journal, id: id, schema: c.schema, state: organization.NewState(), derived: persistence.NewDerived(),
	}
	r.marked.Sequence, r.marked.Hash, err = c.journal.StoredHead(ctx, id)
	if err != nil && !errors.Is(err, messages.ErrUnreadable) { // an unreadable head counts as missing
		return Report{}, false, err
	}
	if r.stored, err = c.journal.SnapshotSequences(ctx, id); err != nil {
		return Report{}, false, err
	}
	report = Report{Organization: id, replay: r}
	report.Journal = contained(func() error { return r.run(ctx) })
	if report.Events = r.last.Sequence; ctx.Err() != nil {
		return Report{}, false, ctx.Err()
	}
	if report.Journal != nil {
		c.unread++
		return report, false, nil //nolint:nilerr // the report carries the error
	}
	for _, one := range r.persons {
		if !slices.Contains(c.persons[one.entity], one.user) {
			c.persons[one.entity] = append(c.persons[one.entity], one.user)
		}
	}
	found, err := c.journal.Derived(ctx, id)
	if err != nil {
		return Report{}, false, err
	}
	last, _, err := c.journal.Head(ctx, id)
	if err != nil || last != r.last.Sequence {
		return Report{}, err == nil, err
	}
	report.compare(found)
	return report, false, nil
}

// contained converts a panic caused by a damaged event to an error.
func contained(work func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("an event cannot be applied: %v", reason)
		}
	}()
	return work()
}

// compare compares the tables with the content derived from the journal.
func (r *Report) compare(found persistence.Derived) {
	p := r.replay
	r.Missing = p.missing(found)
	if p.marked.Sequence < p.last.Sequence && found.Head.Sequence != p.last.Sequence {
		p.faults = append(
			p.faults, fmt.Sprintf("journal_head: sequence %d is stored, the journal ends at %d", found.Head.Sequence, p.last.Sequence),
		)
	}
	for _, sequence := range p.stored {
		p.spoilt(sequence, "is of no row of the journal")
	}
	p.faults = append(p.faults, differences("resource", found.Resources, p.derived.Resources)...)
	p.faults = append(p.faults, differences("membership", found.Members, p.derived.Members)...)
	p.faults = append(p.faults, differences("stake", found.Holders, p.derived.Holders)...)
	r.Derived = p.faults
}

// missing returns the evidence of missing rows at the end of the journal. It uses the stored head, or snapshots and
// indexes if the stored head is missing.
func (r *replay) missing(found persistence.Derived) error {
	switch {
	case r.marked.Sequence > r.last.Sequence:
		return fmt.Errorf("rows are missing: the journal ends at sequence %d, and journal_head states that row %d was appended",
			r.last.Sequence, r.marked.Sequence)
	case r.marked.Sequence > 0 && r.markedHash != r.marked.Hash:
		return fmt.Errorf("journal_head has a different hash for sequence %d than the journal", r.marked.Sequence)
	case r.marked.Sequence > 0:
		return nil
	case len(r.stored) > 0:
		return fmt.Errorf("rows are missing: the journal ends at sequence %d, but a snapshot of sequence %d exists",
			r.last.Sequence, r.stored[len(r.stored)-1])
	case surplus(found.Resources, r.derived.Resources) > 0:
		return fmt.Errorf("rows are missing: the table resource has %d records that no row of the journal created",
			surplus(found.Resources, r.derived.Resources))
	case r.last.Sequence == 0:
		return errNoRows
	default:
		return nil
	}
}

// surplus counts the keys of found that are not expected.
func surplus[K comparable, V comparable](found, expected map[K]V) (number int) {
	for key := range found {
		if _, known := expected[key]; !known {
			number++
		}
	}
	return number
}

// differences describes how the rows of a table differ from the expected ones.
func differences[K comparable, V comparable](table string, found, expected map[K]V) (faults []string) {
	if maps.Equal(found, expected) {
		return nil
	}
	if extra := surplus(found, expected); extra > 0 {
		faults = append(faults, fmt.Sprintf("%s: %d rows are not of this journal", table, extra))
	}
	if missing := surplus(expected, found); missing > 0 {
		faults = append(faults, fmt.Sprintf("%s: %d rows are missing", table, missing))
	}
	wrong := 0
	for key, value := range expected {
		if other, known := found[key]; known && other != value {
			wrong++
		}
	}
	if wrong > 0 {
		faults = append(faults, fmt.Sprintf("%s: %d rows are incorrect", table, wrong))
	}
	return faults
}
