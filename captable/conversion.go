package captable

import (
	"encoding/json"
	"math/big"
	"slices"
)

// Conversion is the right to convert a security into another one.
type Conversion struct {
	// Security is the security that results from the conversion.
	Security SecurityID `json:"security"`
	// Ratio is the number of resulting shares per share, rounded half up to ten places.
	Ratio Decimal `json:"ratio"`
	// Fraction is the exact ratio in lowest terms: resulting shares (numerator) per converted
	// shares (denominator). Older events have only the decimal ratio, which is exact in this
	// case.
	Fraction Ratio `json:"fraction,omitzero"`
}

// UnmarshalJSON decodes a conversion from a ratio or a fraction and computes the other one.
func (c *Conversion) UnmarshalJSON(text []byte) error {
	type plain Conversion
	if err := json.Unmarshal(text, (*plain)(c)); err != nil {
		return err
	}
	*c = *c.settled()
	return nil
}

// PastConversion is a conversion that was in force until a date. A nil Conversion means that
// the security was not convertible.
type PastConversion struct {
	Until      Date        `json:"until"`
	Conversion *Conversion `json:"conversion,omitempty"`
}

// convertInto changes the conversion of the security from a date on.
func (s *Security) convertInto(conversion *Conversion, from Date) {
	old := s.Conversion
	conversion = conversion.settled()
	if old == conversion || old != nil && conversion != nil && *old == *conversion {
		return
	}
	if n := len(s.PastConversions); n > 0 { // a split may be dated tomorrow, the present day of the easternmost time zone
		from = max(from, s.PastConversions[n-1].Until)
	}
	s.PastConversions = append(slices.Clip(s.PastConversions), PastConversion{Until: from, Conversion: old})
	s.Conversion = conversion
}

// splitConversions applies a split to the conversions in force on its date and on every later
// day. The split function returns conversions that it does not affect unchanged.
func (s *Security) splitConversions(from Date, split func(Conversion) Conversion) {
	apply := func(c *Conversion) *Conversion {
		if c == nil {
			return nil
		}
		return new(split(*c))
	}
	past := slices.Clone(s.PastConversions)
	at := len(past)
	for at > 0 && past[at-1].Until > from {
		at--
	}
	was := s.ConversionOn(from)
	if after := apply(was); was != nil && *after != *was {
		past = slices.Insert(past, at, PastConversion{Until: from, Conversion: was})
		at++
	}
	for i := at; i < len(past); i++ {
		past[i].Conversion = apply(past[i].Conversion)
	}
	s.PastConversions, s.Conversion = past, apply(s.Conversion)
}

// convertedInto reports whether the security converts into the other one or did so in the
// past.
func (s *Security) convertedInto(id SecurityID) bool {
	into := func(c *Conversion) bool { return c != nil && c.Security == id }
	return into(s.Conversion) || slices.ContainsFunc(s.PastConversions, func(past PastConversion) bool { return into(past.Conversion) })
}

// ratiosFit reports whether every present and past ratio is positive and can be represented.
func (s *Security) ratiosFit() bool {
	fits := func(c *Conversion) bool { return c == nil || c.Ratio.Sign() > 0 && c.Ratio.Fits() }
	return fits(s.Conversion) && !slices.ContainsFunc(s.PastConversions, func(past PastConversion) bool { return !fits(past.Conversion) })
}

// ConversionOn returns the conversion in force on the day, or nil.
func (s *Security) ConversionOn(day Date) *Conversion {
	for _, past := range s.PastConversions {
		if day < past.Until {
			return past.Conversion
		}
	}
	return s.Conversion
}

// dilution returns the exact number of resulting shares per share for each security that was
// convertible on the day.
func (c *classes) dilution(day Date) map[SecurityID]*big.Rat {
	ratios := map[SecurityID]*big.Rat{}
	for security := range c.securities.All() {
		if conversion := security.ConversionOn(day); conversion != nil {
			ratios[security.ID] = conversion.Each()
		}
	}
	return ratios
}
