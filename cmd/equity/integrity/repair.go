package integrity

import (
	"context"
	"errors"
	"fmt"

	"equity/messages"
)

// ErrNotRepairable reports that the journal itself is damaged, so derived tables cannot be rebuilt.
var ErrNotRepairable = errors.New("the journal is damaged: restore it from a backup")

// Repair rebuilds the derived tables of a checked organization from its journal. If rows are missing at the end of
// the journal, it requires acceptEnd, which confirms the current end, because rebuilding removes the evidence.
func (c *Checker) Repair(ctx context.Context, report *Report, acceptEnd bool) error {
	switch {
	case report.Holds():
		return nil
	case report.Journal != nil, report.Missing != nil && !acceptEnd:
		return ErrNotRepairable
	}
	r := report.replay
	r.derived.Head.Organization = r.id
	if err := c.journal.Rebuild(ctx, r.derived, r.bad); err != nil {
		return err
	}
	if len(r.bad) > 0 && r.last.Sequence > 0 {
		err := c.journal.SaveSnapshot(ctx, r.id, messages.NewSnapshot(r.last.Sequence, r.last.Hash, r.state))
		if err != nil {
			return fmt.Errorf("snapshot of %s: %w", r.id, err)
		}
	}
	report.Repaired = true
	return nil
}
