package waterfall

import (
	"math/big"

	"equity/captable/exact"
)

// Participation determines whether preferred shares participate in the remainder after preferences.
type Participation string

// The kinds of participation. Without participation, a share takes its preference or converts.
const (
	None   Participation = "none"
	Full   Participation = "full"
	Capped Participation = "capped"
)

// Stack contains all claims on the sale price of a company, in one currency.
type Stack struct {
	Classes      []Class
	Options      []Option
	Convertibles []Convertible
	// Costs of the transaction are deducted from the price first: an amount, and a fraction of the price.
	Costs, CostRate exact.Decimal
	// Places is the number of decimal places of amounts: 2 for cents.
	Places int
}

// Class is a class of shares. A class without a preference is common stock.
type Class struct {
	ID string
	// Seniority determines the order of payment. Higher values are paid first, and equal values in proportion.
	Seniority int
	// Price is the issue price of a share. Multiple of it is the preference.
	Price, Multiple exact.Decimal
	// Participation may be empty, which means no participation.
	Participation Participation
	// CapMultiple of the price is the maximum payment of a capped share, including its preference, unless it
	// converts.
	CapMultiple exact.Decimal
	// Ratio is the number of common shares per share: 1 for common itself, 0 for shares with only a preference.
	Ratio    exact.Decimal
	Holdings []Holding
	// ExactPrice and ExactRatio replace Price and Ratio that have no finite decimal form. Otherwise they are nil.
	ExactPrice, ExactRatio *big.Rat
}

// Holding is one holder's position in a class.
type Holding struct {
	Holder string
	Shares exact.Decimal
}

// Option is a right to buy shares: an option or a warrant.
type Option struct {
	ID, Holder string
	// Of is the class of preferred shares that it buys, or nil for common shares. The exercised shares have the
	// preference of the class, and they convert together with the shares of the class that has the same ID. Its
	// holdings are not read.
	Of *Class
	// Strike is the exercise price of one share.
	Strike exact.Decimal
	// Ratio is the number of common shares per share, unless Of states it. 0 means 1.
	Ratio exact.Decimal
	// Quantity is exercisable at the sale: the quantity vested by then.
	Quantity exact.Decimal
	// Granted is the outstanding quantity, vested or not. Caps of convertibles count it.
	Granted exact.Decimal
	// ExactStrike and ExactRatio replace Strike and Ratio that have no finite decimal form. Otherwise they are
	// nil.
	ExactStrike, ExactRatio *big.Rat
}

// Convertible is a note or a SAFE. It converts with a cap or a discount, or into a fixed number of shares.
type Convertible struct {
	ID, Holder string
	// Seniority of the cash-out, on the scale of the classes. Higher values are paid first.
	Seniority int
	// CashOut is the payment without conversion: principal and interest, or a multiple.
	CashOut exact.Decimal
	// Amount is the converting amount.
	Amount exact.Decimal
	// Cap is the highest valuation of the conversion, or 0. A post-money cap counts everything including the
	// convertibles, a pre-money cap everything except them.
	Cap       exact.Decimal
	PostMoney bool
	// Discount is the discount on the sale price per share: 0.20 is 20 %.
	Discount exact.Decimal
	// Into contains the fixed shares of a class that the holder may take instead of the cash, or nil. They have the
	// preference and the choice of the class. Amount, Cap and Discount are not read then.
	Into *Class
}

// Terms returns the number of different conversion terms of the converting instruments. The work for a price
// grows with it.
func (s Stack) Terms() int {
	type terms struct {
		limit, discount string
		postMoney       bool
	}
	different := map[terms]bool{}
	for _, c := range s.Convertibles {
		if c.converts() {
			different[terms{c.Cap.String(), c.Discount.String(), c.PostMoney}] = true
		}
	}
	return len(different)
}

// converts reports whether the instrument has a cap or a discount.
func (c Convertible) converts() bool {
	return c.Into == nil && (c.Cap.Sign() > 0 || c.Discount.Sign() > 0)
}

// ratio returns the number of common shares per share.
func (o Option) ratio() *big.Rat {
	if o.Of != nil {
		return o.Of.ratio()
	}
	if o.ExactRatio == nil && o.Ratio.IsZero() {
		return big.NewRat(1, 1)
	}
	return either(o.ExactRatio, o.Ratio)
}

// strike returns the exercise price of one share.
func (o Option) strike() *big.Rat { return either(o.ExactStrike, o.Strike) }

// price returns the issue price of a share.
func (c Class) price() *big.Rat { return either(c.ExactPrice, c.Price) }

// ratio returns the number of common shares per share.
func (c Class) ratio() *big.Rat { return either(c.ExactRatio, c.Ratio) }

// either returns the rational unless it is nil, otherwise the decimal.
func either(rational *big.Rat, decimal exact.Decimal) *big.Rat {
	if rational != nil {
		return rational
	}
	return decimal.Rat()
}
