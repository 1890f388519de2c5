package waterfall

import (
	"math/big"

	"equity/captable/exact"
)

// Participation is whether preferred shares share in what is left after preferences.
type Participation string

// The kinds of participation. None takes the preference or converts.
const (
	None   Participation = "none"
	Full   Participation = "full"
	Capped Participation = "capped"
)

// Stack is everything that is paid when the company is sold, in one currency.
type Stack struct {
	Classes      []Class
	Options      []Option
	Convertibles []Convertible
	// Costs of the transaction come off the price first: an amount, and a fraction of the price.
	Costs, CostRate exact.Decimal
	// Places is how many digits amounts have behind the point: 2 for cents.
	Places int
}

// Class is a class of shares. One without a preference is common stock.
type Class struct {
	ID string
	// Seniority: the higher is paid first; the same is paid in proportion.
	Seniority int
	// Price is what a share was issued for; Multiple of it is preferred.
	Price, Multiple exact.Decimal
	// Participation is none when empty.
	Participation Participation
	// CapMultiple of the price is the most that a capped share gets, its preference
	// included, unless it converts.
	CapMultiple exact.Decimal
	// Ratio is how many common shares a share is converted into; 1 for common itself, 0 for
	// shares that only have their preference.
	Ratio    exact.Decimal
	Holdings []Holding
	// ExactPrice and ExactRatio replace Price and Ratio where no decimal holds them; nil otherwise.
	ExactPrice, ExactRatio *big.Rat
}

// Holding is what one holder has of a class.
type Holding struct {
	Holder string
	Shares exact.Decimal
}

// Option is a right to buy shares: an option, or a warrant. One on preferred shares counts
// as the common shares that they convert into.
type Option struct {
	ID, Holder string
	// Strike is the price of one share.
	Strike exact.Decimal
	// Ratio is how many common shares a share is converted into; 0 counts as 1.
	Ratio exact.Decimal
	// Quantity may be exercised at the sale: what is vested by then.
	Quantity exact.Decimal
	// Granted is what is outstanding, vested or not; caps of convertibles count it.
	Granted exact.Decimal
	// ExactStrike and ExactRatio replace Strike and Ratio where no decimal holds them; nil otherwise.
	ExactStrike, ExactRatio *big.Rat
}

// Convertible is a note or a SAFE. It converts only with a cap or a discount.
type Convertible struct {
	ID, Holder string
	// Seniority of the cash-out, on the scale of the classes: the higher is paid first.
	Seniority int
	// CashOut is paid when it does not convert: principal and interest, or a multiple.
	CashOut exact.Decimal
	// Amount is what converts.
	Amount exact.Decimal
	// Cap is the valuation at which it converts at most; 0 for none. A post-money cap is of
	// everything with the convertibles themselves, a pre-money cap of everything without.
	Cap       exact.Decimal
	PostMoney bool
	// Discount is what is taken off the price of the sale: 0.20 is 20 %.
	Discount exact.Decimal
}

// converts reports whether there is anything to convert by.
func (c Convertible) converts() bool { return c.Cap.Sign() > 0 || c.Discount.Sign() > 0 }

// ratio is how many common shares one share is.
func (o Option) ratio() *big.Rat {
	if o.ExactRatio == nil && o.Ratio.IsZero() {
		return big.NewRat(1, 1)
	}
	return either(o.ExactRatio, o.Ratio)
}

// strike is what one share costs.
func (o Option) strike() *big.Rat { return either(o.ExactStrike, o.Strike) }

// price is what a share was issued for.
func (c Class) price() *big.Rat { return either(c.ExactPrice, c.Price) }

// ratio is how many common shares a share is converted into.
func (c Class) ratio() *big.Rat { return either(c.ExactRatio, c.Ratio) }

// either returns the rational if there is one, else the decimal.
func either(rational *big.Rat, decimal exact.Decimal) *big.Rat {
	if rational != nil {
		return rational
	}
	return decimal.Rat()
}
