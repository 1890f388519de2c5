package actors

import (
	"errors"
	"fmt"

	"equity/messages"
)

// errSnapshotHash means that a snapshot was taken of another row than the journal has.
var errSnapshotHash = errors.New("the snapshot does not belong to the journal's row")

// rowChecks checks the rows of one journal while they are read, in order.
type rowChecks struct {
	// after is the snapshot that the reading begins with. Its own row is read too, as
	// the anchor of the chain.
	after messages.Snapshot
	// expected is the stored head; its sequence is 0 when it is not known.
	expected head
	// upTo is the last sequence that is read; 0 for the end.
	upTo uint64
	// end is the last row that was checked.
	end head
}

// row checks that the row is unaltered and follows the one before.
func (c *rowChecks) row(row *messages.Row) error {
	anchor := row.Sequence == c.after.Sequence
	previous := c.end.hash
	if anchor { // the row before it is not read
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
