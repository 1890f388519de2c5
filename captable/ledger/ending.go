package ledger

import "equity/captable/exact"

// retract reverses an issuance that was not accepted. Its quantity returns to the pool.
func (l *ledger) retract(s Step) error {
	one, err := l.find(s.Security, s.Date)
	if err != nil {
		return err
	}
	if one.accepted {
		return refuse("The security " + quote(one.id) + " is accepted and cannot be retracted.")
	}
	if plan := l.plans[one.plan]; plan != nil {
		plan.used = plan.used.Sub(one.quantity)
	}
	l.end(one)
	return nil
}

// cancel ends all or part of a security.
func (l *ledger) cancel(s Step) error {
	one, gone, err := l.reduce(s)
	if err != nil {
		return err
	}
	one.cancelled = gone
	if plan := l.plans[one.plan]; plan != nil && plan.returns {
		plan.used = plan.used.Sub(gone)
		one.returned = gone
	}
	return nil
}

// repurchase ends all or part of a stock security. The company may keep the shares as treasury shares.
func (l *ledger) repurchase(s Step) error {
	one, gone, err := l.reduceStock(s)
	if err != nil {
		return err
	}
	if s.Treasury {
		one.treasury = gone
		class := l.class(one.class)
		class.treasury = class.treasury.Add(gone)
	}
	return nil
}

// retire removes issued stock, outstanding or in the treasury, from all totals.
func (l *ledger) retire(s Step) error {
	one := l.securities[s.Security]
	var gone exact.Decimal
	if one != nil && one.treasury.Sign() > 0 {
		gone = one.treasury
		if s.Shares != nil {
			gone = *s.Shares
		}
		if gone.Sign() <= 0 || gone.Cmp(one.treasury) > 0 {
			return refuse("The treasury has " + one.treasury.String() + " of the security " + quote(one.id) + ".")
		}
		class := l.class(one.class)
		one.treasury, class.treasury = one.treasury.Sub(gone), class.treasury.Sub(gone)
	} else {
		var err error
		if one, gone, err = l.reduceStock(s); err != nil {
			return err
		}
	}
	if class := l.class(one.class); s.ReducesAuthorized && class.authorized != nil {
		class.authorized = new(class.authorized.Sub(gone).Max(class.issued()))
	}
	return nil
}

func (l *ledger) reduceStock(s Step) (*security, exact.Decimal, error) {
	if one := l.securities[s.Security]; one != nil && one.family != stock {
		return nil, exact.Decimal{}, refuse("Only stock can be repurchased or retired.")
	}
	return l.reduce(s)
}

// reduce ends the security and returns the reduced quantity. The remainder becomes a new security.
func (l *ledger) reduce(s Step) (*security, exact.Decimal, error) {
	one, err := l.find(s.Security, s.Date)
	if err != nil {
		return nil, exact.Decimal{}, err
	}
	gone, err := one.part(s.Shares)
	if err != nil {
		return nil, gone, err
	}
	l.end(one)
	return one, gone, l.balance(one, gone, s)
}

// balance issues the remainder of a partly ended security under the id in the step. The issuance is an earlier
// step with this id, or implied.
func (l *ledger) balance(one *security, gone exact.Decimal, s Step) error {
	left := one.quantity.Sub(gone)
	if made := l.securities[s.Balance]; s.Balance != "" && made != nil {
		if err := l.result(made, one, s.Date); err != nil {
			return err
		}
		if made.family != one.family || made.class != one.class || made.holder != one.holder {
			return refuse("The balance must have the same holder and class as the ended security.")
		}
		if one.counted && made.quantity.Cmp(left) != 0 {
			return refuse("The balance must be the remainder: " + left.String() + ".")
		}
		return nil
	}
	if !one.counted || left.Sign() == 0 {
		if s.Balance != "" && one.counted {
			return refuse("No quantity remains for the balance " + quote(s.Balance) + ".")
		}
		return nil
	}
	issued := one.issued
	if !s.Date.IsZero() {
		issued = s.Date
	}
	return l.enter(&security{
		id: s.Balance, class: one.class, plan: one.plan, holder: one.holder, family: one.family,
		issued: issued, quantity: left, counted: true, made: l.step, accepted: one.accepted,
	})
}

// result links an issuance to the transaction that it resulted from.
func (l *ledger) result(made, of *security, on exact.Date) error {
	switch {
	case made == of || !made.loose:
		return refuse("The security " + quote(made.id) + " is not issued as the result of this transaction.")
	case !on.IsZero() && !made.issued.IsZero() && made.issued != on:
		return refuse("The security " + quote(made.id) + " is issued on " + made.issued.String() + ", not on the day of the transaction.")
	}
	made.loose, made.plan = false, of.plan
	if made.family == stock {
		made.plan = ""
	}
	l.count(made)
	return nil
}
