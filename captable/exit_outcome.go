package captable

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"equity/captable/exact"
	"equity/captable/waterfall"
)

// ExitKind is the kind of a claim at a sale: shares of a class, or the type of a grant or an
// instrument.
type ExitKind string

// ExitShares is the kind of the claim of a class of shares.
const ExitShares ExitKind = "shares"

// ExitOutcome is the result of a sale at each of the prices.
type ExitOutcome struct {
	Date     Date   `json:"date"`
	Currency string `json:"currency"`
	// Claims are the paid claims in this order: classes, convertibles with a fixed number of
	// shares, grants, warrants, then other convertibles and interest that is paid in cash.
	Claims []ExitClaim `json:"claims"`
	// Values are the prices in the order of the terms.
	Values []ExitValue `json:"values"`
}

// ExitClaim is the claim of a class, a grant or an instrument in the proceeds of a sale.
type ExitClaim struct {
	Kind ExitKind `json:"kind"`
	// ID is the id of the class or the holding.
	ID     string   `json:"id"`
	Entity EntityID `json:"entity,omitzero"`
	// Name is the name of the class or the holder.
	Name string `json:"name"`
	// Shares is the number of shares of a class, or the exercisable quantity of an option.
	Shares Decimal `json:"shares,omitzero"`
	// Preference is the amount that a class receives before common shares.
	Preference Decimal `json:"preference,omitzero"`
	// Strike is the exercise price per share.
	Strike *Decimal `json:"strike,omitempty"`
	// CashOut is the payment of a convertible that does not convert.
	CashOut *Decimal `json:"cashOut,omitempty"`
	// Terms describes the claim in a sentence.
	Terms string `json:"terms"`
}

// ExitValue is a sale at one price. Value is the sum of the costs, the remainder and the
// payments of the holders. The payments of the claims have the same sum as those of the
// holders.
type ExitValue struct {
	Value Decimal `json:"value"`
	Costs Decimal `json:"costs"`
	// Remaining is the amount without a claim.
	Remaining Decimal `json:"remaining"`
	// PricePerShare is the payment per common share, rounded down.
	PricePerShare Decimal `json:"pricePerShare"`
	// Claims are in the order of the claims of the outcome.
	Claims []ExitPaid `json:"claims"`
	// Holders are in descending order of their payments.
	Holders []ExitHolder `json:"holders"`
}

// ExitPaid is the payment of one claim.
type ExitPaid struct {
	ID string `json:"id"`
	// Converts reports whether the claim converts or is exercised.
	Converts bool `json:"converts"`
	// Shares is the number of participating common shares, or the exercised quantity of an
	// option.
	Shares Decimal `json:"shares"`
	Amount Decimal `json:"amount"`
}

// ExitHolder is the total payment of one holder.
type ExitHolder struct {
	Entity EntityID `json:"entity"`
	Name   string   `json:"name"`
	Amount Decimal  `json:"amount"`
	// Percent is the fraction of the payments of all holders. The fractions sum to exactly 1.
	Percent Decimal `json:"percent"`
	// Payouts are the payments by claim, without zero amounts.
	Payouts []ExitPayout `json:"payouts"`
}

// ExitPayout is the payment of one holder for one claim.
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
		entity, _ := ParseID[Entity](payout.Holder) // formatted from an entity id
		at, known := places[entity]
		if !known {
			at = len(out.Holders)
			places[entity] = at
			out.Holders = append(out.Holders, ExitHolder{Entity: entity, Name: name(entity), Payouts: []ExitPayout{}})
		}
		if payout.Amount.IsZero() {
			continue
		}
		line, _ := strconv.Atoi(payout.ID) // the id of the payout is the index of the line
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

// ofClass describes the claim of a class. Ratio is the number of common shares per share.
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

// ofOption describes the claim of an option.
func (c *ExitClaim) ofOption(granted Decimal, security *Security) string {
	return c.Shares.String() + " of " + granted.String() + " shares of " + security.Name + " are exercised where one gets more than " +
		c.Strike.String() + "."
}

// ofConvertible describes the claim of a convertible.
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
