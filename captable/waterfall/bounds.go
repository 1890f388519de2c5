package waterfall

import "math/big"

// bounds limits what a conversion is worth in all completions of a partial choice.
//
// If all preferences and cash are covered, the amount is their sum plus Y, the value of the capitalization, less what
// its shares receive below the price p of a common share: exercise prices, unvested options and caps of participation.
// That difference never falls as p rises.
type bounds struct {
	solver *solver
	// high limits Y, and wide limits it if one of the players without conversion converts, apart from its cash.
	high, wide *big.Rat
	// highPrice limits p, and spare is the amount beyond all preferences and cash.
	highPrice, spare *big.Rat
	// low is the least Y, apart from the difference to the value of its shares.
	low *big.Rat
	// The numbers of shares in the capitalization without and with the open choices, and the fractions beside the caps.
	leastShares, mostShares, mostRest, leastRest *big.Rat
	// discounts is the sum of the discounted amounts of all that may convert.
	discounts *big.Rat
}

func (s *solver) bounds(choice []byte, amount *big.Rat) *bounds {
	b := &bounds{
		solver: s, leastShares: new(big.Rat).Set(s.shared), mostShares: new(big.Rat).Set(s.shared),
		mostRest: big.NewRat(1, 1), leastRest: big.NewRat(1, 1), discounts: zero(), low: new(big.Rat).Sub(amount, s.apart.floors),
	}
	left, most, due, capped := new(big.Rat).Set(amount), zero(), zero(), zero()
	for n, side := range choice {
		one := &s.players[n]
		if side != in {
			b.low.Sub(b.low, one.cash)
		}
		if side == out {
			left.Sub(left, one.cash)
			most = greatest(most, one.cash)
			continue
		}
		due.Add(due, one.due)
		if one.capped {
			capped.Add(capped, one.shares)
		}
		b.mostShares.Add(b.mostShares, one.shares)
		b.leastRest.Sub(b.leastRest, one.part)
		b.discounts.Add(b.discounts, one.discounted)
		if side == in {
			b.low.Sub(b.low, one.first)
			b.leastShares.Add(b.leastShares, one.shares)
			b.mostRest.Sub(b.mostRest, one.part)
		}
	}
	upTo := func(price *big.Rat) *big.Rat {
		value := new(big.Rat).Sub(left, s.apart.floors)
		return value.Add(value, s.below(price)).Add(value, due).Add(value, new(big.Rat).Mul(capped, price))
	}
	b.spare = new(big.Rat).Sub(amount, s.floors)
	b.highPrice = s.apart.price(new(big.Rat).Add(b.spare, s.apart.floors)) // no player has less than its cash
	b.high = upTo(b.highPrice)
	b.wide = upTo(s.apart.price(new(big.Rat).Add(most, left)))
	return b
}

// below returns the difference between the value of the shares of no player at the price, and what they receive
// besides their preferences.
func (s *solver) below(price *big.Rat) *big.Rat {
	value := new(big.Rat).Mul(s.shared, price)
	return value.Add(value, s.apart.floors).Sub(value, s.apart.paid(price))
}

// leave takes a player with an open choice out of the conversions.
func (b *bounds) leave(one *player) { b.high = new(big.Rat).Sub(b.high, one.cash) }

// most returns the highest payment of a conversion. Without the side out, no other player has less than its cash.
func (b *bounds) most(one *player, side byte) *big.Rat {
	value, shares := b.high, b.leastShares
	if side != in {
		shares = new(big.Rat).Add(shares, one.shares)
	}
	if side == out {
		value = new(big.Rat).Add(b.wide, one.cash)
		if one.capped {
			return value
		}
		value.Add(value, one.due)
	}
	most := greatest(one.discounted, new(big.Rat).Mul(value, one.part))
	if one.shares.Sign() > 0 {
		price := new(big.Rat).Mul(value, b.mostRest)
		price.Quo(price, shares)
		if side != out {
			price = least(price, b.highPrice)
		}
		price = new(big.Rat).Mul(price, one.shares)
		most = greatest(most, price.Add(price, one.first))
	}
	if side == out {
		return most
	}
	return least(most, new(big.Rat).Add(b.spare, one.cash))
}

// fewest returns the lowest payment of a conversion.
func (b *bounds) fewest(one *player, side byte) *big.Rat {
	value, rest, shares, discounts := new(big.Rat).Set(b.low), b.leastRest, b.mostShares, b.discounts
	if side != in {
		value.Add(value, one.cash).Sub(value, one.first)
	}
	if side == out {
		rest = new(big.Rat).Sub(rest, one.part)
		shares = new(big.Rat).Add(shares, one.shares)
		discounts = new(big.Rat).Add(discounts, one.discounted)
	}
	price := zero()
	if shares.Sign() > 0 {
		price.Mul(value, rest).Sub(price, discounts)
		price.Quo(price, shares)
	}
	payment := new(big.Rat).Mul(value, one.part)
	if price.Sign() <= 0 {
		return payment
	}
	value.Add(value, b.solver.below(price))
	price.Mul(value, rest).Sub(price, discounts)
	price.Quo(price, shares)
	payment = greatest(payment.Mul(value, one.part), one.discounted)
	if one.in == nil {
		return greatest(payment, price.Mul(price, one.shares))
	}
	sum := zero()
	for _, claim := range one.in {
		sum.Add(sum, claim.at(price))
	}
	return greatest(payment, sum)
}
