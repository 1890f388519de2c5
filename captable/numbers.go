package captable

import "equity/captable/exact"

// The numbers and dates of the records.
type (
	// Decimal is an exact decimal number.
	Decimal = exact.Decimal
	// Date is a calendar day.
	Date = exact.Date
)
