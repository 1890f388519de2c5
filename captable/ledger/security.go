package ledger

import "equity/captable/exact"

// family is the kind of a security.
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
	// quantity is the remaining quantity. counted is false for agreements without a quantity.
	quantity exact.Decimal
	counted  bool
	// made is the number of the issuing step.
	made int
	// loose marks a result before its transaction. It is not outstanding.
	loose    bool
	accepted bool
	ended    bool
	// treasury is the quantity held by the company.
	treasury exact.Decimal
	// cancelled may return to the pool. returned has returned.
	cancelled, returned exact.Decimal
}

// live reports whether the security is outstanding.
func (s *security) live() bool { return !s.ended && !s.loose }

// find returns the security of a step. It must be outstanding and issued by the date.
func (l *ledger) find(id string, on exact.Date) (*security, error) {
	s := l.securities[id]
	switch {
	case s == nil:
		return nil, refuse("There is no security " + quote(id) + ".")
	case s.ended:
		return nil, refuse("The security " + quote(id) + " is no longer outstanding.")
	case s.loose:
		return nil, refuse("The security " + quote(id) + " is the result of a later transaction.")
	case !on.IsZero() && on < s.issued:
		return nil, refuse("The security " + quote(id) + " is not issued before " + s.issued.String() + ".")
	}
	return s, nil
}

// part returns the quantity in a step. The default is the whole security.
func (s *security) part(shares *exact.Decimal) (exact.Decimal, error) {
	switch {
	case shares == nil:
		return s.quantity, nil
	case shares.Sign() <= 0:
		return *shares, refuse("The quantity must be above zero.")
	case s.counted && shares.Cmp(s.quantity) > 0:
		return *shares, refuse("The security " + quote(s.id) + " has " + s.quantity.String() + ", not " + shares.String() + ".")
	}
	return *shares, nil
}

// end removes the security from the outstanding ones.
func (l *ledger) end(s *security) {
	if s.family == stock {
		l.class(s.class).outstanding = l.class(s.class).outstanding.Sub(s.quantity)
	}
	s.ended = true
	l.ended = append(l.ended, s.id)
}

// MostSecurities is the maximum number of securities in a ledger. A transfer by holder creates one for each
// affected security, so a few steps could otherwise create any number.
const MostSecurities = 20_000

// enter adds a security. Unless it is loose, it is outstanding.
func (l *ledger) enter(s *security) error {
	if s.id == "" {
		l.unnamed++
		s.id = unnamed(l.unnamed)
	}
	if l.securities[s.id] != nil {
		return refuse("The security " + quote(s.id) + " exists already.")
	}
	if len(l.order) == MostSecurities {
		return refuse("The ledger has too many securities.")
	}
	l.securities[s.id] = s
	l.order = append(l.order, s)
	if !s.loose {
		l.count(s)
	}
	return nil
}

// count adds stock to the outstanding shares.
func (l *ledger) count(s *security) {
	if s.family == stock {
		l.class(s.class).outstanding = l.class(s.class).outstanding.Add(s.quantity)
	}
}
