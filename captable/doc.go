// Package captable contains the rules and calculations of the capitalization table of one
// organization. It defines the securities and their holders, the history of all changes, and
// the changes that are permitted next.
//
// # Vocabulary
//
// A [Security] is a class of stock or units with a number of authorized shares. A
// [Shareholding] is one certificate: a quantity of one security that belongs to one holder
// from an issue date on. A holder is an [Entity], that is, a person or an institution. A
// [Legend] is a restriction that is printed on certificates.
//
// A [Plan] grants equity to people in the service of the organization. Each of its pools
// ([Pool]) reserves shares of one security for grants.
//
// A [Grant] is a promise of equity from a pool: options, units or appreciation rights. It
// vests by a schedule. The vested part can be exercised until it lapses.
//
// A [VestingSchedule] defines the vesting of grants and shares. Package vesting computes the
// instalments.
//
// An [Instrument] is a right to shares that are not issued yet: a convertible note, a SAFE, a
// custom agreement or a warrant. A [Block] is a funding round. [State.PlanRound] computes the
// conversions and the new shares of a round before it closes. A [Valuation] is the value of a
// share from a day on. A [CapitalChange] is a payment between an LLC and one of its holders.
//
// Issued shares are outstanding shares plus treasury shares. The company itself holds the
// treasury shares. Reserved shares are held back for pools, warrants and grants outside a
// plan. Available shares are the authorized shares that are neither issued nor reserved.
//
// # Changes
//
// Records are never edited in place. [Decide] checks a [Command] against a [State] and returns
// events or an [Error]. Applying the events produces the next state:
//
//	events, err := captable.Decide(state, command, at)
//	for _, event := range events {
//		state.Apply(event, stamp)
//	}
//
// Decide contains all rules and may refuse a command. Apply never fails and contains no rules.
// A replay of old events therefore produces the same state, even if the rules have changed.
//
// # Parts
//
// A [State] consists of registers, one for each subject. A register owns its records and their
// indexes. Rules that need several registers are functions of the state. Readings that no command
// needs are packages below this one: explain for the terms of a figure, exit for a sale.
//
// The package is pure: it does no I/O. The clock and the source of ids are passed in with
// [DecideContext]. No goroutine outlives a call. All numbers are exact decimals.
package captable
