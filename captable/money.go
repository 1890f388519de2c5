package captable

// Money is an exact amount in one currency. Amounts of different currencies are
// never added.
type Money struct {
	// Amount is in whole units of the currency: "12.50" is twelve and a half.
	Amount Decimal `json:"amount"`
	// Currency is the ISO 4217 code, three capital letters.
	Currency string `json:"currency"`
}

// Ratio is numerator : denominator, both positive: a 2-for-1 split is 2 : 1.
type Ratio struct {
	Numerator   Decimal `json:"numerator"`
	Denominator Decimal `json:"denominator"`
}
