package captable

import "equity/captable/exact"

// AcceptShareholding records that the holder accepted the shares.
type AcceptShareholding struct {
	ID     ShareholdingID `json:"-"`
	Date   Date           `json:"date,omitzero"`
	Source *Source        `json:"-"`
}

// RetractShareholding undoes an issuance before its acceptance. From its date on, the shares
// count as never issued.
type RetractShareholding struct {
	ID     ShareholdingID
	Date   Date
	Reason string
	Source *Source
}

// ShareholdingAccepted records an acceptance.
type ShareholdingAccepted struct {
	ID     ShareholdingID `json:"id"`
	Date   Date           `json:"date"`
	Source *Source        `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (ShareholdingAccepted) EventType() string { return "shareholdingAccepted" }

// Creates returns nil: the event creates no record.
func (ShareholdingAccepted) Creates() []Created { return nil }

// Records returns the shareholding.
func (e ShareholdingAccepted) Records(s *State) []any { return records(s.Shareholding(e.ID)) }

// decide refuses a second acceptance, because the first one has effects that must not be
// repeated: accepted shares can no longer be retracted. The default date is today, or the
// issue date if it is in the future.
func (c AcceptShareholding) decide(s *State, m Moment) ([]Event, error) {
	h, err := s.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	if h.Status == StatusAccepted {
		return nil, Refuse(CodeConflict, "The shares were accepted before.").With("acceptedOn", h.AcceptedOn.String())
	}
	date := c.Date
	if date.IsZero() {
		date = max(exact.DateOf(m.Now.UTC()), h.IssueDate)
	}
	var faults Faults
	m.checkDate(&faults, "/date", date)
	if date < h.IssueDate {
		faults.Add("/date", "beforeIssue", "The date is before the shares were issued, "+h.IssueDate.String()+".")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return []Event{ShareholdingAccepted{ID: c.ID, Date: date, Source: c.Source}}, nil
}

func (c RetractShareholding) decide(s *State, m Moment) ([]Event, error) {
	ending, _, err := replacement{kind: StatusRetracted, from: []ShareholdingID{c.ID}, date: c.Date}.decide(s, m)
	if err != nil {
		return nil, err
	}
	ending.Reason, ending.Source = c.Reason, c.Source
	return []Event{*ending}, nil
}

func (e ShareholdingAccepted) apply(s *State, stamp Stamp) {
	s.changeShareholding(e.ID, stamp, func(h *Shareholding) { h.Status, h.AcceptedOn = StatusAccepted, e.Date })
}
