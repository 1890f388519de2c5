package ocf

import (
	"encoding/json"
	"math/big"
	"strconv"

	"equity/captable"
)

// class is a security as it was created and as it is. Terms are stated as they were
// before any split: whoever reads the package applies the splits to them.
type class struct {
	place    place
	source   *captable.Source
	was, now captable.SecurityTerms
	id       string
	changed  bool
	// limits are the authorized shares from their dates on; the first is the initial one.
	limits []limit
	// splits counts the splits so far; multiplied is all their ratios together.
	splits     int
	multiplied *big.Rat
}

// limit is a number of authorized shares, and the transaction that says so.
type limit struct {
	date               captable.Date
	total, was         captable.Authorized
	place              place
	source             *captable.Source
	id                 string
	board, stockholder captable.Date
}

func (x *Exporter) classCreated(e captable.SecurityCreated) {
	c := &class{
		place: x.place(e.Source), source: e.Source, id: x.name(typeClass, e.Terms.ExternalID, e.ID.String()), multiplied: big.NewRat(1, 1),
	}
	c.limits = []limit{{ // written as a transaction only if an earlier one takes its place
		date: e.Terms.BoardApprovalDate, total: e.Terms.AuthorizedShares, was: e.Terms.AuthorizedShares,
		place: c.place, id: e.ID.String() + "-authorized-0",
	}}
	x.classes[e.ID] = c
	c.was, c.now = e.Terms, e.Terms
	if e.Source == nil {
		c.now = x.unsplit(c, e.Terms)
	}
}

func (x *Exporter) classChanged(e captable.SecurityChanged) {
	c := x.classes[e.ID]
	if c == nil {
		return
	}
	if last := c.limits[len(c.limits)-1].total; last != e.Terms.AuthorizedShares {
		x.limit(c, limit{date: e.EffectiveDate, total: e.Terms.AuthorizedShares, place: x.place(nil)}, e.ID)
	}
	c.now, c.changed = x.unsplit(c, e.Terms), true
}

// unsplit states present terms as they would have been before the splits so far.
func (x *Exporter) unsplit(c *class, terms captable.SecurityTerms) captable.SecurityTerms {
	price := func(now, known *captable.Price) *captable.Price {
		if now == nil || c.splits == 0 {
			return now
		}
		if known != nil && known.Currency == now.Currency && scaled(known.Amount, new(big.Rat).Inv(c.multiplied)).Equal(now.Amount) {
			return known
		}
		return &captable.Price{Amount: scaled(now.Amount, c.multiplied), Currency: now.Currency}
	}
	terms.Price, terms.ParValue = price(terms.Price, c.now.Price), price(terms.ParValue, c.now.ParValue)
	into := terms.Conversion
	if into == nil {
		return terms
	}
	factor := new(big.Rat).Set(c.multiplied)
	if target := x.classes[into.Security]; target != nil {
		factor.Quo(factor, target.multiplied)
	}
	known := c.now.Conversion
	if known == nil || known.Security != into.Security || !scaled(known.Ratio, new(big.Rat).Inv(factor)).Equal(into.Ratio) {
		known = &captable.Conversion{Security: into.Security, Ratio: scaled(into.Ratio, factor)}
	}
	terms.Conversion = known
	return terms
}

func scaled(number captable.Decimal, by *big.Rat) captable.Decimal {
	return captable.RoundHalfUp(new(big.Rat).Mul(number.Rat(), by), captable.Places)
}

func (x *Exporter) authorized(e captable.SharesAuthorized) {
	if c := x.classes[e.ID]; c != nil {
		x.limit(c, limit{
			date: e.EffectiveDate, total: e.Authorized, place: x.place(e.Source), source: e.Source,
			board: e.BoardApprovalDate, stockholder: e.StockholderApprovalDate,
		}, e.ID)
	}
}

// limit enters a limit from a date on, as the cap table does: those that began later
// move by as much as the present one changed.
func (x *Exporter) limit(c *class, l limit, of captable.SecurityID) {
	l.was = l.total
	l.id = of.String() + "-authorized-" + strconv.Itoa(len(c.limits))
	present, wanted := c.limits[len(c.limits)-1].total, l.total
	at := len(c.limits)
	for at > 0 && c.limits[at-1].date > l.date {
		at--
	}
	l.total = captable.Authorized{}
	if at > 0 {
		l.total = c.limits[at-1].total
	}
	c.limits = append(c.limits, limit{})
	copy(c.limits[at+1:], c.limits[at:])
	c.limits[at] = l
	for i := at; i < len(c.limits); i++ {
		c.limits[i].total = moved(c.limits[i].total, present, wanted)
	}
}

// moved is a limit after the present one changed.
func moved(limit, from, to captable.Authorized) captable.Authorized {
	switch {
	case from.Unlimited || to.Unlimited:
		return to
	case limit.Unlimited:
		return limit
	default:
		return captable.AuthorizedOf(limit.Shares.Add(to.Shares).Sub(from.Shares).Max(captable.Decimal{}))
	}
}

func (x *Exporter) split(e captable.SecuritySplit, stamp captable.Stamp) {
	c := x.classes[e.ID]
	if c == nil {
		return
	}
	c.splits++
	c.multiplied = new(big.Rat).Mul(c.multiplied, new(big.Rat).Quo(e.Ratio.Numerator.Rat(), e.Ratio.Denominator.Rat()))
	id := e.ID.String() + "-split-" + strconv.FormatUint(stamp.Sequence, 10)
	x.transactions = append(x.transactions, &transaction{
		place: x.place(e.Source), source: e.Source, date: e.Date, class: e.ID,
		object: func() any { return splitObject{id, typeSplit, e.Date, c.id, e.Ratio} },
	})
	if e.Authorized != c.limits[len(c.limits)-1].total {
		x.limit(c, limit{date: e.Date, total: e.Authorized, place: x.place(nil)}, e.ID)
	}
}

type (
	splitObject struct {
		ID    string         `json:"id"`
		Type  string         `json:"object_type"`
		Date  captable.Date  `json:"date"`
		Class string         `json:"stock_class_id"`
		Ratio captable.Ratio `json:"split_ratio"`
	}
	authorizedObject struct {
		ID          string           `json:"id"`
		Type        string           `json:"object_type"`
		Date        captable.Date    `json:"date"`
		Class       string           `json:"stock_class_id"`
		Shares      captable.Decimal `json:"new_shares_authorized"`
		Board       captable.Date    `json:"board_approval_date,omitzero"`
		Stockholder captable.Date    `json:"stockholder_approval_date,omitzero"`
	}
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

// initial is the place of the limit that a package states with the class. The format
// cannot say of a later limit that it is none: then that is the initial one.
func (c *class) initial() int {
	for i := len(c.limits) - 1; i > 0; i-- {
		if c.limits[i].total.Unlimited {
			return i
		}
	}
	return 0
}

// json writes the class; limits come as transactions of their own.
func (x *Exporter) class(c *class) json.RawMessage {
	initial := c.limits[c.initial()].total
	changed := c.changed || initial != c.was.AuthorizedShares
	return written(c.source, changed, x.classObject(c, c.was, c.was.AuthorizedShares), x.classObject(c, c.now, initial))
}

func (x *Exporter) classObject(c *class, terms captable.SecurityTerms, initial captable.Authorized) classObject {
	object := classObject{
		ID: c.id, Type: typeClass, Name: terms.Name, Kind: "COMMON", Prefix: terms.Prefix, Authorized: initial.Shares.String(),
		Board: terms.BoardApprovalDate, Stockholder: terms.StockholderApprovalDate,
		ParValue: x.money(terms.ParValue), Price: x.money(terms.Price), Seniority: "0",
		Preference: terms.LiquidationPreferenceMultiple, Cap: terms.ParticipationCapMultiple, Comments: terms.Comments,
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
		object.Votes = captable.NewDecimal(1)
	}
	if terms.Seniority != nil {
		object.Seniority = strconv.Itoa(*terms.Seniority)
	}
	if into := terms.Conversion; into != nil && x.classes[into.Security] != nil {
		object.Conversion = []rightObject{x.right(terms, into)}
	}
	return object
}

// right writes a right to be converted. The effective price of a share that comes of
// it is that of a share of the class over the ratio.
func (x *Exporter) right(terms captable.SecurityTerms, into *captable.Conversion) rightObject {
	price := captable.Money{Currency: x.currency}
	if terms.Price != nil && into.Ratio.Sign() > 0 {
		price = *x.money(terms.Price)
		price.Amount = captable.RoundHalfUp(new(big.Rat).Quo(price.Amount.Rat(), into.Ratio.Rat()), captable.Places)
	}
	return rightObject{
		Type: "STOCK_CLASS_CONVERSION_RIGHT", Class: x.classes[into.Security].id,
		Mechanism: mechanismObject{
			Type: "RATIO_CONVERSION", Price: price, Rounding: "FLOOR",
			Ratio: captable.Ratio{Numerator: into.Ratio, Denominator: captable.NewDecimal(1)},
		},
	}
}

// money gives a price with its currency; nil for none.
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
