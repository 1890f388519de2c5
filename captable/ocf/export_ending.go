package ocf

import "equity/captable"

func (x *Exporter) ended(e captable.ShareholdingEnded) {
	t := &transaction{place: x.place(e.Source), source: e.Source, date: e.Date, about: e.From}
	t.object = func() any { return x.ending(e) }
	for _, id := range e.From {
		if h := x.holdings[id]; h != nil {
			h.ended = e.Date
		}
	}
	for _, issue := range e.Results {
		x.issued(issue)
	}
	if e.Balance != nil {
		x.issued(*e.Balance)
	}
	x.transactions = append(x.transactions, t)
	if pool := x.awardPool(e); !pool.IsZero() && e.Returns && e.Source == nil {
		x.returned(pool, x.security(e.From[0]), e.Shares, &transaction{date: e.Date, about: e.From})
	}
}

// awardPool returns the pool of awarded shares that were cancelled or bought back, or zero.
func (x *Exporter) awardPool(e captable.ShareholdingEnded) (pool captable.PoolID) {
	if h := x.holdings[e.From[0]]; h != nil && (e.Kind == captable.StatusCancelled || e.Kind == captable.StatusRepurchased) {
		return h.now.Pool
	}
	return pool
}

// endingObject combines the fields of all transactions that end securities. Each type uses a
// subset.
type endingObject struct {
	ID            string            `json:"id"`
	Type          string            `json:"object_type"`
	Date          captable.Date     `json:"date"`
	Security      string            `json:"security_id,omitempty"`
	Securities    []string          `json:"security_ids,omitempty"`
	Quantity      *captable.Decimal `json:"quantity,omitempty"`
	Converted     *captable.Decimal `json:"quantity_converted,omitempty"`
	Price         *captable.Money   `json:"price,omitempty"`
	Settled       captable.Date     `json:"settlement_date,omitzero"`
	Released      *captable.Money   `json:"release_price,omitempty"`
	Results       []string          `json:"resulting_security_ids,omitempty"`
	Result        string            `json:"resulting_security_id,omitempty"`
	Balance       string            `json:"balance_security_id,omitempty"`
	Reason        string            `json:"reason_text,omitempty"`
	Consideration string            `json:"consideration_text,omitempty"`
	Comments      []string          `json:"comments,omitempty"`
}

// ending returns the transaction for ended securities. Transfers, conversions and repurchases
// have no reason field; their reason is a comment.
func (x *Exporter) ending(e captable.ShareholdingEnded) endingObject {
	object := endingObject{ID: e.From[0].String() + "-" + string(e.Kind), Date: e.Date, Security: x.security(e.From[0])}
	for _, issue := range e.Results {
		object.Results = append(object.Results, x.security(issue.ID))
	}
	if e.Balance != nil {
		object.Balance = x.security(e.Balance.ID)
	}
	switch e.Kind {
	case captable.StatusTransferred:
		object.Type, object.Quantity = typeTransfer, &e.Shares
		object.comment(e.TransferKind, e.Reason)
		if price := x.money(e.Price); price != nil {
			object.Consideration = price.Amount.String() + " " + price.Currency + " a share"
		}
	case captable.StatusConverted:
		object.Type, object.Converted = typeConversion, &e.Shares
		object.comment(e.Reason)
		if e.CashFraction.Sign() > 0 {
			object.comment(e.CashFraction.String() + " of a share was paid in cash.")
		}
	case captable.StatusRepurchased:
		object.Type, object.Quantity = typeRepurchase, &e.Shares
		object.Price = &captable.Money{Currency: x.currency}
		if e.Price != nil {
			object.Price = x.money(e.Price)
		}
		object.comment(e.Reason)
		if e.ToTreasury {
			object.comment(commentTreasury)
		}
	case captable.StatusCancelled:
		object.Type, object.Quantity, object.Reason = typeCancellation, &e.Shares, reason(e.Reason, "Cancelled.")
	case captable.StatusRetracted:
		object.Type, object.Reason = typeRetraction, reason(e.Reason, "Retracted.")
	case captable.StatusReissued:
		object.Type, object.Reason = typeReissuance, e.Reason
	case captable.StatusConsolidated:
		object.Type, object.Reason = typeConsolidation, e.Reason
		for _, id := range e.From {
			object.Securities = append(object.Securities, x.security(id))
		}
		object.Security = ""
		if len(object.Results) > 0 {
			object.Result, object.Results = object.Results[0], nil
		}
	case captable.StatusActive, captable.StatusAccepted, captable.StatusVoided, captable.StatusRepaid,
		captable.StatusExercised, captable.StatusReleased, captable.StatusForfeited, captable.StatusExpired: // these statuses do not end a security
	}
	if x.returnsTo(x.awardPool(e)) && !e.Returns {
		object.comment(commentRetired)
	}
	return object
}

func (o *endingObject) comment(texts ...string) {
	for _, text := range texts {
		if text != "" {
			o.Comments = append(o.Comments, text)
		}
	}
}

// reason returns the given reason, or the default for a required field if it is empty.
func reason(given, otherwise string) string {
	if given == "" {
		return otherwise
	}
	return given
}
