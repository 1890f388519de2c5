package captable_test

import (
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
)

// rights draws random commands about convertibles and warrants and checks the invariants after
// each.
type rights struct {
	*bundle
	draw *rapid.T
	// forward restricts the commands to those that do not change the past. The table of a past day
	// must then equal the table at the end of that day.
	forward          bool
	common, class    captable.SecurityID
	reach            int // maximum number of days by which a command is back-dated; at least 40
	past             map[captable.Date]string
	allowed, refused int
}

func newRights(t *testing.T, draw *rapid.T) *rights {
	t.Helper()
	r := &rights{bundle: setup(drawing{t, draw}), draw: draw, past: map[captable.Date]string{}}
	r.forward = rapid.Bool().Draw(draw, "forward")
	r.common, r.class = r.convertible(rapid.SampledFrom([]string{"60", "500", "unlimited"}).Draw(draw, "limit"), "1.5")
	r.issue(ada, r.common, "20", "2025-11-01")
	return r
}

func (r *rights) some() captable.Decimal {
	return number(rapid.SampledFrom([]string{"1", "2", "5", "10", "33", "100"}).Draw(r.draw, "some"))
}

func (r *rights) entity() captable.EntityID {
	return rapid.SampledFrom([]captable.EntityID{ada, bob, cleo}).Draw(r.draw, "holder")
}

func (r *rights) security() captable.SecurityID {
	return rapid.SampledFrom([]captable.SecurityID{r.common, r.class}).Draw(r.draw, "security")
}

// day draws one of the last days, or returns today if the past must not change.
func (r *rights) day() captable.Date {
	if r.forward {
		return exact.DateOf(r.now)
	}
	return exact.DateOf(r.now) - captable.Date(rapid.IntRange(0, max(r.reach, 40)).Draw(r.draw, "days ago"))
}

func (r *rights) any() captable.InstrumentID {
	var ids, ended []captable.InstrumentID
	for i := range r.state.Instruments() {
		if i.Status.Outstanding() {
			ids = append(ids, i.ID)
		} else {
			ended = append(ended, i.ID)
		}
	}
	if len(ids) == 0 || rapid.IntRange(0, 9).Draw(r.draw, "ended") == 0 {
		ids = append(ids, ended...)
	}
	if len(ids) == 0 {
		return captable.InstrumentID{}
	}
	return rapid.SampledFrom(ids).Draw(r.draw, "instrument")
}

// issued draws the issue of an instrument of any kind.
func (r *rights) issued() captable.IssueInstrument {
	on := r.day().String()
	switch oneOf(r.draw, 5, "kind") {
	case 0:
		return note(r.entity(), on)
	case 1:
		return safe(r.entity(), r.some().String(), on)
	case 2:
		fixed := note(r.entity(), on)
		fixed.Kind, fixed.Principal.Amount = captable.KindCustom, number("9999.99")
		fixed.FixedConversion = rapid.SampledFrom([]*captable.FixedConversion{
			{Security: r.class, Price: figure("1000.5")}, {Security: r.common, Shares: figure("7")}, {Security: r.common, Fraction: figure("0.1")}, nil,
		}).Draw(r.draw, "fixed")
		return fixed
	case 3:
		unknown := warrant(r.entity(), captable.SecurityID{}, "0", on)
		unknown.Coverage = figure("0.25")
		return unknown
	default:
		command := warrant(r.entity(), r.security(), r.some().String(), on)
		if rapid.Bool().Draw(r.draw, "expires") {
			command.ExpirationDate = command.IssueDate + captable.Date(rapid.IntRange(0, 200).Draw(r.draw, "after"))
		}
		return command
	}
}

func (r *rights) part() captable.Part {
	i, known := r.state.Instrument(r.any())
	switch size := r.some(); {
	case !known || rapid.IntRange(0, 2).Draw(r.draw, "whole") == 0:
		return captable.Part{}
	case i.Kind == captable.KindWarrant:
		return captable.Part{Quantity: &size}
	default:
		return captable.Part{Amount: &captable.Price{Amount: size}}
	}
}

func (r *rights) convert() captable.ConvertInstrument {
	command := captable.ConvertInstrument{ID: r.any(), Security: r.security(), Date: r.day()}
	switch oneOf(r.draw, 4, "price") {
	case 0:
		command.PricePerShare = price("700")
	case 1:
		command.PricePerShare, command.Capitalization = price("3000"), figure("10000")
	case 2:
		command.Round = &captable.ConversionRound{
			PreMoney: *price("400000"), NewMoney: []captable.ConversionMoney{{Amount: *price("50000")}},
			Pool: &captable.ConversionPool{Increase: number("3")},
		}
	}
	return command
}

// command draws a command. A forward history excludes the commands that change the past.
func (r *rights) command() captable.Command {
	most := 17
	if r.forward {
		most = 14
	}
	switch oneOf(r.draw, most+1, "command") {
	case 0, 1, 2:
		return r.issued()
	case 3:
		return captable.AcceptInstrument{ID: r.any(), Date: r.day()}
	case 4, 5:
		return captable.TransferInstrument{ID: r.any(), To: holder(r.entity()), Part: r.part(), Date: r.day(), Kind: "sale"}
	case 6:
		return captable.CancelInstrument{ID: r.any(), Part: r.part(), Date: r.day(), Reason: "r"}
	case 7, 8:
		first := rapid.Bool().Draw(r.draw, "interest first")
		amount := rapid.SampledFrom([]string{"0.01", "5", "3333.33", "10000"}).Draw(r.draw, "amount")
		return captable.RepayInstrument{ID: r.any(), Amount: *price(amount), Date: r.day(), InterestFirst: first}
	case 9, 10:
		return r.convert()
	case 11:
		return captable.ExerciseWarrant{ID: r.any(), Quantity: r.some(), Date: r.day()}
	case 12:
		return captable.ExerciseWarrant{ID: r.any(), Quantity: r.some(), Date: r.day(), Payment: captable.PayNet, MarketValue: price("4")}
	case 13:
		return rapid.SampledFrom([]captable.Command{
			captable.ExpireGrants{}, issue(r.entity(), r.common, r.some().String(), r.day().String()),
		}).Draw(r.draw, "other")
	case 14:
		ratio := rapid.SampledFrom([][2]string{{"2", "1"}, {"1", "2"}, {"3", "2"}, {"1", "7"}}).Draw(r.draw, "ratio")
		return captable.SplitSecurity{ID: r.security(), Numerator: number(ratio[0]), Denominator: number(ratio[1]), Date: r.day()}
	case 15:
		return r.correction()
	case 16:
		return rapid.SampledFrom([]captable.Command{
			captable.VoidInstrument{ID: r.any()}, captable.AuthorizeShares{ID: r.security(), Quantity: r.some(), EffectiveDate: r.day()},
		}).Draw(r.draw, "rewrite")
	default:
		return amendInstrument(r.any(), rapid.SampledFrom([]string{
			`{"expirationDate":"2026-01-31"}`, `{"expirationDate":null}`, `{"discount":"0.1"}`, `{"mfn":true}`, `{"interest":null}`, `{"exercisePrice":"0"}`,
			`{"interest":{"rates":[{"rate":"0.1","from":"2025-12-01"}],"compounding":"compounding","accrualPeriod":"daily"}}`,
		}).Draw(r.draw, "patch"))
	}
}

// correction draws a correction. About half of them keep the facts and terms.
func (r *rights) correction() captable.CorrectInstrument {
	id := r.any()
	command := r.issued()
	if i, known := r.state.Instrument(id); known && rapid.Bool().Draw(r.draw, "mostly the same") {
		command.InstrumentFacts, command.InstrumentTerms = i.InstrumentFacts, i.InstrumentTerms
	}
	return corrected(id, command)
}

// step draws a command, carries it out if it is accepted, and checks the invariants.
func (r *rights) step() {
	if rapid.IntRange(0, 9).Draw(r.draw, "sleep") == 0 {
		today := exact.DateOf(r.now)
		r.past[today] = text(r, r.on(today.String()))
		r.now = r.now.Add(time.Duration(rapid.IntRange(1, 90).Draw(r.draw, "later")) * 24 * time.Hour)
	}
	events, err := r.decide(r.command())
	if err != nil {
		r.refused++
		return
	}
	r.allowed++
	before := r.state.Copy()
	r.apply(events)
	for _, event := range events {
		if ended, is := event.(captable.InstrumentEnded); is {
			r.checkParts(before, ended)
		}
	}
	r.check()
}

// checkParts checks a transfer. The result and the balance together must have the debt and the
// quantity of the original instrument on the day of the transfer and on later days. Daily
// interest is exact to about 600 decimal places.
func (r *rights) checkParts(before *captable.State, ended captable.InstrumentEnded) {
	was, _ := before.Instrument(ended.ID)
	for _, day := range []captable.Date{ended.Date, ended.Date + 1, ended.Date + 400} {
		owed, left := new(big.Rat), captable.Decimal{}
		for _, piece := range []*captable.InstrumentIssue{ended.Result, ended.Balance} {
			if piece != nil {
				i := r.right(piece.ID)
				owed.Add(owed, i.Owed(day).Balance())
				left = left.Add(i.LeftOn(day))
			}
		}
		if ended.Kind == captable.StatusTransferred {
			equal(r, "owed by the parts", owed.FloatString(30), was.Owed(day).Balance().FloatString(30))
			equal(r, "given by the parts", left.String(), was.LeftOn(day).String())
		}
	}
}

func (r *rights) check() {
	if faults := r.state.Audit(); len(faults) > 0 {
		r.Fatalf("the audit found %v", faults)
	}
	now := exact.DateOf(r.now)
	recorded := r.state.Copy()
	events, err := captable.Decide(recorded, captable.ExpireGrants{}, r.moment())
	if err != nil {
		r.Fatal(err)
	}
	for _, event := range events {
		recorded.Apply(event, captable.Stamp{})
	}
	name := func(captable.EntityID) string { return "" }
	for _, day := range []captable.Date{now, now - captable.Date(rapid.IntRange(0, 120).Draw(r.draw, "ago"))} {
		table := r.state.TableOn(day, name)
		r.checkSums(table)
		equal(r, "with what expired recorded", text(r, recorded.TableOn(day, name)), text(r, table))
		r.checkExplained(day)
	}
	for _, line := range recorded.TableOn(now, name).Securities {
		security, _ := recorded.Security(line.ID)
		equal(r, "reserved now and as of today", line.Reserved.String(), security.Reserved.String())
	}
	for i := range r.state.Instruments() {
		r.checkInstrument(i, now)
	}
	for day, want := range r.past {
		if r.forward {
			equal(r, "table of "+day.String(), text(r, r.on(day.String())), want)
		}
	}
}

// checkInstrument checks that no figure is negative on any day. As of today, the instrument
// must equal its record, except that an expiry need not be recorded yet.
func (r *rights) checkInstrument(i *captable.Instrument, now captable.Date) {
	for _, day := range []captable.Date{i.IssueDate - 1, i.IssueDate, now - 20, now, now + 500} {
		owed := i.Owed(day)
		if owed.Principal.Sign() < 0 || owed.Interest.Sign() < 0 || i.LeftOn(day).Sign() < 0 || i.LeftOn(day).Cmp(
			i.Quantity.Max(captable.Decimal{}),
		) > 0 && len(i.Before) == 0 {
			r.Fatalf("on %s %+v are owed and %s given", day, owed, i.LeftOn(day))
		}
	}
	was, issued := i.On(now)
	equal(r, "issued", issued, true)
	equal(r, "as of today", text(r, was), text(r, i.Lapsing(now)))
	if was, issued := i.On(now - 20); issued && was.Status.Outstanding() && !was.ExpiredOn(now-20) {
		equal(r, "left then", was.Left.String(), i.LeftOn(now-20).String())
		equal(r, "owed then", was.Owed(now-20).Balance().RatString(), i.Owed(now-20).Balance().RatString())
	}
}

// checkSums checks that the totals are the sums of the lines and that each percentage column
// sums to 1.
func (r *rights) checkSums(table captable.Table) {
	var warrants, listed, diluted, percent, percentOutstanding captable.Decimal
	for _, holder := range table.Holders {
		warrants = warrants.Add(holder.Warrants)
		percent, percentOutstanding = percent.Add(holder.PercentFullyDiluted), percentOutstanding.Add(holder.PercentOutstanding)
	}
	for _, line := range table.Warrants {
		if !line.Security.IsZero() {
			listed = listed.Add(line.Quantity)
		}
	}
	byClass := captable.Decimal{}
	for _, line := range table.Securities {
		diluted, byClass = diluted.Add(line.FullyDiluted), byClass.Add(line.PercentFullyDiluted)
		if line.Reserved.Sign() < 0 || line.Outstanding.Sign() < 0 || !line.Authorized.Covers(line.Reserved) && table.AsOf == exact.DateOf(r.now) {
			r.Fatalf("%+v", line)
		}
	}
	equal(r, "warrants", warrants.String()+" "+listed.String(), table.Totals.Warrants.String()+" "+table.Totals.Warrants.String())
	equal(r, "diluted", diluted.String(), table.Totals.FullyDiluted.String())
	equal(r, "parts", percent.String()+" "+byClass.String(), whole(table.Totals.FullyDiluted)+" "+whole(table.Totals.FullyDiluted))
	equal(r, "parts of what is outstanding", percentOutstanding.String(), whole(table.Totals.Outstanding))
	sums := map[string]captable.Decimal{}
	for _, line := range table.Convertibles {
		equal(r, "balance", line.Principal.Amount.Add(line.AccruedInterest).String(), line.Balance.String())
		sums[line.Principal.Currency] = sums[line.Principal.Currency].Add(line.Balance)
	}
	equal(r, "currencies", len(table.Totals.Convertibles), len(sums))
	for _, sum := range table.Totals.Convertibles {
		equal(r, "sum of "+sum.Currency, sum.Balance.String(), sums[sum.Currency].String())
	}
}

func TestInstrumentHistories(t *testing.T) {
	t.Parallel()
	t.Run("random histories of instruments balance and are equal after a replay and from a snapshot", func(t *testing.T) {
		t.Parallel()
		allowed, refused := 0, 0
		rapid.Check(t, func(draw *rapid.T) {
			r := newRights(t, draw)
			for range rapid.IntRange(5, 40).Draw(draw, "commands") {
				r.step()
			}
			replayed := replay(r, r.recorded)
			if string(packed(replayed)) != string(packed(r.state)) || dump(r, replayed) != dump(r, r.state) {
				r.Fatalf("the replayed state is another")
			}
			equal(r, "snapshot", dump(r, unpacked(r, packed(r.state))), dump(r, r.state))
			allowed, refused = allowed+r.allowed, refused+r.refused
		})
		t.Logf("%d commands were allowed, %d refused", allowed, refused)
	})
}
