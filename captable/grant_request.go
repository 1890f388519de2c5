package captable

import (
	"slices"
	"strings"

	"equity/fault"
)

// RequestStatus is the state of a request.
type RequestStatus string

// The states of a request.
const (
	RequestPending  RequestStatus = "pending"
	RequestAccepted RequestStatus = "accepted"
	RequestDeclined RequestStatus = "declined"
)

// ExerciseRequest is a holder's request for an exercise, which an editor of the plan accepts or
// declines.
type ExerciseRequest struct {
	ID       RequestID `json:"id"`
	Quantity Decimal   `json:"quantity"`
	// Date is the requested day. The exercise may have another date.
	Date    Date          `json:"date"`
	Payment Payment       `json:"payment,omitempty"`
	Message string        `json:"message,omitempty"`
	Status  RequestStatus `json:"status"`
	// By is the author of the request, and AnsweredBy the author of the answer.
	By          string  `json:"by"`
	RequestedAt Instant `json:"requestedAt"`
	AnsweredBy  string  `json:"answeredBy,omitempty"`
	Reason      string  `json:"reason,omitempty"`
	// AnsweredOn is the effective day of the answer: the date of the exercise, or the day on which
	// the request was declined.
	AnsweredOn Date `json:"answeredOn,omitzero"`
}

// on returns the request at the end of the day: pending if its answer took effect later.
func (r ExerciseRequest) on(day Date) ExerciseRequest {
	if r.AnsweredOn > day {
		r.Status, r.AnsweredBy, r.Reason, r.AnsweredOn = RequestPending, "", "", 0
	}
	return r
}

// RequestExercise requests an exercise on behalf of the holder.
type RequestExercise struct {
	ID       GrantID `json:"-"`
	Quantity Decimal `json:"quantity"`
	// Date defaults to today.
	Date    Date    `json:"date,omitzero"`
	Payment Payment `json:"payment,omitempty"`
	Message string  `json:"message,omitempty"`
}

// DeclineExercise declines a request.
type DeclineExercise struct {
	ID      GrantID   `json:"-"`
	Request RequestID `json:"-"`
	Reason  string    `json:"reason"`
}

// ExerciseRequested records a request.
type ExerciseRequested struct {
	ID      GrantID         `json:"id"`
	Request ExerciseRequest `json:"request"`
}

// EventType returns the name of the event in the journal.
func (ExerciseRequested) EventType() string { return "optionExerciseRequested" }

// Creates returns nil, because a request is addressed through its grant.
func (ExerciseRequested) Creates() []Created { return nil }

// Records returns the grant.
func (e ExerciseRequested) Records(s *State) []any { return records(s.Grant(e.ID)) }

// ExerciseDeclined records the refusal of a request.
type ExerciseDeclined struct {
	ID      GrantID   `json:"id"`
	Request RequestID `json:"request"`
	Reason  string    `json:"reason"`
}

// EventType returns the name of the event in the journal.
func (ExerciseDeclined) EventType() string { return "optionExerciseDeclined" }

// Creates returns nil.
func (ExerciseDeclined) Creates() []Created { return nil }

// Records returns the grant.
func (e ExerciseDeclined) Records(s *State) []any { return records(s.Grant(e.ID)) }

// decide checks the request like an exercise, including the quantities of pending requests.
func (c RequestExercise) decide(s *State, m DecideContext) ([]Event, error) {
	grant, err := s.grants.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	if !grant.IsOption() {
		return nil, fault.Refuse(fault.Conflict, "Units cannot be exercised: release them instead.").With("type", string(grant.Type))
	}
	if c.Date.IsZero() {
		c.Date = m.today()
	}
	var faults fault.Fields
	security, _ := s.Security(grant.Security)
	checkShares(&faults, "/quantity", c.Quantity, security)
	checkTaking(s, &faults, m, grant, c.Date)
	if !slices.Contains([]Payment{"", PayCash, PayNet}, c.Payment) {
		faults.Add("/payment", "enum", "The payment must be cash or net.")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	figures, waiting := grant.On(c.Date), Decimal{}
	for _, request := range grant.Requests {
		if request.Status == RequestPending {
			waiting = waiting.Add(request.Quantity)
		}
	}
	if figures.Exercisable.Cmp(c.Quantity.Add(waiting)) < 0 {
		return nil, figures.notExercisable(c.Quantity).With("requestedBefore", waiting.String())
	}
	request := ExerciseRequest{
		ID: m.NewID(), Quantity: c.Quantity, Date: c.Date, Payment: c.Payment, Message: c.Message, Status: RequestPending,
	}
	return []Event{ExerciseRequested{ID: c.ID, Request: request}}, nil
}

// decide declines a pending request with a reason for the holder.
func (c DeclineExercise) decide(s *State, _ DecideContext) ([]Event, error) {
	grant, err := s.grants.grant(c.ID)
	if err != nil {
		return nil, err
	}
	if _, err := grant.pending(c.Request); err != nil {
		return nil, err
	}
	if c.Reason = strings.TrimSpace(c.Reason); c.Reason == "" {
		var faults fault.Fields
		faults.Add("/reason", "required", "The reason for declining the request is required.")
		return nil, faults.Err()
	}
	return []Event{ExerciseDeclined(c)}, nil
}

// Request returns the exercise request with the given id. A nil grant has no requests.
func (g *Grant) Request(id RequestID) (*ExerciseRequest, bool) {
	if g == nil {
		return nil, false
	}
	i := slices.IndexFunc(g.Requests, func(r ExerciseRequest) bool { return r.ID == id })
	if i < 0 {
		return nil, false
	}
	return &g.Requests[i], true
}

// pending returns the request with the given id and refuses answered requests.
func (g *Grant) pending(id RequestID) (*ExerciseRequest, error) {
	request, known := g.Request(id)
	switch {
	case !known:
		return nil, fault.Refuse(fault.NotFound, "There is no such request.")
	case request.Status != RequestPending:
		return nil, fault.Refuse(fault.Conflict, "The request was already answered.").With("status", string(request.Status))
	}
	return request, nil
}

// answersRequest checks the request that an exercise accepts. It must be pending and have the same
// quantity.
func answersRequest(grant *Grant, c ExerciseGrant) error {
	if c.Request.IsZero() {
		return nil
	}
	request, err := grant.pending(c.Request)
	if err == nil && !request.Quantity.Equal(c.Quantity) {
		return fault.Refuse(
			fault.Conflict, "The quantity must be that of the request, "+request.Quantity.String()+".",
		).With("requested", request.Quantity.String())
	}
	return err
}

// settle records the answer to a request and the effective day of the answer.
func (g *Grant) settle(id RequestID, status RequestStatus, reason string, on Date, stamp Stamp) {
	g.Requests = slices.Clone(g.Requests)
	for i := range g.Requests {
		if request := &g.Requests[i]; request.ID == id && !id.IsZero() {
			request.Status, request.Reason, request.AnsweredBy, request.AnsweredOn = status, reason, stamp.By, on
		}
	}
}

func (e ExerciseRequested) apply(s *State, stamp Stamp) {
	s.changeGrant(e.ID, stamp, func(g *Grant) {
		request := e.Request
		request.By, request.RequestedAt = stamp.By, stamp.At
		g.Requests = append(slices.Clip(g.Requests), request)
	})
}

func (e ExerciseDeclined) apply(s *State, stamp Stamp) {
	s.changeGrant(e.ID, stamp, func(g *Grant) { g.settle(e.Request, RequestDeclined, e.Reason, stamp.day(), stamp) })
}
