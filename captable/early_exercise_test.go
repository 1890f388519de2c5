package captable_test

import (
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

// leaver returns a company with an option on 4,000 shares that vests over 48 months from 2020
// and may be exercised early. Each month, 83 1/3 shares vest.
func leaver(tb testing.TB) (*bundle, captable.SecurityID, captable.GrantID) {
	tb.Helper()
	b := setup(tb)
	class := b.common("100000")
	return b, class, b.grant(earlyOption(b.plan(planned(class, "20000")), "4000"))
}

func earlyOption(ref captable.PoolRef, quantity string) captable.GrantOption {
	command := option(ada, ref, quantity, "2020-01-01")
	command.EarlyExercise = true
	command.Vesting = &vesting.Scheme{Allocation: vesting.CumulativeRoundDown, Continuous: &vesting.Continuous{
		Length: vesting.Period{N: 48, Unit: vesting.Months}, Frequency: vesting.Period{N: 1, Unit: vesting.Months},
	}}
	return command
}

// standings returns the vested, unvested, exercised and outstanding quantities of an option on
// a day.
func (b *bundle) standings(id captable.GrantID, on string) string {
	b.Helper()
	f := b.granted(id).On(exact.MustDate(on))
	return f.Vested.String() + " " + f.Unvested.String() + " " + f.Exercised.String() + " " + f.Outstanding.String()
}

func TestSharesOfAnEarlyExerciseVestByTheOption(t *testing.T) {
	t.Parallel()
	shares := func(b *bundle, id captable.GrantID, quantity, on string) captable.ShareholdingID {
		return b.exercised(exercise(id, quantity, on)).Result.ID
	}
	t.Run("TerminationStopsTheSharesAndTheOption", func(t *testing.T) {
		t.Parallel()
		b, _, id := leaver(t)
		held := shares(b, id, "3000", "2020-06-01")
		b.do(terminate(id, "2021-03-01", captable.VoluntaryOther))
		for day, want := range map[string]string{
			"2021-02-28": "1083 1917", "2021-03-01": "1166 1834", "2021-03-02": "1166 1834", "2025-01-01": "1166 1834",
		} {
			equal(t, "shares on "+day, b.vested(held, day), want)
		}
		equal(t, "option on the day", b.standings(id, "2021-03-01"), "1166 1834 3000 0")
		equal(t, "option later", b.standings(id, "2025-01-01"), "1166 1834 3000 0")
		b.audited()
	})
	t.Run("WithoutATerminationTheSharesVestFirst", func(t *testing.T) {
		t.Parallel()
		b, _, id := leaver(t)
		held := shares(b, id, "3000", "2020-06-01")
		equal(t, "shares", b.vested(held, "2022-12-31"), "2916 84")
		equal(t, "all of them", b.vested(held, "2023-01-01"), "3000 0")
		equal(t, "option", b.standings(id, "2023-07-01"), "3500 500 3000 1000")
	})
	t.Run("TerminationAfterEverythingWasExercisedStopsTheShares", func(t *testing.T) {
		t.Parallel()
		b, _, id := leaver(t)
		held := shares(b, id, "4000", "2020-06-01")
		b.do(terminate(id, "2021-03-01", captable.VoluntaryOther))
		equal(t, "shares", b.vested(held, "2024-01-01"), "1166 2834")
		equal(t, "option", b.standings(id, "2024-01-01"), "1166 2834 4000 0")
		equal(t, "the day before", b.vested(held, "2021-02-28"), "1083 2917")
		b.refused(terminate(id, "2021-04-01", captable.VoluntaryOther), fault.Conflict)
	})
	t.Run("TerminationAfterTheRestWasCancelledStopsTheShares", func(t *testing.T) {
		t.Parallel()
		b, _, id := leaver(t)
		held := shares(b, id, "3000", "2020-06-01")
		b.do(captable.CancelGrant{ID: id, Date: exact.MustDate("2020-07-01"), Reason: "agreed"})
		b.do(terminate(id, "2021-03-01", captable.VoluntaryOther))
		equal(t, "shares", b.vested(held, "2024-01-01"), "1166 1834")
	})
	t.Run("TerminationOfAnEndedOptionWhoseSharesHaveVestedIsRefused", func(t *testing.T) {
		t.Parallel()
		b, _, id := leaver(t)
		shares(b, id, "4000", "2020-06-01")
		b.refused(terminate(id, "2024-01-01", captable.VoluntaryOther), fault.Conflict)
		equal(t, "of the member", len(b.do(leaving(ada, "2024-01-01", captable.VoluntaryOther))), 0)
	})
	t.Run("TerminationOfTheMemberStopsTheSharesOfEveryOption", func(t *testing.T) {
		t.Parallel()
		b, _, id := leaver(t)
		second := b.grant(earlyOption(b.granted(id).Ref(), "480"))
		all, part := shares(b, id, "4000", "2020-06-01"), shares(b, second, "300", "2020-06-01")
		equal(t, "events", len(b.do(leaving(ada, "2021-03-01", captable.VoluntaryOther))), 2)
		equal(t, "all exercised", b.vested(all, "2024-01-01"), "1166 2834")
		equal(t, "a part exercised", b.vested(part, "2024-01-01"), "140 160")
	})
	t.Run("SeveralExercisesVestInTheirOrder", func(t *testing.T) {
		t.Parallel()
		b, _, id := leaver(t)
		first, second := shares(b, id, "1000", "2020-02-01"), shares(b, id, "2000", "2020-03-01")
		equal(t, "first", b.vested(first, "2020-12-31"), "916 84")
		equal(t, "second waits", b.vested(second, "2020-12-31"), "0 2000")
		b.do(terminate(id, "2021-03-01", captable.VoluntaryOther))
		equal(t, "first", b.vested(first, "2024-01-01"), "1000 0")
		equal(t, "second", b.vested(second, "2024-01-01"), "166 1834")
	})
	t.Run("VestedOptionsAreExercisedFirst", func(t *testing.T) {
		t.Parallel()
		b, _, id := leaver(t)
		vested := shares(b, id, "1000", "2021-03-01")
		early := shares(b, id, "500", "2021-03-01")
		equal(t, "all vested", b.vested(vested, "2021-03-01"), "by no schedule")
		equal(t, "partly vested", b.vested(early, "2021-03-01"), "166 334")
	})
	t.Run("AccelerationOnTheDayOfTheTerminationVestsShares", func(t *testing.T) {
		t.Parallel()
		b, _, id := leaver(t)
		held := shares(b, id, "3000", "2020-06-01")
		b.do(captable.AccelerateGrant{ID: id, Quantity: figure("1000"), Date: exact.MustDate("2021-03-01")})
		b.do(terminate(id, "2021-03-01", captable.InvoluntaryOther))
		equal(t, "shares", b.vested(held, "2024-01-01"), "2166 834")
		equal(t, "option", b.standings(id, "2024-01-01"), "2166 834 3000 0")
	})
	t.Run("AccelerationAfterEverythingWasExercisedVestsShares", func(t *testing.T) {
		t.Parallel()
		b, _, id := leaver(t)
		held := shares(b, id, "4000", "2020-06-01")
		b.do(captable.AccelerateGrant{ID: id, Date: exact.MustDate("2021-03-01")})
		equal(t, "shares", b.vested(held, "2021-03-01"), "4000 0")
	})
	t.Run("ASplitStretchesTheSharesAsTheOption", func(t *testing.T) {
		t.Parallel()
		b, class, id := leaver(t)
		held := shares(b, id, "3000", "2020-06-01")
		b.do(split(class, "3", "1", "2020-09-01"))
		b.do(terminate(id, "2021-03-01", captable.VoluntaryOther))
		equal(t, "shares", b.vested(held, "2024-01-01"), "3500 5500")
		equal(t, "option", b.standings(id, "2024-01-01"), "3500 5500 9000 0")
		b.do(split(class, "1", "3", "2021-06-01"))
		equal(t, "split again", b.vested(held, "2024-01-01"), "1166 1834")
		equal(t, "before it", b.vested(held, "2021-05-31"), "3500 5500")
	})
	t.Run("ATransferDividesTheVestingInProportion", func(t *testing.T) {
		t.Parallel()
		b, _, id := leaver(t)
		ending := b.ended(transfer(shares(b, id, "3000", "2020-06-01"), bob, "1000", "2020-09-01"))
		b.do(terminate(id, "2021-03-01", captable.VoluntaryOther))
		equal(t, "moved", b.vested(ending.Results[0].ID, "2024-01-01"), "388 612")
		equal(t, "stayed", b.vested(ending.Balance.ID, "2024-01-01"), "778 1222")
	})
	t.Run("ARepurchaseTakesTheUnvestedSharesFirst", func(t *testing.T) {
		t.Parallel()
		b, class, id := leaver(t)
		held := shares(b, id, "3000", "2020-06-01")
		b.do(terminate(id, "2021-03-01", captable.VoluntaryOther))
		left := b.balance(b.do(repurchase(held, "1800", "2021-04-01")))
		equal(t, "still unvested", b.vested(left, "2024-01-01"), "1166 34")
		left = b.balance(b.do(repurchase(left, "34", "2021-04-02")))
		equal(t, "all vested", b.vested(left, "2024-01-01"), "1166 0")
		b.do(split(class, "1", "7", "2021-05-01"))
		equal(t, "behind a split that rounds", b.vested(left, "2024-01-01"), "166 0")
	})
	t.Run("ANetExerciseVestsInProportion", func(t *testing.T) {
		t.Parallel()
		b, _, id := leaver(t)
		command := exercise(id, "3000", "2020-06-01")
		command.Payment, command.MarketValue = captable.PayNet, price("6")
		held := b.exercised(command).Result.ID // 2,250 shares for 3,000 options
		b.do(terminate(id, "2021-03-01", captable.VoluntaryOther))
		equal(t, "shares", b.vested(held, "2024-01-01"), "874 1376")
	})
	t.Run("AConversionKeepsTheVesting", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		into := b.common("100000")
		class := b.security(captable.SecurityTerms{
			Name: "Preferred", ShareType: captable.SharePreferred, AuthorizedShares: limit("100000"),
			Conversion: &captable.Conversion{Security: into, Ratio: number("2")},
		})
		id := b.grant(earlyOption(b.plan(planned(class, "20000")), "4000"))
		held := shares(b, id, "3000", "2020-06-01")
		converted := b.ended(captable.ConvertShareholding{ID: held, Security: into, Date: exact.MustDate("2020-09-01")}).Results[0].ID
		b.do(split(class, "3", "1", "2020-10-01")) // the shares no longer belong to this class
		b.do(terminate(id, "2021-03-01", captable.VoluntaryOther))
		equal(t, "shares", b.vested(converted, "2024-01-01"), "2333 3667")
	})
	t.Run("TheNextInstalmentIsThatOfTheOption", func(t *testing.T) {
		t.Parallel()
		b, _, id := leaver(t)
		first, second := shares(b, id, "100", "2020-02-01"), shares(b, id, "2000", "2020-03-01")
		on := exact.MustDate("2020-02-15")
		before, _ := b.state.VestedOn(b.holding(first), on)
		equal(t, "first", before.Next.Date.String()+" "+before.Next.Quantity.String()+" "+before.Next.Cumulative.String(), "2020-03-01 17 100")
		after, _ := b.state.VestedOn(b.holding(second), exact.MustDate("2020-03-01"))
		equal(t, "second", after.Next.Date.String()+" "+after.Next.Quantity.String()+" "+after.Next.Cumulative.String(), "2020-04-01 84 150")
		b.do(terminate(id, "2020-03-15", captable.VoluntaryOther))
		none, _ := b.state.VestedOn(b.holding(second), exact.MustDate("2020-03-15"))
		equal(t, "none after the holder left", none.Next == nil, true)
		was, _ := b.state.VestedOn(b.holding(second), exact.MustDate("2020-03-14"))
		equal(t, "as it was known the day before", was.Next.Date, exact.MustDate("2020-04-01"))
	})
}

// An option and the shares from its exercise agree on every day of any history.
func TestEarlyExercisesAgreeWithTheirOption(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(draw *rapid.T) {
		e := newEarlyExercises(t, draw)
		for range rapid.IntRange(1, 12).Draw(draw, "steps") {
			e.step()
		}
		first, last := exact.MustDate("2019-12-30"), exact.MustDate("2025-01-01")
		for range 6 {
			e.check(first + captable.Date(rapid.IntRange(0, int(last-first)).Draw(draw, "read on")))
		}
	})
}

// earlyExercises draws commands about an option and the shares from its exercise, in order of
// their days.
type earlyExercises struct {
	*bundle
	draw  *rapid.T
	class captable.SecurityID
	id    captable.GrantID
	day   captable.Date
	// rounded reports whether a split had a denominator other than 1 and thus may have rounded
	// quantities.
	rounded bool
}

func newEarlyExercises(t *testing.T, draw *rapid.T) *earlyExercises {
	t.Helper()
	e := &earlyExercises{bundle: setup(drawing{t, draw}), draw: draw, day: exact.MustDate("2020-01-01")}
	e.class = e.security(captable.SecurityTerms{Name: "Common", ShareType: captable.ShareCommon, AuthorizedShares: limit("unlimited")})
	e.id = e.grant(earlyOption(e.plan(planned(e.class, "1000000")), rapid.SampledFrom([]string{"4000", "48", "1001", "7"}).Draw(draw, "options")))
	return e
}

func (e *earlyExercises) any(label string) captable.ShareholdingID {
	var held []captable.ShareholdingID
	for h := range e.state.Shareholdings() {
		if h.Status.Outstanding() {
			held = append(held, h.ID)
		}
	}
	if len(held) == 0 {
		return captable.ShareholdingID{}
	}
	return rapid.SampledFrom(held).Draw(e.draw, label)
}

// part draws a whole number from 1 to the quantity.
func (e *earlyExercises) part(of captable.Decimal) string {
	whole, _ := strconv.Atoi(of.String())
	return strconv.Itoa(rapid.IntRange(1, max(whole, 1)).Draw(e.draw, "part"))
}

func (e *earlyExercises) command() captable.Command {
	held, shares := e.any("held"), captable.Decimal{}
	if h, ok := e.state.Shareholding(held); ok {
		shares = h.Shares
	}
	day := e.day.String()
	switch oneOf(e.draw, 11, "command") {
	case 0, 1, 2, 3:
		return exercise(e.id, e.part(e.granted(e.id).On(e.day).Exercisable), day)
	case 4:
		return transfer(held, rapid.SampledFrom([]captable.EntityID{ada, bob, cleo}).Draw(e.draw, "to"), e.part(shares), day)
	case 5:
		return repurchase(held, e.part(shares), day)
	case 6:
		return cancel(held, e.part(shares), day)
	case 7:
		return captable.AccelerateGrant{ID: e.id, Quantity: figure(e.part(e.granted(e.id).On(e.day).Unvested)), Date: e.day}
	case 8:
		return captable.CancelGrant{ID: e.id, Quantity: figure(e.part(e.granted(e.id).On(e.day).Outstanding)), Date: e.day, Reason: "r"}
	case 9:
		if rapid.Bool().Draw(e.draw, "member") {
			return leaving(ada, day, captable.VoluntaryOther)
		}
		return terminate(e.id, day, captable.VoluntaryOther)
	default:
		ratio := rapid.SampledFrom([][2]string{{"2", "1"}, {"3", "1"}, {"3", "2"}, {"1", "7"}}).Draw(e.draw, "ratio")
		return split(e.class, ratio[0], ratio[1], day)
	}
}

func (e *earlyExercises) step() {
	e.day += captable.Date(rapid.IntRange(0, 200).Draw(e.draw, "later"))
	command := e.command()
	before := e.granted(e.id)
	events, err := e.decide(command)
	if _, ends := command.(captable.TerminateGrant); ends {
		f := before.On(e.day)
		wanted := before.Termination == nil && (before.Status.Outstanding() || f.Exercised.Cmp(f.Vested) > 0)
		equal(e, "a termination is possible while something vests", err == nil, wanted)
	}
	if err != nil {
		return
	}
	e.apply(events)
	e.audited()
	if s, is := command.(captable.SplitSecurity); is && !s.Denominator.Equal(number("1")) {
		e.rounded = true
	}
}

// check compares the shares from early exercises with the option as of the day.
func (e *earlyExercises) check(day captable.Date) {
	e.Helper()
	grant := e.granted(e.id)
	f := grant.On(day)
	var held, vested, unvested, repurchasable captable.Decimal
	for h := range e.state.Shareholdings() {
		was, issued := h.On(day)
		if !issued || !was.Status.Outstanding() {
			continue
		}
		held = held.Add(was.Shares)
		now, vests := e.state.VestedOn(was, day)
		if !vests {
			now.Vested = was.Shares
		}
		equal(e, "both parts on "+day.String(), now.Vested.Add(now.Unvested).String(), was.Shares.String())
		vested, unvested = vested.Add(now.Vested), unvested.Add(now.Unvested)
		e.checkNext(was, now, day)
		e.explains("shareholding/"+h.ID.String()+"/vested", day, now.Vested)
		e.explains("shareholding/"+h.ID.String()+"/unvested", day, now.Unvested)
	}
	for _, right := range e.state.RepurchasableFrom(grant, day) {
		repurchasable = repurchasable.Add(right.Shares)
	}
	left := grant.Termination != nil && grant.Termination.Date <= day
	if want := unvested.String(); left {
		equal(e, "repurchasable on "+day.String(), repurchasable.String(), want)
	} else {
		equal(e, "repurchasable before the holder left", repurchasable.String(), "0")
	}
	e.explains("option/"+e.id.String()+"/vested", day, f.Vested)
	e.explains("option/"+e.id.String()+"/repurchasable", day, repurchasable)
	early := f.Exercised.Sub(f.Vested.Min(f.Exercised))
	if vested.Cmp(f.Vested.Min(f.Exercised)) > 0 && !e.rounded || unvested.Cmp(early) > 0 && !e.rounded {
		e.Fatalf("on %s %s shares have vested and %s not; of the option %s of %s exercised have", day, vested, unvested, f.Vested, f.Exercised)
	}
	if held.Equal(f.Exercised) { // no shares have been returned to the company by this day
		equal(e, "vested on "+day.String(), vested.String(), f.Vested.Min(f.Exercised).String())
		equal(e, "unvested on "+day.String(), unvested.String(), early.String())
	}
}

// checkNext checks that the next instalment is consistent with the vested shares, and that the
// vested shares do not decrease on the following day.
func (e *earlyExercises) checkNext(h *captable.Shareholding, now captable.Vested, day captable.Date) {
	e.Helper()
	record, _ := e.state.Shareholding(h.ID)
	tomorrow, _ := record.On(day + 1)
	later, vests := e.state.VestedOn(tomorrow, day+1)
	if same := len(tomorrow.Before) == len(h.Before); vests && same && later.Vested.Cmp(now.Vested) < 0 {
		e.Fatalf("%s shares had vested on %s, the day after only %s", now.Vested, day, later.Vested)
	}
	if now.Next == nil {
		return
	}
	equal(e, "next", now.Next.Cumulative.String(), now.Vested.Add(now.Next.Quantity).String())
	if now.Next.Date <= day || now.Next.Cumulative.Cmp(h.Shares) > 0 || now.Next.Quantity.Sign() <= 0 {
		e.Fatalf("next of %s on %s: %+v", h.Shares, day, now.Next)
	}
}

// A transfer of a part divides the vested shares in whole shares. After a split, both parts keep
// their vested shares, although the same company in shares after the split would divide them
// differently.
func TestPartsOfATransferKeepTheirVestedSharesThroughASplit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	common := b.common("10000")
	command := option(ada, b.plan(planned(common, "100")), "48", "2021-01-29")
	command.EarlyExercise = true
	command.Vesting = &vesting.Scheme{Allocation: vesting.CumulativeRoundDown, Continuous: &vesting.Continuous{
		Length: vesting.Period{N: 48, Unit: vesting.Months}, Frequency: vesting.Period{N: 1, Unit: vesting.Months},
	}}
	exercised := b.do(captable.ExerciseGrant{ID: b.grant(command), Quantity: number("8"), Date: exact.MustDate("2021-03-08")})
	first := exercised[0].(captable.OptionExercised).Result.ID
	parts := b.ended(captable.TransferShareholding{
		Shareholding: first, To: captable.HolderRef{Entity: cleo}, Shares: number("7"), Date: exact.MustDate("2021-03-30"), Kind: "sale",
	})
	b.do(captable.SplitSecurity{ID: common, Numerator: number("10"), Denominator: number("1"), Date: exact.MustDate("2021-03-31")})
	for _, part := range []captable.ShareholdingID{parts.Results[0].ID, parts.Balance.ID} {
		vested, _ := b.state.VestedOn(b.holding(part), exact.MustDate("2021-03-31"))
		equal(t, "vested of "+b.holding(part).Shares.String(), vested.Vested.String(), "10")
	}
}
