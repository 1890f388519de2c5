package captable

import (
	"slices"

	"equity/fault"
)

// CapitalChangeTerms are the editable fields of a capital change.
type CapitalChangeTerms struct {
	// Kind is contribution (the holder pays in), distribution (the organization pays
	// out) or withdrawal (the holder takes out).
	Kind string `json:"kind"`
	// Amount is positive. The direction follows from the kind.
	Amount Money `json:"amount"`
	Date   Date  `json:"date"`
	// Shareholding is the related shareholding. The zero ID relates the change to the holder
	// as a whole.
	Shareholding ShareholdingID `json:"shareholding,omitzero"`
	Note         string         `json:"note,omitempty"`
	ExternalID   string         `json:"externalId,omitempty"`
	Comments     []string       `json:"comments,omitempty"`
}

// CapitalChange is a payment between a holder and the organization. It does not change the
// number of shares.
type CapitalChange struct {
	ID     CapitalChangeID `json:"id"`
	Entity EntityID        `json:"entity"`
	CapitalChangeTerms
	Meta
}

// CapitalChanged records a new capital change.
type CapitalChanged struct {
	ID     CapitalChangeID    `json:"id"`
	Entity EntityID           `json:"entity"`
	Terms  CapitalChangeTerms `json:"terms"`
}

// EventType returns the name of the event in the journal.
func (CapitalChanged) EventType() string { return "capitalChanged" }

// Creates returns the capital change.
func (e CapitalChanged) Creates() []Created { return []Created{{e.ID, kindCapitalChange}} }

// Records returns the capital change.
func (e CapitalChanged) Records(s *State) []any { return records(s.CapitalChange(e.ID)) }

// CapitalChangeAmended records the new terms of a capital change.
type CapitalChangeAmended struct {
	ID    CapitalChangeID    `json:"id"`
	Terms CapitalChangeTerms `json:"terms"`
}

// EventType returns the name of the event in the journal.
func (CapitalChangeAmended) EventType() string { return "capitalChangeAmended" }

// Creates returns nil: the event creates no record.
func (CapitalChangeAmended) Creates() []Created { return nil }

// Records returns the capital change.
func (e CapitalChangeAmended) Records(s *State) []any { return records(s.CapitalChange(e.ID)) }

// ChangeCapital enters a capital change of a holder.
type ChangeCapital struct {
	Entity EntityID `json:"-"`
	CapitalChangeTerms
}

// AmendCapitalChange changes the fields contained in the merge patch (RFC 7396). The capital
// change must belong to the entity.
type AmendCapitalChange struct {
	ID     CapitalChangeID
	Entity EntityID
	Patch  []byte
}

func (c ChangeCapital) decide(s *State, m DecideContext) ([]Event, error) {
	if _, known := m.Register.Holder(HolderRef{Entity: c.Entity}); !known {
		return nil, fault.Refuse(fault.NotFound, "There is no such holder in this organization.")
	}
	if err := c.faults(s, m, c.Entity).Err(); err != nil {
		return nil, err
	}
	if err := s.externalIDs.checkUnused(kindCapitalChange, c.ExternalID, [16]byte{}); err != nil {
		return nil, err
	}
	return []Event{CapitalChanged{ID: m.NewID(), Entity: c.Entity, Terms: c.CapitalChangeTerms}}, nil
}

// decide patches a capital change. A capital change of another holder is reported as not
// found, so that its owner is not disclosed.
func (c AmendCapitalChange) decide(s *State, m DecideContext) ([]Event, error) {
	change, ok := s.CapitalChange(c.ID)
	if !ok || change.Entity != c.Entity {
		return nil, fault.Refuse(fault.NotFound, "This holder has no such capital change.")
	}
	terms, err := Patched(change.CapitalChangeTerms, c.Patch)
	if err != nil {
		return nil, err
	}
	if err := terms.faults(s, m, c.Entity).Err(); err != nil {
		return nil, err
	}
	if err := s.externalIDs.checkUnused(kindCapitalChange, terms.ExternalID, c.ID); err != nil {
		return nil, err
	}
	return []Event{CapitalChangeAmended{ID: c.ID, Terms: terms}}, nil
}

// faults returns the faults of the terms for the holder. A change with a shareholding must
// be dated between the issue and the end of the shares.
func (t *CapitalChangeTerms) faults(s *State, m DecideContext, entity EntityID) fault.Fields {
	var faults fault.Fields
	if !slices.Contains([]string{"contribution", "distribution", "withdrawal"}, t.Kind) {
		faults.Add("/kind", "enum", "The kind must be contribution, distribution or withdrawal.")
	}
	t.Amount.check(&faults, "/amount")
	if t.Amount.Amount.IsZero() {
		faults.Add("/amount/amount", "notPositive", "The amount must be more than zero.")
	}
	m.checkDate(&faults, "/date", t.Date)
	if t.Shareholding.IsZero() {
		return faults
	}
	held, ok := s.Shareholding(t.Shareholding)
	switch {
	case !ok || held.Entity != entity || held.Status == StatusVoided:
		faults.Add("/shareholding", "unknownReference", "The holder has no such shareholding.")
	case !t.Date.IsZero() && t.Date < held.IssueDate:
		faults.Add("/date", "beforeIssue", "The date must not be before the issue of the shares, "+held.IssueDate.String()+".")
	case held.End != nil && t.Date > held.End.Date:
		faults.Add("/date", "afterEnd", "The date must not be after the end of the shares, "+held.End.Date.String()+".")
	}
	return faults
}

func (e CapitalChanged) apply(s *State, stamp Stamp) {
	s.capitalChanges.Set(e.ID, &CapitalChange{ID: e.ID, Entity: e.Entity, CapitalChangeTerms: e.Terms, Meta: NewMeta(stamp)})
	s.externalIDs.set(kindCapitalChange, "", e.Terms.ExternalID, e.ID)
}

func (e CapitalChangeAmended) apply(s *State, stamp Stamp) {
	touch(s.capitalChanges, e.ID, stamp, func(c *CapitalChange) {
		s.externalIDs.set(kindCapitalChange, c.ExternalID, e.Terms.ExternalID, e.ID)
		c.CapitalChangeTerms = e.Terms
	})
}

// CapitalChange returns a capital change by id.
func (s *State) CapitalChange(id CapitalChangeID) (*CapitalChange, bool) {
	return s.capitalChanges.Get(id)
}
