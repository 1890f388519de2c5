package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
)

// auditCommand is `equity audit`.
type auditCommand struct {
	Export auditExportCommand `cmd:"" help:"Export the changes of all organizations as JSON lines."`
	Key    auditKeyCommand    `cmd:"" help:"Print the public key that verifies anchors and signed proofs."`
}

// auditExportCommand is `equity audit export`.
type auditExportCommand struct {
	Organization string `help:"Export this organization only." placeholder:"ID"`
	Since        string `help:"First sequence, or first day or time." placeholder:"N|DATE"`
	Output       string `short:"o" help:"File to append to. The export continues after its last line. Default: standard output." placeholder:"FILE" type:"path"`
	Position     string `help:"File with the last exported sequences, for an output that is moved away." placeholder:"FILE" type:"path"`
	Data         bool   `help:"Include the data of the events, which may be personal."`
}

// Help is shown by `equity audit export --help`.
func (auditExportCommand) Help() string {
	return `One line for each event: organization, sequence, time, author, origin, type
and hashes. It reads the store without changing it, so a server may run. Repeat it, for
example each minute: with --output or --position it continues where the last run ended,
also after an interruption. Dates are YYYY-MM-DD or RFC 3339. The pair of organization and sequence
identifies a line. Particulars of persons are never exported. An export that continues
compares the last line of each organization with the journal, and fails if the journal
was changed or cut. With ANCHOR_FILE, it appends the signed heads to it.`
}

// auditLine is one event.
type auditLine struct {
	Organization string          `json:"organization"`
	Sequence     uint64          `json:"sequence"`
	RecordedAt   time.Time       `json:"recordedAt"`
	By           string          `json:"by"`
	Origin       messages.Origin `json:"origin,omitempty"`
	Type         string          `json:"type"`
	PreviousHash string          `json:"previousHash"`
	Hash         string          `json:"hash"`
	Data         json.RawMessage `json:"data,omitempty"`
}

var errSince = errors.New("--since must be a sequence of --organization, a day such as 2026-01-31, or a time such as 2026-01-31T12:00:00Z")

// Run exports the events.
func (a auditExportCommand) Run(ctx context.Context, p program) error {
	c, err := p.settings(nil)
	if err != nil {
		return err
	}
	since, err := a.parseSince()
	if err != nil {
		return err
	}
	return withJournal(ctx, c, func(db *persistence.Database, journal *persistence.Journal) (err error) {
		out, err := a.open(p)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, out.close()) }()
		run := &auditRun{out: out}
		if c.Anchors.File != "" {
			if run.anchors, err = commandAnchors(ctx, c, db, journal, p); err != nil {
				return err
			}
		}
		export := func(id organization.ID) error { return run.add(ctx, id, a.export(ctx, journal, id, since, out)) }
		if a.Organization == "" {
			return errors.Join(journal.EachOrganization(ctx, export), run.absent())
		}
		id, err := captable.ParseID[organization.Organization](a.Organization)
		if err != nil {
			return fmt.Errorf("--organization: %w", err)
		}
		if last, _, err := journal.Head(ctx, id); err != nil || last == 0 {
			return errors.Join(err, fmt.Errorf("there is no organization %s in this store", id))
		}
		return errors.Join(export(id), run.faults)
	})
}

// auditStart is the beginning of an export: a sequence or a time; both zero for the first event.
type auditStart struct {
	sequence uint64
	at       time.Time
}

func (a auditExportCommand) parseSince() (auditStart, error) {
	if a.Since == "" {
		return auditStart{}, nil
	}
	if n, err := strconv.ParseUint(a.Since, 10, 63); err == nil && a.Organization != "" {
		return auditStart{sequence: n}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339Nano} {
		if at, err := time.Parse(layout, a.Since); err == nil {
			return auditStart{at: at}, nil
		}
	}
	return auditStart{}, errSince
}

// export writes the events of one organization that were not exported before.
func (a auditExportCommand) export(
	ctx context.Context, journal *persistence.Journal, id organization.ID, since auditStart, out *auditOutput,
) error {
	last := out.last[id.String()]
	if err := last.compare(ctx, id, journal); err != nil {
		return err
	}
	after := last.Sequence
	if since.sequence > 0 {
		after = max(after, since.sequence-1)
	}
	if !since.at.IsZero() {
		before, err := journal.SequenceAt(ctx, id, since.at.Add(-time.Microsecond))
		if err != nil {
			return err
		}
		after = max(after, before)
	}
	err := journal.Scan(ctx, id, after, 0, func(row messages.Row) error {
		line := auditLine{
			Organization: id.String(), Sequence: row.Sequence, RecordedAt: row.RecordedAt, By: row.By, Origin: row.Origin(), Type: row.Type,
			PreviousHash: fmt.Sprintf("%x", row.PreviousHash), Hash: fmt.Sprintf("%x", row.Hash),
		}
		if a.Data {
			line.Data = row.Data()
		}
		return out.write(line)
	})
	return errors.Join(err, out.save())
}

// auditOutput writes lines and remembers the last sequence of each organization.
type auditOutput struct {
	buffer   *bufio.Writer
	file     *os.File // nil for standard output
	position string
	last     map[string]auditPosition
	// written counts the lines of this run by organization.
	written map[string]int
}

// open opens the output and reads the last exported sequences. It removes an incomplete last line.
func (a auditExportCommand) open(p program) (*auditOutput, error) {
	out := &auditOutput{position: a.Position, last: map[string]auditPosition{}, written: map[string]int{}, buffer: bufio.NewWriter(p.out)}
	if a.Position != "" {
		text, err := os.ReadFile(a.Position)
		if err == nil {
			err = json.Unmarshal(text, &out.last)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("--position: %w", err)
		}
	}
	if a.Output == "" {
		return out, nil
	}
	file, err := os.OpenFile(a.Output, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("--output: %w", err)
	}
	if err := out.resume(file); err != nil {
		return nil, errors.Join(fmt.Errorf("--output %s: %w", a.Output, err), file.Close())
	}
	out.file, out.buffer = file, bufio.NewWriter(file)
	return out, nil
}

var errNoAudit = errors.New("the file contains other lines than those of this command")

// resume reads the complete lines of the file, and moves its end behind them.
func (o *auditOutput) resume(file *os.File) error {
	lines, end := bufio.NewReader(file), int64(0)
	for {
		text, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		var line auditLine
		if err := json.Unmarshal(bytes.TrimSpace(text), &line); err != nil || line.Sequence == 0 {
			return errNoAudit
		}
		if o.last[line.Organization].Sequence <= line.Sequence {
			o.last[line.Organization] = auditPosition{line.Sequence, line.Hash}
		}
		end += int64(len(text))
	}
	if err := file.Truncate(end); err != nil {
		return err
	}
	_, err := file.Seek(end, io.SeekStart)
	return err
}

func (o *auditOutput) write(line auditLine) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	if _, err := o.buffer.Write(append(text, '\n')); err != nil {
		return err
	}
	o.last[line.Organization] = auditPosition{line.Sequence, line.Hash}
	o.written[line.Organization]++
	return nil
}

// save makes the lines durable, and then their position.
func (o *auditOutput) save() error {
	if err := o.buffer.Flush(); err != nil {
		return err
	}
	if o.file != nil {
		if err := o.file.Sync(); err != nil {
			return err
		}
	}
	if o.position == "" {
		return nil
	}
	text, err := json.Marshal(o.last)
	if err != nil {
		return err
	}
	draft, err := os.CreateTemp(filepath.Dir(o.position), filepath.Base(o.position)+".*") // mode 0600
	if err != nil {
		return err
	}
	_, err = draft.Write(append(text, '\n'))
	if err = errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return errors.Join(err, os.Remove(draft.Name()))
	}
	return os.Rename(draft.Name(), o.position)
}

func (o *auditOutput) close() error {
	err := o.buffer.Flush()
	if o.file != nil {
		err = errors.Join(err, o.file.Close())
	}
	return err
}
