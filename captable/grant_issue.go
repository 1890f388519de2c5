package captable

import (
	"equity/captable/vesting"
)

// GrantOption asks to grant options, units or appreciation rights out of a pool.
type GrantOption struct {
	HolderRef
	GrantTerms
	Quantity Decimal `json:"quantity"`
	// ExercisePrice is the pool's strike price where there is none.
	ExercisePrice *Price `json:"exercisePrice,omitempty"`
	// Vesting is a schedule of the grant's own, in place of one that has a name.
	Vesting *vesting.Scheme `json:"vesting,omitempty"`
	// Vestings are what vests on which day, in place of any schedule.
	Vestings []vesting.Vesting `json:"vestings,omitempty"`
	GrantDetails
	// Class is the class of a grant outside a plan, in the place of plan and pool.
	Class  SecurityID `json:"-"`
	Source *Source    `json:"-"`
}

// GrantIssue is everything that brings a grant into being.
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

func (c GrantOption) decide(s *State, m Moment) ([]Event, error) {
	issue, err := c.prepare(s, m, nil)
	if err != nil {
		return nil, err
	}
	issue.ID = m.NewID()
	return []Event{OptionGranted{issue}}, nil
}

// makeRoom gives the lapses that are not recorded yet where too little was left: what
// they give back is there already.
func (s *State) makeRoom(refused error, m Moment) []Event {
	if !isShort(refused) {
		return nil
	}
	return s.lapses(m.today())
}

// after gives a copy of the state in which the events have happened; without any, the
// state itself.
func (s *State) after(events []Event) *State {
	if len(events) == 0 {
		return s
	}
	after := s.Copy()
	for _, event := range events {
		after.Apply(event, Stamp{})
	}
	return after
}

// prepare checks everything about a new grant and adds to the faults that were found
// before:
//
//  1. its plan grants the type, and was in force on the day;
//  2. the plan approves so much of the type;
//  3. its pool had so much left on the day and on every day since;
//  4. it can vest as it says.
func (c GrantOption) prepare(s *State, m Moment, faults Faults) (GrantIssue, error) {
	plan, pool, _ := s.Pool(c.Ref())
	issue := GrantIssue{GrantTerms: c.GrantTerms, GrantDetails: c.GrantDetails, Source: c.Source}
	issue.GrantAmounts = GrantAmounts{Quantity: c.Quantity, ExercisePrice: c.ExercisePrice.in(m.Currency), Vestings: c.Vestings}
	issue.MarketValue = c.MarketValue.in(m.Currency)
	var security *Security
	if pool != nil {
		issue.Security = pool.Security
		security, _ = s.Security(pool.Security)
		if issue.ExercisePrice == nil && c.IsOption() {
			issue.ExercisePrice = pool.StrikePrice
		}
	}
	if c.outside() {
		issue.Security = c.Class
		security, _ = s.Security(c.Class)
	}
	if security != nil {
		security.checkPast(&faults, "/issueDate", c.IssueDate)
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
	if err := s.unusedExternalID(kindHolding, c.ExternalID, [16]byte{}); err != nil {
		return issue, err
	}
	if c.outside() {
		return issue, security.checkRoom(c.Quantity, c.IssueDate)
	}
	if err := plan.inForce(c.IssueDate); err != nil {
		return issue, err
	}
	if err := s.checkApproved(plan, c.Type, c.Quantity, m.today()); err != nil {
		return issue, err
	}
	return issue, s.checkGrant(pool, c.Quantity, c.IssueDate)
}

// vesting compiles how the grant vests, by its own schedule or by the one it names.
func (c GrantOption) vesting(s *State, faults *Faults, issue *GrantIssue) {
	scheme := c.Vesting
	if c.VestingSchedule != "" {
		issue.VestingSchedule = s.vestingLink(faults, "/vestingSchedule", c.VestingSchedule)
		if schedule, known := s.VestingScheduleOf(c.VestingSchedule); known {
			scheme = &schedule.Scheme
		}
		if c.Vesting != nil {
			faults.Add("/vesting", "conflicting", "The grant vests by a schedule of its own or by one with a name, not by both.")
		}
	}
	if scheme != nil {
		terms, err := scheme.Compile()
		if c.VestingSchedule == "" {
			faults.vestingFaults("/vesting", err)
		}
		issue.Terms = &terms
		if err != nil {
			return
		}
		if issue.VestingStart.IsZero() {
			issue.VestingStart = issue.IssueDate
		}
	}
	if len(*faults) == 0 { // what is wrong already would only be told again
		issue.begun().vestingFaults(faults)
	}
}

// check notes what is wrong with the details, and links them to the funding round that
// they name.
func (d *GrantDetails) check(s *State, m Moment, faults *Faults) {
	m.checkApproval(faults, "/boardApprovalDate", d.BoardApprovalDate)
	d.Block = s.linked(faults, "/block", d.Block)
}

// inForce refuses a grant of a day on which the plan was not in force.
func (p *PlanDetails) inForce(day Date) error {
	var faults Faults
	p.checkTerm(&faults, "/issueDate", day)
	if len(faults) == 0 {
		return nil
	}
	return Refuse(CodeConflict, faults[0].Message).With("effectiveDate", p.EffectiveDate.String()).With("expiresOn", p.ExpiresOn().String())
}

// begun is the grant as it is when it was just made.
func (i *GrantIssue) begun() *Grant {
	return &Grant{
		ID: i.ID, Entity: i.Entity, Security: i.Security, GrantTerms: i.GrantTerms, GrantAmounts: i.GrantAmounts,
		GrantDetails: i.GrantDetails, Status: StatusActive,
	}
}

func (e OptionGranted) apply(s *State, stamp Stamp) {
	grant := e.begun()
	grant.Meta = NewMeta(stamp)
	s.setGrant(grant)
	s.setExternalID(kindHolding, "", grant.ExternalID, grant.ID)
	s.poolGranted(grant.Ref(), grant.Quantity, grant.IssueDate, stamp)
	s.reserveOutside(grant, grant.Quantity, stamp)
}
