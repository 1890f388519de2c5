package captable

const unlimited = "unlimited"

// Authorized is the number of shares of a security that may be issued: a quantity, or
// unlimited.
type Authorized struct {
	Unlimited bool
	Shares    Decimal
}

// AuthorizedOf returns a limit of the given number of shares.
func AuthorizedOf(shares Decimal) Authorized { return Authorized{Shares: shares} }

// MarshalText returns the quantity or "unlimited".
func (a Authorized) MarshalText() ([]byte, error) {
	if a.Unlimited {
		return []byte(unlimited), nil
	}
	return a.Shares.MarshalText()
}

// UnmarshalText parses a quantity or "unlimited".
func (a *Authorized) UnmarshalText(text []byte) error {
	if string(text) == unlimited {
		*a = Authorized{Unlimited: true}
		return nil
	}
	a.Unlimited = false
	return a.Shares.UnmarshalText(text)
}

// String returns the quantity or "unlimited".
func (a Authorized) String() string {
	if a.Unlimited {
		return unlimited
	}
	return a.Shares.String()
}

// Covers reports whether the number of shares is within the limit.
func (a Authorized) Covers(shares Decimal) bool {
	return a.Unlimited || a.Shares.Cmp(shares) >= 0
}

// Add returns the sum of both limits.
func (a Authorized) Add(other Authorized) Authorized {
	if a.Unlimited || other.Unlimited {
		return Authorized{Unlimited: true}
	}
	return Authorized{Shares: a.Shares.Add(other.Shares)}
}

// Minus returns the limit reduced by the number of shares, but not below zero.
func (a Authorized) Minus(shares Decimal) Authorized {
	if a.Unlimited {
		return a
	}
	return Authorized{Shares: a.Shares.Sub(shares).Max(Decimal{})}
}

// moved returns the limit changed by the difference between two other limits, but not below
// zero. If one of these is unlimited, it returns the second one. Otherwise, an
// unlimited limit stays unlimited.
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
