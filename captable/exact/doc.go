// Package exact holds the numbers and days that equity is counted in. No binary float
// touches them: decimals are exact, fractions are rationals until they are rounded
// once, at the end, and a day is a day without a time zone.
package exact
