package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"equity/actors/anchor"
	"equity/messages"
	"equity/organization"
)

// witness is a file outside of the store with hashes of rows: a proof, an audit export, or anchors.
type witness struct {
	path string
	rows map[organization.ID][]witnessed
	// stamps is the number of time stamps in the file.
	stamps int
	// trusted are the certificates to which those of the time stamps must lead; nil for any.
	trusted *x509.CertPool
}

// witnessed is a row that the file knows.
type witnessed struct {
	sequence uint64
	hash     messages.Hash
}

// longestWitnessLine bounds the memory used for a damaged file.
const longestWitnessLine = 64 << 20

var (
	errWitness    = errors.New("the file is neither a proof, nor an audit export, nor a file of anchors")
	errUnknownKey = errors.New("an anchor is not signed by a known key: it was forged, or needs --key")
)

// witnessLine has the fields of all kinds of lines.
type witnessLine struct {
	messages.Anchor

	Format string `json:"format"`
	anchor.Stamp
}

// readWitness reads the file. Anchors must be signed by one of the keys.
func readWitness(path string, keys []messages.AnchorPublicKey, trusted *x509.CertPool) (_ *witness, err error) {
	file, err := os.Open(path) //nolint:gosec // the operator names the file
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := &witness{path: path, rows: map[organization.ID][]witnessed{}, trusted: trusted}
	first := make([]byte, len(proofStart))
	n, _ := io.ReadFull(file, first) // a shorter file is no proof
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	if bytes.Equal(first[:n], []byte(proofStart)) {
		var header messages.ProofHeader
		header, err = messages.ReadProof(file, func(row *messages.Row) { w.add(row.Organization, row.Sequence, row.Hash) })
		if err == nil && !signedBy(header, keys) {
			err = errUnknownKey
		}
	} else {
		err = w.lines(file, keys)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, rows := range w.rows {
		slices.SortStableFunc(rows, func(a, b witnessed) int { return cmp.Compare(a.sequence, b.sequence) })
	}
	return w, nil
}

// signedBy reports whether one of the keys signed the proof, if it is signed and there are keys.
func signedBy(header messages.ProofHeader, keys []messages.AnchorPublicKey) bool {
	return header.Anchor == nil || len(keys) == 0 || slices.ContainsFunc(
		keys, func(k messages.AnchorPublicKey) bool { return k.Verifies(*header.Anchor) },
	)
}

// describe prints what the file contains.
func (w *witness) describe(p program) {
	p.say("compared with %s: %d organizations, %d time stamps", w.path, len(w.rows), w.stamps)
	switch {
	case w.stamps > 0 && w.trusted == nil:
		p.say("the signatures of the time stamps are valid; their certificates were not checked: --tsa-ca FILE names the trusted ones")
	case w.stamps > 0:
		p.say("the time stamps are signed with trusted certificates")
	}
}

// proofStart begins each proof.
const proofStart = `{"format":`

// lines reads an audit export or anchors. An incomplete last line of an interrupted write is ignored.
func (w *witness) lines(from io.Reader, keys []messages.AnchorPublicKey) error {
	scanner := bufio.NewScanner(from)
	scanner.Buffer(nil, longestWitnessLine)
	var batch [][]byte // the lines that a time stamp can cover
	for number := 1; scanner.Scan(); number++ {
		var line witnessLine
		if err := json.Unmarshal(scanner.Bytes(), &line); err != nil {
			if !scanner.Scan() {
				break
			}
			return fmt.Errorf("line %d: %w", number, errWitness)
		}
		if len(line.TimeStamp) > 0 {
			if line.Lines < 1 || line.Lines > len(batch) {
				return fmt.Errorf("line %d: the lines of the time stamp are missing", number)
			}
			covered := slices.Concat(batch[len(batch)-line.Lines:]...)
			if _, err := anchor.Stamped(line.TimeStamp, covered, w.trusted); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			w.stamps++
			batch = nil
			continue
		}
		var hash messages.Hash
		n, err := hex.Decode(hash[:], []byte(line.Hash[:min(len(line.Hash), 2*len(hash))]))
		if err != nil || n != len(hash) || line.Sequence == 0 {
			return fmt.Errorf("line %d: %w", number, errWitness)
		}
		if len(line.Signature) > 0 {
			if !slices.ContainsFunc(keys, func(k messages.AnchorPublicKey) bool { return k.Verifies(line.Anchor) }) {
				return fmt.Errorf("line %d: %w", number, errUnknownKey)
			}
			batch = append(batch, append(slices.Clone(scanner.Bytes()), '\n'))
			if len(batch) > maxStamped {
				batch = batch[1:]
			}
		}
		w.add(line.Organization, line.Sequence, hash)
	}
	return scanner.Err()
}

// maxStamped bounds the lines of one time stamp.
const maxStamped = 1000

func (w *witness) add(id organization.ID, sequence uint64, hash messages.Hash) {
	w.rows[id] = append(w.rows[id], witnessed{sequence, hash})
}

// The faults that a witness finds.
var (
	errRewritten = errors.New("the row differs: it, or an earlier one, was rewritten")
	errCut       = errors.New("the row is missing: the end of the journal was cut, or an older copy was restored")
)

// disagreement is the first difference between a journal and a witness.
type disagreement struct {
	path     string
	sequence uint64
	cause    error // errRewritten or errCut
}

// Error names the row and the file.
func (d *disagreement) Error() string {
	return fmt.Sprintf("sequence %d, compared with %s: %v", d.sequence, d.path, d.cause)
}

// Unwrap returns the cause.
func (d *disagreement) Unwrap() error { return d.cause }

// scanner reads the rows of a journal with sequences after one and up to another.
type scanner func(ctx context.Context, id organization.ID, after, upTo uint64, each func(messages.Row) error) error

// compare returns the first disagreement with the journal as a *disagreement, or nil.
func (w *witness) compare(ctx context.Context, id organization.ID, scan scanner) error {
	rows := w.rows[id]
	for len(rows) > 0 {
		run := 1 // rows without a gap are read at once
		for run < len(rows) && rows[run].sequence <= rows[run-1].sequence+1 {
			run++
		}
		next := 0
		err := scan(ctx, id, rows[0].sequence-1, rows[run-1].sequence, func(row messages.Row) error {
			for next < run && rows[next].sequence <= row.Sequence {
				if rows[next].sequence < row.Sequence {
					return &disagreement{w.path, rows[next].sequence, errCut}
				}
				if rows[next].hash != row.Hash {
					return &disagreement{w.path, row.Sequence, errRewritten}
				}
				next++
			}
			return nil
		})
		if err != nil {
			return err
		}
		if next < run {
			return &disagreement{w.path, rows[next].sequence, errCut}
		}
		rows = rows[run:]
	}
	return nil
}

// keysOf reads the keys of --key: printed keys.
func keysOf(texts []string) ([]messages.AnchorPublicKey, error) {
	keys := make([]messages.AnchorPublicKey, 0, len(texts))
	for _, text := range texts {
		key, err := messages.ParseAnchorKey(text)
		if err != nil {
			return nil, fmt.Errorf("--key: %w", err)
		}
		keys = append(keys, key)
	}
	return keys, nil
}
