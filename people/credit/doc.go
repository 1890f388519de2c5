// Package credit keeps the books of referral credit. A booking moves an amount from one account to another, so that whatever is booked, all
// balances add up to zero. Credit comes into the world from the house's account, the only one that may be below zero: what it is below is what
// the house has given. No balance is ever stored; it is what the bookings of an account come to.
//
// The package is pure: reward cards are drawn from randomness that is passed in.
package credit
