package ledger

import "equity/captable/exact"

// Figures are the totals after the steps.
type Figures struct {
	// Authorized, Issued (including treasury), Outstanding (excluding treasury) and Issuable (still available for
	// issue) are sums over all classes.
	Authorized, Issued, Outstanding, Issuable exact.Decimal
	// Holders maps holders to their stock. Lots is the same by security, oldest first.
	Holders map[string]exact.Decimal
	Lots    map[string][]exact.Decimal
	// Ended lists the securities that are no longer outstanding, in order of their end.
	Ended []string
	Pools map[string]Pool
}

// Pool contains the reserved shares of a plan, and those available for grants.
type Pool struct{ Reserved, Available exact.Decimal }

func (l *ledger) figures() Figures {
	out := Figures{Holders: map[string]exact.Decimal{}, Lots: map[string][]exact.Decimal{}, Ended: l.named(), Pools: map[string]Pool{}}
	for _, one := range l.classOrder {
		out.Issued, out.Outstanding = out.Issued.Add(one.issued()), out.Outstanding.Add(one.outstanding)
		if one.authorized != nil {
			out.Authorized = out.Authorized.Add(*one.authorized)
			out.Issuable = out.Issuable.Add(one.authorized.Sub(one.outstanding).Max(exact.Decimal{}))
		}
	}
	for _, one := range l.order {
		if one.live() && one.family == stock {
			out.Holders[one.holder] = out.Holders[one.holder].Add(one.quantity)
			out.Lots[one.holder] = append(out.Lots[one.holder], one.quantity)
		}
	}
	for id, plan := range l.plans {
		out.Pools[id] = Pool{plan.reserved, plan.available()}
	}
	return out
}

// named returns the securities with a name from the steps.
func (l *ledger) named() []string {
	names := []string{}
	for _, id := range l.ended {
		if id[:1] != unnamed(0)[:1] {
			names = append(names, id)
		}
	}
	return names
}
