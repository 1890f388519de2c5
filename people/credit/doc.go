// Package credit keeps the accounts of referral credit with double-entry bookings. A booking moves an amount from one account to another, so
// all balances always add up to zero. Credit is created by bookings from the house account, the only one whose balance may be negative; its
// negated balance is the credit in circulation. Balances are not stored: a balance is the sum of the effects of an account's bookings.
//
// The package is pure: the randomness for reward cards is passed in.
package credit
