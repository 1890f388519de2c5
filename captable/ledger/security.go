package ledger

import "equity/captable/exact"

// family is what kind of security it is.
type family string

const (
	stock       family = "stock"
	equity      family = "equity compensation"
	warrant     family = "warrant"
	convertible family = "convertible"
)

// security is one certificate, grant or agreement.
type security struct {
	id, class, plan, holder string
	family                  family
	issued                  exact.Date
	// quantity is what is left of it; counted is false for agreements without one.
	quantity exact.Decimal
	counted  bool
	// made is the step that issued it.
	made int
	// loose is a result whose transaction has not come yet: it is not outstanding.
	loose    bool
	accepted bool
	ended    bool
	// treasury is what the company keeps of it.
	treasury exact.Decimal
	// cancelled may go back into the pool, returned has.
	cancelled, returned exact.Decimal
}

// live tells whether it is outstanding.
func (s *security) live() bool { return !s.ended && !s.loose }

// find gives the security that a step is about: one that is outstanding and was issued by then.
func (l *ledger) find(id string, on exact.Date) (*security, error) {
	s := l.securities[id]
	switch {
	case s == nil:
		return nil, refuse("There is no security " + quote(id) + ".")
	case s.ended:
		return nil, refuse("The security " + quote(id) + " is no longer outstanding.")
	case s.loose:
		return nil, refuse("The security " + quote(id) + " is the result of a transaction that has not come.")
	case !on.IsZero() && on < s.issued:
		return nil, refuse("The security " + quote(id) + " is issued later, on " + s.issued.String() + ".")
	}
	return s, nil
}

// part gives how much of the security a step is about: all of it unless it says.
func (s *security) part(shares *exact.Decimal) (exact.Decimal, error) {
	switch {
	case shares == nil:
		return s.quantity, nil
	case shares.Sign() <= 0:
		return *shares, refuse("A quantity is above zero.")
	case s.counted && shares.Cmp(s.quantity) > 0:
		return *shares, refuse("The security " + quote(s.id) + " has " + s.quantity.String() + ", not " + shares.String() + ".")
	}
	return *shares, nil
}

// end takes the security out of what is outstanding.
func (l *ledger) end(s *security) {
	if s.family == stock {
		l.class(s.class).outstanding = l.class(s.class).outstanding.Sub(s.quantity)
	}
	s.ended = true
	l.ended = append(l.ended, s.id)
}

// MostSecurities is how many a ledger holds: a transfer by holder makes one of each that it
// takes, so that few steps could otherwise make any number.
const MostSecurities = 20_000

// enter adds a security; where nothing is loose about it, it is outstanding.
func (l *ledger) enter(s *security) error {
	if s.id == "" {
		l.unnamed++
		s.id = unnamed(l.unnamed)
	}
	if l.securities[s.id] != nil {
		return refuse("There is a security " + quote(s.id) + " already.")
	}
	if len(l.order) == MostSecurities {
		return refuse("The ledger has more securities than can be followed.")
	}
	l.securities[s.id] = s
	l.order = append(l.order, s)
	if !s.loose {
		l.count(s)
	}
	return nil
}

// count adds stock to what is outstanding.
func (l *ledger) count(s *security) {
	if s.family == stock {
		l.class(s.class).outstanding = l.class(s.class).outstanding.Add(s.quantity)
	}
}
