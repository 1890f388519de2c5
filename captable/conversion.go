package captable

import (
	"encoding/json"
	"math/big"
	"slices"
)

// Conversion is a security's right to be converted into another one.
type Conversion struct {
	// Security is what it converts into.
	Security SecurityID `json:"security"`
	// Ratio is how many shares of it one share gives, rounded half up to ten places.
	Ratio Decimal `json:"ratio"`
	// Fraction is the exact ratio in lowest terms: so many shares of the other security (the
	// numerator) for so many shares (the denominator). Events from before it was recorded
	// have the decimal only, which is exact then.
	Fraction Ratio `json:"fraction,omitzero"`
}

// UnmarshalJSON reads a right to convert and completes it: of ratio and fraction, one is enough.
func (c *Conversion) UnmarshalJSON(text []byte) error {
	type plain Conversion
	if err := json.Unmarshal(text, (*plain)(c)); err != nil {
		return err
	}
	*c = *c.settled()
	return nil
}

// PastConversion is what a security converted into until a date; nil into nothing.
type PastConversion struct {
	Until      Date        `json:"until"`
	Conversion *Conversion `json:"conversion,omitempty"`
}

// convertInto changes what the security converts into from a date on.
func (s *Security) convertInto(conversion *Conversion, from Date) {
	old := s.Conversion
	conversion = conversion.settled()
	if old == conversion || old != nil && conversion != nil && *old == *conversion {
		return
	}
	if n := len(s.PastConversions); n > 0 { // a split may be dated tomorrow, where the day begins first
		from = max(from, s.PastConversions[n-1].Until)
	}
	s.PastConversions = append(slices.Clip(s.PastConversions), PastConversion{Until: from, Conversion: old})
	s.Conversion = conversion
}

// splitConversions applies a split to what the security converts into on its date and
// on every later day. A conversion that the split is not about comes back as it is.
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
	was := s.conversionOn(from)
	if after := apply(was); was != nil && *after != *was {
		past = slices.Insert(past, at, PastConversion{Until: from, Conversion: was})
		at++
	}
	for i := at; i < len(past); i++ {
		past[i].Conversion = apply(past[i].Conversion)
	}
	s.PastConversions, s.Conversion = past, apply(s.Conversion)
}

// convertedInto reports whether the security converts into the other one, or did once.
func (s *Security) convertedInto(id SecurityID) bool {
	into := func(c *Conversion) bool { return c != nil && c.Security == id }
	return into(s.Conversion) || slices.ContainsFunc(s.PastConversions, func(past PastConversion) bool { return into(past.Conversion) })
}

// ratiosFit reports whether every ratio can be written and is one.
func (s *Security) ratiosFit() bool {
	fits := func(c *Conversion) bool { return c == nil || c.Ratio.Sign() > 0 && c.Ratio.Fits() }
	return fits(s.Conversion) && !slices.ContainsFunc(s.PastConversions, func(past PastConversion) bool { return !fits(past.Conversion) })
}

// conversionOn is what the security converted into on the day; nil for nothing.
func (s *Security) conversionOn(day Date) *Conversion {
	for _, past := range s.PastConversions {
		if day < past.Until {
			return past.Conversion
		}
	}
	return s.Conversion
}

// dilution returns, for each security that was convertible on the day, exactly how many
// shares one share converted into.
func (s *State) dilution(day Date) map[SecurityID]*big.Rat {
	ratios := map[SecurityID]*big.Rat{}
	for security := range s.Securities() {
		if conversion := security.conversionOn(day); conversion != nil {
			ratios[security.ID] = conversion.Each()
		}
	}
	return ratios
}
