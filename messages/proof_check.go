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

// CheckProof verifies a proof and returns its header. All rows must have their unique
// encoding and form one chain, without missing, additional or reordered rows.
// Otherwise the error is a [ProofError] with the first invalid line, or the error of
// the reader.
func CheckProof(r io.Reader) (ProofHeader, error) {
	return ReadProof(r, func(*Row) {})
}

// ReadProof is [CheckProof] that also calls each with the rows, in order. The rows are proven only if there is no error.
func ReadProof(r io.Reader, each func(*Row)) (ProofHeader, error) {
	check := &proofCheck{in: bufio.NewReader(r), each: each}
	if err := check.readHeader(); err != nil {
		return ProofHeader{}, err
	}
	for {
		line, err := check.next()
		if errors.Is(err, io.EOF) {
			return check.header, check.end()
		}
		if err == nil {
			err = check.row(line)
		}
		if err != nil {
			return check.header, err
		}
	}
}

// proofCheck is the state of a verification.
type proofCheck struct {
	in     *bufio.Reader
	each   func(*Row)
	line   uint64
	header ProofHeader
	// sequence, hash and at are those of the last row.
	sequence uint64
	hash     Hash
	at       time.Time
}

// next returns the next line without its newline, or io.EOF after the last line.
func (c *proofCheck) next() ([]byte, error) {
	var line []byte
	for {
		part, err := c.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			c.line++
			return line[:len(line)-1], nil
		case errors.Is(err, bufio.ErrBufferFull) && len(line) < maxLine:
		case errors.Is(err, io.EOF) && len(line) == 0:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			c.line++
			return nil, c.fault("the file ends within the line")
		case errors.Is(err, bufio.ErrBufferFull):
			c.line++
			return nil, c.fault("the line is too long")
		default:
			return nil, fmt.Errorf("read proof: %w", err)
		}
	}
}

func (c *proofCheck) fault(reason string) error {
	return &ProofError{Line: c.line, Reason: reason}
}

func (c *proofCheck) readHeader() error {
	line, err := c.next()
	if errors.Is(err, io.EOF) {
		return &ProofError{Line: 1, Reason: "the file is empty"}
	}
	if err != nil {
		return err
	}
	if json.Unmarshal(line, &c.header) != nil || c.header.Format != proofFormat {
		return c.fault("the file is not a proof of a journal")
	}
	if c.header.Version < minProofVersion || c.header.Version > proofVersion {
		return c.fault(
			fmt.Sprintf("version %d of the proof is not supported; versions %d to %d are", c.header.Version, minProofVersion, proofVersion),
		)
	}
	return nil
}

// row checks the line of a row.
func (c *proofCheck) row(line []byte) error {
	row, unproven, err := readProofRow(line, c.header.Organization)
	if err != nil {
		return c.fault("the line is not a journal row: " + err.Error())
	}
	fault := func(reason string) error {
		return &ProofError{Line: c.line, Sequence: row.Sequence, Reason: reason}
	}
	canonical, err := proofLine(row, !unproven)
	switch {
	case err != nil || !bytes.Equal(canonical, line):
		return fault("the row does not have the canonical encoding")
	case row.Sequence != c.sequence+1:
		return fault(fmt.Sprintf("row %d is expected", c.sequence+1))
	case row.PreviousHash != c.hash:
		return fault("the previous hash is not the hash of the previous row")
	case unproven && organization.PrivateFields(row.Type, organization.PrivateVersion) == nil:
		return fault("events of this type have no private fields that could be missing")
	case !unproven && !row.Fits(c.hash):
		return fault("the row was altered: its content does not match its hash")
	case row.RecordedAt.Before(c.at):
		return fault("the row was recorded earlier than the previous row")
	}
	if unproven {
		c.header.Unproven++
	}
	c.sequence, c.hash, c.at = row.Sequence, row.Hash, row.RecordedAt
	c.each(&row)
	return nil
}

// end checks the totals of the header.
func (c *proofCheck) end() error {
	switch {
	case c.sequence != c.header.Rows:
		return c.fault(fmt.Sprintf("the header states %d rows, but the file contains %d", c.header.Rows, c.sequence))
	case hex.EncodeToString(c.hash[:]) != c.header.Hash:
		return c.fault("the hash of the last row does not match the header")
	case c.header.Anchor != nil && (c.header.Anchor.Organization != c.header.Organization || c.header.Anchor.Sequence != c.sequence ||
		c.header.Anchor.Hash != c.header.Hash):
		return c.fault("the signed row is not the last row")
	}
	return nil
}

func readProofRow(line []byte, of organization.ID) (row Row, unproven bool, err error) {
	var written proofRow
	if err := json.Unmarshal(line, &written); err != nil {
		return Row{}, false, errors.New("it is not JSON with the expected fields")
	}
	at, err := time.Parse(time.RFC3339Nano, written.RecordedAt)
	if err != nil {
		return Row{}, false, errors.New("recordedAt is not a timestamp")
	}
	row = Row{
		Organization: of, Sequence: written.Sequence, RecordedAt: at.UTC(), By: written.By, Type: written.Type,
		Payload: written.Data, IdempotencyKey: written.IdempotencyKey, Fingerprint: written.Fingerprint,
	}
	for _, hash := range []struct {
		text string
		into *Hash
	}{{written.PreviousHash, &row.PreviousHash}, {written.Hash, &row.Hash}} {
		if n, err := hex.Decode(
			hash.into[:], []byte(hash.text[:min(len(hash.text), 2*len(hash.into))]),
		); err != nil || n != len(hash.into) {
			return Row{}, false, errors.New("a hash must be 64 hex digits")
		}
	}
	return row, written.Unproven, nil
}
