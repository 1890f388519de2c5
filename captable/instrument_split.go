package captable

// splitInstruments multiplies what the warrants of the class give and divides their
// prices, and does the same to what convertibles become by a price or a number of its
// shares that they fixed.
func (e SecuritySplit) splitInstruments(s *State, security *Security, stamp Stamp) {
	for i := range s.Copy().Instruments() { // the copy stays still while instruments change
		if !i.Status.Outstanding() {
			continue
		}
		if i.Security == e.ID {
			s.changeInstrument(i.ID, stamp, func(i *Instrument) { e.changeWarrant(i, security.Places(), stamp) })
		}
		if i.FixedConversion != nil && i.FixedConversion.Security == e.ID {
			s.changeInstrument(i.ID, stamp, func(i *Instrument) { i.FixedConversion = e.ofFixed(*i.FixedConversion, security.Places()) })
		}
	}
}

// changeWarrant splits one warrant. One that gives less than a share has ended: it is
// paid in cash.
func (e SecuritySplit) changeWarrant(i *Instrument, places int, stamp Stamp) {
	i.count(e.Date)
	had := !i.Left.IsZero()
	i.Quantity, i.Left = e.Ratio.apply(i.Quantity, places), e.Ratio.apply(i.Left, places)
	i.ExercisePrice = e.Ratio.applyPrice(i.ExercisePrice)
	if had && i.Left.IsZero() {
		i.end(StatusCancelled, e.Date, "split", stamp)
	}
}

func (e SecuritySplit) ofFixed(fixed FixedConversion, places int) *FixedConversion {
	if fixed.Price != nil {
		fixed.Price = new(e.Ratio.applyPrice(&Price{Amount: *fixed.Price}).Amount)
	}
	if fixed.Shares != nil {
		fixed.Shares = new(e.Ratio.apply(*fixed.Shares, places))
	}
	return &fixed
}

// instrumentsFit reports whether all of that can be written, and is still something.
func (e SecuritySplit) instrumentsFit(s *State, security *Security) bool {
	for i := range s.Instruments() {
		if !i.Status.Outstanding() {
			continue
		}
		if i.Security == e.ID && !e.Ratio.applyPrice(i.ExercisePrice).fits() {
			return false
		}
		if fixed := i.FixedConversion; fixed != nil && fixed.Security == e.ID {
			after := e.ofFixed(*fixed, security.Places())
			for _, figure := range []*Decimal{after.Price, after.Shares} {
				if figure != nil && (figure.Sign() <= 0 || !figure.Fits()) {
					return false
				}
			}
		}
	}
	return true
}
