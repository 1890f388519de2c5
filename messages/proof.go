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

// A proof is an organization's whole journal in a file that can be checked without
// the server. It is text, one JSON object a line: first a [ProofHeader], then every
// row in order. A row's line has the fields of [Row] but for the organization, which
// the header states, with data as the event's own JSON, byte by byte as it was
// hashed. There is exactly one way to write a given row, so two proofs of the same
// journal are the same bytes.
const (
	proofFormat = "equity-journal-proof"
	// Version 2 has rows without private fields. Proofs of version 1 are still read.
	proofVersion, oldestProof = 2, 1
	// longestLine bounds the memory that a damaged file can take.
	longestLine = 64 << 20
)

// ProofHeader is the first line of a proof.
type ProofHeader struct {
	// Format and Version tell what the file is; [NewProofWriter] sets them.
	Format       string          `json:"format"`
	Version      int             `json:"version"`
	Organization organization.ID `json:"organization"`
	// Name is the organization's, for people; nothing vouches for it.
	Name string `json:"name"`
	// Rows is how many rows follow, and so the sequence of the last one.
	Rows uint64 `json:"rows"`
	// Hash is that of the last row, in hex. Whoever noted it elsewhere can tell
	// that the whole history before it is still the same.
	Hash string `json:"hash"`
	// Unproven counts the rows without private fields whose content no hash covers: they
	// were recorded before such fields had commitments. [CheckProof] sets it.
	Unproven uint64 `json:"-"`
}

// proofRow is a row's line. Data comes last and is written as it is.
type proofRow struct {
	Sequence       uint64 `json:"sequence"`
	RecordedAt     string `json:"recordedAt"`
	By             string `json:"by"`
	Type           string `json:"type"`
	IdempotencyKey string `json:"idempotencyKey,omitempty"`
	Fingerprint    string `json:"fingerprint,omitempty"`
	// Unproven marks a row that lacks private fields and whose hash does not cover the rest.
	Unproven     bool            `json:"unproven,omitempty"`
	PreviousHash string          `json:"previousHash"`
	Hash         string          `json:"hash"`
	Data         json.RawMessage `json:"data"`
}

// ProofError tells where a proof does not hold.
type ProofError struct {
	// Line counts the lines of the file from 1, the header being the first.
	Line uint64
	// Sequence is that of the row; 0 where the line is not one.
	Sequence uint64
	// Reason is a sentence for people.
	Reason string
}

// Error names the line, the row and the reason.
func (e *ProofError) Error() string {
	if e.Sequence == 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
	}
	return fmt.Sprintf("line %d, row %d: %s", e.Line, e.Sequence, e.Reason)
}

// errUnwritable says that a row cannot be a line of a proof.
var errUnwritable = errors.New("the event's JSON is not on one line")

// ProofWriter writes a proof, row by row. It is for one goroutine.
type ProofWriter struct {
	out    *bufio.Writer
	header ProofHeader
	rows   uint64
}

// NewProofWriter begins a proof with its header, whose Format and Version it sets.
func NewProofWriter(w io.Writer, header ProofHeader) (*ProofWriter, error) {
	header.Format, header.Version = proofFormat, proofVersion
	line, err := json.Marshal(header)
	if err != nil {
		return nil, fmt.Errorf("proof header: %w", err)
	}
	p := &ProofWriter{out: bufio.NewWriter(w), header: header}
	return p, p.line(line)
}

// Write adds the next row.
func (p *ProofWriter) Write(row Row) error { return p.write(row, true) }

// WriteRedacted adds the next row for readers without viewMembers.
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

// Close ends the proof; fewer or more rows than the header states are an error.
func (p *ProofWriter) Close() error {
	if p.rows != p.header.Rows {
		return fmt.Errorf("proof: %d rows were written and %d stated", p.rows, p.header.Rows)
	}
	return p.out.Flush()
}

func (p *ProofWriter) line(line []byte) error {
	if _, err := p.out.Write(line); err != nil {
		return err
	}
	return p.out.WriteByte('\n')
}

// proofLine writes the row's line without its end.
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
	// Marshal would write the payload anew; the hash is over the bytes as they are.
	line = append(bytes.TrimSuffix(line, []byte("null}")), row.Payload...)
	return append(line, '}'), nil
}
