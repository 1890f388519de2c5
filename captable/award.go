package captable

// Award names the plan and the pool that shares were awarded out of, as restricted stock
// is; both are zero for shares of no plan. A pool's awards count as granted and, being
// shares already, as exercised.
type Award struct {
	Plan PlanID `json:"plan,omitzero"`
	Pool PoolID `json:"pool,omitzero"`
}

// awarded reports whether the shares came out of a pool.
func (a Award) awarded() bool { return a != Award{} }

// checkAward notes what is wrong with the pool that shares are to come out of.
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

// checkRoom refuses more shares than the pool has that they come out of, else more than
// may be issued with the date. What a pool has, its class has reserved.
func (c IssueShareholding) checkRoom(s *State, security *Security) error {
	if !c.awarded() {
		return security.checkRoom(c.Shares, c.IssueDate, "/shares")
	}
	plan, pool, _ := s.Pool(PoolRef(c.Award))
	if err := plan.inForce(c.IssueDate); err != nil {
		return err
	}
	return s.checkGrant(plan, pool, c.Shares, c.IssueDate, "/shares")
}

// fromTreasury is how many of the shares come from the treasury: none out of a pool.
func (c IssueShareholding) fromTreasury(security *Security) Decimal {
	if c.awarded() {
		return Decimal{}
	}
	return security.fromTreasury(c.Shares, c.IssueDate)
}

// award takes the shares out of their pool: those that were issued, and then what each
// split made of them.
func (s *State) award(h *Shareholding, stamp Stamp) {
	if h.awarded() {
		s.changePool(PoolRef(h.Award), stamp, func(pool *Pool) { pool.Grants++ })
		s.moveAward(h, stamp, func(shares Decimal) PoolFigures { return PoolFigures{Granted: shares, Exercised: shares} })
	}
}

// disaward puts the shares back as if they had never been awarded.
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

// returnsAward reports whether what ends goes back into the pool that it was awarded out of:
// shares that are given up do by the plan's cancellation behavior, unless the company
// keeps them.
func (s *State) returnsAward(h *Shareholding, kind Status, said CancellationBehavior) bool {
	plan, planned := s.Plan(h.Plan)
	return planned && (kind == StatusCancelled || kind == StatusRepurchased) && plan.Returns(said)
}

// endAward tells the pool what became of shares that were awarded out of it: retracted
// ones are not awarded any more, what was given up is no share any more. Whatever else
// happens to them they stay used.
func (e Ending) endAward(s *State, h *Shareholding, stamp Stamp) {
	if !h.awarded() {
		return
	}
	var change PoolFigures
	switch e.Kind { //nolint:exhaustive // the others stay shares
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
