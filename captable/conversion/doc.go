// Package conversion computes the conversion of convertibles: the interest of a note, the conversion price of a
// single instrument, a priced round in which price, pool and all conversions depend on one another, and the
// payment of SAFEs at a sale.
//
// # Exactness
//
// All values are rational numbers until the end. [Interest.Accrued] and [Ledger.On] return fractions of a cent,
// and a solved [Round] returns fractions of a share. The caller rounds each result once: shares down, cash for the
// remainder, prices to the stated decimal places.
//
// The package uses numbers and dates only, without records or organizations.
package conversion
