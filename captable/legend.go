package captable

import (
	"strings"

	"equity/fault"
)

// LegendTerms are the fields of a legend, which are also the body of its creation.
type LegendTerms struct {
	Name string `json:"name"`
	// Text is printed on certificates.
	Text string `json:"text"`
	// Default legends are printed on every certificate without legends of its own.
	Default    bool     `json:"default,omitempty"`
	ExternalID string   `json:"externalId,omitempty"`
	Comments   []string `json:"comments,omitempty"`
}

// Legend is a restriction that is printed on certificates.
type Legend struct {
	ID LegendID `json:"id"`
	LegendTerms
	Meta
}

// LegendCreated records a new legend.
type LegendCreated struct {
	ID     LegendID    `json:"id"`
	Terms  LegendTerms `json:"terms"`
	Source *Source     `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (LegendCreated) EventType() string { return "legendCreated" }

// Creates returns the legend.
func (e LegendCreated) Creates() []Created { return []Created{{e.ID, kindLegend}} }

// Records returns the legend.
func (e LegendCreated) Records(s *State) []any { return records(s.Legend(e.ID)) }

// LegendChanged records the new terms of a legend.
type LegendChanged struct {
	ID    LegendID    `json:"id"`
	Terms LegendTerms `json:"terms"`
}

// EventType returns the name of the event in the journal.
func (LegendChanged) EventType() string { return "legendChanged" }

// Creates returns nil: the event creates no record.
func (LegendChanged) Creates() []Created { return nil }

// Records returns the legend.
func (e LegendChanged) Records(s *State) []any { return records(s.Legend(e.ID)) }

// LegendDeleted records the removal of an unused legend.
type LegendDeleted struct {
	ID LegendID `json:"id"`
}

// EventType returns the name of the event in the journal.
func (LegendDeleted) EventType() string { return "legendDeleted" }

// Creates returns nil: the event creates no record.
func (LegendDeleted) Creates() []Created { return nil }

// Records returns nil: the legend is deleted.
func (LegendDeleted) Records(*State) []any { return nil }

// CreateLegend creates a legend.
type CreateLegend struct {
	LegendTerms
	Source *Source `json:"-"`
}

// AmendLegend changes the fields of the JSON merge patch (RFC 7396).
type AmendLegend struct {
	ID    LegendID
	Patch []byte
}

// DeleteLegend removes an unused legend.
type DeleteLegend struct{ ID LegendID }

func (c CreateLegend) decide(s *State, m DecideContext) ([]Event, error) {
	if err := c.LegendTerms.faults().Err(); err != nil {
		return nil, err
	}
	if err := s.externalIDs.checkUnused(kindLegend, c.ExternalID, [16]byte{}); err != nil {
		return nil, err
	}
	return []Event{LegendCreated{ID: m.NewID(), Terms: c.LegendTerms, Source: c.Source}}, nil
}

// decide patches a legend. Certificates reference their legends, so those printed later have the
// new text.
func (c AmendLegend) decide(s *State, _ DecideContext) ([]Event, error) {
	legend, err := s.classes.legend(c.ID)
	if err != nil {
		return nil, err
	}
	terms, err := Patched(legend.LegendTerms, c.Patch)
	if err != nil {
		return nil, err
	}
	if err := terms.faults().Err(); err != nil {
		return nil, err
	}
	if err := s.externalIDs.checkUnused(kindLegend, terms.ExternalID, c.ID); err != nil {
		return nil, err
	}
	return []Event{LegendChanged{ID: c.ID, Terms: terms}}, nil
}

func (c DeleteLegend) decide(s *State, _ DecideContext) ([]Event, error) {
	if _, err := s.classes.legend(c.ID); err != nil {
		return nil, err
	}
	if legendInUse(s, c.ID) {
		return nil, fault.Refuse(fault.InUse, "The legend is used by a security or a certificate. Remove it there first.")
	}
	return []Event{LegendDeleted(c)}, nil
}

func (t LegendTerms) faults() fault.Fields {
	var faults fault.Fields
	if strings.TrimSpace(t.Name) == "" {
		faults.Add("/name", "required", "The name of the legend is required.")
	}
	if strings.TrimSpace(t.Text) == "" {
		faults.Add("/text", "required", "The text of the legend is required.")
	}
	return faults
}

func (e LegendCreated) apply(s *State, stamp Stamp) {
	s.classes.legends.Set(e.ID, &Legend{ID: e.ID, LegendTerms: e.Terms, Meta: NewMeta(stamp)})
	s.externalIDs.set(kindLegend, "", e.Terms.ExternalID, e.ID)
}

func (e LegendChanged) apply(s *State, stamp Stamp) {
	touch(s.classes.legends, e.ID, stamp, func(l *Legend) {
		s.externalIDs.set(kindLegend, l.ExternalID, e.Terms.ExternalID, e.ID)
		l.LegendTerms = e.Terms
	})
}

func (e LegendDeleted) apply(s *State, _ Stamp) {
	if old, ok := s.Legend(e.ID); ok {
		s.externalIDs.set(kindLegend, old.ExternalID, "", e.ID)
		s.classes.legends.Delete(e.ID)
	}
}
