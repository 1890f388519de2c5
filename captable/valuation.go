package captable

import (
	"slices"

	"equity/fault"
)

// ValuationTerms are the fields of a valuation that its owners set.
type ValuationTerms struct {
	// Security is the valued class; zero for a valuation of the whole company.
	Security SecurityID `json:"security,omitzero"`
	// Type is 409A (26 CFR 1.409A-1), funding, board or other.
	Type          string `json:"type"`
	EffectiveDate Date   `json:"effectiveDate"`
	// ExpiresOn is the first day after the validity of the valuation; zero if it is unlimited.
	ExpiresOn     Date     `json:"expiresOn,omitzero"`
	PricePerShare *Money   `json:"pricePerShare,omitempty"`
	CompanyValue  *Money   `json:"companyValue,omitempty"`
	Provider      string   `json:"provider,omitempty"`
	Document      string   `json:"document,omitempty"`
	ExternalID    string   `json:"externalId,omitempty"`
	Comments      []string `json:"comments,omitempty"`
}

// Valuation is a stated value of a share or of the company from a day on.
type Valuation struct {
	ID ValuationID `json:"id"`
	ValuationTerms
	Meta
}

// ValuationCreated records a new valuation.
type ValuationCreated struct {
	ID     ValuationID    `json:"id"`
	Terms  ValuationTerms `json:"terms"`
	Source *Source        `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (ValuationCreated) EventType() string { return "valuationCreated" }

// Creates returns the valuation.
func (e ValuationCreated) Creates() []Created { return []Created{{e.ID, kindValuation}} }

// Records returns the valuation.
func (e ValuationCreated) Records(s *State) []any { return records(s.Valuation(e.ID)) }

// ValuationChanged records other terms of a valuation.
type ValuationChanged struct {
	ID    ValuationID    `json:"id"`
	Terms ValuationTerms `json:"terms"`
}

// EventType returns the name of the event in the journal.
func (ValuationChanged) EventType() string { return "valuationChanged" }

// Creates returns nil: the event creates no record.
func (ValuationChanged) Creates() []Created { return nil }

// Records returns the valuation.
func (e ValuationChanged) Records(s *State) []any { return records(s.Valuation(e.ID)) }

// PutValuation is the command to create a valuation, or to replace the terms of the one with the
// id.
type PutValuation struct {
	ID ValuationID `json:"id,omitzero"`
	ValuationTerms
	Source *Source `json:"-"`
}

// decide creates a valuation, or replaces the terms of an existing one.
func (c PutValuation) decide(s *State, m DecideContext) ([]Event, error) {
	if !c.ID.IsZero() {
		if _, err := findValuation(s, c.ID); err != nil {
			return nil, err
		}
	}
	if err := c.faults(s, m).Err(); err != nil {
		return nil, err
	}
	if err := s.externalIDs.checkUnused(kindValuation, c.ExternalID, c.ID); err != nil {
		return nil, err
	}
	c.PricePerShare = c.quoted(s, m)
	if c.ID.IsZero() {
		return []Event{ValuationCreated{ID: m.NewID(), Terms: c.ValuationTerms, Source: c.Source}}, nil
	}
	return []Event{ValuationChanged{ID: c.ID, Terms: c.ValuationTerms}}, nil
}

// quoted returns the stored price of an existing valuation if the command repeats its present
// shown price, else the price of the command. This prevents a second restatement of an unchanged
// price.
func (c PutValuation) quoted(s *State, m DecideContext) *Money {
	known, ok := s.Valuation(c.ID)
	if !ok || known.PricePerShare == nil || c.PricePerShare == nil || known.Security != c.Security || known.EffectiveDate != c.EffectiveDate {
		return c.PricePerShare
	}
	if shown := s.ValuationOn(known, max(m.today(), s.LastDate())).PricePerShare; *shown == *c.PricePerShare {
		return known.PricePerShare
	}
	return c.PricePerShare
}

// faults returns the invalid fields, for example a valuation without a value, a price without a
// class, or an end before the beginning.
func (t *ValuationTerms) faults(s *State, m DecideContext) fault.Fields {
	var faults fault.Fields
	if !slices.Contains([]string{"409A", "funding", "board", "other"}, t.Type) {
		faults.Add("/type", "enum", "The type must be 409A, funding, board or other.")
	}
	m.checkDate(&faults, "/effectiveDate", t.EffectiveDate)
	if !t.ExpiresOn.IsZero() && t.ExpiresOn <= t.EffectiveDate {
		faults.Add("/expiresOn", "beforeStart", "The expiration date must be after the effective date, "+t.EffectiveDate.String()+".")
	}
	t.PricePerShare.check(&faults, "/pricePerShare")
	t.CompanyValue.check(&faults, "/companyValue")
	switch {
	case t.PricePerShare == nil && t.Type == "409A":
		faults.Add("/pricePerShare", "required", "A 409A valuation requires a price per share.")
	case t.PricePerShare == nil && t.CompanyValue == nil:
		faults.Add("/pricePerShare", "required", "A valuation requires a price per share, the value of the company, or both.")
	}
	if _, known := s.Security(t.Security); !known {
		if !t.Security.IsZero() {
			faults.Add("/security", "unknownReference", "There is no such security.")
		} else if t.PricePerShare != nil {
			faults.Add("/security", "required", "The security of the price per share is required.")
		}
	}
	return faults
}

func (e ValuationCreated) apply(s *State, stamp Stamp) {
	s.valuations.Set(e.ID, &Valuation{ID: e.ID, ValuationTerms: e.Terms, Meta: NewMeta(stamp)})
	s.externalIDs.set(kindValuation, "", e.Terms.ExternalID, e.ID)
}

func (e ValuationChanged) apply(s *State, stamp Stamp) {
	touch(s.valuations, e.ID, stamp, func(v *Valuation) {
		s.externalIDs.set(kindValuation, v.ExternalID, e.Terms.ExternalID, e.ID)
		v.ValuationTerms = e.Terms
	})
}

// Valuation returns the valuation with the id.
func (s *State) Valuation(id ValuationID) (*Valuation, bool) { return s.valuations.Get(id) }

func findValuation(s *State, id ValuationID) (*Valuation, error) {
	if valuation, ok := s.Valuation(id); ok {
		return valuation, nil
	}
	return nil, fault.Refuse(fault.NotFound, "There is no such valuation.")
}

// valued returns the latest valuation of the class in effect by the end of the day, with its
// exact price per share of that day; nil without a valuation. Expired valuations count only if
// expired is set.
func valued(s *State, id SecurityID, day Date, expired bool) (*Valuation, *ExactPrice) {
	var latest *Valuation
	for v := range s.Valuations() {
		inForce := expired || v.ExpiresOn.IsZero() || day < v.ExpiresOn
		if v.Security != id || v.PricePerShare == nil || v.EffectiveDate > day || !inForce {
			continue
		}
		if latest == nil || v.EffectiveDate >= latest.EffectiveDate {
			latest = v
		}
	}
	if latest == nil {
		return nil, nil
	}
	return latest, s.classes.quotedOn(latest, day)
}

// quotedOn returns the price of a valuation per share of the day. The stored price is per share
// of the effective date.
func (c *classes) quotedOn(v *Valuation, day Date) *ExactPrice {
	amount := v.PricePerShare.Amount.Rat()
	if security, known := c.securities.Get(v.Security); known {
		amount.Quo(amount, security.growth(v.EffectiveDate, day))
	}
	return &ExactPrice{Amount: amount, Currency: v.PricePerShare.Currency}
}

// ValuationOn returns the valuation with its price in shares of the day, rounded half up.
func (s *State) ValuationOn(v *Valuation, day Date) *Valuation {
	if v.PricePerShare == nil {
		return v
	}
	was := *v
	was.PricePerShare = new(Money(*s.classes.quotedOn(v, max(day, v.EffectiveDate)).price()))
	return &was
}

// PriceOn returns the price per share of the day by the latest valuation in force, rounded half
// up; nil if none is in force.
func (s *State) PriceOn(id SecurityID, day Date) *Money {
	if _, quote := valued(s, id, day, false); quote != nil {
		return new(Money(*quote.price()))
	}
	return nil
}
