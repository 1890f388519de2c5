// Package captable is the capitalization table of one organization, as plain
// values and rules: who holds what, how it came to be, and what may happen next.
//
// # Vocabulary
//
// A [Security] is a class of stock (or of units): it has a number of authorized
// shares. A [Shareholding] is one certificate: a quantity of one security in the
// hands of one holder since an issue date. A holder is an [Entity], a person or an
// institution. A [Legend] is a restriction printed on certificates.
//
// A [Plan] promises equity to the people who work for the organization. Each of its
// pools ([Pool]) reserves shares of one security, out of which is granted.
//
// A [Grant] promises somebody shares out of a pool: options to buy them, units to be
// released, rights to what they gain. It vests by a schedule; what has vested can be
// exercised until it lapses.
//
// A [VestingSchedule] says how grants and shares vest; package vesting does the sums.
//
// An [Instrument] is a right to shares that are not issued yet: a convertible note, a
// SAFE, a custom agreement or a warrant. A [Block] is a funding round: what convertibles
// become in one, and what new money buys, is planned ([State.PlanRound]) before it is
// closed. A [Valuation] says what a share is worth from a day on. A [CapitalChange] is
// money that a holder of an LLC put in or took out.
//
// Shares that were issued and not given back are issued; those of them that the
// company itself does not hold are outstanding; what it holds is treasury. What pools
// and warrants keep is reserved. Available is what may still be issued.
//
// # How it changes
//
// Nothing is edited in place. A [Command] is decided against a [State] and gives
// events or an [Error]; applying the events moves the state on:
//
//	events, err := captable.Decide(state, command, at)
//	for _, event := range events {
//		state.Apply(event, stamp)
//	}
//
// Decide is where rules live and where a wish may be refused. Apply never fails
// and holds no rules: replaying the events of years ago gives the same state,
// whatever the rules are today.
//
// The package is pure. It has no clock, no randomness and no IO: they come in with
// [Moment]. No goroutine outlives a call. All numbers are exact decimals.
package captable
