package captable

import (
	"strconv"

	"equity/fault"
)

// growPool adds the planned increase to a pool, or creates a plan for it.
func (c *closing) growPool() error {
	increase := c.outcome.Pool.Increase
	if increase.IsZero() {
		return nil
	}
	if c.Pool.NewPlan != nil {
		return c.makePlan(*c.Pool.NewPlan, increase)
	}
	ref, err := c.Pool.growing(c.scratch)
	if err != nil {
		return err
	}
	_, pool, _ := c.scratch.Pool(ref)
	class, _ := c.scratch.Security(pool.Security)
	shares := c.shares(class, increase)
	if err := c.makeRoom(class, shares); err != nil {
		return err
	}
	return c.do(AdjustPool{PoolRef: ref, TotalShares: c.scratch.plans.poolOn(pool, c.Date).Reserve.Add(shares), EffectiveDate: c.Date})
}

func (c *closing) makePlan(plan RoundNewPlan, increase Decimal) error {
	class, _ := c.scratch.Security(plan.Security)
	shares := c.shares(class, increase)
	if err := c.makeRoom(class, shares); err != nil {
		return err
	}
	return c.do(CreatePlan{PlanTerms: PlanTerms{
		PlanDetails: PlanDetails{Name: plan.Name},
		Pools:       []PoolTerms{{Name: plan.Name, Security: class.ID, TotalShares: shares, BoardApprovalDate: c.Date}},
	}})
}

// check adds faults for an unknown pool or an invalid new plan. A planned round need not state
// which pool grows.
func (p *RoundPool) check(s *State, faults *fault.Fields) {
	if p == nil {
		return
	}
	if p.Of != nil {
		_, plan := s.Plan(p.Of.Plan)
		_, _, pool := s.Pool(*p.Of)
		switch {
		case !plan:
			faults.Add("/pool/of/plan", "unknownReference", "There is no such plan.")
		case !pool:
			faults.Add("/pool/of/pool", "unknownReference", "There is no such pool.")
		}
	}
	if plan := p.NewPlan; plan != nil {
		if p.Of != nil {
			faults.Add("/pool/newPlan", "notBoth", "The round must have either a pool that grows or a new plan, not both.")
		}
		if s.plans.named(plan.Name) != nil {
			faults.Add("/pool/newPlan/name", "taken", "Another plan has this name. Choose another name.")
		}
		if _, known := s.Security(plan.Security); !known {
			faults.Add("/pool/newPlan/security", "unknownReference", "There is no such security.")
		}
	}
}

// growing returns the pool to increase: the stated one, else the only one.
func (p *RoundPool) growing(s *State) (PoolRef, error) {
	if p != nil && p.Of != nil {
		return *p.Of, nil
	}
	var all []PoolRef
	for plan := range s.Plans() {
		for i := range plan.Pools {
			all = append(all, PoolRef{plan.ID, plan.Pools[i].ID})
		}
	}
	if len(all) == 1 {
		return all[0], nil
	}
	var faults fault.Fields
	faults.Add("/pool/of", "required", "The pool that grows, or a new plan, is required: the company has "+strconv.Itoa(len(all))+" pools.")
	return PoolRef{}, faults.Err()
}
