package captable

import (
	"slices"
	"strconv"

	"equity/captable/exact"
	"equity/fault"
)

// participations returns the allowed values of Participation: the ways in which a preferred class
// shares in the proceeds after its preference.
func participations() []string { return []string{"", "none", "full", "capped"} }

// check refuses invalid terms and terms with the name or external id of another security. The id
// is that of the security; zero for a new one.
func (t *SecurityTerms) check(s *State, self SecurityID) error {
	faults := t.faults(s, self)
	if err := faults.Err(); err != nil {
		return err
	}
	if other := s.classes.securityNamed(t.Name); other != nil && other.ID != self {
		return fault.Refuse(fault.Conflict, "Another security has this name. Choose another name.").With("security", other.ID.String())
	}
	return s.externalIDs.checkUnused(kindSecurity, t.ExternalID, self)
}

// faults returns the invalid fields of the terms.
func (t *SecurityTerms) faults(s *State, self SecurityID) fault.Fields {
	var faults fault.Fields
	if t.Name == "" {
		faults.Add("/name", "required", "The name of the security is required.")
	}
	if !slices.Contains([]ShareType{ShareCommon, SharePreferred, ShareUnit, ShareProfitsInterest}, t.ShareType) {
		faults.Add("/shareType", "enum", "The share type must be common, preferred, unit or profitsInterest.")
	}
	if !slices.Contains(participations(), t.Participation) {
		faults.Add("/participation", "enum", "The participation must be none, full or capped.")
	}
	t.quantityFaults(&faults)
	t.referenceFaults(s, self, &faults)
	return faults
}

// quantityFaults adds faults for invalid numbers.
func (t *SecurityTerms) quantityFaults(faults *fault.Fields) {
	shares := t.AuthorizedShares.Shares
	if shares.Sign() < 0 {
		faults.Add("/authorizedShares", "negative", "The authorized shares must not be negative.")
	}
	if !t.FractionalShares && !shares.IsWhole() {
		faults.Add("/authorizedShares", "notWhole", "The authorized shares must be whole unless the security has fractional shares.")
	}
	checkPrice(faults, "/parValue", t.ParValue)
	checkPrice(faults, "/price", t.Price)
	for _, figure := range []struct {
		pointer string
		value   *Decimal
	}{
		{"/votesPerShare", t.VotesPerShare},
		{"/liquidationPreferenceMultiple", t.LiquidationPreferenceMultiple},
		{"/participationCapMultiple", t.ParticipationCapMultiple},
		{"/dividendRate", t.DividendRate},
	} {
		if figure.value != nil && figure.value.Sign() < 0 {
			faults.Add(figure.pointer, "negative", "The number must not be negative.")
		}
	}
}

// referenceFaults adds faults for unknown references. The id is zero for a new class.
func (t *SecurityTerms) referenceFaults(s *State, self SecurityID, faults *fault.Fields) {
	if c := t.Conversion; c != nil {
		if _, ok := s.Security(c.Security); !ok {
			faults.Add("/conversion/security", "unknownReference", "There is no such security.")
		}
		returns := func(next *Conversion) bool { return next.Security == self }
		if !self.IsZero() && (c.Security == self || slices.ContainsFunc(s.ConversionChain(c.Security, exact.MaxDate), returns)) {
			faults.Add(
				"/conversion/security", "selfReference", "A security must not convert into itself, directly or over other securities.",
			)
		}
		c.faults(faults, "/conversion")
	}
	s.classes.legendFaults(faults, t.Legends)
}

// legendFaults adds a fault for each unknown or repeated legend.
func (c *classes) legendFaults(faults *fault.Fields, legends []LegendID) {
	for i, id := range legends {
		pointer := "/legends/" + strconv.Itoa(i)
		if _, ok := c.legends.Get(id); !ok {
			faults.Add(pointer, "unknownReference", "There is no such legend.")
		}
		if slices.Contains(legends[:i], id) {
			faults.Add(pointer, "duplicate", "List each legend once.")
		}
	}
}
