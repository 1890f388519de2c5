package ledger

import "equity/captable/exact"

// plan is a plan with its pool.
type plan struct {
	id             string
	reserved, used exact.Decimal
	board          exact.Date
	returns        bool
}

// available returns the shares available for grants.
func (p *plan) available() exact.Decimal { return p.reserved.Sub(p.used) }

// plan reserves a pool.
func (l *ledger) plan(s Step) error {
	if l.plans[s.Plan] != nil {
		return refuse("The plan " + quote(s.Plan) + " exists already.")
	}
	if s.Reserved.Sign() < 0 {
		return refuse("The pool must not be negative.")
	}
	l.plans[s.Plan] = &plan{id: s.Plan, reserved: s.Reserved, board: s.Board, returns: s.Returns}
	return nil
}

// planned returns the plan of a step.
func (l *ledger) planned(s Step) (*plan, error) {
	if l.plans[s.Plan] == nil {
		return nil, refuse("There is no plan " + quote(s.Plan) + ".")
	}
	return l.plans[s.Plan], nil
}

// setPool sets the size of a pool.
func (l *ledger) setPool(s Step) error {
	plan, err := l.planned(s)
	if err != nil {
		return err
	}
	if s.Reserved.Cmp(plan.used) < 0 {
		return refuse("The pool " + quote(plan.id) + " has granted " + plan.used.String() + " already.")
	}
	plan.reserved = s.Reserved
	return nil
}

// grant issues equity compensation from a pool.
func (l *ledger) grant(s Step) error {
	plan, err := l.planned(s)
	if err != nil {
		return err
	}
	switch {
	case s.Holder == nobody:
		return refuse("The holder is not a stakeholder.")
	case s.Shares == nil || s.Shares.Sign() <= 0:
		return refuse("The granted quantity must be above zero.")
	case !s.Date.IsZero() && s.Date < plan.board:
		return refuse("The plan " + quote(plan.id) + " is not approved before " + plan.board.String() + ".")
	case s.Shares.Cmp(plan.available()) > 0:
		return refuse(
			"The pool " + quote(plan.id) + " has " + plan.available().String() + " available shares, not " + s.Shares.String() + ".",
		)
	}
	made := &security{
		id: s.Security, plan: plan.id, holder: s.Holder, family: equity, issued: s.Date,
		quantity: *s.Shares, counted: true, made: l.step,
	}
	if err := l.enter(made); err != nil {
		return err
	}
	plan.used = plan.used.Add(made.quantity)
	return nil
}

// returnToPool returns the cancelled quantity of a grant to its pool, once. It has no effect if the plan already
// returned the quantity automatically.
func (l *ledger) returnToPool(s Step) error {
	plan, err := l.planned(s)
	if err != nil {
		return err
	}
	one := l.securities[s.Security]
	if one == nil || one.plan != plan.id {
		return refuse("The security " + quote(s.Security) + " is not granted under the plan " + quote(plan.id) + ".")
	}
	back := one.cancelled
	if s.Shares != nil {
		back = *s.Shares
	}
	switch {
	case back.Sign() <= 0 || back.Cmp(one.cancelled) > 0:
		return refuse("The security " + quote(one.id) + " has " + one.cancelled.String() + " cancelled shares.")
	case plan.returns:
		return nil
	case one.returned.Add(back).Cmp(one.cancelled) > 0:
		return refuse("The security " + quote(one.id) + " has already returned " + one.returned.String() + " shares to the pool.")
	}
	one.returned = one.returned.Add(back)
	plan.used = plan.used.Sub(back)
	return nil
}
