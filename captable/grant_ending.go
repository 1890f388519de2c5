package captable

import (
	"slices"
	"strings"

	"equity/captable/exact"
)

// The wishes that end a grant, or a part of it, without shares.
type (
	// CancelGrant ends a part of a grant, what has not vested first; no Quantity means all.
	CancelGrant struct {
		ID       GrantID  `json:"-"`
		Quantity *Decimal `json:"quantity,omitempty"`
		Date     Date     `json:"date"`
		Reason   string   `json:"reason"`
		// Behavior says what becomes of the shares; none: what the plan says.
		Behavior CancellationBehavior `json:"cancellationBehavior,omitempty"`
		// Transferred is what a package states to be granted anew in the place of the whole
		// grant; nil for a cancellation.
		Transferred *Decimal `json:"-"`
		// Source and Balance are the cancellation of a package, and what it states is left.
		Source  *Source `json:"-"`
		Balance *Source `json:"-"`
	}
	// TerminateGrant records that the holder's service ended: unvested options are
	// forfeited, vested ones may be exercised until the window of the reason ends, and
	// unvested shares of early exercises become repurchasable.
	TerminateGrant struct {
		ID GrantID `json:"-"`
		Termination
	}
	// ExpireGrants records what has lapsed until a day, warrants too. They themselves
	// read the same with it and without: only pools and classes learn of it.
	ExpireGrants struct {
		// Date is the day up to which; none: today.
		Date Date `json:"date,omitzero"`
	}
)

// OptionTaken records that a part of a grant ended without shares. Its kind names the
// event: optionCancelled, optionExpired, optionTerminated for what was forfeited. A transfer
// is an optionCancelled of the kind transferred.
type OptionTaken struct {
	ID     GrantID `json:"id"`
	Taking Taking  `json:"taking"`
	// Returns is whether the shares go back into the pool.
	Returns bool `json:"returns"`
	// Termination is why what was forfeited was.
	Termination *Termination `json:"termination,omitempty"`
	Source      *Source      `json:"source,omitempty"`
	// Balance is the issuance by which a package states what is left.
	Balance *Source `json:"balance,omitempty"`
}

func (c CancelGrant) decide(s *State, m Moment) ([]Event, error) {
	grant, err := s.outstandingGrant(c.ID)
	if err != nil {
		return nil, err
	}
	var faults Faults
	if strings.TrimSpace(c.Reason) == "" {
		faults.Add("/reason", "required", "A cancellation says why.")
	}
	if c.Behavior != "" && !slices.Contains([]CancellationBehavior{ReturnToPool, Retire, HoldAsCapitalStock}, c.Behavior) {
		faults.Add("/cancellationBehavior", "enum", "The cancellation behavior is returnToPool, retire or holdAsCapitalStock.")
	}
	s.checkTaking(&faults, m, grant, c.Date)
	left := grant.Left()
	quantity := left
	if c.Quantity != nil {
		quantity = *c.Quantity
		security, _ := s.Security(grant.Security)
		checkShares(&faults, "/quantity", quantity, security)
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if lapse, lapsed := grant.lapse(c.Date); lapsed && c.Source != nil && c.Transferred == nil && lapse.Quantity.Equal(quantity) {
		lapse.Reason = strings.TrimSpace(c.Reason) // packages cancel what has lapsed
		return []Event{OptionTaken{ID: c.ID, Taking: lapse, Returns: s.returns(grant, c.Behavior), Source: c.Source, Balance: c.Balance}}, nil
	}
	figures := grant.On(c.Date)
	if figures.Outstanding.Cmp(quantity) < 0 {
		return nil, insufficient("The grant has less outstanding.", AuthorizedOf(figures.Outstanding), quantity)
	}
	taking := Taking{
		Kind: StatusCancelled, Date: c.Date, Quantity: quantity, Unvested: quantity.Min(figures.unvestedLeft()), Reason: strings.TrimSpace(c.Reason),
	}
	if c.Transferred != nil {
		taking.Kind = StatusTransferred
		if !c.Transferred.Equal(quantity) {
			return nil, Refuse(CodeConflict, "The results and the balance are not the shares that are outstanding.").
				With("results", c.Transferred.String()).With("remaining", quantity.String())
		}
	}
	return []Event{OptionTaken{ID: c.ID, Taking: taking, Returns: s.returns(grant, c.Behavior), Source: c.Source, Balance: c.Balance}}, nil
}

// checkTaking notes a date on which nothing can be taken out of the grant: things
// happen to a grant in order of their dates.
func (s *State) checkTaking(faults *Faults, m Moment, grant *Grant, date Date) {
	grant.checkDay(faults, m, date)
	if security, known := s.Security(grant.Security); known {
		security.checkPast(faults, "/date", date)
	}
	if last := grant.lastTaking(); !date.IsZero() && date < last {
		faults.Add("/date", "datesOutOfOrder", "Something was taken out of the grant, or its price changed, later, on "+last.String()+".")
	}
}

// returns reports whether what is taken out of the grant goes back into its pool.
func (s *State) returns(grant *Grant, said CancellationBehavior) bool {
	plan, ok := s.Plan(grant.Plan)
	return ok && plan.Returns(said)
}

// decide ends the service that the grant vests by. The unvested options are forfeited on the
// day, the vested ones may be exercised until the window of the reason closes, and the
// unvested shares of early exercises become repurchasable. It is recorded once; a later day
// would give back what is forfeited.
func (c TerminateGrant) decide(s *State, m Moment) ([]Event, error) {
	grant, err := s.grant(c.ID)
	if err != nil {
		return nil, err
	}
	if grant.Termination != nil {
		return nil, Refuse(CodeConflict, "The holder's service ended before.").With("date", grant.Termination.Date.String())
	}
	if !grant.vests(c.Date) {
		return nil, Refuse(CodeConflict, "The grant has ended, and all shares that came of it have vested.").With("status", string(grant.Status))
	}
	var faults Faults
	s.checkTaking(&faults, m, grant, c.Date)
	if !c.Reason.known() {
		faults.Add("/reason", "enum", "This is no reason of a termination.")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return []Event{s.terminated(grant, c.Termination)}, nil
}

// vests reports whether a termination on the day has an effect: options are outstanding,
// or shares of an early exercise have not vested.
func (g *Grant) vests(day Date) bool {
	return g.Status.Outstanding() || !g.undone() && g.sharesVest(day)
}

// terminated is the event of the termination for the grant.
func (s *State) terminated(grant *Grant, termination Termination) OptionTaken {
	figures := grant.On(termination.Date)
	unvested := figures.unvestedLeft()
	return OptionTaken{
		ID:          grant.ID,
		Taking:      Taking{Kind: StatusForfeited, Date: termination.Date, Quantity: unvested, Unvested: unvested, Reason: string(termination.Reason)},
		Returns:     s.returns(grant, ""),
		Termination: &termination,
	}
}

func (c ExpireGrants) decide(s *State, m Moment) ([]Event, error) {
	day := c.Date
	if day.IsZero() {
		day = exact.DateOf(m.Now.UTC())
	}
	var faults Faults
	m.checkDate(&faults, "/date", day)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return s.lapses(day), nil
}

// lapsedIn is how the lapses until the end of the day change the figures of each pool, as
// far as they are not recorded.
func (s *State) lapsedIn(day Date) map[PoolRef]PoolFigures {
	changes := map[PoolRef]PoolFigures{}
	for _, event := range s.lapses(day) {
		lapse, _ := event.(OptionTaken)
		grant, ok := s.Grant(lapse.ID)
		if !ok { // a warrant, which is of no pool
			continue
		}
		changes[grant.Ref()] = changes[grant.Ref()].Add(lapse.poolChange())
	}
	return changes
}

// poolChange is how the figures of the pool change by what ended.
func (e OptionTaken) poolChange() PoolFigures {
	change := PoolFigures{Cancelled: e.Taking.Quantity}
	if e.Returns {
		change.Returned = e.Taking.Quantity
	}
	return change
}

// lapses are the events of everything that has lapsed until the end of the day and is
// not recorded.
func (s *State) lapses(day Date) (events []Event) {
	for grant := range s.Grants() {
		if !grant.Status.Outstanding() {
			continue
		}
		if lapse, lapsed := grant.lapse(day); lapsed {
			events = append(events, OptionTaken{ID: grant.ID, Taking: lapse, Returns: s.returns(grant, "")})
		}
	}
	for i := range s.Instruments() {
		if i.Status.Outstanding() && i.ExpiredOn(day) {
			events = append(events, InstrumentEnded{Kind: StatusExpired, ID: i.ID, Date: i.ExpirationDate + 1, Size: i.Left})
		}
	}
	return events
}

// apply takes a part out of the grant and gives it to its pool, as it was decided that it
// goes there. A termination by which nothing was lost moves no figure.
func (e OptionTaken) apply(s *State, stamp Stamp) {
	grant, ok := s.Grant(e.ID)
	if !ok {
		return
	}
	s.changeGrant(e.ID, stamp, func(g *Grant) {
		if e.Termination != nil {
			g.Termination = e.Termination
		}
		g.take(e.Taking, stamp)
	})
	if !e.Taking.Quantity.IsZero() {
		s.poolCancelled(grant.Ref(), e.Taking.Quantity, e.Returns, e.Taking.Date, stamp)
		s.reserveOutside(grant, e.Taking.Quantity.Neg(), stamp)
	}
}

// take notes what was taken out of the grant, which ends with the last of it.
func (g *Grant) take(taking Taking, stamp Stamp) {
	if taking.Quantity.IsZero() {
		return
	}
	g.Takings = append(slices.Clip(g.Takings), taking)
	if g.Left().IsZero() {
		g.Status = taking.Kind
		g.End = &End{Date: taking.Date, Reason: taking.Reason, At: stamp.At, By: stamp.By}
	}
}
