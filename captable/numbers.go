package captable

import "equity/captable/exact"

// The numbers and days that the records are made of.
type (
	// Decimal is an exact decimal number.
	Decimal = exact.Decimal
	// Date is a day.
	Date = exact.Date
)
