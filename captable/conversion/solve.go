package conversion

import "math/big"

// problem is a round in the process of solving. It lacks only a choice: the price term of each instrument, and the
// target or current size of the pool.
type problem struct {
	round    Round
	offers   [][]offer
	base     *big.Rat // outstanding, granted and promised
	total    *big.Rat // including the current pool
	money    *big.Rat // all new money
	target   *big.Rat
	behind   *big.Rat // the value of the shares before the new money
	converts *big.Rat // all converting amounts
}

// choice is a branch of the problem.
type choice struct {
	chosen []int // by instrument: the index of its offer
	grows  bool  // whether the pool grows to its target
}

// Solve solves the round exactly. If the terms claim too much, the error is a [ContradictionError]. The round must
// have no [Round.Faults].
//
// Each instrument takes the best of its terms, and the value of a term increases with the shares of the others.
// The round is therefore the fixed point of a monotone function that is the maximum of finitely many linear ones.
// Such a function has at most one fixed point. If it has one, the linear function of every choice of terms has one
// too, which is not greater. Therefore, repeatedly choosing the best terms at the solution of the last choice
// climbs to it in a few steps (policy iteration, Howard 1960). A choice without a solution proves that the round
// has none.
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

// valuation returns the value of the shares before the new money, or zero if the price is given.
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

// first returns each instrument's first term, and the current pool.
func (p *problem) first() choice { return choice{chosen: make([]int, len(p.offers))} }

// improve returns the best terms at a point, and reports whether any is better than in the last choice.
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

// before returns the number of shares before the new money: both capitalizations, less their intersection.
func (p *problem) before(x point) *big.Rat {
	sum := new(big.Rat).Add(x[company], x[preMoney])
	return sum.Sub(sum, p.total)
}

// after returns the number of shares after the round.
func (p *problem) after(x point) *big.Rat {
	bought := new(big.Rat).Mul(p.money, x[perDollar])
	return bought.Add(bought, p.before(x))
}

// solve solves the linear problem of a choice. ok is false without a positive solution.
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

// itself returns the equation of the constant: one equals 1.
func itself() equation {
	e := newEquation(big.NewRat(1, 1))
	e.left[one].SetInt64(1)
	return e
}

// conversions returns the equation of the company capitalization: existing shares plus conversions.
func (p *problem) conversions(c choice) equation {
	e := newEquation(p.total)
	e.left[company].SetInt64(1)
	for i, offers := range p.offers {
		o := offers[c.chosen[i]]
		e.left[o.of].Sub(e.left[o.of], o.rate)
	}
	return e
}

// pool returns the equation of the pool after the round: a fraction of all shares, or the current size plus the
// increase.
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

// price returns the equation of the price, by the convention.
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
