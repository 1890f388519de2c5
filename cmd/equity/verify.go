package main

import (
	"context"
	"errors"
	"os"

	"equity/cmd/equity/integrity"
	"equity/messages"
	"equity/persistence"
)

// verifyCommand is `equity verify`.
type verifyCommand struct {
	Proof        string `arg:"" optional:"" help:"Proof file to check, as the interface gives it. Without it, the store is checked." type:"existingfile"`
	Organization string `help:"Check only this organization." placeholder:"ID"`
	Repair       bool   `help:"Rebuild derived tables that are damaged. The journal is never changed."`
	AcceptEnd    bool   `help:"With --repair: take the present end of each journal as the right one although rows seem to be missing behind it. This removes the evidence."`
	DatabaseURL  string `name:"database-url" help:"Store to check instead of the one that is set." placeholder:"URL"`
}

// Help is shown by `equity verify --help`.
func (verifyCommand) Help() string {
	return `Every row of a journal carries a hash over the row before it and over its own
bytes. Verifying recomputes all of them, names the first row that does not fit,
replays the events, counts the cap table anew against the totals, and compares
the end of the journal, the snapshots and the index tables with the replay. It
changes nothing without --repair, and a server may run meanwhile.

--repair rebuilds tables that are derived from a journal: snapshots, indexes and
the stored heads. It never changes a journal: rows that were altered or are
missing come back from a backup only. A proof file needs no store and no
settings: whoever was given one can check it with this program alone.`
}

var errNotWell = errors.New("the store does not hold")

// Run checks and prints the findings.
func (v verifyCommand) Run(ctx context.Context, p program) error {
	if v.Proof != "" {
		return v.checkProof(p)
	}
	c, err := p.settings(map[string]string{"DATABASE_URL": v.DatabaseURL})
	if err != nil {
		return err
	}
	return withJournal(ctx, c, func(db *persistence.Database, journal *persistence.Journal) error {
		return (&verification{command: v, p: p, db: db, journal: journal, checker: integrity.NewChecker(journal)}).run(ctx)
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
