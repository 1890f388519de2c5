// Package vesting says how much of a grant has vested on any day.
//
// # Vocabulary
//
// [Terms] are a graph of conditions: each is met at the vesting start, by an event, on
// a date, or some time after another condition; each vests a part of the grant, once or
// in equal instalments, and leads to those that may be met next. An [Award] is what was
// granted and when, a [Happening] the day on which an event came true. [Project] gives
// the [Schedule]: every instalment that has vested or will, should nothing else happen.
//
// # One engine
//
// A [Continuous] schedule, a [Discrete] one and flat [Statements] are short ways of
// writing terms: they compile into a graph, and one engine computes all. Amounts are
// exact rationals over one common denominator, with one running total for the whole
// grant; they are rounded once each, as the allocation says. The work grows with the
// number of instalments, never with the days between them.
//
// The package is pure, as the one above it: no clock, no randomness, no IO.
package vesting
