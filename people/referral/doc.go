// Package referral knows the codes by which people bring others along, and tells one company from another.
//
// The package is pure: codes are drawn from randomness that is passed in.
package referral
