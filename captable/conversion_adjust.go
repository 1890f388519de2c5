package captable

import "strings"

// AdjustConversion changes the conversion ratio of a security from a date on, for example
// after a round below the original price.
type AdjustConversion struct {
	ID SecurityID
	// Ratio and Fraction are those of a [Conversion]. One of them is sufficient.
	Ratio    Decimal
	Fraction Ratio
	Date     Date
	Source   *Source
}

// ConversionAdjusted records the new ratio.
type ConversionAdjusted struct {
	ID       SecurityID `json:"id"`
	Ratio    Decimal    `json:"ratio"`
	Fraction Ratio      `json:"fraction,omitzero"`
	Date     Date       `json:"date"`
	Source   *Source    `json:"source,omitempty"`
}

// decide refuses to adjust a security without a conversion. It also refuses a date before the
// last change of the ratio or before the last split.
func (c AdjustConversion) decide(s *State, m Moment) ([]Event, error) {
	security, err := s.classes.security(c.ID)
	if err != nil {
		return nil, err
	}
	var faults Faults
	m.checkDate(&faults, "/date", c.Date)
	security.checkPast(&faults, "/date", c.Date)
	conversion := (&Conversion{Ratio: c.Ratio, Fraction: c.Fraction}).settled()
	conversion.faults(&faults, "")
	c.Ratio, c.Fraction = conversion.Ratio, conversion.Fraction
	if n := len(security.PastConversions); n > 0 && !c.Date.IsZero() && c.Date < security.PastConversions[n-1].Until {
		faults.Add("/date", "datesOutOfOrder", "The ratio was changed later, on "+security.PastConversions[n-1].Until.String()+".")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if security.Conversion == nil {
		return nil, Refuse(CodeConflict, "The security does not convert into another one: "+strings.TrimSpace(security.Name)+".")
	}
	return []Event{ConversionAdjusted(c)}, nil
}

func (e ConversionAdjusted) apply(s *State, stamp Stamp) {
	s.classes.changeSecurity(e.ID, stamp, func(security *Security) {
		if into := security.Conversion; into != nil {
			security.convertInto(&Conversion{Security: into.Security, Ratio: e.Ratio, Fraction: e.Fraction}, e.Date)
		}
	})
}

// EventType returns the name of the event in the journal.
func (ConversionAdjusted) EventType() string { return "securityConversionAdjusted" }

// Creates returns nil: the event creates no record.
func (ConversionAdjusted) Creates() []Created { return nil }

// Records returns the security.
func (e ConversionAdjusted) Records(s *State) []any { return records(s.Security(e.ID)) }
