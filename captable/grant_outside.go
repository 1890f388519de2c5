package captable

import "slices"

// outside reports whether the command makes a grant outside a plan.
func (c GrantOption) outside() bool { return !c.Class.IsZero() && c.Ref() == PoolRef{} }

// checkOrigin adds a fault for an unknown plan, pool or class, and for a type that the plan does
// not grant.
func (c GrantOption) checkOrigin(faults *Faults, plan *Plan, pool *Pool, security *Security) {
	switch {
	case c.outside() && security == nil:
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

// outside reports whether the grant was made outside a plan. The class reserves its outstanding
// shares, as it does for a warrant.
func (g *Grant) outside() bool { return g.Pool.IsZero() }

// reserveOutside changes the reserve of the class of a grant outside a plan. The reserves of all
// other grants are kept by their pools.
func (c *classes) reserveOutside(grant *Grant, change Decimal, stamp Stamp) {
	if grant.outside() {
		c.reserve(grant.Security, change, stamp)
	}
}

// GrantsOutside returns the grants of the class outside a plan, including ended grants.
func (s *State) GrantsOutside(of SecurityID) (grants []*Grant) {
	for grant := range s.Grants() {
		if grant.outside() && grant.Security == of {
			grants = append(grants, grant)
		}
	}
	return grants
}
