package waterfall

import "math/big"

// solver pays one stack at many prices.
type solver struct {
	stack Stack
	// fixed contains the claims of the classes, then of the strikes.
	fixed   []claim
	strikes []strike
	// cash contains the claims of the convertibles that do not convert. They follow those in fixed.
	cash []claim
	// players are the claims with a choice that other claims notice; see [player].
	players []player
	// player contains the index of the player of each convertible, or -1.
	player []int
	// base is the number of all shares, including those from options, as converted. Those of players count only if
	// they convert in the capitalization of post-money caps.
	base *big.Rat
	// apart contains the claims of no player, and shared their number of shares in the capitalization.
	apart  *curve
	shared *big.Rat
	// floors is the amount that covers all preferences and all cash, if no claim converts.
	floors *big.Rat
	// held contains the shares of each class, and payouts is the number of rows of a price. unit is the number of units
	// of the last decimal place in an amount of 1.
	held    []holdings
	payouts int
	unit    *big.Int
	// curves caches the curves of choices. A key has one byte per player.
	curves map[string]*curve
}

// holdings are the shares of a class: all together, and those of each holding.
type holdings struct {
	all   *big.Rat
	parts []quantity
}

// strike groups all options with the same class and exercise price.
type strike struct {
	options []int
	// quantity is the number of exercisable shares.
	quantity *big.Rat
}

// player is a convertible, or the shares of a class and the rights to such shares, with the choice between cash or
// preference and conversion. Classes are players only beside post-money caps, whose capitalization counts them if they
// convert. Otherwise each converts above a price of a common share, and no other claim notices its choice.
type player struct {
	// at contains the indexes of its claims in a curve, out and in the claims of each choice. in is nil for a cap or a
	// discount, whose claim depends on the other choices.
	at      []int
	out, in []claim
	// cash is the payment without conversion.
	cash *big.Rat
	// The payment of a conversion is the greatest of the fraction of the capitalization, the discounted amount, and
	// the shares at the price of a common share besides the first amount.
	part, discounted, shares, first *big.Rat
	// counts reports whether the shares are a part of the base.
	counts bool
	// due is the exercise price of its shares, and capped reports whether their participation ends at a cap.
	due    *big.Rat
	capped bool
}

func newSolver(s Stack) *solver {
	made := &solver{stack: s, base: zero(), curves: map[string]*curve{}, payouts: len(s.Options) + len(s.Convertibles)}
	made.unit = new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(s.Places)), nil) //nolint:mnd // decimal
	for _, class := range s.Classes {
		held := holdings{all: class.held()}
		for _, holding := range class.Holdings {
			held.parts = append(held.parts, quantityOf(holding.Shares.Rat()))
		}
		made.held, made.payouts = append(made.held, held), made.payouts+len(class.Holdings)
		claim := class.claim()
		made.base.Add(made.base, claim.shares)
		made.fixed = append(made.fixed, claim)
	}
	made.addStrikes()
	for _, c := range s.Convertibles {
		if c.Into != nil {
			made.base.Add(made.base, c.Into.claim().shares)
		}
	}
	for i, c := range s.Convertibles {
		made.player = append(made.player, -1)
		made.addConvertible(i, c)
	}
	if s.postMoney() {
		made.addGroups()
	}
	made.divide()
	return made
}

// addStrikes adds the claims of the options.
func (s *solver) addStrikes() {
	places := map[string]int{}
	for i, option := range s.stack.Options {
		s.base.Add(s.base, new(big.Rat).Mul(option.Granted.Rat(), option.ratio()))
		key := "/" + option.ratio().RatString()
		if option.Of != nil {
			key = option.Of.ID
		}
		key += " " + option.strike().RatString()
		at, known := places[key]
		if !known {
			at = len(s.strikes)
			places[key] = at
			s.strikes = append(s.strikes, strike{quantity: zero()})
		}
		s.strikes[at].options = append(s.strikes[at].options, i)
	}
	for _, strike := range s.strikes {
		for _, i := range strike.options {
			strike.quantity.Add(strike.quantity, s.stack.Options[i].Quantity.Rat())
		}
		made := s.stack.Options[strike.options[0]].claim(strike.quantity)
		s.fixed = append(s.fixed, made)
	}
}

// addConvertible adds the cash claim of a convertible, and its choice if it has one.
func (s *solver) addConvertible(i int, c Convertible) {
	cash := claim{rank: c.Seniority, floor: c.CashOut.Rat(), shares: zero(), from: zero()}
	one := newPlayer()
	one.at = []int{len(s.fixed) + i}
	switch {
	case c.Into != nil:
		into := c.Into.claim()
		if c.takesShares() && c.Into.participates() {
			s.cash = append(s.cash, into)
			return
		}
		one.shares, one.counts, one.capped = into.shares, true, into.upTo != nil
		switch {
		case c.Into.participates():
			one.first, one.in = into.floor, []claim{into}
		default:
			if c.takesShares() {
				cash.rank, cash.floor = into.rank, into.floor
			}
			one.in = []claim{{floor: zero(), shares: into.shares, from: zero()}}
		}
		if into.shares.Sign() == 0 {
			s.cash = append(s.cash, cash)
			return
		}
	case !c.converts():
		s.cash = append(s.cash, cash)
		return
	case c.Cap.Sign() > 0 && c.PostMoney:
		one.part.Quo(c.Amount.Rat(), c.Cap.Rat())
	case c.Cap.Sign() > 0:
		one.shares = s.shares(c)
	}
	if c.Into == nil {
		one.discounted = c.discounted()
	}
	s.cash = append(s.cash, cash)
	one.out, one.cash = []claim{cash}, cash.floor
	s.player[i] = len(s.players)
	s.players = append(s.players, one)
}

func newPlayer() player {
	return player{cash: zero(), part: zero(), discounted: zero(), shares: zero(), first: zero(), due: zero()}
}

// takesShares reports whether the preference of the fixed shares exceeds the cash, or equals it at a higher rank.
func (c Convertible) takesShares() bool {
	if c.Into == nil {
		return false
	}
	order := c.Into.claim().floor.Cmp(c.CashOut.Rat())
	return order > 0 || order == 0 && c.Into.Seniority > c.Seniority
}

// addGroups adds a player for each class with a preference or conversion, together with the rights to its shares.
func (s *solver) addGroups() {
	added := map[string]bool{}
	for i, class := range s.stack.Classes {
		s.addGroup(class, i)
		added[class.ID] = true
	}
	for _, strike := range s.strikes {
		if of := s.stack.Options[strike.options[0]].Of; of != nil && !added[of.ID] {
			s.addGroup(*of, -1)
			added[of.ID] = true
		}
	}
}

// addGroup adds the player of a class. At is the index of its shares, or -1.
func (s *solver) addGroup(class Class, at int) {
	if class.participates() || class.ratio().Sign() == 0 {
		return
	}
	group := newPlayer()
	group.counts = true
	if at >= 0 {
		group.join(at, s.fixed[at], zero())
	}
	for n, strike := range s.strikes {
		if option := s.stack.Options[strike.options[0]]; option.Of != nil && option.Of.ID == class.ID {
			at := len(s.stack.Classes) + n
			group.join(at, s.fixed[at], new(big.Rat).Quo(option.strike(), class.ratio()))
		}
	}
	if len(group.at) > 0 {
		s.players = append(s.players, group)
	}
}

// join adds a claim with a preference. Its shares convert above the price of a common share.
func (one *player) join(at int, out claim, price *big.Rat) {
	if out.floor.Sign() == 0 || out.shares.Sign() == 0 {
		return
	}
	one.at = append(one.at, at)
	one.in = append(one.in, claim{floor: zero(), shares: out.shares, from: price})
	one.cash.Add(one.cash, out.floor)
	one.shares.Add(one.shares, out.shares)
	if out.due != nil {
		one.due.Add(one.due, out.due)
	}
	out.shares, out.from = zero(), zero()
	one.out = append(one.out, out)
}

// divide sums the claims of no player.
func (s *solver) divide() {
	s.shared, s.floors = new(big.Rat).Set(s.base), zero()
	played := map[int]bool{}
	for _, one := range s.players {
		s.floors.Add(s.floors, one.cash)
		if one.counts {
			s.shared.Sub(s.shared, one.shares)
		}
		for _, at := range one.at {
			played[at] = true
		}
	}
	var apart []claim
	for i, claim := range append(append([]claim{}, s.fixed...), s.cash...) {
		if !played[i] {
			apart = append(apart, claim)
		}
	}
	s.apart = newCurve(apart)
	s.floors.Add(s.floors, s.apart.floors)
}

// curve returns the curve of the choices.
func (s *solver) curve(choice []byte) *curve {
	if known := s.curves[string(choice)]; known != nil {
		return known
	}
	claims := append(append([]claim{}, s.fixed...), s.cash...)
	converting := s.convertibleClaims(choice)
	for n, one := range s.players {
		side := one.out
		if choice[n] == in {
			side = one.in
		}
		for k, at := range one.at {
			if choice[n] == in && side == nil {
				claims[at] = converting[n]
				continue
			}
			claims[at] = side[k]
		}
	}
	made := newCurve(claims)
	s.curves[string(choice)] = made
	return made
}

// payment returns the payment of the player.
func (one *player) payment(paid []*big.Rat) *big.Rat {
	sum := zero()
	for _, at := range one.at {
		sum.Add(sum, paid[at])
	}
	return sum
}

// shares returns the shares of a pre-money cap.
func (s *solver) shares(c Convertible) *big.Rat {
	part := new(big.Rat).Quo(c.Amount.Rat(), c.Cap.Rat())
	return part.Mul(part, s.base)
}

// postMoney reports whether a convertible has a post-money cap.
func (s Stack) postMoney() bool {
	for _, c := range s.Convertibles {
		if c.converts() && c.PostMoney && c.Cap.Sign() > 0 {
			return true
		}
	}
	return false
}

// discounted returns the value of shares bought at a discount, which is independent of their price.
func (c Convertible) discounted() *big.Rat {
	if c.Discount.IsZero() {
		return zero()
	}
	rest := big.NewRat(1, 1)
	rest.Sub(rest, c.Discount.Rat())
	return rest.Quo(c.Amount.Rat(), rest)
}
