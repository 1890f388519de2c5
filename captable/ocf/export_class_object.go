package ocf

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"

	"equity/captable"
	"equity/captable/exact"
)

type (
	classObject struct {
		ID          string            `json:"id"`
		Type        string            `json:"object_type"`
		Name        string            `json:"name"`
		Kind        string            `json:"class_type"`
		Prefix      string            `json:"default_id_prefix"`
		Authorized  string            `json:"initial_shares_authorized"`
		Board       captable.Date     `json:"board_approval_date,omitzero"`
		Stockholder captable.Date     `json:"stockholder_approval_date,omitzero"`
		Votes       captable.Decimal  `json:"votes_per_share"`
		ParValue    *captable.Money   `json:"par_value,omitempty"`
		Price       *captable.Money   `json:"price_per_share,omitempty"`
		Seniority   string            `json:"seniority"`
		Conversion  []rightObject     `json:"conversion_rights,omitempty"`
		Preference  *captable.Decimal `json:"liquidation_preference_multiple,omitempty"`
		Cap         *captable.Decimal `json:"participation_cap_multiple,omitempty"`
		Comments    []string          `json:"comments,omitempty"`
	}
	rightObject struct {
		Type      string          `json:"type"`
		Mechanism mechanismObject `json:"conversion_mechanism"`
		Class     string          `json:"converts_to_stock_class_id"`
	}
	mechanismObject struct {
		Type     string         `json:"type"`
		Price    captable.Money `json:"conversion_price"`
		Ratio    captable.Ratio `json:"ratio"`
		Rounding string         `json:"rounding_type"`
	}
)

// class returns the class object. Later limits are separate transactions.
func (x *Exporter) class(c *class) json.RawMessage {
	initial := c.limits[c.initial()].total
	changed := c.changed || initial != c.stated.initial().AuthorizedShares
	return written(
		c.source, changed, x.classObject(c, c.stated.initial(), c.stated.initial().AuthorizedShares), x.classObject(c, c.now, initial),
	)
}

// classObject returns a class with its initial limit; later limits are transactions. A
// required field without a known value has its neutral value, such as a seniority of 0.
func (x *Exporter) classObject(c *class, terms captable.SecurityTerms, initial captable.Authorized) classObject {
	object := classObject{
		ID: c.id, Type: typeClass, Name: terms.Name, Kind: "COMMON", Prefix: terms.Prefix, Authorized: initial.Shares.String(),
		Board: terms.BoardApprovalDate, Stockholder: terms.StockholderApprovalDate,
		ParValue: x.money(terms.ParValue), Price: x.money(terms.Price), Seniority: "0",
		Preference: terms.LiquidationPreferenceMultiple, Cap: terms.ParticipationCapMultiple, Comments: c.comments(terms),
	}
	if initial.Unlimited {
		object.Authorized = authorizedUnlimited
	}
	if terms.ShareType == captable.SharePreferred {
		object.Kind = "PREFERRED"
	}
	if object.Prefix != "" {
		object.Prefix += "-"
	}
	switch {
	case terms.VotesPerShare != nil:
		object.Votes = *terms.VotesPerShare
	case terms.VotingShares:
		object.Votes = exact.NewDecimal(1)
	}
	if terms.Seniority != nil {
		object.Seniority = strconv.Itoa(*terms.Seniority)
	}
	if into := terms.Conversion; into != nil && x.classes[into.Security] != nil {
		object.Conversion = []rightObject{x.right(terms, into)}
	}
	return object
}

// comments returns the comments of a class, including facts for which the format has no field.
func (c *class) comments(terms captable.SecurityTerms) []string {
	comments := slices.Clone(terms.Comments)
	if !c.first.IsZero() {
		comments = append(comments, commentFirstDay+c.first.String())
	}
	if terms.FractionalShares {
		comments = append(comments, commentFractional)
	}
	if terms.Participation != "" && terms.ParticipationCapMultiple == nil {
		comments = append(comments, commentParticipation+terms.Participation)
	}
	return append(comments, figureFact(commentDividend, terms.DividendRate)...)
}

// right returns a conversion right. The effective conversion price is the class's price per
// share divided by the ratio.
func (x *Exporter) right(terms captable.SecurityTerms, into *captable.Conversion) rightObject {
	price := captable.Money{Currency: x.currency}
	if terms.Price != nil {
		price = *x.money(terms.Price)
		price.Amount = exact.RoundHalfUp(new(big.Rat).Quo(price.Amount.Rat(), into.Each()), exact.Places)
	}
	fraction, _ := captable.RatioOf(into.Each()) // the fraction of a settled conversion always fits
	return rightObject{
		Type: "STOCK_CLASS_CONVERSION_RIGHT", Class: x.classes[into.Security].id,
		Mechanism: mechanismObject{
			Type: "RATIO_CONVERSION", Price: price, Rounding: "FLOOR",
			Ratio: fraction,
		},
	}
}

// money converts a price to an amount with a currency, or returns nil if the price is nil.
func (x *Exporter) money(price *captable.Price) *captable.Money {
	if price == nil {
		return nil
	}
	money := captable.Money(*price)
	if money.Currency == "" {
		money.Currency = x.currency
	}
	return &money
}
