package ledger

import "equity/captable/exact"

// authorize sets or changes the number of authorized shares of a class.
func (l *ledger) authorize(s Step) error {
	class := l.class(s.Class)
	next, err := s.limit(class.authorized)
	if err != nil {
		return err
	}
	if next.Cmp(class.issued()) < 0 {
		return refuse("The authorized shares must not be below the issued shares: " + class.issued().String() + ".")
	}
	if l.issuer != nil && next.Cmp(*l.issuer) > 0 {
		return refuse("The company authorizes " + l.issuer.String() + " shares, fewer than " + next.String() + " of the class " + quote(class.id) + ".")
	}
	class.authorized = &next
	return nil
}

// authorizeIssuer sets or changes the number of authorized shares of the company.
func (l *ledger) authorizeIssuer(s Step) error {
	next, err := s.limit(l.issuer)
	if err != nil {
		return err
	}
	if next.Cmp(l.issued()) < 0 {
		return refuse("The authorized shares must not be below the issued shares: " + l.issued().String() + ".")
	}
	for _, class := range l.classOrder {
		if class.authorized != nil && next.Cmp(*class.authorized) < 0 {
			return refuse("The class " + quote(class.id) + " authorizes " + class.authorized.String() + " shares, more than " + next.String() + " of the company.")
		}
	}
	l.issuer = &next
	return nil
}

// limit returns the new total, as stated or as a change of the current one. If both are stated, they must agree.
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
		return next, refuse("An authorization requires a number of shares.")
	}
	if next.Sign() < 0 {
		return next, refuse("The authorized shares must not be negative.")
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

// nobody is the format's placeholder for a missing holder.
const nobody = "nobody"

// issue issues a security of a family. The result of another transaction is loose until that transaction.
func (l *ledger) issue(of family) func(Step) error {
	return func(s Step) error {
		if s.Holder == "" || s.Holder == nobody {
			return refuse("The holder is not a stakeholder.")
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

// mayIssue checks the quantity. Results of other transactions need no new authorization.
func (l *ledger) mayIssue(made *security) error {
	if made.counted && made.quantity.Sign() <= 0 || made.family == stock && !made.counted {
		return refuse("The issued quantity must be above zero.")
	}
	if made.family != stock || made.loose {
		return nil
	}
	class := l.class(made.class)
	switch {
	case class.authorized == nil:
		return refuse("No shares are authorized for the class " + quote(made.class) + ".")
	case class.outstanding.Add(made.quantity).Cmp(*class.authorized) > 0:
		return refuse("At most " + class.authorized.Sub(class.outstanding).String() + " more shares can be issued of the class " + quote(made.class) + ".")
	case l.issuer != nil && l.issued().Add(made.quantity).Cmp(*l.issuer) > 0:
		return refuse("The issue exceeds the authorized shares of the company.")
	}
	return nil
}

// accept records the holder's acceptance.
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

// split multiplies the outstanding securities of a class. If a reissuance carries the split, its results are
// multiplied and the replaced security keeps its quantity. As in the format, the authorized shares change only by
// an authorization.
func (l *ledger) split(s Step) error {
	if s.Ratio[0].Sign() <= 0 || s.Ratio[1].Sign() <= 0 {
		return refuse("The ratio of a split must consist of two numbers above zero.")
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

// multiplied returns the quantity after the split, in whole shares.
func (s Step) multiplied(quantity exact.Decimal) (exact.Decimal, error) {
	next := quantity.Rat()
	next.Mul(next, s.Ratio[0].Rat()).Quo(next, s.Ratio[1].Rat())
	whole := exact.RoundDown(next, 0)
	if !whole.Fits() {
		return whole, refuse("The split exceeds the range of quantities.")
	}
	return whole, nil
}
