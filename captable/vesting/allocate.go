package vesting

import "math/big"

// allocate vests the steps in order, and rounds the quantity of each to the smallest unit of the grant, of which
// there are perShare in a share.
func allocate(steps []step, t *tally, allocation Allocation, perShare *big.Int) {
	switch allocation {
	case FrontLoaded, BackLoaded, FrontLoadedToSingleTranche, BackLoadedToSingleTranche:
		spread(steps, t, allocation, perShare)
	case CumulativeRounding, CumulativeRoundDown, Fractional, "": // an empty allocation is that of explicit vestings
		accumulate(steps, t, allocation == CumulativeRounding, perShare)
	}
}

// accumulate rounds the running total. Each step gets the increase of the rounded total.
func accumulate(steps []step, t *tally, nearest bool, perShare *big.Int) {
	half := new(big.Int)
	if nearest {
		half.Rsh(t.denominator, 1) // an odd denominator has no exact half
	}
	var before, after, rest big.Int
	for i := range steps {
		t.vest(steps[i].claim)
		after.Mul(t.vested, perShare)
		after.QuoRem(after.Add(&after, half), t.denominator, &rest)
		steps[i].shares.Sub(&after, &before)
		before.Set(&after)
	}
}

// spread rounds every step down, and distributes the remainder of each stretch over its first or last steps. The
// totals of the stretches follow the running total, so a later event never changes an earlier installment.
func spread(steps []step, t *tally, allocation Allocation, perShare *big.Int) {
	sums := make(map[int]*stretch)
	var order []*stretch
	for i := range steps {
		s := sums[steps[i].stretch]
		if s == nil {
			s = &stretch{exact: new(big.Int), floors: new(big.Int)}
			sums[steps[i].stretch] = s
			order = append(order, s)
		}
		amount := t.vest(steps[i].claim)
		if amount.Sign() == 0 {
			continue
		}
		s.exact.Add(s.exact, amount)
		shares := &steps[i].shares
		shares.Quo(shares.Mul(amount, perShare), t.denominator)
		s.floors.Add(s.floors, shares)
		s.steps = append(s.steps, &steps[i])
	}
	total, before := new(big.Int), new(big.Int)
	for _, s := range order {
		total.Add(total, s.exact)
		after := new(big.Int).Mul(total, perShare)
		after.Quo(after, t.denominator)
		over := new(big.Int).Sub(after, before)
		s.give(over.Sub(over, s.floors), allocation)
		before = after
	}
}

// stretch is a sequence of steps that depends only on time.
type stretch struct {
	steps  []*step
	exact  *big.Int
	floors *big.Int // the sum of the rounded quantities of its steps
}

// give distributes the remainder, which has at most one unit per step.
func (s *stretch) give(over *big.Int, allocation Allocation) {
	last := len(s.steps) - 1
	if last < 0 {
		return
	}
	n := int(over.Int64())
	switch allocation {
	case FrontLoadedToSingleTranche:
		s.steps[0].shares.Add(&s.steps[0].shares, over)
	case BackLoadedToSingleTranche:
		s.steps[last].shares.Add(&s.steps[last].shares, over)
	case FrontLoaded:
		oneMore(s.steps[:n])
	case BackLoaded:
		oneMore(s.steps[last+1-n:])
	case CumulativeRounding, CumulativeRoundDown, Fractional: // have no remainder
	}
}

func oneMore(steps []*step) {
	one := big.NewInt(1)
	for _, s := range steps {
		s.shares.Add(&s.shares, one)
	}
}
