package captable_test

import (
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

// vests issues shares on 2020-01-01 with a vesting schedule.
func (b *bundle) vests(scheme vesting.Scheme, class captable.SecurityID, shares string) captable.ShareholdingID {
	b.Helper()
	schedule := b.do(captable.CreateVestingSchedule{VestingScheduleTerms: captable.VestingScheduleTerms{Name: shares, Scheme: scheme}})
	command := issue(ada, class, shares, "2020-01-01")
	command.VestingSchedule = schedule[0].(captable.VestingScheduleCreated).ID.String()
	return b.do(command)[0].(captable.ShareholdingIssued).ID
}

// vested returns the vested and the unvested shares of the shareholding on the day.
func (b *bundle) vested(id captable.ShareholdingID, on string) string {
	b.Helper()
	held, ok := b.holding(id).On(exact.MustDate(on))
	if !ok {
		return "not issued"
	}
	vested, ok := b.state.VestedOn(held, exact.MustDate(on))
	if !ok {
		return "by no schedule"
	}
	equal(b, "both together", vested.Vested.Add(vested.Unvested), held.Shares)
	return vested.Vested.String() + " " + vested.Unvested.String()
}

// balance returns the balance of the first event, which ends shares.
func (b *bundle) balance(events []captable.Event) captable.ShareholdingID {
	return events[0].(captable.ShareholdingEnded).Balance.ID
}

func TestVestedOn(t *testing.T) {
	t.Parallel()
	t.Run("shares vest by their schedule from the vesting start, with the next instalment", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.vests(fourYears(), b.common("10000"), "4800")
		for on, want := range map[string]string{
			"2019-12-31": "not issued", "2020-12-31": "0 4800", "2021-01-01": "1200 3600", "2023-12-31": "4700 100", "2024-01-01": "4800 0",
		} {
			equal(t, on, b.vested(id, on), want)
		}
		vested, _ := b.state.VestedOn(b.holding(id), exact.MustDate("2020-06-01"))
		equal(t, "next", vested.Next.Date.String()+" "+vested.Next.Quantity.String()+" "+vested.Next.Cumulative.String(), "2021-01-01 1200 1200")
		vested, _ = b.state.VestedOn(b.holding(id), exact.MustDate("2024-01-01"))
		equal(t, "nothing comes after all", vested.Next == nil, true)
	})
	t.Run("shares without a schedule have no vested quantity", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		equal(t, "vested", b.vested(b.issue(ada, b.common("10"), "10", today), today), "by no schedule")
	})
	t.Run("a cancellation takes the shares that vest last", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.vests(fourYears(), b.common("10000"), "4800")
		left := b.balance(b.do(cancel(id, "1800", "2022-01-01"))) // 2,400 have vested
		equal(t, "on that day", b.vested(left, "2022-01-01"), "2400 600")
		equal(t, "then as before", b.vested(left, "2022-02-01"), "2500 500")
		equal(t, "until all is", b.vested(left, "2022-07-01"), "3000 0")
		last, _ := b.state.VestedOn(b.holding(left), exact.MustDate("2022-06-30"))
		equal(t, "next", last.Next.Quantity.String()+" "+last.Next.Cumulative.String(), "100 3000")
		left = b.balance(b.do(cancel(left, "1000", "2022-03-01"))) // 2,600 have vested; unvested shares are cancelled first
		equal(t, "fewer than had vested", b.vested(left, "2022-03-01"), "2000 0")
	})
	t.Run("a split multiplies vesting shares and the quantities of their schedule", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("10000")
		scheme := vesting.Scheme{Allocation: vesting.CumulativeRoundDown, Discrete: []vesting.Tranche{
			{Date: exact.MustDate("2021-01-01"), Quantity: number("10")}, {Date: exact.MustDate("2025-01-01"), Quantity: number("90")},
		}}
		id, continuous := b.vests(scheme, class, "100"), b.vests(fourYears(), class, "480")
		b.do(split(class, "3", "1", "2022-01-01"))
		equal(t, "before", b.vested(id, "2021-12-31"), "10 90")
		equal(t, "after", b.vested(id, "2022-01-01"), "30 270")
		equal(t, "continuous", b.vested(continuous, "2022-02-01"), "750 690")
		left := b.balance(b.do(cancel(continuous, "440", "2022-02-01")))
		equal(t, "remainder", b.vested(left, "2022-02-01"), "750 250")
		b.do(split(class, "2", "1", "2022-03-01"))
		equal(t, "split again", b.vested(left, "2022-03-01"), "1560 440")
	})
	t.Run("both parts of a transfer continue to vest", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.vests(fourYears(), b.common("10000"), "4800")
		ending := b.ended(transfer(id, bob, "2400", "2022-01-01"))
		equal(t, "moved", b.vested(ending.Results[0].ID, "2022-01-01"), "1200 1200")
		equal(t, "stayed", b.vested(ending.Balance.ID, "2023-01-01"), "1800 600")
	})
	t.Run("shares with a milestone do not vest before the milestone", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		scheme := vesting.Scheme{Allocation: vesting.CumulativeRoundDown, Discrete: []vesting.Tranche{{Milestone: "listing", Fraction: number("1")}}}
		id := b.vests(scheme, b.common("10000"), "100")
		vested, ok := b.state.VestedOn(b.holding(id), exact.MustDate(today))
		equal(t, "vested", ok && vested.Vested.IsZero() && vested.Next == nil, true)
	})
	t.Run("an issue of shares that cannot vest by their schedule is refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		command := issue(ada, b.common("100"), "10", today)
		command.VestingSchedule, command.VestingStart = b.schedule("Standard").String(), exact.MustDate("9998-01-01")
		b.refused(command, fault.Invalid, "/vestingSchedule cannotVest")
	})
}

// The vested shares never decrease after cancellations and splits, and never exceed the
// shareholding.
func TestVestedOnAlwaysGrows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(draw *rapid.T) {
		b := setup(t)
		class := b.common("unlimited")
		id := b.vests(fourYears(), class, rapid.SampledFrom([]string{"48", "1000", "4801"}).Draw(draw, "shares"))
		day := exact.MustDate("2020-01-01")
		for range rapid.IntRange(0, 5).Draw(draw, "steps") {
			day += captable.Date(rapid.IntRange(0, 300).Draw(draw, "days"))
			if rapid.Bool().Draw(draw, "split") {
				b.do(split(class, "3", "1", day.String()))
				continue
			}
			if b.holding(id).Shares.Cmp(number("10")) > 0 {
				id = b.balance(b.do(cancel(id, "3", day.String())))
			}
		}
		held, last := b.holding(id), captable.Decimal{}
		for ; day < exact.MustDate("2024-03-01"); day += 20 {
			vested, _ := b.state.VestedOn(held, day)
			if vested.Vested.Cmp(last) < 0 || vested.Unvested.Sign() < 0 || !vested.Vested.IsWhole() {
				t.Fatalf("on %s %s of %s had vested, before %s", day, vested.Vested, held.Shares, last)
			}
			last = vested.Vested
		}
		equal(t, "in the end", last, held.Shares)
	})
}
