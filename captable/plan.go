package captable

import "slices"

// CancellationBehavior is the treatment of the reserved shares of a cancelled grant.
type CancellationBehavior string

// The cancellation behaviors of the contract. Retire and HoldAsCapitalStock have the same
// figures: the shares leave the pool and may be issued otherwise.
const (
	ReturnToPool       CancellationBehavior = "returnToPool"
	Retire             CancellationBehavior = "retire"
	HoldAsCapitalStock CancellationBehavior = "holdAsCapitalStock"
)

// PlanDetails are the fields of a plan that its owners set, without its pools.
type PlanDetails struct {
	// Name is unique regardless of case.
	Name                    string `json:"name"`
	BoardApprovalDate       Date   `json:"boardApprovalDate,omitzero"`
	StockholderApprovalDate Date   `json:"stockholderApprovalDate,omitzero"`
	// EffectiveDate is the first day of grants; zero if grants are allowed on any day.
	EffectiveDate Date `json:"effectiveDate,omitzero"`
	// TermYears is the period of grants in years; 0 if it is unlimited.
	TermYears int `json:"termYears,omitempty"`
	// Securities are the classes that the plan grants; empty for those of its pools.
	Securities []SecurityID `json:"securities,omitempty"`
	// ApprovedEquities are the types that may be granted; empty for all types.
	ApprovedEquities []ApprovedEquity `json:"approvedEquities,omitempty"`
	// VestingSchedules are the ids of the schedules for grants of the plan.
	VestingSchedules []string       `json:"vestingSchedules,omitempty"`
	Documents        []PlanDocument `json:"documents,omitempty"`
	// CancellationBehavior is the default for grants and cancellations that do not state one.
	CancellationBehavior CancellationBehavior `json:"cancellationBehavior,omitempty"`
	ExternalID           string               `json:"externalId,omitempty"`
	Comments             []string             `json:"comments,omitempty"`
}

// ApprovedEquity is a type of equity that a plan may grant. Quantity limits the type; nil for no
// limit.
type ApprovedEquity struct {
	Type     GrantType `json:"type"`
	Quantity *Decimal  `json:"quantity,omitempty"`
}

// GrantType is the type of a grant.
type GrantType string

// The grant types of the contract. An international option is an option outside the tax rules of
// the United States.
const (
	GrantISO           GrantType = "iso"
	GrantNSO           GrantType = "nso"
	GrantInternational GrantType = "international"
	GrantRSU           GrantType = "rsu"
	GrantSAR           GrantType = "sar"
)

// grantTypes returns all grant types in the order of the contract.
func grantTypes() []GrantType {
	return []GrantType{GrantISO, GrantNSO, GrantInternational, GrantRSU, GrantSAR}
}

// PlanDocument is a file of the plan. Kind is plan, boardApproval or grantAgreement.
type PlanDocument struct {
	Kind string `json:"kind"`
	File string `json:"file"`
}

// PlanTerms are the fields of a plan that its owners set: the body of its creation and
// replacement. A pool with an id replaces the terms of that pool, and a pool without an id is
// new. A missing pool is deleted.
type PlanTerms struct {
	PlanDetails
	Pools []PoolTerms `json:"pools,omitempty"`
}

// Plan is an incentive plan, which reserves shares for grants.
type Plan struct {
	ID PlanID `json:"id"`
	PlanDetails
	// Pools are in the order of the plan's terms.
	Pools []Pool `json:"pools,omitempty"`
	// PastApprovals are the earlier approved quantities, oldest first.
	PastApprovals []PastApproval `json:"pastApprovals,omitempty"`
	Meta
}

// PastApproval holds the types and quantities that a plan approved until a date, in shares before
// the splits from that date on.
type PastApproval struct {
	Until            Date             `json:"until"`
	ApprovedEquities []ApprovedEquity `json:"approvedEquities"`
}

// approve sets other approved quantities from a date on.
func (p *Plan) approve(approved []ApprovedEquity, from Date) {
	if n := len(p.PastApprovals); n > 0 {
		from = max(from, p.PastApprovals[n-1].Until)
	}
	p.PastApprovals = append(slices.Clip(p.PastApprovals), PastApproval{Until: from, ApprovedEquities: p.ApprovedEquities})
	p.ApprovedEquities = approved
}

// approvedOn returns the approved quantities at the end of the day.
func (p *Plan) approvedOn(day Date) []ApprovedEquity {
	for _, past := range p.PastApprovals {
		if day < past.Until {
			return past.ApprovedEquities
		}
	}
	return p.ApprovedEquities
}

// ExpiresOn returns the first day after the term of the plan; zero if the term is unlimited. The
// term begins on the effective date, else on the date of the board's approval.
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

// StatusOn returns the status of the plan on the day: pending before its effective date, active,
// or expired after its term.
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

// Returns reports whether the shares of a cancelled grant return to their pool. The behavior of
// the cancellation takes precedence over that of the plan.
func (p *PlanDetails) Returns(said CancellationBehavior) bool {
	if said == "" {
		said = p.CancellationBehavior
	}
	return said == ReturnToPool
}

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

// Plan returns the plan with the id.
func (s *State) Plan(id PlanID) (*Plan, bool) { return s.plans.records.Get(id) }

// Pool returns a pool and its plan.
func (s *State) Pool(ref PoolRef) (*Plan, *Pool, bool) { return s.plans.pool(ref) }

func (r *planRegister) pool(ref PoolRef) (*Plan, *Pool, bool) {
	plan, ok := r.records.Get(ref.Plan)
	if !ok {
		return nil, nil, false
	}
	pool, ok := plan.pool(ref.Pool)
	return plan, pool, ok
}

func (r *planRegister) plan(id PlanID) (*Plan, error) {
	if plan, ok := r.records.Get(id); ok {
		return plan, nil
	}
	return nil, Refuse(CodeNotFound, "There is no such plan.")
}
