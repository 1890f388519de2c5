package captable

// Award identifies the plan and the pool of awarded shares, that is, of restricted stock. Both
// ids are zero for shares outside a plan. Awarded shares count as granted and, because they
// are issued at once, as exercised.
type Award struct {
	Plan PlanID `json:"plan,omitzero"`
	Pool PoolID `json:"pool,omitzero"`
}

// awarded reports whether the shares were awarded from a pool.
func (a Award) awarded() bool { return a != Award{} }

// checkAward adds the faults of the plan and the pool of an award.
func (c IssueShareholding) checkAward(s *State, faults *Faults) {
	if !c.awarded() {
		return
	}
	plan, planned := s.Plan(c.Plan)
	if !planned {
		faults.Add("/plan", "unknownReference", "There is no such plan.")
		return
	}
	pool, known := plan.pool(c.Pool)
	switch {
	case !known:
		faults.Add("/pool", "unknownReference", "There is no such pool in the plan.")
	case pool.Security != c.Security:
		faults.Add("/pool", "otherSecurity", "The pool reserves shares of another security.")
	}
}

// checkRoom refuses more shares than are available from the issue date on: in the pool for
// awards, in the class for other shares. The shares of a pool are already reserved in its
// class.
func (c IssueShareholding) checkRoom(s *State, security *Security) error {
	if s.unlimited {
		return nil
	}
	if !c.awarded() {
		return security.checkRoom(c.Shares, c.IssueDate, "/shares")
	}
	plan, pool, _ := s.Pool(PoolRef(c.Award))
	if err := plan.inForce(c.IssueDate); err != nil {
		return err
	}
	return s.checkGrant(plan, pool, c.Shares, c.IssueDate, "/shares")
}

// fromTreasury returns the number of shares that come from the treasury. Awards use none.
func (c IssueShareholding) fromTreasury(s *State, security *Security) Decimal {
	switch {
	case c.awarded():
		return Decimal{}
	case s.unlimited:
		return c.FromTreasury.Min(c.Shares)
	default:
		return security.fromTreasury(c.Shares, c.IssueDate)
	}
}

// award subtracts the shares from their pool: the issued quantity on the issue date, and the
// change by each split on its date.
func (s *State) award(h *Shareholding, stamp Stamp) {
	if h.awarded() {
		s.changePool(PoolRef(h.Award), stamp, func(pool *Pool) { pool.Grants++ })
		s.moveAward(h, stamp, func(shares Decimal) PoolFigures { return PoolFigures{Granted: shares, Exercised: shares} })
	}
}

// disaward reverses the award in the pool, as if it had never been made.
func (s *State) disaward(h *Shareholding, stamp Stamp) {
	if h.awarded() {
		s.moveAward(h, stamp, func(shares Decimal) PoolFigures { return PoolFigures{Granted: shares.Neg(), Exercised: shares.Neg()} })
	}
}

func (s *State) moveAward(h *Shareholding, stamp Stamp, change func(shares Decimal) PoolFigures) {
	from, counted := h.IssueDate, Decimal{}
	for _, count := range h.Before {
		s.movePool(PoolRef(h.Award), from, change(count.Shares.Sub(counted)), stamp)
		from, counted = count.Until, count.Shares
	}
	s.movePool(PoolRef(h.Award), from, change(h.Shares.Sub(counted)), stamp)
}

// returnsAward reports whether ended shares return to the pool of their award. For cancelled
// and repurchased shares, the cancellation behavior of the command or the plan decides. Other
// shares do not return.
func (s *State) returnsAward(h *Shareholding, kind Status, said CancellationBehavior) bool {
	plan, planned := s.Plan(h.Plan)
	return planned && (kind == StatusCancelled || kind == StatusRepurchased) && plan.Returns(said)
}

// endAward updates the pool when awarded shares end. A retraction reverses the award. A
// cancellation or a repurchase moves the shares from exercised to cancelled. After any other
// ending, the shares still count as granted and exercised.
func (e Ending) endAward(s *State, h *Shareholding, stamp Stamp) {
	if !h.awarded() {
		return
	}
	var change PoolFigures
	switch e.Kind { //nolint:exhaustive // the others remain shares
	case StatusRetracted:
		change = PoolFigures{Granted: e.Shares.Neg(), Exercised: e.Shares.Neg()}
	case StatusCancelled, StatusRepurchased:
		change = PoolFigures{Exercised: e.Shares.Neg(), Cancelled: e.Shares}
		if e.Returns {
			change.Returned = e.Shares
		}
	default:
		return
	}
	s.movePool(PoolRef(h.Award), e.Date, change, stamp)
}
