package captable

import (
	"slices"

	"equity/captable/vesting"
	"equity/fault"
)

// GrantOption grants options, units or appreciation rights from a pool.
type GrantOption struct {
	HolderRef
	GrantTerms
	Quantity Decimal `json:"quantity"`
	// ExercisePrice defaults to the strike price of the pool.
	ExercisePrice *Price `json:"exercisePrice,omitempty"`
	// MarketValue is the value of one share on the day of the grant, for the $100,000 rule.
	MarketValue *Price `json:"marketValue,omitempty"`
	// Vesting is a schedule for this grant alone, in place of a named schedule.
	Vesting *vesting.Scheme `json:"vesting,omitempty"`
	// Vestings are listed instalments, in place of a schedule.
	Vestings []vesting.Vesting `json:"vestings,omitempty"`
	GrantDetails
	// Class is the class of a grant outside a plan, which has no plan and pool, or of a grant whose
	// class is not that of its pool. Only imported packages have it.
	Class  SecurityID `json:"-"`
	Source *Source    `json:"-"`
}

// GrantIssue is the complete content of a new grant.
type GrantIssue struct {
	ID       GrantID    `json:"id"`
	Entity   EntityID   `json:"entity"`
	Security SecurityID `json:"security"`
	GrantTerms
	GrantAmounts
	GrantDetails
	Source *Source `json:"source,omitempty"`
}

// OptionGranted records a new grant.
type OptionGranted struct {
	GrantIssue
}

// EventType returns the name of the event in the journal.
func (OptionGranted) EventType() string { return "optionGranted" }

// Creates returns the grant.
func (e OptionGranted) Creates() []Created { return []Created{{e.ID, kindHolding}} }

// Records returns the grant.
func (e OptionGranted) Records(s *State) []any { return records(s.Grant(e.ID)) }

func (c GrantOption) decide(s *State, m DecideContext) ([]Event, error) {
	issue, err := c.prepare(s, m, nil)
	if err != nil {
		return nil, err
	}
	issue.ID = m.NewID()
	return []Event{OptionGranted{issue}}, nil
}

// makeRoom returns the events of unrecorded lapses if the refusal reports a shortage of shares.
// Recording the lapses makes their shares available to the refused command.
func makeRoom(s *State, refused error, m DecideContext) []Event {
	if !isShort(refused) {
		return nil
	}
	return s.Lapses(m.today())
}

// stateAfter returns a copy of the state with the events applied, or the state itself if there are
// no events.
func stateAfter(s *State, events []Event) *State {
	if len(events) == 0 {
		return s
	}
	after := s.Copy()
	for _, event := range events {
		after.Apply(event, Stamp{})
	}
	return after
}

// prepare checks a new grant and adds to the given faults:
//
//  1. The plan allows the grant type and was in force on the day.
//  2. The plan has enough approved shares of the type.
//  3. The pool had enough available shares on the day and on every day since.
//  4. The vesting terms are consistent.
func (c GrantOption) prepare(s *State, m DecideContext, faults fault.Fields) (GrantIssue, error) {
	plan, pool, _ := s.Pool(c.Ref())
	issue := GrantIssue{GrantTerms: c.GrantTerms, GrantDetails: c.GrantDetails, Source: c.Source}
	issue.GrantAmounts = GrantAmounts{Quantity: c.Quantity, ExercisePrice: c.ExercisePrice.in(m.Currency), Vestings: c.Vestings}
	issue.MarketValue = c.MarketValue.in(m.Currency)
	issue.Security = c.class(pool)
	security, _ := s.Security(issue.Security)
	if pool != nil && issue.Security == pool.Security && issue.ExercisePrice == nil && c.IsOption() {
		issue.ExercisePrice = pool.StrikePrice
		if len(security.splitsAfter(c.IssueDate)) > 0 {
			issue.ExercisePrice = pool.strikeOn(c.IssueDate)
		}
	}
	issue.Entity = c.checkHolder(&faults, m).Entity
	m.checkDate(&faults, "/issueDate", c.IssueDate)
	issue.GrantTerms.faults(&faults)
	c.checkOrigin(&faults, plan, pool, security)
	issue.GrantAmounts.faults(&faults, c.Type, security)
	issue.check(s, m, &faults)
	c.vesting(s, &faults, &issue)
	if err := faults.Err(); err != nil {
		return issue, err
	}
	if err := s.externalIDs.checkUnused(kindHolding, c.ExternalID, [16]byte{}); err != nil {
		return issue, err
	}
	if pool == nil || pool.Security != security.ID {
		if err := s.classes.checkReserve(security.ID, c.Quantity, c.IssueDate, "/quantity"); err != nil || pool == nil {
			return issue, err
		}
	}
	if err := plan.inForce(c.IssueDate); err != nil {
		return issue, err
	}
	if err := checkApproved(s, plan, &issue, m.today()); err != nil || len(security.splitsAfter(c.IssueDate)) > 0 { // checkDays compares the quantities of each day
		return issue, err
	}
	return issue, checkPoolGrant(s, plan, pool, c.Quantity, c.IssueDate, "/quantity")
}

// vesting compiles the vesting terms from the grant's own schedule or the named one.
func (c GrantOption) vesting(s *State, faults *fault.Fields, issue *GrantIssue) {
	scheme := c.Vesting
	if c.VestingSchedule != "" {
		issue.VestingSchedule = s.schedules.link(faults, "/vestingSchedule", c.VestingSchedule)
		if schedule, known := s.VestingScheduleOf(c.VestingSchedule); known {
			scheme = &schedule.Scheme
		}
		if c.Vesting != nil {
			faults.Add("/vesting", "conflicting", "The grant must have either a stored vesting schedule or one of its own, not both.")
		}
	}
	if scheme != nil {
		terms, err := scheme.Compile()
		if c.VestingSchedule == "" {
			addVestingFaults(faults, "/vesting", err)
		}
		issue.Terms = &terms
		if err != nil {
			return
		}
		if issue.VestingStart.IsZero() {
			issue.VestingStart = issue.IssueDate
		}
	}
	if len(*faults) == 0 { // avoids repeated faults
		issue.begun().vestingFaults(faults)
	}
}

// check adds the faults of the details and links the funding round.
func (d *GrantDetails) check(s *State, m DecideContext, faults *fault.Fields) {
	m.checkApproval(faults, "/boardApprovalDate", d.BoardApprovalDate)
	d.Block = s.blocks.linked(faults, "/block", d.Block)
}

// inForce refuses a grant on a day on which the plan was not in force.
func (p *PlanDetails) inForce(day Date) error {
	var faults fault.Fields
	p.checkTerm(&faults, "/issueDate", day)
	if len(faults) == 0 {
		return nil
	}
	return fault.Refuse(fault.Conflict, faults[0].Message).With(
		"effectiveDate", p.EffectiveDate.String(),
	).With("expiresOn", p.ExpiresOn().String())
}

// begun returns the new grant.
func (i *GrantIssue) begun() *Grant {
	return &Grant{
		ID: i.ID, Entity: i.Entity, Security: i.Security, GrantTerms: i.GrantTerms, GrantAmounts: i.GrantAmounts,
		GrantDetails: i.GrantDetails, Status: StatusActive,
	}
}

func (e OptionGranted) apply(s *State, stamp Stamp) {
	grant := e.begun()
	grant.Meta = NewMeta(stamp)
	s.enterGrant(grant, stamp)
}

// enterGrant stores a new grant, which counts in shares of its issue date. Recorded splits with a
// later date restate it and its quantity in the pool. A lapse before a split precedes the split, as
// it does in [SplitSecurity].
func (s *State) enterGrant(grant *Grant, stamp Stamp) {
	s.linkClass(grant)
	ref, security := grant.Ref(), grant.Security
	s.poolGranted(ref, security, grant.Quantity, grant.IssueDate, stamp)
	carried := PoolFigures{Granted: grant.Quantity}
	class, _ := s.Security(security)
	for _, split := range class.splitsAfter(grant.IssueDate) {
		if lapse, lapsed := grant.lapse(split.Date); lapsed {
			grant.take(lapse, stamp)
			returns := s.plans.returns(grant, "")
			s.poolCancelled(ref, security, lapse.Quantity, returns, lapse.Date, stamp)
			carried = carried.Add(OptionReduced{Deduction: lapse, Returns: returns}.PoolChange())
		}
		split.changeGrant(grant, class.Places(), stamp)
		next := s.carry(ref, carried, split)
		next.Granted = grant.Left().Add(next.Exercised).Add(next.Cancelled)
		s.movePool(ref, security, split.Date, next.Sub(carried), stamp)
		carried = next
	}
	s.setGrant(grant)
	s.externalIDs.set(kindHolding, "", grant.ExternalID, grant.ID)
	s.classes.reserveFor(grant, grant.Left(), stamp)
}

// outside reports whether the command makes a grant outside a plan.
func (c GrantOption) outside() bool { return !c.Class.IsZero() && c.Ref() == PoolRef{} }

// checkOrigin adds a fault for an unknown plan, pool or class, and for a type that the plan does
// not grant.
func (c GrantOption) checkOrigin(faults *fault.Fields, plan *Plan, pool *Pool, security *Security) {
	switch {
	case !c.Class.IsZero() && security == nil:
		faults.Add("/security", "unknownReference", "There is no such security.")
	case c.outside():
	case plan == nil:
		faults.Add("/plan", "unknownReference", "There is no such plan.")
	case pool == nil:
		faults.Add("/pool", "unknownReference", "The plan has no such pool.")
	case slices.Contains(grantTypes(), c.Type):
		plan.checkType(faults, "/type", c.Type)
	}
}

// class returns the class of the grant: the stated one, or else that of the pool, which may be nil.
func (c GrantOption) class(pool *Pool) SecurityID {
	if pool != nil && c.Class.IsZero() {
		return pool.Security
	}
	return c.Class
}

// outside reports whether the grant was made outside a plan.
func (g *Grant) outside() bool { return g.Pool.IsZero() }

// linkClass records whether the pool of the grant is of another class. A pool with grants never
// changes its class.
func (s *State) linkClass(grant *Grant) {
	_, pool, ok := s.Pool(grant.Ref())
	grant.otherClass = ok && pool.Security != grant.Security
}

// reserved reports whether the class reserves the outstanding shares of the grant separately, as it
// does for a warrant. This is the case for a grant outside a plan, and for a grant of another class
// than that of its pool. The pool reserves the shares of all other grants.
func (g *Grant) reserved() bool { return g.outside() || g.otherClass }

// reserveFor changes the reserve of the class for a grant that it reserves separately.
func (c *classes) reserveFor(grant *Grant, change Decimal, stamp Stamp) {
	if grant.reserved() {
		c.reserve(grant.Security, change, stamp)
	}
}

// GrantsReserved returns the grants whose shares the class reserves separately from its pools,
// including ended grants: the grants outside a plan, and those from pools of other classes.
func (s *State) GrantsReserved(of SecurityID) (grants []*Grant) {
	for grant := range s.Grants() {
		if grant.reserved() && grant.Security == of {
			grants = append(grants, grant)
		}
	}
	return grants
}
