package captable

import (
	"math/big"

	"equity/captable/exact"
	"equity/captable/vesting"
)

// GrantSums are the totals of the grants of one type at the end of a day. As for a single grant,
// Quantity is outstanding + exercised + released + cancelled + expired.
type GrantSums struct {
	Type GrantType `json:"type"`
	// Approved is the approved quantity of the type; nil if only the pools limit it.
	Approved *Decimal `json:"approved,omitempty"`
	// Grants is the number of grants, Holders the number of holders with an outstanding quantity.
	Grants  int `json:"grants"`
	Holders int `json:"holders"`
	GrantQuantities
	// AverageExercisePrice is the average exercise price of the outstanding shares in the
	// organization's currency, rounded half up; absent without such a price.
	AverageExercisePrice *Decimal `json:"averageExercisePrice,omitempty"`
}

// PlanSums are the totals of the grants of a plan. Retracted and voided grants are not counted.
type PlanSums struct {
	// ByType contains the granted and the approved types in the order of the contract.
	ByType []GrantSums
	// ByStatus is the number of grants by status.
	ByStatus map[Status]int
	// Holders is the number of holders with an outstanding quantity of any type.
	Holders int
	// Requests is the number of pending requests to exercise.
	Requests int
	// NextVesting is the sum of all grants' instalments on the next vesting day.
	NextVesting *vesting.Vesting
}

// planSums accumulates PlanSums.
type planSums struct {
	PlanSums
	of      map[GrantType]*GrantSums
	cost    map[GrantType]*big.Rat
	priced  map[GrantType]Decimal
	holders map[GrantType]map[EntityID]bool
	all     map[EntityID]bool
}

// PlanSums returns the totals of the plan's grants at the end of the day. It reads every grant of
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
		if was, made := grant.AsOf(day); made && grant.Plan == plan.ID && !was.Undone() {
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

// add adds a grant as of the day, with its figures.
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
		cost.Add(cost, new(big.Rat).Mul(grant.ExactPrice(), f.Outstanding.Rat()))
		p.priced[grant.Type] = p.priced[grant.Type].Add(f.Outstanding)
	}
}

// vest adds the next instalment of a grant, unless another grant has an earlier one.
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

// finished returns the totals by type in a fixed order. The average price is weighted by the
// outstanding quantities and rounded once.
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

// GrantsOn returns the number of grants of the plan and of awards from its pools with an issue
// date until the day, including those that have ended since.
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
