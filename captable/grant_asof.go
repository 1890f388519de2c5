package captable

import (
	"slices"

	"equity/captable/vesting"
)

// AsOf returns the grant as of the end of the day, by the effective dates of its events. It
// returns false if the grant was issued later. A voided grant is voided on every day.
func (g *Grant) AsOf(day Date) (*Grant, bool) {
	if g.IssueDate > day {
		return nil, false
	}
	was := *g
	if g.AcceptedOn > day {
		was.AcceptedOn = 0
	}
	was.Requests = g.requestsOn(day)
	if g.undoneOn(day) {
		return &was, true
	}
	was.RetractedOn = 0
	was.GrantAmounts = *g.amountsOn(day)
	was.ExercisePrice = was.priceOn(day)
	was.Repricings = until(was.Repricings, func(r Repricing) bool { return r.Date <= day })
	was.Takings = until(was.Takings, func(t Taking) bool { return t.Date <= day })
	was.Accelerations = until(was.Accelerations, func(v vesting.Vesting) bool { return v.Date <= day })
	was.Happenings = until(g.Happenings, func(h vesting.Happening) bool { return h.Date <= day })
	was.Before = g.pastOn(day)
	if !g.terminated(day) {
		was.Termination = nil
	}
	if g.End != nil && g.End.Date > day {
		was.End, was.Status = nil, StatusAccepted
	}
	if was.Status == StatusAccepted && was.AcceptedOn.IsZero() {
		was.Status = StatusActive
	}
	was.lapsed(day)
	return &was, true
}

// pastOn returns the amounts before each split up to the end of the day.
func (g *Grant) pastOn(day Date) []GrantPast {
	return until(g.Before, func(past GrantPast) bool { return past.Until <= day })
}

// requestsOn returns the requests up to the end of the day, with their status on that day and with
// quantities in shares of that day.
func (g *Grant) requestsOn(day Date) []ExerciseRequest {
	var requests []ExerciseRequest
	for _, request := range g.Requests {
		if request.Date <= day {
			requests = append(requests, request.on(day))
		}
	}
	for _, past := range slices.Backward(g.Before) {
		for i := range requests {
			if quantity, restated := past.Requested[requests[i].ID]; restated && day < past.Until {
				requests[i].Quantity = quantity
			}
		}
	}
	return requests
}

// lapsed deducts the options that have lapsed by the day, even if the lapse is not recorded.
func (g *Grant) lapsed(day Date) {
	if lapse, ok := g.lapse(day); ok {
		g.take(lapse, Stamp{})
	}
}

// lastDate returns the date of the latest event of the grant.
func (g *Grant) lastDate() Date {
	last := max(g.IssueDate, g.AcceptedOn, g.RetractedOn, g.lastTaking())
	for _, happening := range g.Happenings {
		last = max(last, happening.Date)
	}
	for _, acceleration := range g.Accelerations {
		last = max(last, acceleration.Date)
	}
	if g.Termination != nil {
		last = max(last, g.Termination.Date)
	}
	return last
}
