package captable

import (
	"encoding/json"

	"golang.org/x/text/currency"
)

// Price is an amount of money per share. Its Currency is empty when it is the
// organization's own; then it is a decimal string in JSON, else a [Money].
type Price struct { //nolint:recvcheck // a price that is absent is nil, one that is written is a value
	Amount   Decimal
	Currency string
}

// MarshalJSON gives a decimal string, or a [Money] where the currency is a foreign one.
func (p Price) MarshalJSON() ([]byte, error) {
	if p.Currency == "" {
		return json.Marshal(p.Amount)
	}
	return json.Marshal(Money(p))
}

// UnmarshalJSON reads a decimal string or a [Money] without further fields.
func (p *Price) UnmarshalJSON(text []byte) error {
	*p = Price{}
	if isObject(text) {
		return strictly(text, (*Money)(p))
	}
	return json.Unmarshal(text, &p.Amount)
}

// MarshalJSON keeps Money's own encoding apart from Price's.
func (m Money) MarshalJSON() ([]byte, error) {
	type plain Money
	return json.Marshal(plain(m))
}

// in gives the price with its currency left out where it is the organization's own.
func (p *Price) in(own string) *Price {
	if p == nil || p.Currency != own {
		return p
	}
	return &Price{Amount: p.Amount}
}

// fits reports whether the amount can be written; no price does.
func (p *Price) fits() bool { return p == nil || p.Amount.Fits() }

// checkPrice notes a negative amount and a currency that cannot be one.
func checkPrice(faults *Faults, pointer string, price *Price) {
	if price == nil {
		return
	}
	if price.Amount.Sign() < 0 {
		faults.Add(pointer, "negative", "A price is not negative.")
	}
	if price.Currency != "" && !IsCurrency(price.Currency) {
		faults.Add(pointer+"/currency", "pattern", "The currency is an ISO 4217 code such as USD.")
	}
}

// IsCurrency reports whether the text is an ISO 4217 code: of a currency of today or, as
// records are old, of one that was.
func IsCurrency(text string) bool {
	unit, err := currency.ParseISO(text)
	return err == nil && unit.String() == text // the standard writes capital letters
}
