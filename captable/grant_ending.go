package captable

import (
	"slices"
	"strings"

	"equity/captable/exact"
	"equity/fault"
)

// The commands that end a grant, or a part of it, without shares.
type (
	// CancelGrant cancels a part of a grant, unvested options first. A nil Quantity cancels the
	// whole grant.
	CancelGrant struct {
		ID       GrantID  `json:"-"`
		Quantity *Decimal `json:"quantity,omitempty"`
		Date     Date     `json:"date"`
		Reason   string   `json:"reason"`
		// Behavior determines the destination of the cancelled shares. The default is the behavior
		// of the plan.
		Behavior CancellationBehavior `json:"cancellationBehavior,omitempty"`
		// Transferred is the quantity that an imported package grants again in place of the whole
		// grant. It is nil for a cancellation.
		Transferred *Decimal `json:"-"`
		// Source is the cancellation in the package, and Balance its issuance of the remaining
		// options.
		Source  *Source `json:"-"`
		Balance *Source `json:"-"`
	}
	// TerminateGrant records the end of the holder's service. Unvested options are forfeited,
	// vested options stay exercisable until the window of the reason ends, and unvested shares of
	// early exercises become repurchasable.
	TerminateGrant struct {
		ID GrantID `json:"-"`
		Termination
	}
	// ExpireGrants records the lapsed options and warrants up to a day. It updates the pools and
	// classes; the figures of the grants and warrants include unrecorded lapses already.
	ExpireGrants struct {
		// Date is the last day of the range; the default is today.
		Date Date `json:"date,omitzero"`
	}
)

// OptionReduced records the end of a part of a grant without shares. The kind of the deduction
// determines the event type: optionCancelled, optionExpired, or optionTerminated for a forfeiture.
// A transfer is an optionCancelled with the kind transferred.
type OptionReduced struct {
	ID        GrantID   `json:"id"`
	Deduction Deduction `json:"taking"`
	// Returns reports whether the shares return to the pool.
	Returns bool `json:"returns"`
	// Termination is the cause of a forfeiture.
	Termination *Termination `json:"termination,omitempty"`
	Source      *Source      `json:"source,omitempty"`
	// Balance is the issuance of the remaining options in a package.
	Balance *Source `json:"balance,omitempty"`
}

// EventType returns the name of the event in the journal.
func (e OptionReduced) EventType() string {
	switch e.Deduction.Kind { //nolint:exhaustive // no other kinds occur
	case StatusForfeited:
		return "optionTerminated"
	case StatusExpired:
		return "optionExpired"
	default:
		return "optionCancelled"
	}
}

// Creates returns nil.
func (OptionReduced) Creates() []Created { return nil }

// Records returns the grant.
func (e OptionReduced) Records(s *State) []any { return records(s.Grant(e.ID)) }

func (c CancelGrant) decide(s *State, m DecideContext) ([]Event, error) {
	grant, err := s.grants.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	var faults fault.Fields
	if strings.TrimSpace(c.Reason) == "" {
		faults.Add("/reason", "required", "The reason for the cancellation is required.")
	}
	if c.Behavior != "" && !slices.Contains([]CancellationBehavior{ReturnToPool, Retire, HoldAsCapitalStock}, c.Behavior) {
		faults.Add("/cancellationBehavior", "enum", "The cancellation behavior must be returnToPool, retire or holdAsCapitalStock.")
	}
	checkTaking(s, &faults, m, grant, c.Date)
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
		lapse.Reason = strings.TrimSpace(c.Reason) // packages record the lapse of options as a cancellation
		return []Event{
			OptionReduced{ID: c.ID, Deduction: lapse, Returns: s.plans.returns(grant, c.Behavior), Source: c.Source, Balance: c.Balance},
		}, nil
	}
	figures := grant.On(c.Date)
	if figures.Outstanding.Cmp(quantity) < 0 {
		return nil, insufficient(figures.Outstanding.String()+" shares are outstanding; "+quantity.String()+" were requested.",
			AuthorizedOf(figures.Outstanding), quantity)
	}
	deduction := Deduction{
		Kind: StatusCancelled, Date: c.Date, Quantity: quantity, Unvested: quantity.Min(figures.unvestedLeft()),
		Reason: strings.TrimSpace(c.Reason),
	}
	if c.Transferred != nil {
		deduction.Kind = StatusTransferred
		if !c.Transferred.Equal(quantity) {
			return nil, fault.Refuse(fault.Conflict, "The results and the balance must sum to the outstanding shares.").
				With("results", c.Transferred.String()).With("remaining", quantity.String())
		}
	}
	return []Event{
		OptionReduced{ID: c.ID, Deduction: deduction, Returns: s.plans.returns(grant, c.Behavior), Source: c.Source, Balance: c.Balance},
	}, nil
}

// checkTaking adds a fault for a date on which a deduction is impossible. Deductions, repricings
// and splits are recorded in date order.
func checkTaking(s *State, faults *fault.Fields, m DecideContext, grant *Grant, date Date) {
	grant.checkDay(faults, m, date)
	if security, known := s.Security(grant.Security); known {
		security.checkPast(faults, "/date", date)
	}
	if last := grant.lastTaking(); !date.IsZero() && date < last {
		faults.Add(
			"/date", "datesOutOfOrder",
			"The date must not be before the last reduction, repricing or split of the grant, "+last.String()+".",
		)
	}
}

// returns reports whether shares deducted from the grant return to its pool.
func (r *planRegister) returns(grant *Grant, said CancellationBehavior) bool {
	plan, ok := r.records.Get(grant.Plan)
	return ok && plan.Returns(said)
}

// decide checks the termination of the holder's service. The unvested options are forfeited on the
// day, vested options stay exercisable until the window of the reason closes, and the unvested
// shares of early exercises become repurchasable. A termination is recorded once, because a later
// date would restore forfeited options.
func (c TerminateGrant) decide(s *State, m DecideContext) ([]Event, error) {
	grant, err := s.grants.grant(c.ID)
	if err != nil {
		return nil, err
	}
	if grant.Termination != nil {
		return nil, fault.Refuse(fault.Conflict, "The holder's service already ended on "+grant.Termination.Date.String()+".").
			With("date", grant.Termination.Date.String())
	}
	if err := grant.checkVests(c.Date); err != nil {
		return nil, err
	}
	var faults fault.Fields
	checkTaking(s, &faults, m, grant, c.Date)
	if !c.Reason.known() {
		faults.Add("/reason", "enum", "The reason must be "+reasonNames+".")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return []Event{s.plans.terminated(grant, c.Termination)}, nil
}

// vests reports whether a termination on the day has an effect: options are outstanding, or shares
// of an early exercise are unvested.
func (g *Grant) vests(day Date) bool {
	return g.Status.Outstanding() && !g.LeftOn(max(day, g.IssueDate)).IsZero() || !g.Undone() && g.sharesVest(day)
}

// checkVests refuses a change of the vesting on a day on which nothing can vest any more.
func (g *Grant) checkVests(day Date) error {
	if g.vests(day) {
		return nil
	}
	status := g.Status
	if was, issued := g.AsOf(day); issued { // with an unrecorded lapse
		status = was.Status
	}
	return fault.Refuse(
		fault.Conflict, "The vesting cannot change: the grant has ended, and all its shares have vested.",
	).With("status", string(status))
}

// terminated returns the termination event of the grant.
func (r *planRegister) terminated(grant *Grant, termination Termination) OptionReduced {
	figures := grant.On(termination.Date)
	unvested := figures.unvestedLeft()
	return OptionReduced{
		ID: grant.ID,
		Deduction: Deduction{
			Kind: StatusForfeited, Date: termination.Date, Quantity: unvested, Unvested: unvested, Reason: string(termination.Reason),
		},
		Returns:     r.returns(grant, ""),
		Termination: &termination,
	}
}

func (c ExpireGrants) decide(s *State, m DecideContext) ([]Event, error) {
	day := c.Date
	if day.IsZero() {
		day = exact.DateOf(m.Now.UTC())
	}
	var faults fault.Fields
	m.checkDate(&faults, "/date", day)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return s.Lapses(day), nil
}

// apply deducts the quantity from the grant and updates its pool as decided. A termination without
// forfeited options changes no figures.
func (e OptionReduced) apply(s *State, stamp Stamp) {
	grant, ok := s.Grant(e.ID)
	if !ok {
		return
	}
	s.changeGrant(e.ID, stamp, func(g *Grant) {
		if e.Termination != nil {
			g.Termination = e.Termination
		}
		g.take(e.Deduction, stamp)
	})
	if !e.Deduction.Quantity.IsZero() {
		s.poolCancelled(grant.Ref(), grant.Security, e.Deduction.Quantity, e.Returns, e.Deduction.Date, stamp)
		s.classes.reserveFor(grant, e.Deduction.Quantity.Neg(), stamp)
	}
}

// take records a deduction and ends the grant once no quantity remains.
func (g *Grant) take(deduction Deduction, stamp Stamp) {
	if deduction.Quantity.IsZero() {
		return
	}
	g.Deductions = append(slices.Clip(g.Deductions), deduction)
	if g.Left().IsZero() {
		g.Status = deduction.Kind
		g.End = ended(deduction.Kind, deduction.Date, deduction.Reason, stamp)
	}
}

// TerminateHolder ends the service of a holder. It terminates every grant that was issued by then
// and has outstanding options or unvested shares, except grants with an earlier termination. It
// stops the vesting of the holder's shares. It records no event if neither applies. Faults point
// at the fields of a member.
type TerminateHolder struct {
	Entity EntityID
	Termination
}

func (c TerminateHolder) decide(s *State, m DecideContext) ([]Event, error) {
	var events []Event
	for grant := range s.GrantsOf(c.Entity) {
		if grant.Termination != nil || grant.IssueDate > c.Date || !grant.vests(c.Date) {
			continue
		}
		if err := c.check(s, m, grant); err != nil {
			return nil, err
		}
		events = append(events, s.plans.terminated(grant, c.Termination))
	}
	stopped := stopVesting(s, c.Entity, c.Termination)
	if len(stopped) > 0 {
		var faults fault.Fields
		m.checkDate(&faults, "/terminationDate", c.Date)
		if err := faults.Err(); err != nil {
			return nil, err
		}
	}
	return append(events, stopped...), nil
}

// check refuses a termination that is invalid for the grant.
func (c TerminateHolder) check(s *State, m DecideContext, grant *Grant) error {
	var faults, days fault.Fields
	checkTaking(s, &days, m, grant, c.Date)
	for _, problem := range days {
		faults.Add("/terminationDate", problem.Code, problem.Message)
	}
	if !c.Reason.known() {
		faults.Add("/terminationReason", "enum", "The member has options, so the reason must be "+reasonNames+".")
	}
	return faults.Err()
}

// SettleGrant records shares that resulted from a grant elsewhere, as stated by an imported
// package. The quantity is checked against the outstanding options, not against vesting.
type SettleGrant struct {
	ID GrantID
	// Kind is exercised or released.
	Kind     Status
	Quantity Decimal
	Date     Date
	// Result is the issued shareholding. It has the class of the grant and at most the quantity of
	// the command. Its holder may be another one, as after a correction.
	Result Result
	Source *Source
}

func (c SettleGrant) decide(s *State, m DecideContext) ([]Event, error) {
	grant, err := s.grants.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	var faults fault.Fields
	security, _ := s.Security(grant.Security)
	checkTaking(s, &faults, m, grant, c.Date)
	checkShares(&faults, "/quantity", c.Quantity, security)
	if c.Result.Security != grant.Security {
		faults.Add("/results/0/security", "otherSecurity", "The resulting shares must be of the class of the grant.")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	figures := grant.On(c.Date)
	if figures.Outstanding.Cmp(c.Quantity) < 0 || c.Quantity.Cmp(c.Result.Shares) < 0 {
		return nil, figures.notExercisable(c.Quantity)
	}
	event := OptionExercised{ID: c.ID, Withheld: c.Quantity.Sub(c.Result.Shares), Source: c.Source}
	event.Deduction = Deduction{Kind: c.Kind, Date: c.Date, Quantity: c.Quantity}
	if c.Kind == StatusExercised {
		event.Deduction.Unvested = figures.Exercised.Add(c.Quantity).Sub(figures.Vested).Max(Decimal{}).Min(c.Quantity)
	}
	freed := room{grant.Security, c.Quantity} // the reserve of the pool covers the shares
	event.Result, err = enterResult(s, c.Result, c.Date, m, "/results/0", &freed)
	event.Deduction.Shareholding = event.Result.ID
	return []Event{event}, err
}
