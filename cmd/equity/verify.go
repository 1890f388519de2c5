package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"equity/actors/consumer"
	"equity/cmd/equity/integrity"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
	"equity/persistence"
)

// verifyCommand is `equity verify`.
type verifyCommand struct {
	Proof        string   `arg:"" optional:"" help:"Proof file to check, as exported by the API. Default: check the store." type:"existingfile"`
	Organization string   `help:"Check only this organization." placeholder:"ID"`
	Repair       bool     `help:"Rebuild derived tables that are damaged. The journal is never changed."`
	AcceptEnd    bool     `help:"With --repair: accept the current end of each journal although later rows seem to be missing. This removes the evidence."`
	Document     string   `help:"With a proof file: report when exactly the bytes of this file entered the organization." type:"existingfile" placeholder:"FILE"`
	Content      bool     `help:"Also check that the bytes of each file exist in the store of documents, with their hash."`
	Against      string   `help:"Compare with a file from outside of the store: a proof, an audit export, or anchors. Default: ANCHOR_FILE, if it exists." type:"existingfile" placeholder:"FILE"`
	Key          []string `help:"Public key of anchors, as printed by 'equity audit key'. Default: the key of the store, sealed under SECRET_KEY." placeholder:"KEY"`
	TSACA        string   `name:"tsa-ca" help:"PEM file with the certificates to which those of time stamps must lead. Default: TSA_CA." type:"existingfile" placeholder:"FILE"`
	DatabaseURL  string   `name:"database-url" help:"Store to check instead of DATABASE_URL." placeholder:"URL"`
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
settings.

--against FILE finds a journal whose chain is valid, but differs from a copy that was
kept elsewhere: a rewritten past, another author, an earlier time, a cut end.

--document FILE with a proof file reports the events with which exactly these bytes
entered the organization. --content reads all files of the data rooms, which can
take long.`
}

var (
	errNeedsProof = errors.New("--document needs a proof file, as exported by the API")
	errNoDocument = errors.New("no event of the proof has these bytes")
)

var errNotWell = errors.New("the store has faults")

// Run checks and prints the findings.
func (v verifyCommand) Run(ctx context.Context, p program) error {
	if v.Proof != "" {
		return v.checkProof(ctx, p)
	}
	if v.Document != "" {
		return errNeedsProof
	}
	c, err := p.settings(map[string]string{"DATABASE_URL": v.DatabaseURL})
	if err != nil {
		return err
	}
	return withJournal(ctx, c, func(db *persistence.Database, journal *persistence.Journal) error {
		run := &verification{
			command: v, p: p, db: db, journal: journal, checker: integrity.NewChecker(p.schema, journal), seen: map[organization.ID]bool{},
		}
		if err := run.readWitness(ctx, c); err != nil {
			return err
		}
		if !v.Content {
			return run.run(ctx)
		}
		store, release, err := openStore(c, consumer.NewBreakers(p.now))
		if err != nil {
			return err
		}
		run.objects = store
		return errors.Join(run.run(ctx), release())
	})
}

func (v verifyCommand) checkProof(ctx context.Context, p program) (err error) {
	file, err := os.Open(v.Proof)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	hash, err := v.documentHash()
	if err != nil {
		return err
	}
	var filed []filing
	var hashes []messages.Hash
	header, err := messages.ReadProof(file, func(row *messages.Row) {
		hashes = append(hashes, row.Hash)
		if f, ok := filingOf(row); ok && f.SHA256 == hash {
			filed = append(filed, f)
		}
	})
	if err != nil {
		return err
	}
	if err := v.compareProof(ctx, p, header, hashes); err != nil {
		return err
	}
	if header.Unproven > 0 {
		p.say("%d rows lack private fields that were recorded without commitments. Their position in the chain is proven; their content is not.", header.Unproven)
	}
	p.say("The proof of %s (%s) is valid: %d events, the last with hash %s.", header.Name, header.Organization, header.Rows, header.Hash)
	if hash == "" {
		return nil
	}
	for _, f := range filed {
		p.say(
			"%s: these bytes entered %s with event %d, as file %s by %s.", f.at.Format(time.RFC3339Nano), header.Name, f.sequence, f.ID,
			f.by,
		)
	}
	if len(filed) == 0 {
		return fmt.Errorf("%w: SHA-256 %s", errNoDocument, hash)
	}
	return nil
}

// documentHash returns the hash of the file of --document, or an empty text.
func (v verifyCommand) documentHash() (_ string, err error) {
	if v.Document == "" {
		return "", nil
	}
	file, err := os.Open(v.Document)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return "", fmt.Errorf("read the document: %w", err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// filing is the event with which bytes entered an organization.
type filing struct {
	ID       string `json:"id"`
	SHA256   string `json:"sha256"`
	sequence uint64
	at       time.Time
	by       string
}

// filingOf returns the filing of a row, or false for other events.
func filingOf(row *messages.Row) (f filing, ok bool) {
	if row.Type != (document.FileStored{}).EventType() || json.Unmarshal(row.Payload, &f) != nil {
		return f, false
	}
	f.sequence, f.at, f.by = row.Sequence, row.RecordedAt.UTC(), row.By
	return f, true
}
