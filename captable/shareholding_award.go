package captable

import (
	"slices"

	"equity/fault"
)

// Award identifies the plan and the pool of awarded shares, that is, of restricted stock. Both
// ids are zero for shares outside a plan. Awarded shares count as granted and, because they
// are issued at once, as exercised. See ruling 29.
type Award struct {
	Plan PlanID `json:"plan,omitzero"`
	Pool PoolID `json:"pool,omitzero"`
}

// awarded reports whether the shares were awarded from a pool.
func (a Award) awarded() bool { return a != Award{} }

// checkAward adds the faults of the plan and the pool of an award.
func (c IssueShareholding) checkAward(s *State, faults *fault.Fields) {
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
	case pool.Security != c.Security && c.Source == nil: // the plans of packages have several classes
		faults.Add("/pool", "otherSecurity", "The pool must reserve shares of the same security.")
	}
}

// checkRoom refuses more shares than are available from the issue date on: in the pool for
// awards, in the class for other shares. The shares of a pool are already reserved in its
// class. An award of another class needs both.
func (c IssueShareholding) checkRoom(s *State, security *Security) error {
	if s.classes.unlimited {
		return nil
	}
	plan, pool, planned := s.Pool(PoolRef(c.Award))
	if len(security.splitsAfter(c.IssueDate)) > 0 { // checkDays compares the quantities of each day
		if planned {
			return plan.inForce(c.IssueDate)
		}
		return nil
	}
	if !c.awarded() || pool.Security != c.Security {
		if err := security.checkRoom(c.Shares, c.IssueDate, "/shares"); err != nil || !c.awarded() {
			return err
		}
	}
	if err := plan.inForce(c.IssueDate); err != nil {
		return err
	}
	return checkPoolGrant(s, plan, pool, c.Shares, c.IssueDate, "/shares")
}

// fromTreasury returns the number of shares that come from the treasury. An award takes no treasury
// shares, unless it is of another class than its pool.
func (c IssueShareholding) fromTreasury(s *State, security *Security) Decimal {
	_, pool, _ := s.Pool(PoolRef(c.Award))
	switch {
	case c.awarded() && pool.Security == c.Security:
		return Decimal{}
	case s.classes.unlimited:
		return c.FromTreasury.Min(c.Shares)
	default:
		return security.fromTreasury(c.Shares, c.IssueDate)
	}
}

// awardedElsewhere reports whether the shares were awarded from a pool of another class.
func (s *State) awardedElsewhere(id ShareholdingID) bool {
	h, known := s.Shareholding(id)
	if !known || !h.awarded() {
		return false
	}
	_, pool, ok := s.Pool(PoolRef(h.Award))
	return ok && pool.Security != h.Security
}

// awardShares subtracts the shares from their pool: the issued quantity on the issue date, and the
// change by each split on its date.
func awardShares(s *State, h *Shareholding, stamp Stamp) {
	if h.awarded() {
		s.plans.changePool(PoolRef(h.Award), stamp, func(pool *Pool) { pool.Grants++ })
		moveAward(s, h, stamp, func(shares Decimal) PoolFigures { return PoolFigures{Granted: shares, Exercised: shares} })
	}
}

// revokeAward reverses the award in the pool, as if it had never been made.
func revokeAward(s *State, h *Shareholding, stamp Stamp) {
	if h.awarded() {
		moveAward(s, h, stamp, func(shares Decimal) PoolFigures { return PoolFigures{Granted: shares.Neg(), Exercised: shares.Neg()} })
	}
}

func moveAward(s *State, h *Shareholding, stamp Stamp, change func(shares Decimal) PoolFigures) {
	from, counted := h.IssueDate, Decimal{}
	for _, count := range h.Before {
		s.movePool(PoolRef(h.Award), h.Security, from, change(count.Shares.Sub(counted)), stamp)
		from, counted = count.Until, count.Shares
	}
	s.movePool(PoolRef(h.Award), h.Security, from, change(h.Shares.Sub(counted)), stamp)
}

// award returns the award of a result. Shares with a new certificate remain the award that they were.
func (r replacement) award(from []*Shareholding, result Result) Award {
	first := from[0]
	isOther := func(h *Shareholding) bool { return h.Award != first.Award || h.Entity != first.Entity }
	replaced := r.kind == StatusReissued || r.kind == StatusConsolidated
	if !replaced || result.Security != first.Security || slices.ContainsFunc(from, isOther) {
		return result.Award
	}
	return first.Award
}

// returnsAward reports whether ended shares return to the pool of their award. For cancelled
// and repurchased shares, the cancellation behavior of the command or the plan decides. Other
// shares do not return.
func (r *planRegister) returnsAward(h *Shareholding, kind Status, said CancellationBehavior) bool {
	plan, planned := r.records.Get(h.Plan)
	return planned && (kind == StatusCancelled || kind == StatusRepurchased) && plan.Returns(said)
}

// endAward updates the pool when awarded shares end. A retraction reverses the award. A
// cancellation or a repurchase moves the shares from exercised to cancelled. After any other
// ending, the shares still count as granted and exercised.
func (e ShareholdingEnded) endAward(s *State, h *Shareholding, stamp Stamp) {
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
	s.movePool(PoolRef(h.Award), h.Security, e.Date, change, stamp)
}

// TerminateShares is the command to end the vesting of shareholdings after the service of their
// first holder ended. It is used for imported packages. Shares that are not vesting on the day
// are ignored.
type TerminateShares struct {
	Shareholdings []ShareholdingID
	Termination
	Source *Source
}

// VestingStopped records that shares stopped vesting on a day. Their unvested part may be
// repurchased.
type VestingStopped struct {
	Shareholdings []ShareholdingID `json:"shareholdings"`
	Termination   Termination      `json:"termination"`
	Source        *Source          `json:"source,omitempty"`
}

func (c TerminateShares) decide(s *State, m DecideContext) ([]Event, error) {
	var faults fault.Fields
	m.checkDate(&faults, "/date", c.Date)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	var stopped []ShareholdingID
	for _, id := range c.Shareholdings {
		h, err := s.shares.shareholding(id)
		if err != nil {
			return nil, err
		}
		if stopsVesting(s, h, c.Date) {
			stopped = append(stopped, id)
		}
	}
	if len(stopped) == 0 {
		return nil, nil
	}
	return []Event{VestingStopped{Shareholdings: stopped, Termination: c.Termination, Source: c.Source}}, nil
}

// stopsVesting reports whether a termination on the day stops the vesting of the shares. It is
// false for shares of an early exercise, which stop with their option.
func stopsVesting(s *State, h *Shareholding, day Date) bool {
	if !h.vests() || h.Termination != nil || h.Status == StatusVoided || h.Status == StatusRetracted || h.End != nil && h.End.Date <= day {
		return false
	}
	if _, early := newExerciseVesting(s, day).of(h); early {
		return false
	}
	return isVesting(s, h, day)
}

// isVesting reports whether shares vest by a schedule after the day. A part vests as long as the
// whole does, although its own shares may have vested by the rounding of the division: a split can
// give it unvested shares again.
func isVesting(s *State, h *Shareholding, day Date) bool {
	vested, vests := vestedBySchedule(s, h, day)
	if !vests || vested.Unvested.Sign() > 0 {
		return vests
	}
	for _, from := range s.shares.dividedFrom(h) {
		if isVesting(s, from, day) {
			return true
		}
	}
	return false
}

// stopVesting returns the event that stops the vesting of the unvested shares of a leaving
// holder: the shares that were issued to the holder until the day, and the shares that result
// from them, regardless of their present holder. It returns no event if there are no such shares. See ruling 50.
func stopVesting(s *State, entity EntityID, termination Termination) []Event {
	var stopped []ShareholdingID
	seen := map[ShareholdingID]bool{}
	var visit func(h *Shareholding)
	visit = func(h *Shareholding) {
		if seen[h.ID] {
			return
		}
		seen[h.ID] = true
		if stopsVesting(s, h, termination.Date) {
			stopped = append(stopped, h.ID)
		}
		for _, id := range h.Results {
			if result, known := s.Shareholding(id); known && result.vests() {
				visit(result)
			}
		}
	}
	for h := range s.ShareholdingsOf(entity) {
		if h.IssueDate <= termination.Date && h.vests() && s.shares.awardedTo(h) == entity {
			visit(h)
		}
	}
	if len(stopped) == 0 {
		return nil
	}
	return []Event{VestingStopped{Shareholdings: stopped, Termination: termination}}
}

// awardedTo returns the first holder of the shares. The vesting depends on the service of this
// person.
func (r *shareRegister) awardedTo(h *Shareholding) EntityID {
	for h.cameFromShares() {
		from, known := r.records.Get(h.Origin.From[0])
		if !known || !from.vests() {
			break
		}
		h = from
	}
	return h.Entity
}

func (e VestingStopped) apply(s *State, stamp Stamp) {
	for _, id := range e.Shareholdings {
		s.shares.change(id, stamp, func(h *Shareholding) { h.Termination = &e.Termination })
	}
}

// EventType returns the name of the event.
func (VestingStopped) EventType() string { return "shareholdingVestingStopped" }

// Creates returns nil: the event creates no records.
func (VestingStopped) Creates() []Created { return nil }

// Records returns the shareholdings.
func (e VestingStopped) Records(s *State) (all []any) {
	for _, id := range e.Shareholdings {
		all = append(all, records(s.Shareholding(id))...)
	}
	return all
}

// StoppedBy returns the termination that stopped the vesting by the end of the day, or nil.
func (h *Shareholding) StoppedBy(day Date) *Termination {
	if h.Termination == nil || h.Termination.Date > day {
		return nil
	}
	return h.Termination
}

// inheritTermination stops the vesting of shares that result from stopped ones.
func (h *Shareholding) inheritTermination(s *State) {
	if !h.vests() || h.Origin == nil {
		return
	}
	for _, id := range h.Origin.From {
		if from, known := s.Shareholding(id); known && from.Termination != nil {
			h.Termination = from.Termination
			return
		}
	}
}
