package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"equity/captable"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// verifyCommand is `equity verify`.
type verifyCommand struct {
	Proof        string `arg:"" optional:"" help:"Proof file to check, as the interface gives it. Without it, the store is checked." type:"existingfile"`
	Organization string `help:"Check only this organization." placeholder:"ID"`
	DatabaseURL  string `name:"database-url" help:"Store to check instead of the one that is set." placeholder:"URL"`
}

// Help is shown by `equity verify --help`.
func (verifyCommand) Help() string {
	return `Every row of a journal carries a hash over the row before it and over its own
bytes. Verifying recomputes all of them, names the first row that does not fit,
replays the events, and counts the cap table anew against the totals. It changes
nothing. A proof file needs no store and no settings: whoever was given one can
check it with this program alone.`
}

var errNotWell = errors.New("the store does not hold")

// Run checks and says what it found.
func (v verifyCommand) Run(ctx context.Context, p program) error {
	if v.Proof != "" {
		return v.checkProof(p)
	}
	c, err := p.settings(map[string]string{"DATABASE_URL": v.DatabaseURL})
	if err != nil {
		return err
	}
	return withJournal(ctx, c, func(journal *persistence.Journal) error {
		checked, faulty := 0, 0
		check := func(id organization.ID) error {
			checked++
			last, err := verifyJournal(ctx, journal, id)
			if err != nil {
				faulty++
				p.say("%s: %v", id, err)
				return nil
			}
			p.say("%s: %d events hold", id, last)
			return nil
		}
		if err := v.each(ctx, journal, check); err != nil {
			return err
		}
		p.say("%d organizations checked, %d do not hold.", checked, faulty)
		if faulty > 0 {
			return errNotWell
		}
		return nil
	})
}

func (v verifyCommand) checkProof(p program) (err error) {
	file, err := os.Open(v.Proof)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	header, err := messages.CheckProof(file)
	if err != nil {
		return err
	}
	if header.Unproven > 0 {
		p.say("%d rows lack private fields of members that were recorded without commitments. Their place in the chain holds; their content is not proven.", header.Unproven)
	}
	p.say("The proof of %s (%s) holds: %d events, the last with hash %s.", header.Name, header.Organization, header.Rows, header.Hash)
	return nil
}

func (v verifyCommand) each(ctx context.Context, journal *persistence.Journal, check func(organization.ID) error) error {
	if v.Organization == "" {
		return journal.Organizations(ctx, check)
	}
	id, err := captable.ParseID[organization.Organization](v.Organization)
	if err != nil {
		return fmt.Errorf("--organization: %w", err)
	}
	return check(id)
}

// verifyJournal checks one organization's chain, replays it and audits what comes of
// it. It gives the last sequence.
func verifyJournal(ctx context.Context, journal *persistence.Journal, id organization.ID) (uint64, error) {
	decoder, state := organization.NewDecoder(), organization.NewState()
	var last uint64
	var hash messages.Hash
	err := journal.Scan(ctx, id, 0, 0, func(row messages.Row) error {
		switch {
		case row.Sequence != last+1:
			return fmt.Errorf("after sequence %d comes %d", last, row.Sequence)
		case !row.Fits(hash):
			return fmt.Errorf("the row of sequence %d was altered, or one before it", row.Sequence)
		}
		last, hash = row.Sequence, row.Hash
		event, err := decoder.Decode(row.Type, row.Payload)
		if err != nil {
			return fmt.Errorf("sequence %d: %w", row.Sequence, err)
		}
		state.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(row.RecordedAt), By: row.By})
		return nil
	})
	if err != nil {
		return last, err
	}
	if faults := state.Table().Audit(); len(faults) > 0 {
		return last, fmt.Errorf("the totals do not hold: %s", faults[0])
	}
	return last, nil
}
