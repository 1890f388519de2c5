package exact

// Parts are the components of a Decimal: ±Digits × 10^-Scale.
type Parts struct {
	Digits   uint64
	Scale    int
	Negative bool
}

// Parts returns the components of the number, or false if the digits do not fit.
func (d Decimal) Parts() (Parts, bool) {
	p := Parts{Scale: d.Scale(), Negative: d.number.Negative}
	if !d.number.Coeff.IsUint64() {
		return p, false
	}
	p.Digits = d.number.Coeff.Uint64()
	return p, true
}

// Decimal returns the number with these components, or false if they are not its unique representation.
func (p Parts) Decimal() (d Decimal, ok bool) {
	if p.Scale < 0 || p.Scale > 2*Places || p.Digits == 0 && (p.Negative || p.Scale > 0) || p.Digits%10 == 0 && p.Scale > 0 {
		return d, false
	}
	d.number.Coeff.SetUint64(p.Digits)
	d.number.Exponent = -int32(p.Scale)
	d.number.Negative = p.Negative
	return d, true
}
