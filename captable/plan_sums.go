package captable

import (
	"math/big"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// GrantSums are the grants of one type together, at the end of a day. Quantity is
// outstanding + exercised + released + cancelled + expired, as for each of them.
type GrantSums struct {
	Type GrantType `json:"type"`
	// Approved is how much of the type the plan approves; none: whatever its pools have.
	Approved *Decimal `json:"approved,omitempty"`
	// Grants is how many were made, Holders how many have something outstanding.
	Grants  int `json:"grants"`
	Holders int `json:"holders"`
	GrantQuantities
	// AverageExercisePrice is what a share of those outstanding costs on average, in the
	// organization's currency, rounded half up; absent where none costs anything.
	AverageExercisePrice *Decimal `json:"averageExercisePrice,omitempty"`
}

// PlanSums are the grants of a plan at a glance. Grants that were undone count nowhere.
type PlanSums struct {
	// ByType has the types that were granted or are approved, in the contract's order.
	ByType []GrantSums
	// ByStatus counts the grants by what has become of them.
	ByStatus map[Status]int
	// Holders is how many have something outstanding, of whatever type.
	Holders int
	// Requests is how many wishes to exercise wait for an answer.
	Requests int
	// NextVesting is what vests on the next day on which something does, of all grants.
	NextVesting *vesting.Vesting
}

// planSums is what the sums are made with.
type planSums struct {
	PlanSums
	of      map[GrantType]*GrantSums
	cost    map[GrantType]*big.Rat
	priced  map[GrantType]Decimal
	holders map[GrantType]map[EntityID]bool
	all     map[EntityID]bool
}

// PlanSums sums the grants of the plan at the end of the day. It looks at every grant of
// the organization once.
func (s *State) PlanSums(plan *Plan, day Date) PlanSums {
	sums := &planSums{
		PlanSums: PlanSums{ByType: []GrantSums{}, ByStatus: map[Status]int{}},
		of:       map[GrantType]*GrantSums{}, cost: map[GrantType]*big.Rat{}, priced: map[GrantType]Decimal{},
		holders: map[GrantType]map[EntityID]bool{}, all: map[EntityID]bool{},
	}
	for _, approved := range plan.approvedOn(day) {
		sums.row(approved.Type).Approved = approved.Quantity
	}
	for grant := range s.Grants() {
		if was, made := grant.AsOf(day); made && grant.Plan == plan.ID && !was.undone() {
			sums.add(was, grant.On(day))
		}
	}
	return sums.finished()
}

func (p *planSums) row(of GrantType) *GrantSums {
	if p.of[of] == nil {
		p.of[of], p.cost[of], p.holders[of] = &GrantSums{Type: of}, new(big.Rat), map[EntityID]bool{}
	}
	return p.of[of]
}

// add counts a grant as it was on the day, with its figures.
func (p *planSums) add(grant *Grant, f GrantFigures) {
	row := p.row(grant.Type)
	row.Grants++
	row.GrantQuantities = row.Add(f.GrantQuantities)
	p.ByStatus[grant.Status]++
	for _, request := range grant.Requests {
		if request.Status == RequestPending {
			p.Requests++
		}
	}
	p.vest(f.NextVesting)
	if f.Outstanding.IsZero() {
		return
	}
	p.holders[grant.Type][grant.Entity], p.all[grant.Entity] = true, true
	if price := grant.ExercisePrice; price != nil && price.Currency == "" {
		cost := p.cost[grant.Type]
		cost.Add(cost, new(big.Rat).Mul(grant.exactPrice(), f.Outstanding.Rat()))
		p.priced[grant.Type] = p.priced[grant.Type].Add(f.Outstanding)
	}
}

// vest counts the next instalment of a grant, if none of another comes before.
func (p *planSums) vest(next *vesting.Vesting) {
	switch {
	case next == nil || p.NextVesting != nil && p.NextVesting.Date < next.Date:
	case p.NextVesting == nil || next.Date < p.NextVesting.Date:
		first := *next
		p.NextVesting = &first
	default:
		p.NextVesting.Quantity = p.NextVesting.Quantity.Add(next.Quantity)
	}
}

// finished gives the sums by type in a fixed order. The average price is weighted by what
// is outstanding, and rounded once.
func (p *planSums) finished() PlanSums {
	for _, of := range grantTypes() {
		row := p.of[of]
		if row == nil {
			continue
		}
		row.Holders = len(p.holders[of])
		if shares := p.priced[of]; !shares.IsZero() {
			average := exact.RoundHalfUp(new(big.Rat).Quo(p.cost[of], shares.Rat()), exact.Places)
			row.AverageExercisePrice = &average
		}
		p.ByType = append(p.ByType, *row)
	}
	p.Holders = len(p.all)
	return p.PlanSums
}

// GrantsOn counts the grants of the plan, and the shares awarded out of its pools, that were
// made by the end of the day. Those that ended since count.
func (s *State) GrantsOn(plan *Plan, day Date) (made int) {
	for grant := range s.Grants() {
		if grant.Plan == plan.ID && grant.IssueDate <= day {
			made++
		}
	}
	for h := range s.Shareholdings() {
		if h.Plan == plan.ID && h.Origin == nil && h.IssueDate <= day {
			made++
		}
	}
	return made
}
