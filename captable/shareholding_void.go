package captable

import (
	"strings"

	"equity/captable/exact"
	"equity/fault"
)

// VoidShareholding is the command to exclude a shareholding that was entered in error from all
// totals. The record remains readable.
type VoidShareholding struct {
	ID     ShareholdingID `json:"-"`
	Reason string         `json:"reason,omitempty"`
}

// ShareholdingVoided records that a shareholding was entered in error.
type ShareholdingVoided struct {
	ID     ShareholdingID `json:"id"`
	Date   Date           `json:"date"`
	Reason string         `json:"reason,omitempty"`
}

// EventType returns the name of the event in the journal.
func (ShareholdingVoided) EventType() string { return "shareholdingVoided" }

// Creates returns nil: the event creates no record.
func (ShareholdingVoided) Creates() []Created { return nil }

// Records returns the shareholding.
func (e ShareholdingVoided) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

// decide refuses to void a shareholding that has ended, has results, or results from another
// record. Voiding a result would make the totals of its origin wrong.
func (c VoidShareholding) decide(s *State, m DecideContext) ([]Event, error) {
	h, err := s.shares.shareholding(c.ID)
	if err != nil {
		return nil, err
	}
	switch {
	case h.Status == StatusVoided:
		return nil, fault.Refuse(fault.Conflict, "The shareholding is already voided.")
	case len(h.Results) > 0:
		return nil, fault.Refuse(fault.HasResults, "The shareholding cannot be voided: other shareholdings came from it.")
	case h.Origin != nil:
		return nil, fault.Refuse(
			fault.HasResults, "The shares came from another shareholding; void or reverse the change of that one instead.",
		)
	case !h.Status.Outstanding():
		return nil, fault.Refuse(fault.Conflict, "The shareholding has ended.").With("status", string(h.Status))
	}
	return []Event{ShareholdingVoided{ID: c.ID, Date: exact.DateOf(m.Now.UTC()), Reason: strings.TrimSpace(c.Reason)}}, nil
}

func (e ShareholdingVoided) apply(s *State, stamp Stamp) {
	old, ok := s.Shareholding(e.ID)
	if !ok {
		return
	}
	s.classes.changeTotals(old.Security, func(security *Security) { security.leave(old) })
	revokeAward(s, old, stamp)
	s.shares.change(e.ID, stamp, func(h *Shareholding) {
		h.Status = StatusVoided
		h.End = &End{Date: e.Date, Reason: e.Reason, At: stamp.At, By: stamp.By}
	})
}
