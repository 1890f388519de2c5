package actors

import (
	"errors"
	"fmt"

	"equity/messages"
)

// errSnapshotHash reports that a snapshot belongs to a different row than the journal's.
var errSnapshotHash = errors.New("the snapshot does not belong to the journal's row")

// rowChecks checks the rows of one journal in the order of reading.
type rowChecks struct {
	// after is the snapshot from which the reading starts. Its own row is read too, as
	// the anchor of the chain.
	after messages.Snapshot
	// expected is the stored head; its sequence is 0 if it is unknown.
	expected head
	// upTo is the last sequence to read; 0 for the end.
	upTo uint64
	// end is the last checked row.
	end head
}

// row checks that the row is unaltered and follows the previous one.
func (c *rowChecks) row(row *messages.Row) error {
	anchor := row.Sequence == c.after.Sequence
	previous := c.end.hash
	if anchor { // the previous row is not read
		previous = row.PreviousHash
	}
	switch {
	case !anchor && row.Sequence != c.end.sequence+1:
		return fmt.Errorf("%w: sequence %d follows %d", errDamaged, row.Sequence, c.end.sequence)
	case !row.Fits(previous):
		return fmt.Errorf("%w: the hash of sequence %d does not fit", errDamaged, row.Sequence)
	case row.Sequence == c.expected.sequence && row.Hash != c.expected.hash:
		return fmt.Errorf("%w: sequence %d is not the row that was appended", errDamaged, row.Sequence)
	case anchor && c.after.Hash != (messages.Hash{}) && row.Hash != c.after.Hash:
		return errSnapshotHash
	}
	c.end = head{row.Sequence, row.Hash, row.RecordedAt}
	return nil
}

// complete checks that no row is missing at the end.
func (c *rowChecks) complete() error {
	if last := max(c.after.Sequence, c.expected.sequence, c.upTo); c.end.sequence < last {
		return fmt.Errorf("%w: it ends at sequence %d; row %d was appended", errDamaged, c.end.sequence, last)
	}
	return nil
}
