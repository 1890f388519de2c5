package captable

// Money is an exact amount in one currency. Amounts of different currencies are never added.
type Money struct { //nolint:recvcheck // a missing amount is nil; a marshalled amount is a value
	// Amount is in whole units of the currency: "12.50" is twelve and a half.
	Amount Decimal `json:"amount"`
	// Currency is the ISO 4217 code, three capital letters.
	Currency string `json:"currency"`
}

// check adds faults for a negative amount and an invalid currency. A nil amount is valid.
func (m *Money) check(faults *Faults, pointer string) {
	if m == nil {
		return
	}
	if m.Amount.Sign() < 0 {
		faults.Add(pointer+"/amount", "negative", "An amount is not negative.")
	}
	if !IsCurrency(m.Currency) {
		faults.Add(pointer+"/currency", "pattern", "The currency is an ISO 4217 code such as USD.")
	}
}
