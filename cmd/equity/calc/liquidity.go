package calc

import (
	"errors"
	"strconv"

	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/captable/waterfall"
)

// liquidityCase is a sale of a company with SAFEs and notes. Unallocated options of the pool do not share
// in the proceeds. Promised options share if they are paid.
type liquidityCase struct {
	Proceeds *number         `json:"proceeds"`
	Common   number          `json:"common"`
	Granted  number          `json:"options_granted"`
	Promised number          `json:"options_promised"`
	Paid     bool            `json:"promised_options_paid"`
	SAFEs    []liquiditySAFE `json:"safes"`
}

// liquiditySAFE receives the greater of its cash-out, a multiple of the amount, and the value of its
// conversion shares.
type liquiditySAFE struct {
	ID       string              `json:"id"`
	Amount   number              `json:"amount"`
	Cap      number              `json:"cap"`
	CapBasis conversion.CapBasis `json:"cap_basis"`
	Discount number              `json:"discount"`
	Multiple *number             `json:"exit_multiple"`
}

// liquidityAnswer contains conversions and payouts. Capitalization and shares assume that
// all instruments convert. Price is the resulting price of a common share.
type liquidityAnswer struct {
	Capitalization string                   `json:"liquidity_capitalization_all_converting"`
	PerShare       string                   `json:"per_share"`
	Shares         map[string]shares        `json:"as_converted_shares"`
	Converts       map[string]bool          `json:"converts"`
	Paid           map[string]exact.Decimal `json:"paid"`
}

// mostSAFEs bounds the instruments with a choice between cash and shares, because each choice depends on all others.
const mostSAFEs = 200

// liquidityOf calculates the sale twice: with forced conversion and with
// the choice.
func liquidityOf(c liquidityCase) (answer liquidityAnswer, err error) {
	if c.Proceeds == nil {
		return answer, errors.New("a case has proceeds")
	}
	if err := c.check(); err != nil {
		return answer, err
	}
	stack := c.stack()
	if faults := stack.Faults(); len(faults) > 0 {
		return answer, refuse(faults[0].Pointer + ": " + faults[0].Message)
	}
	answer = liquidityAnswer{Shares: map[string]shares{}, Converts: map[string]bool{}, Paid: map[string]exact.Decimal{}}
	answer.converting(c.forced(stack).Pay([]exact.Decimal{c.Proceeds.Decimal})[0], c.base())
	answer.chosen(stack.Pay([]exact.Decimal{c.Proceeds.Decimal})[0])
	return answer, nil
}

// check refuses unsupported cases.
func (c liquidityCase) check() error {
	if c.Proceeds.Sign() < 0 {
		return refuse("proceeds are zero or more")
	}
	if c.base().Sign() <= 0 {
		return refuse("a company without shares has no price a share")
	}
	if len(c.SAFEs) > mostSAFEs {
		return refuse("at most " + strconv.Itoa(mostSAFEs) + " instruments choose between cash and shares")
	}
	seen := map[string]bool{}
	for i, one := range c.SAFEs {
		convertible := conversion.Convertible{
			ID: one.ID, Amount: one.Amount.Rat(), Cap: one.Cap.Decimal, CapBasis: one.CapBasis, Discount: one.Discount.Decimal,
		}
		if faults := convertible.Faults(); len(faults) > 0 {
			faults[0].Pointer = "/safes/" + strconv.Itoa(i) + faults[0].Pointer
			return refuse(why(faults[0]))
		}
		if seen[one.ID] {
			return refuse("two instruments are called " + strconv.Quote(one.ID))
		}
		seen[one.ID] = true
	}
	return nil
}

// options returns the options that share in the sale.
func (c liquidityCase) options() exact.Decimal {
	if c.Paid {
		return c.Granted.Add(c.Promised.Decimal)
	}
	return c.Granted.Decimal
}

// base returns the shares without converting instruments.
func (c liquidityCase) base() exact.Decimal { return c.Common.Add(c.options()) }

// stack converts the case to the domain's type: options have no exercise price, and
// amounts are not rounded.
func (c liquidityCase) stack() waterfall.Stack {
	out := waterfall.Stack{
		Places:  exact.Places,
		Classes: []waterfall.Class{{Ratio: exact.NewDecimal(1), Holdings: []waterfall.Holding{{Shares: c.Common.Decimal}}}},
		Options: []waterfall.Option{{Quantity: c.options(), Granted: c.options()}},
	}
	for _, one := range c.SAFEs {
		multiple := exact.NewDecimal(1)
		if one.Multiple != nil {
			multiple = one.Multiple.Decimal
		}
		out.Convertibles = append(out.Convertibles, waterfall.Convertible{
			ID: one.ID, Amount: one.Amount.Decimal, CashOut: one.Amount.Mul(multiple),
			Cap: one.Cap.Decimal, PostMoney: one.CapBasis != conversion.PreMoney, Discount: one.Discount.Decimal,
		})
	}
	return out
}

// forced returns the stack without the cash alternative.
func (c liquidityCase) forced(stack waterfall.Stack) waterfall.Stack {
	out := stack
	out.Convertibles = make([]waterfall.Convertible, len(stack.Convertibles))
	for i, one := range stack.Convertibles {
		one.CashOut = exact.Decimal{}
		out.Convertibles[i] = one
	}
	return out
}

// converting adds the result with forced conversion.
func (a *liquidityAnswer) converting(out waterfall.Outcome, base exact.Decimal) {
	sum := base.Rat()
	for _, claim := range out.Claims {
		if claim.Kind == waterfall.OfConvertible {
			a.Shares[claim.ID] = shares(exact.RoundDown(claim.Shares, 0))
			sum.Add(sum, claim.Shares)
		}
	}
	a.Capitalization = long(sum)
}

// chosen adds the result with the choice.
func (a *liquidityAnswer) chosen(out waterfall.Outcome) {
	a.PerShare = long(out.SharePrice)
	for _, claim := range out.Claims {
		if claim.Kind == waterfall.OfConvertible {
			a.Converts[claim.ID] = claim.Converts
			a.Paid[claim.ID] = claim.Amount
		}
	}
}
