package ledger

import "equity/captable/exact"

// authorize sets or changes how many shares of a class may be issued.
func (l *ledger) authorize(s Step) error {
	class := l.class(s.Class)
	next, err := s.limit(class.authorized)
	if err != nil {
		return err
	}
	if next.Cmp(class.issued()) < 0 {
		return refuse("No less is authorized than is issued: " + class.issued().String() + ".")
	}
	if l.issuer != nil && next.Cmp(*l.issuer) > 0 {
		return refuse("The company authorizes " + l.issuer.String() + " shares; " + next.String() + " of the class " + quote(class.id) + " are more.")
	}
	class.authorized = &next
	return nil
}

// authorizeIssuer does so for the whole company.
func (l *ledger) authorizeIssuer(s Step) error {
	next, err := s.limit(l.issuer)
	if err != nil {
		return err
	}
	if next.Cmp(l.issued()) < 0 {
		return refuse("No less is authorized than is issued: " + l.issued().String() + ".")
	}
	for _, class := range l.classOrder {
		if class.authorized != nil && next.Cmp(*class.authorized) < 0 {
			return refuse("Of the class " + quote(class.id) + " " + class.authorized.String() + " shares are authorized; " + next.String() + " of the company are fewer.")
		}
	}
	l.issuer = &next
	return nil
}

// limit returns the new total, as stated or as a change to the present one. If both are
// stated, they must agree.
func (s Step) limit(now *exact.Decimal) (exact.Decimal, error) {
	var next exact.Decimal
	switch {
	case s.Shares != nil:
		next = *s.Shares
	case s.Delta != nil && now != nil:
		next = now.Add(*s.Delta)
	case s.Delta != nil:
		next = *s.Delta
	default:
		return next, refuse("An authorization states a number of shares.")
	}
	if next.Sign() < 0 {
		return next, refuse("No less than nothing is authorized.")
	}
	if s.Shares != nil && s.Delta != nil {
		before := exact.Decimal{}
		if now != nil {
			before = *now
		}
		if sum := before.Add(*s.Delta); !sum.Equal(next) {
			return next, refuse("The change and the total contradict each other: " + before.String() + " and the change are " + sum.String() + ", not " + next.String() + ".")
		}
	}
	return next, nil
}

// nobody is the holder who is none: the format's name for a dangling reference in a line.
const nobody = "nobody"

// issue adds a security of a family. What is the result of another transaction waits for it.
func (l *ledger) issue(of family) func(Step) error {
	return func(s Step) error {
		if s.Holder == "" || s.Holder == nobody {
			return refuse("The holder is none of the stakeholders.")
		}
		made := &security{
			id: s.Security, class: s.Class, holder: s.Holder, family: of, issued: s.Date,
			made: l.step, loose: s.ResultOf != "", counted: s.Shares != nil,
		}
		if s.Shares != nil {
			made.quantity = *s.Shares
		}
		if err := l.mayIssue(made); err != nil {
			return err
		}
		return l.enter(made)
	}
}

// mayIssue checks the quantity. Results of other transactions need no fresh authorization.
func (l *ledger) mayIssue(made *security) error {
	if made.counted && made.quantity.Sign() <= 0 || made.family == stock && !made.counted {
		return refuse("What is issued is above zero.")
	}
	if made.family != stock || made.loose {
		return nil
	}
	class := l.class(made.class)
	switch {
	case class.authorized == nil:
		return refuse("Nothing is authorized of the class " + quote(made.class) + ".")
	case class.outstanding.Add(made.quantity).Cmp(*class.authorized) > 0:
		return refuse("Only " + class.authorized.Sub(class.outstanding).String() + " more may be issued of the class " + quote(made.class) + ".")
	case l.issuer != nil && l.issued().Add(made.quantity).Cmp(*l.issuer) > 0:
		return refuse("The company may not issue so many shares.")
	}
	return nil
}

// accept notes that the holder has taken what was issued.
func (l *ledger) accept(s Step) error {
	one, err := l.find(s.Security, s.Date)
	if err != nil {
		return err
	}
	if one.accepted {
		return refuse("The security " + quote(one.id) + " is accepted already.")
	}
	one.accepted = true
	return nil
}

// split multiplies what is outstanding of a class. Where a reissuance carries the split,
// its result does, and what it replaces stays as it was until then. What is authorized
// changes by an authorization only, as the format has it.
func (l *ledger) split(s Step) error {
	if s.Ratio[0].Sign() <= 0 || s.Ratio[1].Sign() <= 0 {
		return refuse("A split has a ratio of two numbers above zero.")
	}
	for _, one := range l.order {
		if one.class != s.Class || one.family != stock || !one.live() || l.carried[one.id] {
			continue
		}
		next, err := s.multiplied(one.quantity)
		if err != nil {
			return err
		}
		class := l.class(one.class)
		class.outstanding = class.outstanding.Sub(one.quantity).Add(next)
		one.quantity = next
	}
	return nil
}

// multiplied gives the quantity after the split, in whole shares.
func (s Step) multiplied(quantity exact.Decimal) (exact.Decimal, error) {
	next := quantity.Rat()
	next.Mul(next, s.Ratio[0].Rat()).Quo(next, s.Ratio[1].Rat())
	whole := exact.RoundDown(next, 0)
	if !whole.Fits() {
		return whole, refuse("The split makes more shares than can be counted.")
	}
	return whole, nil
}
