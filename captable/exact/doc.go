// Package exact implements the numbers and dates of equity. It uses no binary floats: decimals are exact,
// fractions are rationals with a single rounding at the end, and dates have no time zone.
package exact
