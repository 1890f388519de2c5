// Package referral defines referral codes and the identity of a referred company.
//
// The package is pure: the randomness for codes is passed in.
package referral
