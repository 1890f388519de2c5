// Package waterfall pays the price of a company down its stack: who gets what when it is
// sold, for any number of prices.
//
// # One price explains everything
//
// Let p be what one common share gets. Every claim is then worth something that p alone
// decides and that never falls as p rises:
//
//	common, full participation   preference + shares·p
//	no participation             the greater of preference and shares·p
//	capped participation         the greater of shares·p and the lesser of preference + shares·p and the cap
//	an option or warrant         the greater of 0 and quantity·(p − strike)
//
// So their sum T(p) is a line with corners that never falls, and the p of a sale is where
// T(p) is what there is to pay. It is found by looking up a corner: nothing is iterated,
// nothing has to converge. Where not even the preferences are covered, p is 0 and
// they are paid by rank, those of one rank in proportion.
//
// This p is an equilibrium: a class that does not convert at p would, by converting, give
// its preference to the pot and get a mean of p and the price at which it would be
// indifferent, which is not above that; and the other way round.
//
// # Convertibles
//
// A SAFE takes the greater of its cash-out and what it converts into. A post-money cap
// buys a fixed part of a capitalization that counts whatever else converts, also at a
// discount, so how many shares it is depends on which others convert. All begin as converting; as long as one would
// have more by taking the cash, the one that would lose the most in proportion takes it.
// Each step takes one out, so there are at most as many steps as convertibles.
//
// Everything is a rational number until the amounts are rounded to the currency's places,
// by largest remainder: they sum to what there was.
//
// # More is not always more for everybody
//
// A higher price never pays a holder less, with one exception that lies in the instruments:
// where a post-money SAFE changes from cash to shares, the capitalization that the other
// post-money SAFEs have their part of grows, and common has less for a stretch.
package waterfall
