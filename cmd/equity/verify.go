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
	Proof        string `arg:"" optional:"" help:"Proof file to check, as exported by the API. Default: check the store." type:"existingfile"`
	Organization string `help:"Check only this organization." placeholder:"ID"`
	Repair       bool   `help:"Rebuild derived tables that are damaged. The journal is never changed."`
	AcceptEnd    bool   `help:"With --repair: accept the current end of each journal although later rows seem to be missing. This removes the evidence."`
	DatabaseURL  string `name:"database-url" help:"Store to check instead of DATABASE_URL." placeholder:"URL"`
}

// Help is shown by `equity verify --help`.
func (verifyCommand) Help() string {
	return `Each row of a journal has a hash over its content and the hash of the previous
row. The command recomputes all hashes, reports the first invalid row, replays the
events, recomputes the totals of the cap table, and compares the end of the
journal, the snapshots and the index tables with the replay. It changes nothing
without --repair, and a server may run meanwhile.

--repair rebuilds tables that are derived from a journal: snapshots, indexes and
the stored heads. It never changes a journal: altered or missing rows can only be
restored from a backup. A proof file can be checked without a store and without
settings.`
}

var errNotWell = errors.New("the store has faults")

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
		p.say("%d rows lack private fields of members that were recorded without commitments. Their position in the chain is proven; their content is not.", header.Unproven)
	}
	p.say("The proof of %s (%s) is valid: %d events, the last with hash %s.", header.Name, header.Organization, header.Rows, header.Hash)
	return nil
}
