package captable_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// settled returns a command that records the stated number of shares for an exercise of Ada's
// options.
func settled(id captable.GrantID, of captable.SecurityID, quantity, shares string) captable.SettleGrant {
	return captable.SettleGrant{
		ID: id, Kind: captable.StatusExercised, Quantity: number(quantity), Date: exact.MustDate("2024-02-01"), Result: captable.Result{
			Holder: holder(ada), Security: of, Shares: number(shares), ShareholdingDetails: captable.ShareholdingDetails{Certificate: "THEIRS-1"},
		},
	}
}

func TestSettleGrant(t *testing.T) {
	t.Parallel()
	t.Run("a stated settlement is recorded with its shares, whatever had vested", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		exercised := b.do(settled(id, class, "40", "30"))[0].(captable.OptionExercised)
		held := b.holding(exercised.Result.ID)
		equal(t, "shares", held.Shares.String()+" "+held.Certificate, "30 THEIRS-1")
		equal(t, "origin", held.Origin.Option, id)
		equal(t, "not vested", exercised.Deduction.Unvested.String(), "40")
		equal(t, "withheld", exercised.Withheld.String(), "10")
		equal(t, "left", b.granted(id).Left().String(), "8")
		b.audited()
	})
	t.Run("a settlement beyond the outstanding options, or of more shares than options, is refused", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		b.refused(settled(id, class, "49", "1"), fault.InsufficientShares)
		b.refused(settled(id, class, "2", "3"), fault.InsufficientShares)
	})
	t.Run("a settlement in another class is refused", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		b.refused(settled(id, captable.SecurityID{9}, "1", "1"), fault.Invalid, "/results/0/security otherSecurity")
	})
	t.Run("a settlement may give the shares to another holder", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		command := settled(id, class, "1", "1")
		command.Result.Holder = holder(bob)
		exercised := b.do(command)[0].(captable.OptionExercised)
		equal(t, "holder", b.holding(exercised.Result.ID).Entity, bob)
		b.audited()
	})
}

func TestRetractGrant(t *testing.T) {
	t.Parallel()
	t.Run("a retraction ends a grant on its date, in the pool and for the holder", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		b.do(captable.RetractGrant{ID: id, Date: exact.MustDate("2024-03-01"), Reason: "wrong person"})
		equal(t, "status", b.granted(id).Status, captable.StatusRetracted)
		for day, left := range map[string]string{"2024-02-29": "48", "2024-03-01": "0"} {
			date := exact.MustDate(day)
			equal(t, "outstanding on "+day, b.granted(id).On(date).Outstanding.String(), left)
			table := b.state.TableOn(date, func(captable.EntityID) string { return "" })
			equal(t, "pool on "+day, table.Pools[0].Outstanding.String(), left)
			equal(t, "options on "+day, table.Totals.Options.String(), left)
			was, _ := b.granted(id).AsOf(date)
			equal(t, "is active on "+day, was.Status == captable.StatusActive, left != "0")
		}
		equal(t, "pool", b.figuresOf(ref, today), "100 0 0 0 0 0 100 ")
		b.refused(captable.AcceptGrant{ID: id}, fault.Conflict)
		b.refused(captable.HappenGrant{ID: id}, fault.Conflict)
		b.audited()
	})
	t.Run("a retraction follows a split, and a split before a retraction is refused", func(t *testing.T) {
		t.Parallel()
		b, class, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		split := captable.SplitSecurity{ID: class, Numerator: number("2"), Denominator: number("1"), Date: exact.MustDate("2024-03-01")}
		b.do(split)
		b.refused(captable.RetractGrant{ID: id, Date: exact.MustDate("2024-02-28")}, fault.Invalid, "/date beforeSplit", "/date datesOutOfOrder")
		b.do(captable.RetractGrant{ID: id, Date: exact.MustDate("2024-04-01")})
		for day, left := range map[string]string{"2024-02-29": "48", "2024-03-31": "96", "2024-04-01": "0"} {
			equal(t, "outstanding on "+day, b.granted(id).On(exact.MustDate(day)).Outstanding.String(), left)
		}
		b.refused(split, fault.Conflict)
		b.audited()
	})
	t.Run("a retraction event without an effective date undoes the grant on every day", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		id := b.grant(vestingOption(ref))
		b.state.Apply(captable.OptionRetracted{ID: id, Date: exact.MustDate("2024-03-01")}, captable.Stamp{})
		equal(t, "outstanding before", b.granted(id).On(exact.MustDate("2024-02-28")).Outstanding.String(), "0")
		b.audited()
	})
	t.Run("a retraction of an accepted or exercised grant, or before its issue, is refused", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		retract := captable.RetractGrant{ID: b.grant(vestingOption(ref)), Date: exact.MustDate("2024-01-14")}
		b.refused(retract, fault.Invalid, "/date beforeIssue")
		b.do(captable.AcceptGrant{ID: retract.ID, Date: exact.MustDate("2024-02-01")})
		b.refused(retract, fault.Conflict)
		b.do(exercise(retract.ID, "1", "2025-06-01"))
		b.refused(retract, fault.HasResults)
	})
}
