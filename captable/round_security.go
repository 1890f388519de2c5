package captable

import (
	"strconv"
	"strings"

	"equity/captable/exact"
)

// places validates the class and returns the number of decimal places of its shares. A share of
// the class must convert into one common share, because the price of a round is per common share.
func (r RoundSecurity) places(s *State, faults *Faults, m Moment) int {
	security, known := s.Security(r.ID)
	if known {
		r.Conversion, r.FractionalShares = security.Conversion, security.FractionalShares
	}
	switch {
	case r.ID.IsZero() == (strings.TrimSpace(r.Name) == ""):
		faults.Add("/security", "required", "The class is named by either its id or the name of a new one.")
	case !r.ID.IsZero() && !known:
		faults.Add("/security/id", "unknownReference", "There is no such security.")
	case r.ID.IsZero() && s.classes.securityNamed(r.Name) != nil:
		faults.Add("/security/name", "taken", "There is a security of this name: name it by its id.")
	case r.ID.IsZero():
		terms := r.fresh(Decimal{}, Decimal{}, m)
		for _, fault := range terms.faults(s, SecurityID{}) {
			faults.Add("/security"+fault.Pointer, fault.Code, fault.Message)
		}
	}
	if r.Conversion != nil && r.Conversion.Each().Cmp(exact.NewDecimal(1).Rat()) != 0 {
		faults.Add("/security", "ratioNotOne", "A share of a round's class converts into one share: this one's ratio is "+r.Conversion.text()+".")
	}
	return r.Places()
}

// fresh returns the terms of a new class. The defaults are preferred shares, the price of the
// round and the number of issued shares.
func (r RoundSecurity) fresh(shares, price Decimal, m Moment) SecurityTerms {
	terms := r.SecurityTerms
	if terms.ShareType == "" {
		terms.ShareType = SharePreferred
	}
	if terms.AuthorizedShares == (Authorized{}) {
		terms.AuthorizedShares = AuthorizedOf(shares)
	}
	if terms.Price == nil {
		terms.Price = &Price{Amount: price}
	}
	return terms.in(m.Currency)
}

// check adds faults for an unknown pool or an invalid new plan. A planned round need not state
// which pool grows.
func (p *RoundPool) check(s *State, faults *Faults) {
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
			faults.Add("/pool/newPlan", "notBoth", "Either a pool that there is grows, or a new plan is made.")
		}
		if s.plans.named(plan.Name) != nil {
			faults.Add("/pool/newPlan/name", "taken", "There is a plan of this name.")
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
	var faults Faults
	faults.Add("/pool/of", "required", "Which pool grows, of "+strconv.Itoa(len(all))+"? Without one, newPlan makes one.")
	return PoolRef{}, faults.Err()
}
