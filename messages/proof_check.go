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

// CheckProof reads a proof and gives its header when the proof holds: every row is
// written in the one right way, belongs to the chain of those before it, and none is
// missing, added or out of order. Else the error is a [ProofError] that names the
// first line at fault, or that of the reader.
func CheckProof(r io.Reader) (ProofHeader, error) {
	check := &proofCheck{in: bufio.NewReader(r)}
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

// proofCheck walks a proof.
type proofCheck struct {
	in     *bufio.Reader
	line   uint64
	header ProofHeader
	// sequence, hash and at are those of the last row.
	sequence uint64
	hash     Hash
	at       time.Time
}

// next gives the next line without its end; io.EOF behind the last one.
func (c *proofCheck) next() ([]byte, error) {
	var line []byte
	for {
		part, err := c.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			c.line++
			return line[:len(line)-1], nil
		case errors.Is(err, bufio.ErrBufferFull) && len(line) < longestLine:
		case errors.Is(err, io.EOF) && len(line) == 0:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			c.line++
			return nil, c.fault("the file ends in the middle of the line")
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
		return c.fault("this is not a proof of a journal")
	}
	if c.header.Version < oldestProof || c.header.Version > proofVersion {
		return c.fault(fmt.Sprintf("the proof is of version %d, and only %d to %d are known here", c.header.Version, oldestProof, proofVersion))
	}
	return nil
}

// row checks one row's line.
func (c *proofCheck) row(line []byte) error {
	row, unproven, err := readProofRow(line, c.header.Organization)
	if err != nil {
		return c.fault("this is not a row of a journal: " + err.Error())
	}
	fault := func(reason string) error {
		return &ProofError{Line: c.line, Sequence: row.Sequence, Reason: reason}
	}
	again, err := proofLine(row, !unproven)
	switch {
	case err != nil || !bytes.Equal(again, line):
		return fault("the row is not written as a proof writes it")
	case row.Sequence != c.sequence+1:
		return fault(fmt.Sprintf("row %d belongs here", c.sequence+1))
	case row.PreviousHash != c.hash:
		return fault("the row does not follow the one before it")
	case unproven && organization.PrivateFields(row.Type) == nil:
		return fault("the row has no private fields, and cannot lack any")
	case !unproven && !row.Fits(c.hash):
		return fault("the row was altered: its hash is not that of what it says")
	case row.RecordedAt.Before(c.at):
		return fault("the row was recorded before the one before it")
	}
	if unproven {
		c.header.Unproven++
	}
	c.sequence, c.hash, c.at = row.Sequence, row.Hash, row.RecordedAt
	return nil
}

// end checks what the header states against what was read.
func (c *proofCheck) end() error {
	switch {
	case c.sequence != c.header.Rows:
		return c.fault(fmt.Sprintf("the header states %d rows, and there are %d", c.header.Rows, c.sequence))
	case hex.EncodeToString(c.hash[:]) != c.header.Hash:
		return c.fault("the last row's hash is not the one that the header states")
	}
	return nil
}

func readProofRow(line []byte, of organization.ID) (row Row, unproven bool, err error) {
	var written proofRow
	if err := json.Unmarshal(line, &written); err != nil {
		return Row{}, false, errors.New("it is not JSON with the right fields")
	}
	at, err := time.Parse(time.RFC3339Nano, written.RecordedAt)
	if err != nil {
		return Row{}, false, errors.New("recordedAt is not a moment")
	}
	row = Row{
		Organization: of, Sequence: written.Sequence, RecordedAt: at.UTC(), By: written.By, Type: written.Type,
		Payload: written.Data, IdempotencyKey: written.IdempotencyKey, Fingerprint: written.Fingerprint,
	}
	for _, hash := range []struct {
		text string
		into *Hash
	}{{written.PreviousHash, &row.PreviousHash}, {written.Hash, &row.Hash}} {
		if n, err := hex.Decode(hash.into[:], []byte(hash.text[:min(len(hash.text), 2*len(hash.into))])); err != nil || n != len(hash.into) {
			return Row{}, false, errors.New("a hash is not 64 hex digits")
		}
	}
	return row, written.Unproven, nil
}
