package captable

import "strings"

// AdjustConversion asks to change how many shares of the other security a share converts
// into, from a date on: after a round below the price that was paid, for instance.
type AdjustConversion struct {
	ID SecurityID
	// Ratio and Fraction are those of a [Conversion]: one of them is enough.
	Ratio    Decimal
	Fraction Ratio
	Date     Date
	Source   *Source
}

// ConversionAdjusted records another ratio.
type ConversionAdjusted struct {
	ID       SecurityID `json:"id"`
	Ratio    Decimal    `json:"ratio"`
	Fraction Ratio      `json:"fraction,omitzero"`
	Date     Date       `json:"date"`
	Source   *Source    `json:"source,omitempty"`
}

// decide refuses to adjust what does not convert, and a date before that of the last
// ratio or the last split.
func (c AdjustConversion) decide(s *State, m Moment) ([]Event, error) {
	security, err := s.security(c.ID)
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
	s.changeSecurity(e.ID, stamp, func(security *Security) {
		if into := security.Conversion; into != nil {
			security.convertInto(&Conversion{Security: into.Security, Ratio: e.Ratio, Fraction: e.Fraction}, e.Date)
		}
	})
}

// EventType names the event in the journal.
func (ConversionAdjusted) EventType() string { return "securityConversionAdjusted" }

// Creates gives nothing.
func (ConversionAdjusted) Creates() []Created { return nil }

// Records gives the security.
func (e ConversionAdjusted) Records(s *State) []any { return records(s.Security(e.ID)) }
