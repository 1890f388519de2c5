package captable

import (
	"slices"
	"strconv"
	"strings"

	"equity/fault"
)

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
	return nil, fault.Refuse(fault.NotFound, "There is no such plan.")
}

// longestTerm is the longest term of a plan in years.
const longestTerm = 100

// checked returns the normalized terms for the plan, with ids for new pools. The error lists all
// invalid fields, or reports a conflict with another plan.
func (t PlanTerms) checked(s *State, m DecideContext, plan *Plan) (PlanTerms, error) {
	t.Name = strings.TrimSpace(t.Name)
	if t.CancellationBehavior == "" {
		t.CancellationBehavior = ReturnToPool
	}
	t.Pools, t.VestingSchedules = slices.Clone(t.Pools), slices.Clone(t.VestingSchedules)
	faults := t.faults(s, m)
	for i, schedule := range t.VestingSchedules {
		pointer := "/vestingSchedules/" + strconv.Itoa(i)
		t.VestingSchedules[i] = s.schedules.link(&faults, pointer, schedule)
		if slices.Contains(t.VestingSchedules[:i], t.VestingSchedules[i]) {
			faults.Add(pointer, "duplicate", "List each vesting schedule once.")
		}
	}
	for i := range t.Pools {
		pool, pointer := &t.Pools[i], "/pools/"+strconv.Itoa(i)
		pool.Name, pool.StrikePrice = strings.TrimSpace(pool.Name), pool.StrikePrice.in(m.Currency)
		t.poolFaults(s, m, &faults, pointer, i)
		if _, known := plan.pool(pool.ID); !known && !pool.ID.IsZero() {
			faults.Add(pointer+"/id", "unknownReference", "The plan has no such pool.")
		}
	}
	if err := faults.Err(); err != nil {
		return t, err
	}
	for i := range t.Pools {
		if t.Pools[i].ID.IsZero() {
			t.Pools[i].ID = m.NewID()
		}
	}
	if other := s.plans.named(t.Name); other != nil && other.ID != plan.ID {
		return t, fault.Refuse(fault.Conflict, "Another plan has this name. Choose another name.").With("plan", other.ID.String())
	}
	return t, s.externalIDs.checkUnused(kindPlan, t.ExternalID, plan.ID)
}

// faults returns the invalid fields of the terms, without those of the pools.
func (t PlanTerms) faults(s *State, m DecideContext) fault.Fields {
	var faults fault.Fields
	if t.Name == "" {
		faults.Add("/name", "required", "The name of the plan is required.")
	}
	m.checkApproval(&faults, "/boardApprovalDate", t.BoardApprovalDate)
	m.checkApproval(&faults, "/stockholderApprovalDate", t.StockholderApprovalDate)
	if t.TermYears < 0 || t.TermYears > longestTerm {
		faults.Add("/termYears", "outOfRange", "The term must be from 1 to "+strconv.Itoa(longestTerm)+" years.")
	}
	if !slices.Contains([]CancellationBehavior{ReturnToPool, Retire, HoldAsCapitalStock}, t.CancellationBehavior) {
		faults.Add("/cancellationBehavior", "enum", "The cancellation behavior must be returnToPool, retire or holdAsCapitalStock.")
	}
	for i, id := range t.Securities {
		if _, known := s.Security(id); !known {
			faults.Add("/securities/"+strconv.Itoa(i), "unknownReference", "There is no such security.")
		}
	}
	for i, approved := range t.ApprovedEquities {
		approved.check(&faults, "/approvedEquities/"+strconv.Itoa(i))
	}
	for i, document := range t.Documents {
		document.check(&faults, "/documents/"+strconv.Itoa(i))
	}
	return faults
}

func (a ApprovedEquity) check(faults *fault.Fields, pointer string) {
	if !slices.Contains(grantTypes(), a.Type) {
		faults.Add(pointer+"/type", "enum", "The type must be iso, nso, international, rsu or sar.")
	}
	if a.Quantity != nil && a.Quantity.Sign() < 0 {
		faults.Add(pointer+"/quantity", "negative", "The quantity must not be negative.")
	}
}

func (d PlanDocument) check(faults *fault.Fields, pointer string) {
	if !slices.Contains([]string{"plan", "boardApproval", "grantAgreement"}, d.Kind) {
		faults.Add(pointer+"/kind", "enum", "The kind must be plan, boardApproval or grantAgreement.")
	}
	if d.File == "" {
		faults.Add(pointer+"/file", "required", "The file of the document is required.")
	}
}

// poolFaults adds the faults of the pool with index i.
func (t PlanTerms) poolFaults(s *State, m DecideContext, faults *fault.Fields, pointer string, i int) {
	pool := t.Pools[i]
	if pool.Name == "" {
		faults.Add(pointer+"/name", "required", "The name of the pool is required.")
	}
	for _, earlier := range t.Pools[:i] {
		if strings.EqualFold(earlier.Name, pool.Name) {
			faults.Add(pointer+"/name", "duplicate", "Another pool of the plan has this name. Choose another name.")
		}
		if earlier.ID == pool.ID && !pool.ID.IsZero() {
			faults.Add(pointer+"/id", "duplicate", "List each pool once.")
		}
	}
	_, known := s.Security(pool.Security)
	switch {
	case !known:
		faults.Add(pointer+"/security", "unknownReference", "There is no such security.")
	case len(t.Securities) > 0 && !slices.Contains(t.Securities, pool.Security):
		faults.Add(pointer+"/security", "notOfPlan", "The security must be one that the plan grants.")
	}
	checkPoolSize(faults, pointer+"/totalShares", pool.TotalShares, s, pool.Security)
	checkPrice(faults, pointer+"/strikePrice", pool.StrikePrice)
	m.checkApproval(faults, pointer+"/boardApprovalDate", pool.BoardApprovalDate)
}

// checkApproval adds a fault for the date of an approval in the future.
func (m DecideContext) checkApproval(faults *fault.Fields, pointer string, date Date) {
	if date > m.Latest() {
		faults.Add(pointer, "dateInFuture", "The date must not be in the future.")
	}
}
