package ledger

import "equity/captable/exact"

// Figures are what comes of the steps.
type Figures struct {
	// Authorized, Issued (with the treasury), Outstanding (without) and Issuable, what may
	// still be issued, are of all classes together.
	Authorized, Issued, Outstanding, Issuable exact.Decimal
	// Holders have their stock, Lots the same by security, the oldest first.
	Holders map[string]exact.Decimal
	Lots    map[string][]exact.Decimal
	// Ended are the securities that are no longer outstanding, in the order of their ends.
	Ended []string
	Pools map[string]Pool
}

// Pool is what a plan has reserved, and what of it may still be granted.
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

// named leaves out what no step has named.
func (l *ledger) named() []string {
	names := []string{}
	for _, id := range l.ended {
		if id[:1] != unnamed(0)[:1] {
			names = append(names, id)
		}
	}
	return names
}
