package captable

import "strings"

// RetractGrant asks to undo a grant before its holder accepted it.
type RetractGrant struct {
	ID     GrantID `json:"-"`
	Date   Date    `json:"date"`
	Reason string  `json:"reason"`
	Source *Source `json:"-"`
}

// OptionRetracted records that a grant was taken back: its shares are in the pool as if
// it had never been made.
type OptionRetracted struct {
	ID     GrantID `json:"id"`
	Date   Date    `json:"date"`
	Reason string  `json:"reason,omitempty"`
	Source *Source `json:"source,omitempty"`
}

// decide undoes a grant that nobody accepted and nothing happened to. From its acceptance
// on it is a contract, which a cancellation ends.
func (c RetractGrant) decide(s *State, m Moment) ([]Event, error) {
	grant, err := s.untouched(c.ID)
	if err != nil {
		return nil, err
	}
	if !grant.AcceptedOn.IsZero() {
		return nil, Refuse(CodeConflict, "The grant was accepted: it cannot be retracted.").With("acceptedOn", grant.AcceptedOn.String())
	}
	var faults Faults
	grant.checkDay(&faults, m, c.Date)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return []Event{OptionRetracted{ID: c.ID, Date: c.Date, Reason: strings.TrimSpace(c.Reason), Source: c.Source}}, nil
}

func (e OptionRetracted) apply(s *State, stamp Stamp) {
	s.undoGrant(e.ID, StatusRetracted, e.Date, e.Reason, stamp)
}

// undoGrant takes a grant out of its pool as if it had never been made, and says so.
func (s *State) undoGrant(id GrantID, kind Status, date Date, reason string, stamp Stamp) {
	old, ok := s.Grant(id)
	if !ok {
		return
	}
	s.poolRetracted(old.Ref(), old.Quantity, old.IssueDate, stamp)
	s.changeGrant(id, stamp, func(g *Grant) {
		g.Status = kind
		g.End = &End{Date: date, Reason: reason, At: stamp.At, By: stamp.By}
	})
}

// undone reports whether the grant counts as never made: voided or retracted.
func (g *Grant) undone() bool { return g.Status == StatusVoided || g.Status == StatusRetracted }
