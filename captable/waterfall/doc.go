// Package waterfall distributes the sale price of a company over its stack of claims, for any number of prices.
//
// # Price of a common share
//
// Let p be the payment of one common share. The value of every claim is a nondecreasing function of p alone:
//
//	common, full participation   preference + shares·p
//	no participation             the greater of preference and shares·p
//	capped participation         the greater of shares·p and the lesser of preference + shares·p and the cap
//	an option or warrant         the greater of 0 and quantity·(p − strike)
//
// The sum T(p) is a nondecreasing piecewise linear function. The p of a sale is the point where T(p) equals the
// distributed amount. It is found by a search for the corner, without iteration or convergence. If the amount does
// not cover the preferences, p is 0, and preferences are paid by rank, in proportion within a rank.
//
// This p is an equilibrium. If a class that does not convert at p converted, it would add its preference to the
// pot and receive a mean of p and its break-even price, which is not greater than the preference per share. The
// converse holds too.
//
// # Convertibles
//
// A SAFE takes the greater of its cash-out and its conversion. A post-money cap buys a fixed fraction of a
// capitalization that includes all other conversions, also those at a discount, so its number of shares depends on
// them. Initially all convertibles convert. While one of them would receive more as cash, the one with the
// greatest proportional loss takes the cash. Each step removes one, so there are at most as many steps as
// convertibles.
//
// All values are rational numbers until the amounts are rounded to the decimal places of the currency by largest
// remainder, so that they sum to the distributed amount.
//
// # Monotonicity
//
// A higher price never pays a holder less, with one exception that follows from the instruments: when a post-money
// SAFE changes from cash to shares, the capitalization behind the fractions of the other post-money SAFEs grows,
// and common receives less over an interval of prices.
package waterfall
