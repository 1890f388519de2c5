package exit

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/waterfall"
)

// Kind is the kind of a claim at a sale: shares of a class, or the type of a grant or an
// instrument.
type Kind string

// KindShares is the kind of the claim of a class of shares.
const KindShares Kind = "shares"

// Outcome is the result of a sale at each of the prices.
type Outcome struct {
	Date     captable.Date `json:"date"`
	Currency string        `json:"currency"`
	// Claims are the paid claims in this order: classes, convertibles with a fixed number of
	// common shares, grants, warrants, then other convertibles and interest that is paid in cash.
	Claims []Claim `json:"claims"`
	// Values are the prices in the order of the terms.
	Values []Value `json:"values"`
}

// Claim is the claim of a class, a grant or an instrument in the proceeds of a sale.
type Claim struct {
	Kind Kind `json:"kind"`
	// ID is the id of the class or the holding.
	ID     string            `json:"id"`
	Entity captable.EntityID `json:"entity,omitzero"`
	// Name is the name of the class or the holder.
	Name string `json:"name"`
	// Shares is the number of shares of a class, or the exercisable quantity of an option.
	Shares captable.Decimal `json:"shares,omitzero"`
	// Preference is the amount that a class receives before common shares.
	Preference captable.Decimal `json:"preference,omitzero"`
	// Strike is the exercise price per share.
	Strike *captable.Decimal `json:"strike,omitempty"`
	// CashOut is the payment of a convertible that does not convert.
	CashOut *captable.Decimal `json:"cashOut,omitempty"`
	// Terms describes the claim in a sentence.
	Terms string `json:"terms"`
}

// Value is a sale at one price. Value is the sum of the costs, the remainder and the
// payments of the holders. The payments of the claims have the same sum as those of the
// holders.
type Value struct {
	Value captable.Decimal `json:"value"`
	Costs captable.Decimal `json:"costs"`
	// Remaining is the amount without a claim.
	Remaining captable.Decimal `json:"remaining"`
	// PricePerShare is the payment per common share, rounded down.
	PricePerShare captable.Decimal `json:"pricePerShare"`
	// Claims are in the order of the claims of the outcome.
	Claims []Paid `json:"claims"`
	// Holders are in descending order of their payments. Terms may limit the list.
	Holders []Holder `json:"holders"`
}

// Paid is the payment of one claim.
type Paid struct {
	ID string `json:"id"`
	// Converts reports whether the claim converts or is exercised.
	Converts bool `json:"converts"`
	// Shares is the number of participating common shares, or the exercised quantity of an
	// option.
	Shares captable.Decimal `json:"shares"`
	Amount captable.Decimal `json:"amount"`
}

// Holder is the total payment of one holder.
type Holder struct {
	Entity captable.EntityID `json:"entity"`
	Name   string            `json:"name"`
	Amount captable.Decimal  `json:"amount"`
	// Percent is the fraction of the payments of all holders. The fractions sum to exactly 1.
	Percent captable.Decimal `json:"percent"`
	// Payouts are the payments by claim, without zero amounts.
	Payouts []Payout `json:"payouts"`
}

// Payout is the payment of one holder for one claim.
type Payout struct {
	ID     string           `json:"id"`
	Shares captable.Decimal `json:"shares"`
	Amount captable.Decimal `json:"amount"`
}

func (e *sale) outcome(paid []waterfall.Outcome, name func(captable.EntityID) string) Outcome {
	out := Outcome{Date: e.terms.Date, Currency: e.own, Claims: append([]Claim{}, e.lines...), Values: []Value{}}
	for _, at := range paid {
		out.Values = append(out.Values, e.value(at, name))
	}
	return out
}

func (e *sale) value(paid waterfall.Outcome, name func(captable.EntityID) string) Value {
	out := Value{
		Value: paid.Value, Costs: paid.Costs, Remaining: paid.Remaining, PricePerShare: exact.RoundDown(paid.SharePrice, exact.Places),
		Claims: []Paid{}, Holders: []Holder{},
	}
	for n, claim := range paid.Claims {
		out.Claims = append(out.Claims, Paid{e.lines[n].ID, claim.Converts, exact.RoundDown(claim.Shares, exact.Places), claim.Amount})
	}
	places := map[captable.EntityID]int{}
	for _, payout := range paid.Payouts {
		entity, _ := captable.ParseID[captable.Entity](payout.Holder) // formatted from an entity id
		at, known := places[entity]
		if !known {
			at = len(out.Holders)
			places[entity] = at
			out.Holders = append(out.Holders, Holder{Entity: entity, Name: name(entity), Payouts: []Payout{}})
		}
		if payout.Amount.IsZero() {
			continue
		}
		line, _ := strconv.Atoi(payout.ID) // the id of the payout is the index of the line
		out.Holders[at].Amount = out.Holders[at].Amount.Add(payout.Amount)
		out.Holders[at].Payouts = append(out.Holders[at].Payouts, Payout{e.lines[line].ID, payout.Shares, payout.Amount})
	}
	slices.SortFunc(out.Holders, func(a, b Holder) int {
		return cmp.Or(b.Amount.Cmp(a.Amount), bytes.Compare(a.Entity[:], b.Entity[:]))
	})
	amounts := make([]captable.Decimal, len(out.Holders))
	for i, holder := range out.Holders {
		amounts[i] = holder.Amount
	}
	for i, percent := range exact.Percentages(amounts) {
		out.Holders[i].Percent = percent
	}
	if listed := e.terms.Holders; listed != nil {
		out.Holders = slices.DeleteFunc(out.Holders, func(h Holder) bool { return !slices.Contains(listed, h.Entity) })
	}
	return out
}

// ofClass describes the claim of a class. Ratio is the number of common shares per share.
func (c *Claim) ofClass(class waterfall.Class, ratio captable.Decimal) string {
	if class.Price.IsZero() || class.Multiple.IsZero() {
		return c.Shares.String() + " shares take part in the remaining proceeds, each as " + ratio.String() + " of common."
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
func (c *Claim) ofOption(granted captable.Decimal, security *captable.Security) string {
	return c.Shares.String() + " of " + granted.String() + " shares of " + security.Name + " are exercised where one gets more than " +
		c.Strike.String() + "."
}

// ofPreference describes the preference of the shares that a right gives.
func (c *Claim) ofPreference(class waterfall.Class) string {
	if class.Price.IsZero() || class.Multiple.IsZero() {
		return ""
	}
	return " The shares have a preference of " + class.Multiple.String() + " times " + class.Price.String() + " each, at seniority " +
		strconv.Itoa(class.Seniority) + "."
}

// ofConvertible describes the claim of a convertible.
func (c *Claim) ofConvertible(made waterfall.Convertible, fixed *captable.FixedConversion) string {
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
