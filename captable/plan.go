package captable

import "slices"

// CancellationBehavior says what becomes of the shares that a cancelled grant had reserved.
type CancellationBehavior string

// The cancellation behaviors of the contract. What does not return to its pool may be
// issued otherwise again; both other behaviors are the same to the figures.
const (
	ReturnToPool       CancellationBehavior = "returnToPool"
	Retire             CancellationBehavior = "retire"
	HoldAsCapitalStock CancellationBehavior = "holdAsCapitalStock"
)

// PlanDetails are the fields of a plan that its owners set, without its pools.
type PlanDetails struct {
	// Name is unique, whatever its case.
	Name                    string `json:"name"`
	BoardApprovalDate       Date   `json:"boardApprovalDate,omitzero"`
	StockholderApprovalDate Date   `json:"stockholderApprovalDate,omitzero"`
	// EffectiveDate is the first day on which something may be granted; none: any day.
	EffectiveDate Date `json:"effectiveDate,omitzero"`
	// TermYears is how long something may be granted; none: without end.
	TermYears int `json:"termYears,omitempty"`
	// Securities are the classes that the plan grants; none: those of its pools.
	Securities []SecurityID `json:"securities,omitempty"`
	// ApprovedEquities are the types that may be granted; none: all of them.
	ApprovedEquities []ApprovedEquity `json:"approvedEquities,omitempty"`
	// VestingSchedules are the schedules that grants of the plan choose from.
	VestingSchedules []string       `json:"vestingSchedules,omitempty"`
	Documents        []PlanDocument `json:"documents,omitempty"`
	// CancellationBehavior holds for every grant that says nothing else itself.
	CancellationBehavior CancellationBehavior `json:"cancellationBehavior,omitempty"`
	ExternalID           string               `json:"externalId,omitempty"`
	Comments             []string             `json:"comments,omitempty"`
}

// ApprovedEquity is a type of equity that a plan may grant, and how much of it.
type ApprovedEquity struct {
	Type     GrantType `json:"type"`
	Quantity *Decimal  `json:"quantity,omitempty"`
}

// GrantType is the kind of an option or of what is granted like one.
type GrantType string

// The grant types of the contract. An international option is one that no tax rule of
// the United States knows.
const (
	GrantISO           GrantType = "iso"
	GrantNSO           GrantType = "nso"
	GrantInternational GrantType = "international"
	GrantRSU           GrantType = "rsu"
	GrantSAR           GrantType = "sar"
)

// grantTypes lists them all.
func grantTypes() []GrantType {
	return []GrantType{GrantISO, GrantNSO, GrantInternational, GrantRSU, GrantSAR}
}

// PlanDocument is a file of the plan: kind is plan, boardApproval or grantAgreement.
type PlanDocument struct {
	Kind string `json:"kind"`
	File string `json:"file"`
}

// PlanTerms are what a plan is made of: the body of creating and of replacing one.
// Pools change with it: one with an id is that pool, one without is new, and one that
// is left out is gone.
type PlanTerms struct {
	PlanDetails
	Pools []PoolTerms `json:"pools,omitempty"`
}

// Plan is an incentive plan: what the organization has promised to reserve for the
// people who work for it.
type Plan struct {
	ID PlanID `json:"id"`
	PlanDetails
	// Pools are in the order in which the owners stated them.
	Pools []Pool `json:"pools,omitempty"`
	// PastApprovals are the approved quantities of the past, oldest first.
	PastApprovals []PastApproval `json:"pastApprovals,omitempty"`
	Meta
}

// PastApproval holds the types and quantities that a plan approved until a date, in shares of
// the days before it.
type PastApproval struct {
	Until            Date             `json:"until"`
	ApprovedEquities []ApprovedEquity `json:"approvedEquities"`
}

// approve states other approved quantities from a date on.
func (p *Plan) approve(approved []ApprovedEquity, from Date) {
	if n := len(p.PastApprovals); n > 0 {
		from = max(from, p.PastApprovals[n-1].Until)
	}
	p.PastApprovals = append(slices.Clip(p.PastApprovals), PastApproval{Until: from, ApprovedEquities: p.ApprovedEquities})
	p.ApprovedEquities = approved
}

// approvedOn returns the approved quantities of the end of the day.
func (p *Plan) approvedOn(day Date) []ApprovedEquity {
	for _, past := range p.PastApprovals {
		if day < past.Until {
			return past.ApprovedEquities
		}
	}
	return p.ApprovedEquities
}

// ExpiresOn is the first day on which nothing may be granted any more; zero for a plan
// without end. The term runs from the effective date, else from the board's approval.
func (p *PlanDetails) ExpiresOn() Date {
	from := p.EffectiveDate
	if from.IsZero() {
		from = p.BoardApprovalDate
	}
	if p.TermYears == 0 || from.IsZero() {
		return 0
	}
	return from.AddMonths(12 * p.TermYears)
}

// StatusOn tells whether something may be granted on the day: pending before the plan is
// in force, active, or expired after its term.
func (p *PlanDetails) StatusOn(day Date) string {
	end := p.ExpiresOn()
	switch {
	case day < p.EffectiveDate:
		return "pending"
	case !end.IsZero() && day >= end:
		return "expired"
	default:
		return "active"
	}
}

// Returns reports whether the shares of a cancelled grant go back into its pool: what
// the cancellation itself says, else what the plan does.
func (p *PlanDetails) Returns(said CancellationBehavior) bool {
	if said == "" {
		said = p.CancellationBehavior
	}
	return said == ReturnToPool
}

// pool finds one of the plan's pools.
func (p *Plan) pool(id PoolID) (*Pool, bool) {
	for i := range p.Pools {
		if p.Pools[i].ID == id {
			return &p.Pools[i], true
		}
	}
	return nil, false
}

// about reports whether the plan or one of its pools names the class.
func (p *Plan) about(id SecurityID) bool {
	of := func(pool Pool) bool { return pool.Security == id }
	return slices.Contains(p.Securities, id) || slices.ContainsFunc(p.Pools, of)
}

// Plan finds a plan.
func (s *State) Plan(id PlanID) (*Plan, bool) { return s.plans.Get(id) }

// Pool finds a pool and its plan.
func (s *State) Pool(ref PoolRef) (*Plan, *Pool, bool) {
	plan, ok := s.Plan(ref.Plan)
	if !ok {
		return nil, nil, false
	}
	pool, ok := plan.pool(ref.Pool)
	return plan, pool, ok
}

func (s *State) plan(id PlanID) (*Plan, error) {
	if plan, ok := s.Plan(id); ok {
		return plan, nil
	}
	return nil, Refuse(CodeNotFound, "There is no such plan.")
}
