package captable

// Money is an exact amount in one currency. Amounts of different currencies are
// never added.
type Money struct { //nolint:recvcheck // money that is absent is nil, money that is written is a value
	// Amount is in whole units of the currency: "12.50" is twelve and a half.
	Amount Decimal `json:"amount"`
	// Currency is the ISO 4217 code, three capital letters.
	Currency string `json:"currency"`
}

// check notes a negative amount, one that cannot be written and a currency that cannot
// be one. No money is nothing wrong.
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
