package captable

import (
	"encoding/json"

	"golang.org/x/text/currency"

	"equity/captable/exact"
	"equity/fault"
)

// Price is an amount of money per share. An empty Currency means the organization's own currency;
// the JSON form is then a decimal string, else a [Money].
type Price struct { //nolint:recvcheck // an absent price is nil, a marshaled price is a value
	Amount   Decimal
	Currency string
}

// MarshalJSON returns a decimal string, or a [Money] for a foreign currency.
func (p Price) MarshalJSON() ([]byte, error) {
	if p.Currency == "" {
		return json.Marshal(p.Amount)
	}
	return json.Marshal(Money(p))
}

// UnmarshalJSON parses a decimal string or a [Money] without unknown fields.
func (p *Price) UnmarshalJSON(text []byte) error {
	*p = Price{}
	if isObject(text) {
		return strictly(text, (*Money)(p))
	}
	return json.Unmarshal(text, &p.Amount)
}

// MarshalJSON prevents the use of the method of Price for Money.
func (m Money) MarshalJSON() ([]byte, error) {
	type plain Money
	return json.Marshal(plain(m))
}

// in returns the price without its currency if that is the organization's own.
func (p *Price) in(own string) *Price {
	if p == nil || p.Currency != own {
		return p
	}
	return &Price{Amount: p.Amount}
}

// fits reports whether the price is nil or its amount is within the digits of the contract.
func (p *Price) fits() bool { return p == nil || p.Amount.Fits() }

// checkPrice adds faults for a negative amount and for an invalid currency.
func checkPrice(faults *fault.Fields, pointer string, price *Price) {
	if price == nil {
		return
	}
	if price.Amount.Sign() < 0 {
		faults.Add(pointer, "negative", "The price must not be negative.")
	}
	if price.Currency != "" && !IsCurrency(price.Currency) {
		faults.Add(pointer+"/currency", "pattern", "The currency must be an ISO 4217 code such as USD.")
	}
}

// IsCurrency reports whether the text is the ISO 4217 code of a currency. Historical currencies
// are accepted because old records use them; the codes for no currency and for tests are not.
func IsCurrency(text string) bool {
	unit, err := currency.ParseISO(text)
	none := currency.Unit{}
	return err == nil && unit.String() == text && unit != none && unit != currency.XTS // ISO 4217 codes are upper case
}

// Money is an exact amount in one currency. Amounts of different currencies are never added.
type Money struct { //nolint:recvcheck // a missing amount is nil; a marshalled amount is a value
	// Amount is in whole units of the currency: "12.50" is twelve and a half.
	Amount Decimal `json:"amount"`
	// Currency is the ISO 4217 code, three capital letters.
	Currency string `json:"currency"`
}

// check adds faults for a negative amount and an invalid currency. A nil amount is valid.
func (m *Money) check(faults *fault.Fields, pointer string) {
	if m == nil {
		return
	}
	if m.Amount.Sign() < 0 {
		faults.Add(pointer+"/amount", "negative", "The amount must not be negative.")
	}
	if !IsCurrency(m.Currency) {
		faults.Add(pointer+"/currency", "pattern", "The currency must be an ISO 4217 code such as USD.")
	}
}

// The numbers and dates of the records.
type (
	// Decimal is an exact decimal number.
	Decimal = exact.Decimal
	// Date is a calendar day.
	Date = exact.Date
)
