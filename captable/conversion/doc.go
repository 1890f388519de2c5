// Package conversion computes what convertibles become: the interest a note bears, the
// price at which one instrument converts, a priced round in which price, pool and all
// conversions depend on one another, and what SAFEs are paid at a sale.
//
// # Exactness
//
// Everything is a rational number until the end. [Interest.Accrued] and [Ledger.On] give
// fractions of a cent, a solved [Round] fractions of a share; who prints or issues them
// rounds them once: shares down, cash for the rest, prices at the stated places.
//
// The package knows numbers and days only, no records and no organization.
package conversion
