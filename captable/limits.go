package captable

import (
	"math"
	"slices"

	"equity/captable/timeline"
	"equity/fault"
)

// limited is a command with a field to which an exceeded limit is attributed.
type limited interface {
	// limitField returns the JSON pointer of the field.
	limitField() string
}

// checkDays refuses events after which a limit is exceeded on any day, or exceeded by more than
// before. The limits are the authorized shares of a class, the size of a pool and the vested
// quantity of a grant. The events are applied to a copy of the state. Most commands check only
// their own quantity from their date on, which is cheaper; see [Security.checkRoom]. See ruling 36.
func checkDays(s *State, events []Event, command Command) error {
	if !slices.ContainsFunc(events, s.needsDays) {
		return nil
	}
	pointer := ""
	if command, ok := command.(limited); ok {
		pointer = command.limitField()
	}
	after := stateAfter(s, events)
	for now := range after.Securities() {
		before, known := s.Security(now.ID)
		if !known {
			before = &Security{}
		}
		if before == now {
			continue
		}
		if err := now.checkDays(before, pointer); err != nil {
			return err
		}
	}
	for now := range after.Plans() {
		if before, known := s.Plan(now.ID); known && before != now {
			if err := now.checkDays(before, pointer); err != nil {
				return err
			}
		}
	}
	return checkVested(s, events, after, pointer)
}

// needsDays reports whether the event may exceed a limit that its command has not checked from its
// date on.
func (s *State) needsDays(event Event) bool {
	if s.isRestated(event) {
		return true
	}
	switch e := event.(type) {
	case SecuritySplit: // a package states the limits and the restated shares of its day separately
		return e.Source == nil
	case ShareholdingVoided:
		return s.awardedElsewhere(e.ID)
	case ShareholdingEnded:
		return e.Source == nil && slices.ContainsFunc(e.From, s.awardedElsewhere)
	case ShareholdingIssued, ShareholdingAccepted, ShareholdingAmended,
		OptionGranted, OptionAccepted, OptionAmended, OptionVoided, OptionRetracted, OptionRepriced, OptionExercised, OptionReduced,
		VestingStopped, ExerciseRequested, ExerciseDeclined, InstrumentIssued, InstrumentAccepted, InstrumentRepaid, InstrumentConverted,
		WarrantExercised, InstrumentEnded, InstrumentVoided:
		return false
	default:
		return true
	}
}

// isRestated reports whether recorded splits restate a new record of the event, whose quantity then
// differs from day to day.
func (s *State) isRestated(event Event) bool {
	switch e := event.(type) {
	case ShareholdingIssued:
		return s.splitSince(e.Issue)
	case ShareholdingEnded:
		return slices.ContainsFunc(e.issues(), s.splitSince)
	case OptionExercised:
		return s.splitSince(e.Result)
	case WarrantExercised:
		return s.splitSince(e.Result)
	case InstrumentConverted:
		return slices.ContainsFunc(e.results(), s.splitSince)
	case OptionGranted:
		security, _ := s.Security(e.Security)
		return len(security.splitsAfter(e.IssueDate)) > 0
	case InstrumentIssued:
		security, _ := s.Security(e.Security)
		return len(security.splitsAfter(e.IssueDate)) > 0
	default:
		return false
	}
}

// splitSince reports whether the class was split after the issue.
func (s *State) splitSince(issue Issue) bool {
	security, _ := s.Security(issue.Security)
	return len(security.splitsAfter(issue.IssueDate)) > 0
}

// checkDays refuses more issued and reserved shares than are authorized on any day, unless the
// excess existed before.
func (s *Security) checkDays(before *Security, pointer string) error {
	if _, short := s.firstShort(math.MinInt32, Decimal{}); !short {
		return nil
	}
	for _, day := range s.days() {
		limit, was, used, had := s.authorizedOn(day), before.authorizedOn(day), s.used.On(day), before.used.On(day)
		if limit.Covers(used) || !was.Covers(had) && used.Sub(had).Cmp(limit.Shares.Sub(was.Shares)) <= 0 {
			continue
		}
		code := string(fault.Conflict)
		refusal := fault.Refuse(fault.Conflict, "The authorized shares must not be fewer than the issued and reserved shares.")
		message := limit.String() + " shares would be authorized on " + day.String() + "; " + used.String() + " are issued or reserved."
		if more := used.Sub(had); more.Sign() > 0 {
			refusal = insufficient("There are not enough authorized shares left.", limit.Minus(had), more)
			code, message = string(fault.InsufficientShares), exceeds(limit.Minus(had), more, day)
		}
		return onDay(refusal, day, limit, used).With("security", s.ID.String()).
			With("issued", before.Issued.String()).With("reserved", before.Reserved.String()).At(pointer, code, message)
	}
	return nil
}

// days returns the days on which the limit or the used shares change, in order.
func (s *Security) days() []Date {
	var days []Date
	for day := range s.used.Days() {
		days = append(days, day)
	}
	for _, change := range s.Authorizations {
		days = append(days, change.EffectiveDate)
	}
	slices.Sort(days)
	return slices.Compact(days)
}

// checkDays refuses a pool that is overdrawn on any day by more than before.
func (p *Plan) checkDays(before *Plan, pointer string) error {
	for i := range p.Pools {
		pool := &p.Pools[i]
		was, known := before.pool(pool.ID)
		if !known {
			was = &Pool{}
		}
		if pool.taken.Most(math.MinInt32, math.MaxInt32).Sign() <= 0 {
			continue
		}
		for day, over := range pool.taken.Days() {
			if over.Sign() > 0 && over.Cmp(was.taken.On(day)) > 0 {
				return insufficient(
					"There are not enough shares left in the pool.", AuthorizedOf(was.taken.On(day).Neg().Max(Decimal{})),
					over.Sub(was.taken.On(day)),
				).
					With("pool", pool.ID.String()).With("date", day.String()).
					At(
						pointer, string(fault.InsufficientShares),
						over.String()+" shares more than the pool has would be used on "+day.String()+".",
					)
			}
		}
	}
	return nil
}

// checkVested refuses a vesting change after which more was exercised or released by the date of a
// deduction than had vested, unless the excess existed before.
func checkVested(s *State, events []Event, after *State, pointer string) error {
	for _, event := range events {
		changed, vests := event.(OptionVestingChanged)
		if !vests {
			continue
		}
		before, _ := s.Grant(changed.ID)
		now, _ := after.Grant(changed.ID)
		for _, deduction := range now.Deductions {
			if short := now.shortOn(deduction.Date); short.Sign() > 0 && short.Cmp(before.shortOn(deduction.Date)) > 0 {
				return fault.Refuse(fault.Conflict, "The vested shares must not be fewer than the shares that were exercised or released.").
					With("date", deduction.Date.String()).With("short", short.String()).
					At(pointer, "exceedsVested", short.String()+" shares taken by "+deduction.Date.String()+" would not have vested.")
			}
		}
	}
	return nil
}

// shortOn returns the exercised and released quantity minus the vested quantity at the end of the
// day. It is zero for a grant with early exercise, which vesting does not limit.
func (g *Grant) shortOn(day Date) Decimal {
	if g.EarlyExercise {
		return Decimal{}
	}
	figures := g.On(day)
	return figures.Exercised.Add(figures.Released).Sub(figures.Vested)
}

// checkApproval refuses a grant from a pool on a day before the approval of the pool.
func (r *planRegister) checkApproval(plan *Plan, pool *Pool, on Date) error {
	day, begun := r.begins(pool)
	if !begun || day <= on {
		return nil
	}
	from := day.String()
	return fault.Refuse(fault.Conflict, "The plan is not approved yet on "+on.String()+": its pool is approved from "+from+" on.").
		With("plan", plan.ID.String()).With("pool", pool.ID.String()).With("approvedFrom", from).
		At("/issueDate", "beforeApproval", "The date must not be before the approval of the pool, "+from+".")
}

// limitField returns the pointer of the quantity.
func (AuthorizeShares) limitField() string { return "/quantity" }

// limitField returns the pointer of the shares.
func (IssueShareholding) limitField() string { return "/shares" }

// limitField returns the pointer of the quantity.
func (IssueInstrument) limitField() string { return "/quantity" }

// limitField returns the pointer of the quantity.
func (GrantOption) limitField() string { return "/quantity" }

// limitField returns the pointer of the limit.
func (ReplaceSecurity) limitField() string { return "/authorizedShares" }

// limitField returns the pointer of the date, from which the split counts.
func (SplitSecurity) limitField() string { return "/date" }

// limitField returns the pointer of the shares.
func (CorrectShareholding) limitField() string { return "/shares" }

// limitField returns the pointer of the size.
func (AdjustPool) limitField() string { return "/totalShares" }

// limitField returns the pointer of the pools.
func (CreatePlan) limitField() string { return "/pools" }

// limitField returns the pointer of the pools.
func (ReplacePlan) limitField() string { return "/pools" }

// limitField returns the pointer of the quantity.
func (CorrectGrant) limitField() string { return "/quantity" }

// limitField returns the pointer of the quantity.
func (CorrectInstrument) limitField() string { return "/quantity" }

// limitField returns the pointer of the date.
func (HappenGrant) limitField() string { return "/date" }

// span is a range of days with one limit of a class. Both ends are included.
type span struct {
	from, to Date
	limit    Authorized
}

// limits returns the limits of the class from the day on, in ascending order of days. No shares
// are authorized before the first authorization.
func (s *Security) limits(from Date) []span {
	spans := make([]span, 0, len(s.Authorizations)+1)
	begins, limit := Date(math.MinInt32), Authorized{}
	add := func(to Date) {
		if to >= from && to >= begins {
			spans = append(spans, span{max(begins, from), to, limit})
		}
	}
	for _, change := range s.Authorizations {
		add(change.EffectiveDate - 1)
		begins, limit = change.EffectiveDate, change.Authorized
	}
	add(math.MaxInt32)
	return spans
}

// room returns the number of new shares that can be issued or reserved from the day on: the
// minimum over these days of the authorized shares that are neither issued nor reserved.
func (s *Security) room(from Date) Authorized {
	least := Authorized{Unlimited: true}
	for _, span := range s.limits(from) {
		if left := span.limit.Minus(
			s.used.Most(span.from, span.to),
		); least.Unlimited || !left.Unlimited && left.Shares.Cmp(least.Shares) < 0 {
			least = left
		}
	}
	return least
}

// firstShort returns the first day, from the given one on, on which the used and the further
// shares exceed the authorized shares. It reports false if there is no such day.
func (s *Security) firstShort(from Date, further Decimal) (Date, bool) {
	for _, span := range s.limits(from) {
		if span.limit.Unlimited {
			continue
		}
		if day, found := firstAbove(s.used, span, further.Sub(span.limit.Shares)); found {
			return day, true
		}
	}
	return 0, false
}

// firstAbove returns the first day of the span on which the line plus the further quantity is
// positive. It reports false if there is no such day.
func firstAbove(line timeline.Line, days span, further Decimal) (Date, bool) {
	above := func(to Date) bool { return line.Most(days.from, to).Add(further).Sign() > 0 }
	if !above(days.to) {
		return 0, false
	}
	day, last := days.from, days.to // invariant: the result is in [day, last]
	for day < last {
		if middle := Date((int64(day) + int64(last)) >> 1); above(middle) { //nolint:gosec // the mean of two dates is a date
			last = middle
		} else {
			day = middle + 1
		}
	}
	return day, true
}

// checkRoom refuses an issue that exceeds the available shares on any day from the date on. The
// pointer is that of the quantity field.
func (s *Security) checkRoom(shares Decimal, date Date, pointer string) error {
	if len(s.splitsAfter(date)) > 0 { // checkDays compares the quantities of each day
		return nil
	}
	room, treasury := s.room(date), s.treasuryFrom(date)
	if available := room.Add(AuthorizedOf(treasury)); !available.Covers(shares) {
		return s.short(available, shares, date, shares.Sub(treasury), pointer)
	}
	return nil
}

// checkReserve refuses to reserve more shares of a class than are authorized and neither issued
// nor reserved on every day from the date on.
func (c *classes) checkReserve(id SecurityID, shares Decimal, from Date, pointer string) error {
	security, ok := c.securities.Get(id)
	if !ok || shares.Sign() <= 0 || c.unlimited || len(security.splitsAfter(from)) > 0 { // checkDays compares the quantities of each day
		return nil
	}
	room := security.room(from)
	if room.Covers(shares) && security.Reserved.Add(shares).Fits() {
		return nil
	}
	return security.short(room, shares, from, shares, pointer).With("security", id.String()).
		With("issued", security.Issued.String()).With("reserved", security.Reserved.String())
}

// short returns the error for insufficient authorized shares. The further shares are those that
// do not come from the treasury.
func (s *Security) short(available Authorized, shares Decimal, date Date, further Decimal, pointer string) *fault.Error {
	day, found := s.firstShort(date, further)
	if !found {
		day = date
	}
	refusal := insufficient("There are not enough authorized shares left.", available, shares)
	return onDay(refusal, day, s.authorizedOn(day), s.used.On(day)).At(
		pointer, string(fault.InsufficientShares), exceeds(available, shares, day),
	)
}

// onDay adds the first day on which a limit would be exceeded, with the figures of the day.
func onDay(e *fault.Error, day Date, limit Authorized, used Decimal) *fault.Error {
	return e.With("date", day.String()).With("authorized", limit.String()).With("used", used.String())
}

// exceeds returns the message for a quantity above the available shares.
func exceeds(available Authorized, wanted Decimal, day Date) string {
	return available.String() + " shares are available on " + day.String() + "; " + wanted.String() + " were requested."
}
