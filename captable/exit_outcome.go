package captable

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"equity/captable/exact"
	"equity/captable/waterfall"
)

// ExitKind is what a claim at a sale is of: shares of a class, or the type of a grant or
// of an instrument.
type ExitKind string

// ExitShares are shares of a class.
const ExitShares ExitKind = "shares"

// ExitOutcome is what would come of a sale at each of the prices.
type ExitOutcome struct {
	Date     Date   `json:"date"`
	Currency string `json:"currency"`
	// Claims are what is paid: the classes, then what shares of a class are fixed, grants and
	// warrants, and the convertibles.
	Claims []ExitClaim `json:"claims"`
	// Values are the prices in the order of the terms.
	Values []ExitValue `json:"values"`
}

// ExitClaim is one thing that is paid at a sale.
type ExitClaim struct {
	Kind ExitKind `json:"kind"`
	// ID is that of the class or of the holding.
	ID     string   `json:"id"`
	Entity EntityID `json:"entity,omitzero"`
	// Name is the class's, or the holder's.
	Name string `json:"name"`
	// Shares are what there is of a class, and what of an option may be exercised.
	Shares Decimal `json:"shares,omitzero"`
	// Preference is what a class is paid before common.
	Preference Decimal `json:"preference,omitzero"`
	// Strike is what a share costs.
	Strike *Decimal `json:"strike,omitempty"`
	// CashOut is what a convertible is paid that does not convert.
	CashOut *Decimal `json:"cashOut,omitempty"`
	// Terms is a sentence about what it gets.
	Terms string `json:"terms"`
}

// ExitValue is a sale at one price. Value is the sum of costs, of what remains and of
// what the holders get, which is that of the claims.
type ExitValue struct {
	Value Decimal `json:"value"`
	Costs Decimal `json:"costs"`
	// Remaining is what nobody has a claim to.
	Remaining Decimal `json:"remaining"`
	// PricePerShare is what a common share gets, rounded down.
	PricePerShare Decimal `json:"pricePerShare"`
	// Claims stand in the order of the outcome's.
	Claims []ExitPaid `json:"claims"`
	// Holders come with who gets the most first.
	Holders []ExitHolder `json:"holders"`
}

// ExitPaid is what one claim gets.
type ExitPaid struct {
	ID string `json:"id"`
	// Converts is whether it converts or is exercised.
	Converts bool `json:"converts"`
	// Shares is how many common shares it shares as, or how many of an option are exercised.
	Shares Decimal `json:"shares"`
	Amount Decimal `json:"amount"`
}

// ExitHolder is what one holder gets for everything.
type ExitHolder struct {
	Entity EntityID `json:"entity"`
	Name   string   `json:"name"`
	Amount Decimal  `json:"amount"`
	// Percent is a fraction of what all get: they sum to exactly 1.
	Percent Decimal `json:"percent"`
	// Payouts are the parts of it that are something.
	Payouts []ExitPayout `json:"payouts"`
}

// ExitPayout is what one holder gets for one claim.
type ExitPayout struct {
	ID     string  `json:"id"`
	Shares Decimal `json:"shares"`
	Amount Decimal `json:"amount"`
}

func (e *exit) outcome(paid []waterfall.Outcome, name func(EntityID) string) ExitOutcome {
	out := ExitOutcome{Date: e.terms.Date, Currency: e.own, Claims: append([]ExitClaim{}, e.lines...), Values: []ExitValue{}}
	for _, at := range paid {
		out.Values = append(out.Values, e.value(at, name))
	}
	return out
}

func (e *exit) value(paid waterfall.Outcome, name func(EntityID) string) ExitValue {
	out := ExitValue{
		Value: paid.Value, Costs: paid.Costs, Remaining: paid.Remaining, PricePerShare: exact.RoundDown(paid.SharePrice, exact.Places),
		Claims: []ExitPaid{}, Holders: []ExitHolder{},
	}
	for n, claim := range paid.Claims {
		out.Claims = append(out.Claims, ExitPaid{e.lines[n].ID, claim.Converts, exact.RoundDown(claim.Shares, exact.Places), claim.Amount})
	}
	places := map[EntityID]int{}
	for _, payout := range paid.Payouts {
		entity, _ := ParseID[Entity](payout.Holder) // it was written by one
		at, known := places[entity]
		if !known {
			at = len(out.Holders)
			places[entity] = at
			out.Holders = append(out.Holders, ExitHolder{Entity: entity, Name: name(entity), Payouts: []ExitPayout{}})
		}
		if payout.Amount.IsZero() {
			continue
		}
		line, _ := strconv.Atoi(payout.ID) // it is the place of its line
		out.Holders[at].Amount = out.Holders[at].Amount.Add(payout.Amount)
		out.Holders[at].Payouts = append(out.Holders[at].Payouts, ExitPayout{e.lines[line].ID, payout.Shares, payout.Amount})
	}
	slices.SortFunc(out.Holders, func(a, b ExitHolder) int {
		return cmp.Or(b.Amount.Cmp(a.Amount), bytes.Compare(a.Entity[:], b.Entity[:]))
	})
	amounts := make([]Decimal, len(out.Holders))
	for i, holder := range out.Holders {
		amounts[i] = holder.Amount
	}
	for i, percent := range exact.Percentages(amounts) {
		out.Holders[i].Percent = percent
	}
	return out
}

// ofClass says what the shares of a class get. Each counts as so many of common.
func (c *ExitClaim) ofClass(class waterfall.Class, ratio Decimal) string {
	if class.Price.IsZero() || class.Multiple.IsZero() {
		return c.Shares.String() + " shares share what is left, each as " + ratio.String() + " of common."
	}
	first := "First " + c.Preference.String() + ", " + class.Multiple.String() + " times " + class.Price.String() + " a share, at seniority " +
		strconv.Itoa(class.Seniority)
	switch {
	case class.Participation == waterfall.Full:
		return first + "; besides, each shares as " + ratio.String() + " of common."
	case class.Participation == waterfall.Capped:
		return first + "; besides, each shares as " + ratio.String() + " of common, until it has " + class.CapMultiple.String() +
			" times its price; or it converts where that is more."
	case ratio.IsZero():
		return first + "; nothing besides."
	default:
		return first + "; or it converts into " + ratio.String() + " of common where that is more."
	}
}

// ofOption says what is exercised of an option.
func (c *ExitClaim) ofOption(granted Decimal, security *Security) string {
	return c.Shares.String() + " of " + granted.String() + " shares of " + security.Name + " are exercised where one gets more than " +
		c.Strike.String() + "."
}

// ofConvertible says by what a convertible converts.
func (c *ExitClaim) ofConvertible(made waterfall.Convertible, fixed *FixedConversion) string {
	cash := c.CashOut.String() + " in cash at seniority " + strconv.Itoa(made.Seniority)
	ways := ""
	switch {
	case fixed != nil:
		ways = "a part of " + fixed.Fraction.String() + " of the company"
	case !made.Cap.IsZero() && made.PostMoney:
		ways = made.Amount.String() + " at a cap of " + made.Cap.String() + ", itself included"
	case !made.Cap.IsZero():
		ways = made.Amount.String() + " at a cap of " + made.Cap.String() + ", itself not included"
	}
	if !made.Discount.IsZero() {
		if ways != "" {
			ways += ", or "
		}
		ways += made.Amount.String() + " at " + made.Discount.String() + " off the price of the sale"
	}
	if ways == "" {
		return cash + "."
	}
	return cash + ", or as shares where that is more: " + ways + "."
}
