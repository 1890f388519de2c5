package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"equity/actors/anchor"
	"equity/captable"
	"equity/captable/exact"
	"equity/captable/ocf"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// exportCommand is `equity export`.
type exportCommand struct {
	Organization string `arg:"" help:"The organization's id."`
	Format       string `enum:"ocf,json,proof" default:"ocf" help:"ocf: an Open Cap Format package, zipped. json: the cap table. proof: the whole journal, for 'equity verify'."`
	AsOf         string `help:"State at the end of this day. Default: today." placeholder:"YYYY-MM-DD"`
	Output       string `short:"o" help:"File to write; standard output when absent." placeholder:"FILE" type:"path"`
}

// Help is shown by `equity export --help`.
func (exportCommand) Help() string {
	return `Reads the store without changing it, so a server may run. The package contains
personal data of the holders (e-mail, addresses): protect it accordingly.`
}

// Run exports the organization.
func (e exportCommand) Run(ctx context.Context, p program) (err error) {
	c, err := p.settings(nil)
	if err != nil {
		return err
	}
	id, err := captable.ParseID[organization.Organization](e.Organization)
	if err != nil {
		return fmt.Errorf("organization %s: %w", e.Organization, err)
	}
	day := exact.DateOf(p.now().UTC())
	if e.AsOf != "" {
		if day, err = exact.ParseDate(e.AsOf); err != nil {
			return fmt.Errorf("--as-of %s: %w", e.AsOf, err)
		}
	}
	return withJournal(ctx, c, func(db *persistence.Database, journal *persistence.Journal) error {
		last, hash, err := journal.Head(ctx, id)
		if err != nil {
			return err
		}
		if last == 0 {
			return fmt.Errorf("there is no organization %s in this store", id)
		}
		return e.into(p, func(out io.Writer) error {
			switch e.Format {
			case "proof":
				anchors, err := commandAnchors(ctx, c, db, journal, p)
				if err != nil { // a proof without signature is complete
					_, _ = fmt.Fprintln(p.errors, "equity: the proof is not signed:", err)
				}
				return writeProof(ctx, p.schema, out, journal, anchors, messages.Head{Organization: id, Sequence: last, Hash: hash})
			case "json":
				return writeTable(ctx, p.schema, out, journal, id, day)
			default:
				archive, err := messages.Package(ctx, p.schema, journal, id, last, ocf.Cover{AsOf: day, GeneratedAt: p.now().UTC()}, true)
				if err != nil {
					return err
				}
				return archive.WriteZip(out)
			}
		})
	})
}

// into writes to standard output or to the named file. The file is accessible to its
// owner only, because a package contains personal data.
func (e exportCommand) into(p program, write func(io.Writer) error) error {
	if e.Output == "" {
		return write(p.out)
	}
	file, err := os.OpenFile(e.Output, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// stateOf returns the replayed state of the organization.
func stateOf(
	ctx context.Context, schema *organization.Schema, journal *persistence.Journal, id organization.ID,
) (*organization.State, error) {
	state := organization.NewState()
	err := journal.Scan(ctx, id, 0, 0, func(row messages.Row) error {
		event, err := schema.Decode(row.Type, row.Payload)
		if err != nil {
			return err
		}
		state.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(row.RecordedAt), By: row.By})
		return nil
	})
	return state, err
}

func writeTable(
	ctx context.Context, schema *organization.Schema, out io.Writer, journal *persistence.Journal, id organization.ID, day captable.Date,
) error {
	state, err := stateOf(ctx, schema, journal, id)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(state.Table().TableOn(day, state.NameOf))
}

// writeProof writes all rows up to the last one and the final hash of their chain, signed unless anchors is nil. The proof can be verified
// without this server.
func writeProof(
	ctx context.Context, schema *organization.Schema, out io.Writer, journal *persistence.Journal, anchors *anchor.Service,
	head messages.Head,
) error {
	state, err := stateOf(ctx, schema, journal, head.Organization)
	if err != nil {
		return err
	}
	header := messages.ProofHeader{
		Organization: head.Organization, Name: state.Profile().PrintedName(), Rows: head.Sequence, Hash: fmt.Sprintf("%x", head.Hash),
	}
	if anchors != nil {
		err := journal.Scan(ctx, head.Organization, head.Sequence-1, head.Sequence, func(row messages.Row) error {
			signed, err := anchors.Sign(ctx, head, row.RecordedAt)
			header.Anchor = &signed
			return err
		})
		if err != nil {
			return err
		}
	}
	w, err := messages.NewProofWriter(out, header)
	if err != nil {
		return err
	}
	if err := journal.Scan(ctx, head.Organization, 0, head.Sequence, w.Write); err != nil {
		return err
	}
	return w.Close()
}
