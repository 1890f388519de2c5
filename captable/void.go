package captable

import (
	"strings"

	"equity/captable/exact"
)

// VoidShareholding asks to take a shareholding out of all totals because it was
// entered in error. It stays readable.
type VoidShareholding struct {
	ID     ShareholdingID `json:"-"`
	Reason string         `json:"reason,omitempty"`
}

// ShareholdingVoided records that a shareholding never should have been there.
type ShareholdingVoided struct {
	ID     ShareholdingID `json:"id"`
	Date   Date           `json:"date"`
	Reason string         `json:"reason,omitempty"`
}

// decide refuses to void what something came from, what came from something else
// (the totals of its origin would no longer sum up) and what was voided before.
func (c VoidShareholding) decide(s *State, m Moment) ([]Event, error) {
	h, err := s.shareholding(c.ID)
	if err != nil {
		return nil, err
	}
	switch {
	case h.Status == StatusVoided:
		return nil, Refuse(CodeConflict, "The shareholding was voided before.")
	case len(h.Results) > 0:
		return nil, Refuse(CodeHasResults, "Other shareholdings came from this one.")
	case h.Origin != nil:
		return nil, Refuse(CodeHasResults, "The shares came from another shareholding; void or reverse that one's change instead.")
	case !h.Status.Outstanding():
		return nil, Refuse(CodeConflict, "The shareholding has ended.").With("status", string(h.Status))
	}
	return []Event{ShareholdingVoided{ID: c.ID, Date: exact.DateOf(m.Now.UTC()), Reason: strings.TrimSpace(c.Reason)}}, nil
}

func (e ShareholdingVoided) apply(s *State, stamp Stamp) {
	old, ok := s.Shareholding(e.ID)
	if !ok {
		return
	}
	s.changeTotals(old.Security, func(security *Security) { security.leave(old) })
	s.disaward(old, stamp)
	s.changeShareholding(e.ID, stamp, func(h *Shareholding) {
		h.Status = StatusVoided
		h.End = &End{Date: e.Date, Reason: e.Reason, At: stamp.At, By: stamp.By}
	})
}
