// Package vesting computes the vested quantity of a grant on any date.
//
// # Vocabulary
//
// [Terms] are a graph of conditions. A condition is met at the vesting start, by an event, on a date, or some time
// after another condition. It vests a part of the grant, once or in equal instalments, and leads to its following
// conditions. An [Award] is the granted quantity with its dates. A [Happening] is the occurrence of an event.
// [Project] returns the [Schedule]: every past instalment, and every future one if no other event occurs.
//
// # One engine
//
// A [Continuous] schedule, a [Discrete] one and flat [Statements] are short forms of terms. They are compiled into
// a graph, and one engine computes all of them. Amounts are exact rationals over one common denominator, with one
// running total for the whole grant. Each instalment is rounded once, according to the allocation. The cost is
// proportional to the number of instalments, not to the number of days between them.
//
// The package is pure: it uses no clock, randomness or I/O.
package vesting
