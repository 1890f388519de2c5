package messages

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"equity/organization"
)

// A proof is the whole journal of an organization in a file that can be verified without
// the server. It is text with one JSON object per line: a [ProofHeader], then all rows in
// order. The line of a row has the fields of [Row] except the organization, which is in
// the header. Its data field is the event's JSON, byte for byte as it was hashed. The
// encoding of a row is unique, so two proofs of the same journal are identical.
const (
	proofFormat = "equity-journal-proof"
	// Version 2 has rows without private fields. Version 1 is still accepted.
	proofVersion, minProofVersion = 2, 1
	// maxLine bounds the memory used for a damaged file.
	maxLine = 64 << 20
)

// ProofHeader is the first line of a proof.
type ProofHeader struct {
	// Format and Version identify the file format. [NewProofWriter] sets them.
	Format       string          `json:"format"`
	Version      int             `json:"version"`
	Organization organization.ID `json:"organization"`
	// Name is the organization's name, for information only. It is not covered by a hash.
	Name string `json:"name"`
	// Rows is the number of rows and so the sequence of the last one.
	Rows uint64 `json:"rows"`
	// Hash is the hash of the last row, in hex. A reader with an independent copy of it
	// can verify that the whole history is unchanged.
	Hash string `json:"hash"`
	// Anchor is the signed last row; nil without a key.
	Anchor *Anchor `json:"anchor,omitempty"`
	// Unproven counts the rows without private fields whose content is not covered by a hash,
	// because they were recorded before such fields had commitments. [CheckProof] sets it.
	Unproven uint64 `json:"-"`
}

// proofRow is the line of a row. Data is last and is written verbatim.
type proofRow struct {
	Sequence       uint64 `json:"sequence"`
	RecordedAt     string `json:"recordedAt"`
	By             string `json:"by"`
	Type           string `json:"type"`
	IdempotencyKey string `json:"idempotencyKey,omitempty"`
	Fingerprint    string `json:"fingerprint,omitempty"`
	// Unproven marks a row without its private fields that the hash does not cover.
	Unproven     bool            `json:"unproven,omitempty"`
	PreviousHash string          `json:"previousHash"`
	Hash         string          `json:"hash"`
	Data         json.RawMessage `json:"data"`
}

// ProofError is the first invalid line of a proof.
type ProofError struct {
	// Line is the line number. The header is line 1.
	Line uint64
	// Sequence is that of the row, or 0 if the line is not a row.
	Sequence uint64
	// Reason is a sentence for display.
	Reason string
}

// Error returns the line, the row and the reason.
func (e *ProofError) Error() string {
	if e.Sequence == 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
	}
	return fmt.Sprintf("line %d, row %d: %s", e.Line, e.Sequence, e.Reason)
}

// errUnwritable reports that a row cannot be written as a line of a proof.
var errUnwritable = errors.New("the event is not JSON on a single line")

// ProofWriter writes a proof row by row. It is not safe for concurrent use.
type ProofWriter struct {
	out    *bufio.Writer
	header ProofHeader
	rows   uint64
}

// NewProofWriter writes the header, with its Format and Version set.
func NewProofWriter(w io.Writer, header ProofHeader) (*ProofWriter, error) {
	header.Format, header.Version = proofFormat, proofVersion
	line, err := json.Marshal(header)
	if err != nil {
		return nil, fmt.Errorf("proof header: %w", err)
	}
	p := &ProofWriter{out: bufio.NewWriter(w), header: header}
	return p, p.line(line)
}

// Write writes the next row.
func (p *ProofWriter) Write(row Row) error { return p.write(row, true) }

// WriteRedacted writes the next row without its private fields.
func (p *ProofWriter) WriteRedacted(row Row) error {
	redacted, proven := row.Redacted()
	return p.write(redacted, proven)
}

func (p *ProofWriter) write(row Row, proven bool) error {
	line, err := proofLine(row, proven)
	if err != nil {
		return fmt.Errorf("proof row %d: %w", row.Sequence, err)
	}
	p.rows++
	return p.line(line)
}

// Close flushes the proof. It returns an error if the number of rows differs from the header.
func (p *ProofWriter) Close() error {
	if p.rows != p.header.Rows {
		return fmt.Errorf("proof: %d rows were written, but the header states %d", p.rows, p.header.Rows)
	}
	return p.out.Flush()
}

func (p *ProofWriter) line(line []byte) error {
	if _, err := p.out.Write(line); err != nil {
		return err
	}
	return p.out.WriteByte('\n')
}

// proofLine returns the line of a row without its newline.
func proofLine(row Row, proven bool) ([]byte, error) {
	if bytes.ContainsAny(row.Payload, "\r\n") || !json.Valid(row.Payload) {
		return nil, errUnwritable
	}
	line, err := json.Marshal(proofRow{
		Sequence: row.Sequence, RecordedAt: row.RecordedAt.UTC().Format(time.RFC3339Nano), By: row.By, Type: row.Type,
		IdempotencyKey: row.IdempotencyKey, Fingerprint: row.Fingerprint, Unproven: !proven,
		PreviousHash: hex.EncodeToString(row.PreviousHash[:]), Hash: hex.EncodeToString(row.Hash[:]),
		Data: json.RawMessage("null"),
	})
	if err != nil {
		return nil, err
	}
	// Marshal would reformat the payload, but the hash covers its exact bytes.
	line = append(bytes.TrimSuffix(line, []byte("null}")), row.Payload...)
	return append(line, '}'), nil
}
