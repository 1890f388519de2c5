package conversion

import "math/big"

// problem is a round on its way to a solution: everything but a choice, for each
// instrument, of the term that sets its price, and for the pool, of target or present size.
type problem struct {
	round    Round
	offers   [][]offer
	base     *big.Rat // outstanding, granted and promised
	total    *big.Rat // with the pool as it is
	money    *big.Rat // all new money
	target   *big.Rat
	behind   *big.Rat // the money that the shares before the new money stand for
	converts *big.Rat // all that converts
}

// choice is a branch of the problem.
type choice struct {
	chosen []int // of each instrument's offers
	grows  bool  // whether the target of the pool is above the pool
}

// Solve computes the round exactly, or says with a [ContradictionError] which of its terms
// claim more than there is. The round has no [Round.Faults].
//
// Every instrument takes the best of its terms, and each term is worth more the more
// shares the others get: the round is the fixed point of a function that is monotone and
// the largest of finitely many linear ones. Such a function has one fixed point at most,
// and if it has one, every choice of terms alone has one too, which is not above it. So
// that choosing the best terms at the solution of the last choice climbs to it in a few
// steps (policy iteration, Howard 1960), and a choice without a solution proves that the
// round has none.
func (r Round) Solve() (Solution, error) {
	p := r.WithDefaults().problem()
	last := p.first()
	for {
		x, ok := p.solve(last)
		if !ok {
			return Solution{}, p.contradiction(last)
		}
		next, better := p.improve(last, x)
		if !better {
			return p.solution(x), nil
		}
		last = next
	}
}

func (r Round) problem() *problem {
	p := &problem{
		round: r, base: r.Company.base(), total: r.Company.total(), money: r.money(),
		target: r.Pool.Target.Rat(), converts: new(big.Rat),
	}
	for _, c := range r.Convertibles {
		p.offers = append(p.offers, c.electing(r.Convertibles).offers())
		p.converts.Add(p.converts, c.Amount)
	}
	p.behind = p.valuation()
	return p
}

// valuation is the money that the shares before the new money stand for; zero when the
// price itself is given.
func (p *problem) valuation() *big.Rat {
	value := p.round.PreMoney.Rat()
	switch {
	case p.round.PostMoney.Sign() > 0:
		return value.Sub(p.round.PostMoney.Rat(), p.money)
	case p.round.Convention == DollarsInvested && value.Sign() > 0:
		return value.Add(value, p.converts)
	default:
		return value
	}
}

// first chooses each instrument's first term, and the pool as it is.
func (p *problem) first() choice { return choice{chosen: make([]int, len(p.offers))} }

// improve chooses the best terms at a point, and tells whether any is better than the one
// chosen before.
func (p *problem) improve(last choice, x point) (choice, bool) {
	next := choice{chosen: make([]int, len(p.offers)), grows: last.grows}
	better, scaled := false, x.scaled()
	for i, offers := range p.offers {
		next.chosen[i] = best(offers, scaled)
		better = better || offers[next.chosen[i]].more(offers[last.chosen[i]], scaled)
	}
	if wanted := new(big.Rat).Mul(p.target, p.after(x)); !last.grows && wanted.Cmp(p.round.Company.PoolAvailable.Rat()) > 0 {
		next.grows, better = true, true
	}
	return next, better
}

// before is how many shares there are before the new money: both capitalizations, less
// what both count.
func (p *problem) before(x point) *big.Rat {
	sum := new(big.Rat).Add(x[company], x[preMoney])
	return sum.Sub(sum, p.total)
}

// after is how many shares there are after the round.
func (p *problem) after(x point) *big.Rat {
	bought := new(big.Rat).Mul(p.money, x[perDollar])
	return bought.Add(bought, p.before(x))
}

// solve solves the linear problem that is left by a choice; not ok when no positive
// numbers do.
func (p *problem) solve(c choice) (point, bool) {
	equations := []equation{p.conversions(c), p.pool(c), p.price(), itself()}
	x, ok := eliminate(equations)
	if !ok {
		return x, false
	}
	for _, value := range x {
		ok = ok && value.Sign() > 0
	}
	return x, ok && x[company].Cmp(p.total) >= 0 && x[preMoney].Cmp(p.total) >= 0
}

// itself says that one is one.
func itself() equation {
	e := newEquation(big.NewRat(1, 1))
	e.left[one].SetInt64(1)
	return e
}

// conversions says that the company capitalization is what was there and what converts.
func (p *problem) conversions(c choice) equation {
	e := newEquation(p.total)
	e.left[company].SetInt64(1)
	for i, offers := range p.offers {
		o := offers[c.chosen[i]]
		e.left[o.of].Sub(e.left[o.of], o.rate)
	}
	return e
}

// pool says how large the pool is after the round: its part of all shares, or what there
// was and the increase.
func (p *problem) pool(c choice) equation {
	if !c.grows {
		e := newEquation(p.total)
		e.right.Add(e.right, p.round.Pool.Increase.Rat())
		e.left[preMoney].SetInt64(1)
		return e
	}
	e := newEquation(p.base)
	e.left[company].Neg(p.target)
	e.left[preMoney].Sub(big.NewRat(1, 1), p.target)
	e.left[perDollar].Neg(new(big.Rat).Mul(p.target, p.money))
	e.right.Sub(e.right, new(big.Rat).Mul(p.target, p.total))
	return e
}

// price says what a share costs, by the convention.
func (p *problem) price() equation {
	e := newEquation(new(big.Rat))
	if p.round.PricePerShare.Sign() > 0 {
		e.left[perDollar].Set(p.round.PricePerShare.Rat())
		e.right.SetInt64(1)
		return e
	}
	e.left[preMoney].SetInt64(1)
	e.left[perDollar].Neg(p.behind)
	if p.round.Convention != PreMoneyMethod {
		e.left[company].SetInt64(1)
		e.right.Set(p.total)
	}
	return e
}
