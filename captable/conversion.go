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
	s.PastConversions = append(slices.Clip(s.PastConversions), PastConversion{Until: from, Conversion: old})
	s.Conversion = conversion
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
