package captable

import (
	"math"

	"equity/captable/timeline"
)

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
		if left := span.limit.less(s.used.Most(span.from, span.to)); least.Unlimited || !left.Unlimited && left.Shares.Cmp(least.Shares) < 0 {
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
	room, treasury := s.room(date), s.treasuryFrom(date)
	if available := room.Add(AuthorizedOf(treasury)); !available.Covers(shares) {
		return s.short(available, shares, date, shares.Sub(treasury), pointer)
	}
	return nil
}

// checkReserve refuses to reserve more shares of a class than are authorized and neither issued
// nor reserved on every day from the date on.
func (s *State) checkReserve(id SecurityID, shares Decimal, from Date, pointer string) error {
	security, ok := s.Security(id)
	if !ok || shares.Sign() <= 0 || s.unlimited {
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
func (s *Security) short(available Authorized, shares Decimal, date Date, further Decimal, pointer string) *Error {
	day, found := s.firstShort(date, further)
	if !found {
		day = date
	}
	return insufficient("There are not enough authorized shares left.", available, shares).
		on(day, s.authorizedOn(day), s.used.On(day)).at(pointer, string(CodeInsufficientShares), exceeds(available, shares, day))
}

// on adds the first day on which a limit would be exceeded, with the figures of the day.
func (e *Error) on(day Date, limit Authorized, used Decimal) *Error {
	return e.With("date", day.String()).With("authorized", limit.String()).With("used", used.String())
}

// at returns the error with the invalid field.
func (e *Error) at(pointer, code, message string) *Error {
	if pointer == "" {
		return e
	}
	with := *e
	with.Fields = []FieldError{{Pointer: pointer, Code: code, Message: message}}
	return &with
}

// exceeds returns the message for a quantity above the available shares.
func exceeds(available Authorized, wanted Decimal, day Date) string {
	return available.String() + " shares are available on " + day.String() + "; " + wanted.String() + " were requested."
}
