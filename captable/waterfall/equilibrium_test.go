package waterfall_test

import (
	"fmt"
	"math"
	mathbits "math/bits"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"equity/captable/exact"
	"equity/captable/waterfall"
)

// game pays a stack by given choices. It shares no code with the package: it finds the price of a common share by
// bisection in floating-point numbers, and the value of the capitalization by repetition.
type game struct {
	waterfall.Stack
	// A choice is one of: a class without participation converts, with all rights to its shares; then a convertible converts.
	class, convertible []bool
	terms              []terms // of the convertibles
}

// approximate is a number of the independent solver, whose results are compared with a tolerance.
type approximate = float64 //nolint:forbidigo // the product's numbers are exact

// terms are the numbers of a convertible: its fraction of all or of the whole, and its discounted amount.
type terms struct{ ofAll, ofWhole, discounted approximate }

func newGame(s waterfall.Stack) game {
	g := game{s, make([]bool, len(s.Classes)), make([]bool, len(s.Convertibles)), make([]terms, len(s.Convertibles))}
	for i, c := range s.Convertibles {
		switch {
		case c.Cap.IsZero():
		case c.PostMoney:
			g.terms[i].ofWhole = float(c.Amount) / float(c.Cap)
		default:
			g.terms[i].ofAll = float(c.Amount) / float(c.Cap)
		}
		if c.Discount.Sign() > 0 {
			g.terms[i].discounted = float(c.Amount) / (1 - float(c.Discount))
		}
	}
	return g
}

// part is the payment of a claim: floor by rank, then at(price) in total.
type part struct {
	rank       int
	gross, due approximate // the floor is the difference
	at         func(price approximate) approximate
}

func (p part) floor() approximate { return max(0, p.gross-p.due) }

func float(d exact.Decimal) approximate {
	f, _ := d.Rat().Float64()
	return f
}

// of returns the part of a number of shares of a class at an exercise price, and the shares that the capitalization counts.
func of(c waterfall.Class, shares, strike approximate, converts bool) (p part, counted approximate) {
	preference, ratio, most := float(c.Price)*float(c.Multiple), float(c.Ratio), float(c.Price)*float(c.CapMultiple)
	p = part{rank: c.Seniority, gross: preference * shares, due: strike * shares}
	counted = shares * ratio
	switch {
	case c.Participation == waterfall.Full:
		p.at = func(price approximate) approximate { return shares * max(0, preference+ratio*price-strike) }
	case c.Participation == waterfall.Capped:
		p.at = func(price approximate) approximate {
			return shares * max(0, max(min(preference+ratio*price, most), ratio*price)-strike)
		}
	case preference > strike && !converts && ratio > 0:
		p.at, counted = func(approximate) approximate { return shares * (preference - strike) }, 0
	case ratio == 0:
		p.at = func(approximate) approximate { return shares * max(0, preference-strike) }
	default:
		p = part{at: func(price approximate) approximate { return shares * max(0, ratio*price-strike) }}
	}
	return p, counted
}

// parts returns the parts of the classes, the options and the convertibles.
func (g game) parts() []part {
	var list []part
	all, counted := 0.0, 0.0 // pre-money caps count all shares
	enter := func(p part, shares, counts approximate) {
		list, all, counted = append(list, p), all+shares, counted+counts
	}
	joined := map[string]bool{}
	for i, c := range g.Classes {
		joined[c.ID] = g.class[i]
		shares := 0.0
		for _, h := range c.Holdings {
			shares += float(h.Shares)
		}
		p, counts := of(c, shares, 0, g.class[i])
		enter(p, shares*float(c.Ratio), counts)
	}
	for _, o := range g.Options {
		class := waterfall.Class{Ratio: exact.NewDecimal(1)}
		if o.Of != nil {
			class = *o.Of
		}
		p, counts := of(class, float(o.Quantity), float(o.Strike), joined[class.ID])
		unvested := (float(o.Granted) - float(o.Quantity)) * float(class.Ratio)
		enter(p, float(o.Granted)*float(class.Ratio), counts+unvested)
	}
	at := make([]int, len(g.Convertibles))
	for i, c := range g.Convertibles {
		cash := float(c.CashOut)
		p := part{rank: c.Seniority, gross: cash, at: func(approximate) approximate { return cash }}
		counts, shares := 0.0, 0.0
		if c.Into != nil {
			number := float(c.Into.Holdings[0].Shares)
			held, as := of(*c.Into, number, 0, g.convertible[i])
			preferred := held.floor() > cash || held.floor() == cash && held.rank > c.Seniority
			participates := c.Into.Participation == waterfall.Full || c.Into.Participation == waterfall.Capped
			if shares = number * float(c.Into.Ratio); g.convertible[i] || preferred && (participates || !g.convertible[i]) {
				p, counts = held, as
			}
			if preferred && !participates && !g.convertible[i] {
				p.at = func(approximate) approximate { return held.floor() }
			}
		}
		at[i] = len(list)
		enter(p, shares, counts)
	}
	for i := range g.Convertibles {
		if g.convertible[i] && g.Convertibles[i].Into == nil {
			worth := func(price approximate) approximate { return g.worth(all, counted, price)[i] }
			list[at[i]] = part{rank: math.MinInt32, gross: worth(0), at: worth}
		}
	}
	return list
}

// worth returns the values of the converting caps and discounts. A post-money cap gets its fraction of the whole, or its
// discount if that is more. The whole grows until all fractions that exceed a discount are in it.
func (g game) worth(all, counted, price approximate) []approximate {
	list, fraction := make([]approximate, len(g.Convertibles)), make([]approximate, len(g.Convertibles))
	apart, rest := counted*price, 1.0
	for i, one := range g.terms {
		if g.convertible[i] && g.Convertibles[i].Into == nil {
			fraction[i], list[i] = one.ofWhole, max(one.discounted, all*price*one.ofAll)
			apart += list[i]
		}
	}
	for range list {
		for i := range list {
			if fraction[i] > 0 && apart/rest*fraction[i] > list[i] {
				apart, rest = apart-list[i], rest-fraction[i]
				list[i], fraction[i] = -fraction[i], 0
			}
		}
	}
	for i := range list {
		if list[i] < 0 {
			list[i] *= -apart / rest
		}
	}
	return list
}

// pay returns the payments for an amount.
func (g game) pay(amount approximate) []approximate {
	parts := g.parts()
	paid, floors, ranks := make([]approximate, len(parts)), 0.0, map[int]bool{}
	for _, p := range parts {
		floors += p.at(0)
		ranks[p.rank] = true
	}
	if amount < floors {
		for rank := 9; rank > -9 || rank == math.MinInt32; rank-- {
			if rank == -8 {
				rank = math.MinInt32
			}
			level := bisect(1, amount, func(level approximate) (sum approximate) {
				for _, p := range parts {
					if p.rank == rank {
						sum += max(0, level*p.gross-p.due)
					}
				}
				return sum
			})
			for i, p := range parts {
				if p.rank == rank {
					paid[i] = max(0, level*p.gross-p.due)
					amount -= paid[i]
				}
			}
			if rank == math.MinInt32 {
				return paid
			}
		}
	}
	price := bisect(1<<20, amount, func(price approximate) (sum approximate) {
		for _, p := range parts {
			sum += p.at(price)
		}
		return sum
	})
	for i, p := range parts {
		paid[i] = p.at(price)
	}
	return paid
}

// bisect returns the highest argument up to a limit at which the nondecreasing function does not exceed the amount.
func bisect(high, amount approximate, value func(approximate) approximate) approximate {
	if value(high) <= amount {
		return high
	}
	low := 0.0
	for range 70 {
		if middle := (low + high) / 2; value(middle) <= amount {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// chooser is a claim with a choice, its payment without conversion, and the claims that choose with it.
type chooser struct {
	choice *bool
	claims []int
}

func (g game) choosers() []chooser {
	var list []chooser
	for i, c := range g.Classes {
		participates := c.Participation == waterfall.Full || c.Participation == waterfall.Capped
		if participates || c.Price.IsZero() || c.Multiple.IsZero() || c.Ratio.IsZero() {
			continue
		}
		one := chooser{&g.class[i], []int{i}}
		for n, o := range g.Options {
			if o.Of != nil && o.Of.ID == c.ID && o.Strike.Cmp(c.Price.Mul(c.Multiple)) < 0 {
				one.claims = append(one.claims, len(g.Classes)+n)
			}
		}
		list = append(list, one)
	}
	for i, c := range g.Convertibles {
		if c.Cap.Sign() > 0 || c.Discount.Sign() > 0 || c.Into != nil && c.Into.Ratio.Sign() > 0 {
			list = append(list, chooser{&g.convertible[i], []int{len(g.Classes) + len(g.Options) + i}})
		}
	}
	return list
}

func (c chooser) payment(paid []approximate) (sum approximate) {
	for _, i := range c.claims {
		sum += paid[i]
	}
	return sum
}

// gain returns the most that a chooser gains by its other choice, and the most by which one that converts falls short
// of its other choice.
func (g game) gain(amount approximate) (gain, short approximate) {
	gain, short = math.Inf(-1), math.Inf(-1)
	paid := g.pay(amount)
	for _, one := range g.choosers() {
		*one.choice = !*one.choice
		more := one.payment(g.pay(amount)) - one.payment(paid)
		*one.choice = !*one.choice
		gain = max(gain, more)
		if *one.choice {
			short = max(short, more)
		}
	}
	return gain, short
}

// mostConversions returns the largest number of conversions of an equilibrium in which each choice is better by the
// margin, and the number of such equilibria.
func (g game) mostConversions(amount, margin approximate) (most, equilibria int) {
	most = -1
	choosers := g.choosers()
	for bits := range 1 << len(choosers) {
		for n, one := range choosers {
			*one.choice = bits>>n&1 == 1
		}
		if g.loses(amount) {
			continue
		}
		if gain, _ := g.gain(amount); len(choosers) == 0 || gain < -margin {
			most, equilibria = max(most, mathbits.OnesCount(uint(bits))), equilibria+1
		}
	}
	return most, equilibria
}

// loses reports whether a conversion gets less than its cash, if the amount covers all cash.
func (g game) loses(amount approximate) bool {
	paid := g.pay(amount)
	for _, one := range g.choosers() {
		if !*one.choice {
			continue
		}
		*one.choice = false
		cash := 0.0
		for i, p := range g.parts() {
			if slices.Contains(one.claims, i) {
				cash += p.at(0)
			}
		}
		if *one.choice = true; one.payment(paid) < cash {
			return true
		}
	}
	return false
}

// sales draws random sales from a seed.
type sales struct{ *rand.Rand }

func (r sales) whole(least, most int) exact.Decimal {
	return exact.NewDecimal(int64(least + r.IntN(most-least+1)))
}

func (r sales) class(id string) waterfall.Class {
	class := preferred(id, r.IntN(3), r.whole(1, 9).String(), r.whole(1, 50).String())
	class.Multiple = r.whole(0, 2)
	class.Ratio = r.whole(0, 3)
	class.Participation = []waterfall.Participation{"", waterfall.None, waterfall.None, waterfall.Full, waterfall.Capped}[r.IntN(5)]
	class.CapMultiple = class.Multiple.Add(r.whole(0, 2))
	return class
}

func (r sales) stack() waterfall.Stack {
	s := waterfall.Stack{Places: exact.Places, Classes: []waterfall.Class{common(r.whole(1, 90).String())}}
	for i := range r.IntN(4) {
		s.Classes = append(s.Classes, r.class(string(rune('A'+i))))
	}
	anyClass := func() *waterfall.Class {
		if i := r.IntN(len(s.Classes) + 1); i > 0 && i < len(s.Classes) {
			return new(s.Classes[i])
		}
		return nil
	}
	for i := range r.IntN(3) {
		quantity := r.whole(0, 20)
		unvested := r.whole(0, 1).Mul(r.whole(0, 9))
		s.Options = append(s.Options, waterfall.Option{
			ID: "o" + strconv.Itoa(i), Of: anyClass(), Strike: r.whole(0, 9), Quantity: quantity, Granted: quantity.Add(unvested),
		})
	}
	for i := range r.IntN(4) {
		amount := r.whole(1, 60)
		one := waterfall.Convertible{ID: "s" + strconv.Itoa(i), Seniority: r.IntN(4), Amount: amount, CashOut: amount.Mul(r.whole(1, 2))}
		switch terms := r.IntN(8); {
		case terms == 0:
			if one.Into = anyClass(); one.Into != nil {
				one.Into.ID, one.Into.Holdings = "into", held(r.whole(1, 20).String())
			}
		case terms < 6:
			one.Cap, one.PostMoney = r.whole(190, 600), terms < 5
			fallthrough
		default:
			if terms > 4 || r.IntN(3) == 0 {
				one.Discount = []exact.Decimal{number("0.1"), number("0.2"), number("0.75")}[r.IntN(3)]
			}
		}
		s.Convertibles = append(s.Convertibles, one)
	}
	return s
}

// pair returns a SAFE beside preferred shares and a price near those at which one of them changes its choice because the
// other does.
func (r sales) pair() (waterfall.Stack, exact.Decimal) {
	shares, common0, part := 10+r.IntN(90), 10+r.IntN(90), 10+r.IntN(30)
	class := preferred("A", r.IntN(2), r.whole(1, 9).String(), strconv.Itoa(shares))
	s := waterfall.Stack{Places: exact.Places, Classes: []waterfall.Class{common(strconv.Itoa(common0)), class}}
	turn := float(s.Classes[1].Price) * approximate(common0+shares) / (1 - approximate(part)/100)
	value := turn * (0.9 + 0.15*r.Float64())
	amount := exact.NewDecimal(int64(value * approximate(part) * (0.8 + 0.25*r.Float64()))).Mul(number("0.01"))
	s.Convertibles = []waterfall.Convertible{{ID: "S", Amount: amount, CashOut: amount, Cap: amount.Mul(number("100")), PostMoney: true}}
	s.Convertibles[0].Cap = exact.RoundHalfUp(
		s.Convertibles[0].Cap.Rat().Quo(s.Convertibles[0].Cap.Rat(), exact.NewDecimal(int64(part)).Rat()), exact.Places,
	)
	return s, exact.NewDecimal(int64(value))
}

// crowded returns SAFEs whose caps take nearly the whole company beside one with a discount. If all convert, the discount
// is not covered. Caps that take the whole company are refused.
func (r sales) crowded() (waterfall.Stack, exact.Decimal) {
	s := r.capped()
	for len(s.Faults()) > 0 {
		s = r.capped()
	}
	return s, r.whole(250, 900)
}

func (r sales) capped() waterfall.Stack {
	s := stack(common(r.whole(1, 90).String()))
	for i, limit := range []exact.Decimal{r.whole(120, 190), r.whole(600, 1100), {}} {
		one := waterfall.Convertible{ID: "s" + strconv.Itoa(i), Amount: r.whole(40, 110), Cap: limit, PostMoney: true}
		if one.CashOut = one.Amount; limit.IsZero() {
			one.Discount = number("0.1")
		}
		s.Convertibles = append(s.Convertibles, one)
	}
	s.Places = exact.Places
	return s
}

// nearTurns sets the cash of each convertible near the payment of its conversion beside some of the others, so that their
// choices depend on one another.
func (r sales) nearTurns(s *waterfall.Stack, value exact.Decimal) {
	g := newGame(*s)
	for i := range g.convertible {
		g.convertible[i] = r.IntN(4) > 0
	}
	for i := range g.class {
		g.class[i] = r.IntN(2) == 0
	}
	paid := g.pay(float(value))
	for i := range s.Convertibles {
		got := paid[len(s.Classes)+len(s.Options)+i]
		if one := &s.Convertibles[i]; one.Into == nil && got > 1 {
			one.CashOut = exact.NewDecimal(int64(got * 100 * (0.8 + 0.25*r.Float64()))).Mul(number("0.01"))
		}
	}
}

// checkSale compares the payments and choices of one sale with the game. It counts what the sale reached.
func checkSale(t *testing.T, s waterfall.Stack, value exact.Decimal, reached map[string]int) {
	t.Helper()
	if faults := s.Faults(); len(faults) > 0 {
		t.Fatalf("the sale has faults %v: %+v", faults, s)
	}
	amount := float(value)
	near := 1e-7 * (1 + amount)
	out := s.Pay([]exact.Decimal{value})[0]
	g := newGame(s)
	for i, claim := range out.Claims {
		switch claim.Kind {
		case waterfall.OfClass:
			g.class[i] = claim.Converts
		case waterfall.OfConvertible:
			n := i - len(s.Classes) - len(s.Options)
			g.convertible[n] = claim.Converts
			if into := s.Convertibles[n].Into; into != nil {
				reached["fixed shares "+strconv.FormatBool(claim.Converts)]++
				g.convertible[n] = claim.Converts && claim.Shares.Sign() > 0
			}
		case waterfall.OfOption:
			if claim.Converts && out.SharePrice.Sign() == 0 {
				reached["right exercised for its preference"]++
			}
		}
	}
	describe := func() string { return fmt.Sprintf("%s of %+v\n%+v", value, s, out.Claims) }
	for i, want := range g.pay(amount) {
		if math.Abs(want-float(out.Claims[i].Amount)) > near {
			fixed := slices.ContainsFunc(s.Convertibles, func(c waterfall.Convertible) bool { return c.Into != nil })
			if fixed && amount < g.covered() {
				reached["other rank"]++ // fixed shares may choose another rank; see TestFixedSharesChooseTheirRank
				return
			}
			t.Fatalf("%s: got %s, by these choices it is %f of %s", out.Claims[i].ID, out.Claims[i].Amount, want, describe())
		}
	}
	conversions := 0
	for _, one := range g.choosers() {
		if *one.choice {
			conversions++
		}
	}
	gain, short := g.gain(amount)
	most, equilibria := g.mostConversions(amount, near)
	switch {
	case short > near:
		t.Fatalf("a conversion loses %f of %s", short, describe())
	case equilibria == 0 && gain > near:
		reached["no equilibrium"]++
	case gain > near:
		t.Fatalf("a claim gains %f of %s", gain, describe())
	case most > conversions:
		t.Fatalf("%d instead of %d conversions of %s", conversions, most, describe())
	}
	if equilibria > 1 {
		reached["several equilibria"]++
	}
	if conversions > 0 {
		reached["conversions"]++
	}
}

// covered returns the amount that covers all preferences and cash.
func (g game) covered() (sum approximate) {
	clear(g.class)
	clear(g.convertible)
	for _, p := range g.parts() {
		sum += p.at(0)
	}
	return sum
}

// TestInvariantChoicesAreAnEquilibrium checks 5,000 random sales, or as many as TORTURE_SECONDS allow.
func TestInvariantChoicesAreAnEquilibrium(t *testing.T) {
	t.Parallel()
	seconds, _ := strconv.Atoi(os.Getenv("TORTURE_SECONDS"))
	end := time.Now().Add(time.Duration(seconds) * time.Second)
	reached, seed := map[string]int{}, uint64(0)
	for ; seed < 5_000 || time.Now().Before(end); seed++ {
		if seconds > 0 {
			seed += uint64(time.Now().Nanosecond())
		}
		r := sales{rand.New(rand.NewPCG(seed, 40))}
		s, value := r.stack(), exact.NewDecimal(int64(r.IntN(1<<(4+r.IntN(8)))))
		switch seed % 5 {
		case 2:
			s, value = r.crowded()
		case 0:
			s, value = r.pair()
		case 1, 3:
			r.nearTurns(&s, value)
		}
		checkSale(t, s, value, reached)
	}
	t.Log(reached)
	for _, event := range []string{ // each kind of sale must occur
		"no equilibrium", "several equilibria", "conversions", "right exercised for its preference", "fixed shares true", "fixed shares false",
	} {
		if reached[event] == 0 {
			t.Errorf("%s was not reached", event)
		}
	}
}
