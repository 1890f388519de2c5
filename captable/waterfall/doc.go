// Package waterfall distributes the sale price of a company over its stack of claims, for any number of prices.
//
// # Price of a common share
//
// Let p be the payment of one common share. The value of every claim is a nondecreasing function of p alone:
//
//	common, full participation   preference + shares·p
//	no participation             the greater of preference and shares·p
//	capped participation         the greater of shares·p and the lesser of preference + shares·p and the cap
//	a right to shares of a class the greater of 0 and the value of the shares less their exercise price
//
// The sum T(p) is a nondecreasing piecewise linear function. The p of a sale is the point where T(p) equals the
// distributed amount. It is found by a search for the corner, without iteration or convergence. If the amount does
// not cover the preferences, p is 0, and preferences are paid by rank, in proportion within a rank.
//
// This p is an equilibrium. If a class that does not convert at p converted, it would add its preference to the
// pot and receive a mean of p and its break-even price, which is not greater than the preference per share. The
// converse holds too.
//
// Rights to preferred shares have the preference and the choice of their class. In a rank that is not covered, they are
// exercised where the paid part of the preference exceeds the exercise price, which adds to the amount.
//
// # Choices that depend on one another
//
// A SAFE takes the greater of its cash-out and its conversion. A post-money cap buys a fixed fraction of the Liquidity
// Capitalization. That includes all other conversions, also those at a discount, all shares that participate, and all
// options. It excludes convertibles that take cash and preferred shares that take their preference instead of
// converting (third bullet of the definition in the post-money SAFE). So the choices of convertibles depend on one
// another and, beside post-money caps, on those of the classes. A class and the rights to its shares choose together.
//
// The choices of a sale are a Nash equilibrium: no claim gains by its other choice while the others keep theirs. Of several
// equilibria, the one with the most conversions is taken, then the one in which earlier claims convert. A claim without
// payment does not convert.
//
//   - If the amount does not cover all cash and preferences, no claim converts: a conversion could pay no more.
//   - Otherwise cash and preferences are paid in full. A search divides the choices. At each step, bounds of p and of the
//     value of the capitalization decide the claims whose choice is the same in all remaining equilibria.
//   - A few sales have no equilibrium, for example if a SAFE converts only beside a converted class, which then prefers its
//     preference. The choices then pay each claim at least its cash or preference, and no further conversion does. The same
//     holds if a search exceeds its limit of work.
//
// All values are rational numbers until the amounts are rounded to the decimal places of the currency by largest
// remainder, so that they sum to the distributed amount.
//
// # Monotonicity
//
// A higher price never pays a holder less, with one exception that follows from the instruments: when a claim changes
// from cash or preference to shares, the capitalization behind the fractions of post-money SAFEs grows, and common
// receives less over an interval of prices.
package waterfall
