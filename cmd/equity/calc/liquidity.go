package calc

import (
	"errors"
	"strconv"

	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/captable/waterfall"
)

// liquidityCase is a sale of a company with SAFEs and notes. What is left of the pool is
// nobody's and gets nothing; the promised options count when they are paid.
type liquidityCase struct {
	Proceeds *number         `json:"proceeds"`
	Common   number          `json:"common"`
	Granted  number          `json:"options_granted"`
	Promised number          `json:"options_promised"`
	Paid     bool            `json:"promised_options_paid"`
	SAFEs    []liquiditySAFE `json:"safes"`
}

// liquiditySAFE takes the greater of its cash-out, a multiple of the amount, and of what it
// converts into.
type liquiditySAFE struct {
	ID       string              `json:"id"`
	Amount   number              `json:"amount"`
	Cap      number              `json:"cap"`
	CapBasis conversion.CapBasis `json:"cap_basis"`
	Discount number              `json:"discount"`
	Multiple *number             `json:"exit_multiple"`
}

// liquidityAnswer is who converts and who is paid what. Capitalization and shares are those
// with everybody converting, the price is that of a common share as it comes out.
type liquidityAnswer struct {
	Capitalization string                   `json:"liquidity_capitalization_all_converting"`
	PerShare       string                   `json:"per_share"`
	Shares         map[string]shares        `json:"as_converted_shares"`
	Converts       map[string]bool          `json:"converts"`
	Paid           map[string]exact.Decimal `json:"paid"`
}

// mostSAFEs is how many may choose between cash and shares: each choice depends on all others.
const mostSAFEs = 200

// liquidityOf sells the company twice: once with nothing to choose but shares, and once
// with the choice.
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

// check refuses what the stack does not know of.
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

// options are those that share in the sale.
func (c liquidityCase) options() exact.Decimal {
	if c.Paid {
		return c.Granted.Add(c.Promised.Decimal)
	}
	return c.Granted.Decimal
}

// base is everything but what converts.
func (c liquidityCase) base() exact.Decimal { return c.Common.Add(c.options()) }

// stack gives the case in the domain's terms: options share as if they cost nothing, and
// nobody's amounts are rounded.
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

// forced leaves nobody any cash to take.
func (c liquidityCase) forced(stack waterfall.Stack) waterfall.Stack {
	out := stack
	out.Convertibles = make([]waterfall.Convertible, len(stack.Convertibles))
	for i, one := range stack.Convertibles {
		one.CashOut = exact.Decimal{}
		out.Convertibles[i] = one
	}
	return out
}

// converting reads what there is when everybody converts.
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

// chosen reads what comes out when everybody may choose.
func (a *liquidityAnswer) chosen(out waterfall.Outcome) {
	a.PerShare = long(out.SharePrice)
	for _, claim := range out.Claims {
		if claim.Kind == waterfall.OfConvertible {
			a.Converts[claim.ID] = claim.Converts
			a.Paid[claim.ID] = claim.Amount
		}
	}
}
