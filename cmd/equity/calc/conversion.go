package calc

import (
	"errors"
	"math/big"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// conversionCase is one note or SAFE that converts at a known price.
type conversionCase struct {
	Amount    *number `json:"amount"`
	Price     *number `json:"round_price"`
	Discount  number  `json:"discount"`
	Cap       number  `json:"cap"`
	CapShares number  `json:"cap_shares"`
}

// conversionAnswer is the result of a conversion: exact with ten decimal places, and as issued.
type conversionAnswer struct {
	Basis  basis         `json:"basis"`
	Price  exact.Decimal `json:"price"`
	Shares exact.Decimal `json:"shares"`
	Whole  shares        `json:"whole_shares"`
	Cash   exact.Decimal `json:"cash_for_fraction"`
}

// conversionOf converts the instrument.
func conversionOf(c conversionCase) (answer conversionAnswer, err error) {
	if c.Amount == nil {
		return answer, errors.New("a case has an amount that converts")
	}
	single := conversion.Single{
		Amount: c.Amount.Rat(), Price: c.Price.ratio(), Discount: c.Discount.Decimal, Cap: c.Cap.Decimal, CapShares: c.CapShares.Decimal,
	}
	if faults := single.Faults(); len(faults) > 0 {
		return answer, refuse(why(faults[0]))
	}
	got := single.Convert()
	return conversionAnswer{basis(got.Basis), decimal(got.Price), decimal(got.Shares), shares(got.Whole), decimal(got.Cash)}, nil
}

// ratio returns the number as a fraction, or nil if it is missing.
func (n *number) ratio() *big.Rat {
	if n == nil {
		return nil
	}
	return n.Rat()
}
