package captable

import "slices"

// Conversion is a security's right to be converted into another one.
type Conversion struct {
	// Security is what it converts into.
	Security SecurityID `json:"security"`
	// Ratio is how many shares of it one share gives.
	Ratio Decimal `json:"ratio"`
}

// PastConversion is what a security converted into until a date; nil into nothing.
type PastConversion struct {
	Until      Date        `json:"until"`
	Conversion *Conversion `json:"conversion,omitempty"`
}

// convertInto changes what the security converts into from a date on.
func (s *Security) convertInto(conversion *Conversion, from Date) {
	old := s.Conversion
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

// dilution gives, for each security that was convertible on the day, what one
// share converted into.
func (s *State) dilution(day Date) map[SecurityID]Decimal {
	ratios := map[SecurityID]Decimal{}
	for security := range s.Securities() {
		if conversion := security.conversionOn(day); conversion != nil {
			ratios[security.ID] = conversion.Ratio
		}
	}
	return ratios
}
