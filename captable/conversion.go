package captable

import (
	"cmp"
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"equity/captable/exact"
	"equity/fault"
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

// restateConversion applies the recorded splits of the other class to the ratio of a new class,
// which counts in shares of the day.
func (s *Security) restateConversion(target *Security, day Date) {
	first := s.Authorizations[0].EffectiveDate
	stated := *s.Conversion
	for _, split := range target.splitsAfter(day) {
		s.splitConversions(split.Date, split.ofTarget)
	}
	for _, split := range slices.Backward(target.splitsAfter(first - 1)) {
		if first < split.Date && split.Date <= day {
			stated = *ConversionInto(stated.Security, new(big.Rat).Quo(stated.Each(), split.Ratio.Rat()))
			s.PastConversions = slices.Insert(s.PastConversions, 0, PastConversion{Until: split.Date, Conversion: new(stated)})
		}
	}
}

// conversionSplits returns the splits after the day that restate the ratio of the class into the
// other one: those of the class and those of the other class, by date.
func (s *Security) conversionSplits(into *Security, day Date) []SecuritySplit {
	splits := append(s.splitsAfter(day), into.splitsAfter(day)...)
	slices.SortStableFunc(splits, func(a, b SecuritySplit) int { return cmp.Compare(a.Date, b.Date) })
	return splits
}

// convertOn changes the ratio from a day on and applies the later splits to it again. All later
// changes result from these splits; see [AdjustConversion].
func (s *Security) convertOn(conversion *Conversion, day Date, splits []SecuritySplit) {
	s.Conversion = s.ConversionOn(day)
	s.PastConversions = until(s.PastConversions, func(past PastConversion) bool { return past.Until <= day })
	s.convertInto(conversion, day)
	for _, split := range splits {
		change := split.ofTarget
		if split.ID == s.ID {
			change = split.ofOwn
		}
		s.splitConversions(split.Date, change)
	}
}

// statedAfter returns the day of the last ratio after the given day that does not result from the
// splits. It returns zero without one.
func (s *Security) statedAfter(day Date, splits []SecuritySplit) Date {
	for _, past := range slices.Backward(s.PastConversions) {
		if past.Until <= day {
			break
		}
		if n := len(splits); n == 0 || splits[n-1].Date != past.Until {
			return past.Until
		}
		splits = splits[:len(splits)-1]
	}
	return 0
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

// ConversionChain returns the conversions in force on the day from the class on: that into the
// next class, that of the next class, and so on. It ends before a class that is already in it.
func (s *State) ConversionChain(id SecurityID, day Date) []*Conversion {
	return s.classes.chain(id, day)
}

func (c *classes) chain(id SecurityID, day Date) (chain []*Conversion) {
	for at, known := c.securities.Get(id); known; {
		conversion := at.ConversionOn(day)
		if conversion == nil || conversion.Security == id {
			break
		}
		if slices.ContainsFunc(chain, func(before *Conversion) bool { return before.Security == conversion.Security }) {
			break
		}
		chain = append(chain, conversion)
		at, known = c.securities.Get(conversion.Security)
	}
	return chain
}

// dilution returns the exact number of resulting shares per share for each security that was
// convertible on the day: the product of the ratios of its chain.
func (c *classes) dilution(day Date) map[SecurityID]*big.Rat {
	ratios := map[SecurityID]*big.Rat{}
	for security := range c.securities.All() {
		if chain := c.chain(security.ID, day); len(chain) > 0 {
			ratios[security.ID] = Chained(chain)
		}
	}
	return ratios
}

// Chained returns the number of shares at the end of the chain per share at its beginning.
func Chained(chain []*Conversion) *big.Rat {
	product := big.NewRat(1, 1)
	for _, conversion := range chain {
		product.Mul(product, conversion.Each())
	}
	return product
}

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
// last ratio that was stated. The ratio counts in shares of its day, and later splits restate it.
func (c AdjustConversion) decide(s *State, m DecideContext) ([]Event, error) {
	security, err := s.classes.security(c.ID)
	if err != nil {
		return nil, err
	}
	var faults fault.Fields
	m.checkDate(&faults, "/date", c.Date)
	security.checkBegun(&faults, "/date", c.Date)
	conversion := (&Conversion{Ratio: c.Ratio, Fraction: c.Fraction}).settled()
	conversion.faults(&faults, "")
	c.Ratio, c.Fraction = conversion.Ratio, conversion.Fraction
	event := ConversionAdjusted(c)
	if stated := security.statedAfter(c.Date, event.splits(s, security)); !stated.IsZero() && !c.Date.IsZero() {
		faults.Add("/date", "datesOutOfOrder", "The date must not be before the last change of the ratio, "+stated.String()+".")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if security.Conversion == nil {
		return nil, fault.Refuse(fault.Conflict, "The security does not convert into another one: "+strings.TrimSpace(security.Name)+".")
	}
	after := *security
	if event.change(s, &after); !after.ratiosFit() {
		return nil, fault.Refuse(fault.Conflict,
			"After the splits since "+c.Date.String()+", the conversion ratio must fit in 19 digits before the decimal point and 10 after it.")
	}
	return []Event{event}, nil
}

func (e ConversionAdjusted) apply(s *State, stamp Stamp) {
	s.classes.changeSecurity(e.ID, stamp, func(security *Security) { e.change(s, security) })
}

// splits returns the later splits that restate the ratio.
func (e ConversionAdjusted) splits(s *State, security *Security) []SecuritySplit {
	if security.Conversion == nil {
		return nil
	}
	into, _ := s.Security(security.Conversion.Security)
	return security.conversionSplits(into, e.Date)
}

// change sets the ratio of the class.
func (e ConversionAdjusted) change(s *State, security *Security) {
	into := security.Conversion
	if into == nil {
		return
	}
	stated := &Conversion{Security: into.Security, Ratio: e.Ratio, Fraction: e.Fraction}
	if splits := e.splits(s, security); len(splits) > 0 {
		security.convertOn(stated, e.Date, splits)
		return
	}
	security.convertInto(stated, e.Date)
}

// EventType returns the name of the event in the journal.
func (ConversionAdjusted) EventType() string { return "securityConversionAdjusted" }

// Creates returns nil: the event creates no record.
func (ConversionAdjusted) Creates() []Created { return nil }

// Records returns the security.
func (e ConversionAdjusted) Records(s *State) []any { return records(s.Security(e.ID)) }

// Ratio is numerator : denominator, both positive: a 2-for-1 split is 2 : 1.
type Ratio struct {
	Numerator   Decimal `json:"numerator"`
	Denominator Decimal `json:"denominator"`
}

// Rat returns the ratio as a new rational number. The denominator must not be zero.
func (r Ratio) Rat() *big.Rat {
	return new(big.Rat).Quo(r.Numerator.Rat(), r.Denominator.Rat())
}

// inverse returns the ratio that undoes this one.
func (r Ratio) inverse() Ratio { return Ratio{Numerator: r.Denominator, Denominator: r.Numerator} }

// positive reports whether both parts are more than zero.
func (r Ratio) positive() bool { return r.Numerator.Sign() > 0 && r.Denominator.Sign() > 0 }

// isZero reports whether the ratio is absent.
func (r Ratio) isZero() bool { return r.Numerator.IsZero() && r.Denominator.IsZero() }

// isOne reports whether the ratio is 1.
func (r Ratio) isOne() bool { return r.Numerator.Equal(r.Denominator) }

// RatioOf returns the rational number in lowest terms. It reports false if a part has more digits
// than the contract allows.
func RatioOf(r *big.Rat) (Ratio, bool) {
	whole := func(n *big.Int) Decimal { return exact.RoundDown(new(big.Rat).SetInt(n), 0) }
	ratio := Ratio{Numerator: whole(r.Num()), Denominator: whole(r.Denom())}
	return ratio, ratio.Numerator.Fits() && ratio.Denominator.Fits()
}

// ConversionInto returns the right to convert a share into the given number of shares of the
// security. A fraction with more digits than the contract allows is replaced by its decimal,
// because applying an event must not fail. See ruling 32.
func ConversionInto(security SecurityID, each *big.Rat) *Conversion {
	rounded := exact.RoundHalfUp(each, exact.Places)
	fraction, fits := RatioOf(each)
	if !fits {
		fraction, _ = RatioOf(rounded.Rat())
	}
	return &Conversion{Security: security, Ratio: rounded, Fraction: fraction}
}

// Each returns the exact number of shares of the other security per share.
func (c *Conversion) Each() *big.Rat {
	if c.Fraction.positive() {
		return c.Fraction.Rat()
	}
	return c.Ratio.Rat()
}

// text returns the ratio as a decimal if it is exact, else as a fraction such as 2/3.
func (c *Conversion) text() string {
	if c.Ratio.Rat().Cmp(c.Each()) == 0 {
		return c.Ratio.String()
	}
	return c.Fraction.Numerator.String() + "/" + c.Fraction.Denominator.String()
}

// settled returns the right with its decimal and its fraction in lowest terms. An invalid right
// (see [Conversion.faults]) is returned unchanged.
func (c *Conversion) settled() *Conversion {
	if c == nil || c.Ratio.Sign() <= 0 && c.Fraction.isZero() || c.contradicts() || !c.Fraction.isZero() && !c.Fraction.positive() {
		return c
	}
	return ConversionInto(c.Security, c.Each())
}

// contradicts reports whether the decimal and the fraction are both stated and differ.
func (c *Conversion) contradicts() bool {
	return c.Fraction.positive() && !c.Ratio.IsZero() && !exact.RoundHalfUp(c.Fraction.Rat(), exact.Places).Equal(c.Ratio)
}

// faults adds faults for an invalid ratio.
func (c *Conversion) faults(faults *fault.Fields, pointer string) {
	switch {
	case !c.Fraction.isZero() && !c.Fraction.positive():
		faults.Add(pointer+"/fraction", "notPositive", "Numerator and denominator must be more than zero.")
	case c.contradicts():
		faults.Add(pointer+"/ratio", "contradiction", "The ratio and the fraction must be equal if both are stated.")
	case c.Ratio.Sign() <= 0:
		faults.Add(pointer+"/ratio", "notPositive", "The ratio must be more than zero.")
	}
}
