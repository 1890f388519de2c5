package captable

const unlimited = "unlimited"

// Authorized is how many shares of a security may be issued: a quantity, or
// without limit.
type Authorized struct {
	Unlimited bool
	Shares    Decimal
}

// AuthorizedOf gives a limit of so many shares.
func AuthorizedOf(shares Decimal) Authorized { return Authorized{Shares: shares} }

// MarshalText gives the quantity or "unlimited".
func (a Authorized) MarshalText() ([]byte, error) {
	if a.Unlimited {
		return []byte(unlimited), nil
	}
	return a.Shares.MarshalText()
}

// UnmarshalText reads a quantity or "unlimited".
func (a *Authorized) UnmarshalText(text []byte) error {
	if string(text) == unlimited {
		*a = Authorized{Unlimited: true}
		return nil
	}
	a.Unlimited = false
	return a.Shares.UnmarshalText(text)
}

// String gives the quantity or "unlimited".
func (a Authorized) String() string {
	if a.Unlimited {
		return unlimited
	}
	return a.Shares.String()
}

// Covers reports whether so many shares lie within the limit.
func (a Authorized) Covers(shares Decimal) bool {
	return a.Unlimited || a.Shares.Cmp(shares) >= 0
}

// Add gives both limits together.
func (a Authorized) Add(other Authorized) Authorized {
	if a.Unlimited || other.Unlimited {
		return Authorized{Unlimited: true}
	}
	return Authorized{Shares: a.Shares.Add(other.Shares)}
}

// less gives the limit lowered by so many shares, never below none.
func (a Authorized) less(shares Decimal) Authorized {
	if a.Unlimited {
		return a
	}
	return Authorized{Shares: a.Shares.Sub(shares).Max(Decimal{})}
}

// moved gives the limit changed by as much as from one limit to another: all of
// the way where either of them is none.
func (a Authorized) moved(from, to Authorized) Authorized {
	switch {
	case from.Unlimited || to.Unlimited:
		return to
	case a.Unlimited:
		return a
	default:
		return Authorized{Shares: a.Shares.Add(to.Shares).Sub(from.Shares).Max(Decimal{})}
	}
}
