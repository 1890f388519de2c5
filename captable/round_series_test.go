package captable_test

import (
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// convertibles issues three SAFEs: two of 500,000 at a post-money cap of 4,000,000, and one of 600,000 with a discount of 10 %.
func (b *bundle) convertibles() (capped, discounted, again captable.InstrumentID) {
	b.Helper()
	first := safe(bob, "500000", "2025-02-01")
	first.ValuationCap, first.CapBasis = price("4000000"), "post"
	second := safe(cleo, "600000", "2025-02-02")
	second.ValuationCap, second.Discount = nil, figure("0.1")
	third := first
	third.IssueDate = exact.MustDate("2025-02-03")
	return b.instrument(first), b.instrument(second), b.instrument(third)
}

func series(out captable.RoundOutcome) string {
	var lines []string
	for _, one := range out.ShadowSeries {
		lines = append(lines, one.Name+": "+one.Shares.String()+" at "+one.Price.String()+" = "+one.Preference.String())
	}
	return strings.Join(lines, "; ")
}

func TestShadowSeries(t *testing.T) {
	t.Parallel()
	t.Run("a round lists one shadow series for each conversion price", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		capped, discounted, again := b.convertibles()
		terms := priced()
		terms.Security.LiquidationPreferenceMultiple = figure("2")
		out := b.outcome(terms)
		equal(t, "price", out.PricePerShare.String(), "1.0416666667")
		equal(t, "series", series(out), "Series A-1: 2880000 at 0.3472222222 = 1999999.999872; Series A-2: 640000 at 0.9375 = 1200000")
		equal(t, "capped", text(t, out.ShadowSeries[0].Holdings), text(t, []captable.InstrumentID{capped, again}))
		equal(t, "discounted", out.ShadowSeries[1].Holdings[0], discounted)
	})
	t.Run("shadow series skip the names of existing classes", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		b.convertibles()
		b.security(preferred("series a-1"))
		out := b.outcome(priced())
		equal(t, "names", out.ShadowSeries[0].Name+" "+out.ShadowSeries[1].Name, "Series A-2 Series A-3")
	})
	t.Run("a shadow series has the terms of the class with its own price and prefix", func(t *testing.T) {
		t.Parallel()
		b, class := founded(t)
		b.convertibles()
		terms := priced()
		terms.Security.SecurityTerms = captable.SecurityTerms{
			Name: "Series A", Prefix: "PA", ExternalID: "a", Seniority: new(2), Participation: "capped", LiquidationPreferenceMultiple: figure("1.5"),
			ParticipationCapMultiple: figure("3"), DividendRate: figure("0.08"), VotesPerShare: figure("1"), VotingShares: true,
			Conversion: &captable.Conversion{Security: class, Ratio: number("1")},
		}
		events := b.do(b.close(terms))
		round, first := events[0].(captable.SecurityCreated), events[1].(captable.SecurityCreated)
		want := round.Terms
		want.Name, want.Prefix, want.ExternalID, want.AuthorizedShares = "Series A-1", "PA-1", "", limit("2880000")
		want.Price = price("0.3472222222")
		equal(t, "terms", text(t, first.Terms), text(t, want))
		block := events[3].(captable.BlockCreated).Terms
		equal(
			t, "classes of the round", text(t, block.Securities),
			text(t, []captable.SecurityID{round.ID, first.ID, events[2].(captable.SecurityCreated).ID}),
		)
		held := b.holding(events[4].(captable.InstrumentConverted).Result.ID)
		equal(t, "certificate", held.Certificate, "PA-1-1")
		equal(t, "preference price", held.PreferencePrice == nil, true)
		b.audited()
	})
	t.Run("a convertible at the price of the round converts into the class itself", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		command := safe(bob, "600000", "2025-02-02")
		command.ValuationCap = nil
		b.instrument(command)
		equal(t, "series", len(b.outcome(priced()).ShadowSeries), 0)
	})
	t.Run("a round without shadow series keeps the price paid for each share", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		b.convertibles()
		terms := priced()
		terms.ShadowSeries = captable.SeriesNone
		events := b.do(b.close(terms))
		equal(t, "events", kinds(events),
			"securityCreated, blockCreated, 3 holdingConverted, shareholdingIssued, valuationCreated")
		var prices []string
		for _, at := range []int{2, 3} {
			held := b.holding(events[at].(captable.InstrumentConverted).Result.ID)
			prices = append(prices, held.PreferencePrice.Amount.String())
		}
		equal(t, "prices", strings.Join(prices, " "), "0.3472222222 0.9375")
		equal(t, "new money", b.holding(events[5].(captable.ShareholdingIssued).ID).PreferencePrice == nil, true)
	})
	t.Run("new money in an existing class keeps the price paid", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		terms := preferred("Series Seed")
		terms.Price, terms.AuthorizedShares = price("1"), limit("100")
		class := b.security(terms)
		round := priced()
		round.Security = captable.RoundSecurity{ID: class}
		events := b.do(b.close(round))
		id := events[2].(captable.ShareholdingIssued).ID
		equal(t, "price", b.holding(id).PreferencePrice.Amount.String(), "1.5")
		b.do(captable.AmendShareholding{ID: id, Patch: []byte(`{"pricePerShare":"1.25"}`)})
		equal(t, "amended price", b.holding(id).PreferencePrice.Amount.String(), "1.25")
	})
	t.Run("shadow series of common or existing classes are refused", func(t *testing.T) {
		t.Parallel()
		b, class := founded(t)
		terms := priced()
		terms.ShadowSeries = captable.SeriesPerPrice
		terms.Security.ShareType = captable.ShareCommon
		_, err := b.planRound(terms)
		b.refusal(err, fault.Invalid, "/shadowSeries notOfType")
		terms.Security = captable.RoundSecurity{ID: class}
		_, err = b.planRound(terms)
		b.refusal(err, fault.Invalid, "/shadowSeries notOfType")
		terms.ShadowSeries = "some"
		_, err = b.planRound(terms)
		b.refusal(err, fault.Invalid, "/shadowSeries enum")
	})
}

func TestPreferencePrice(t *testing.T) {
	t.Parallel()
	// converted returns a company where a SAFE of Bob converted at 0.4 into a class with the price 1.
	converted := func(tb testing.TB) (*bundle, captable.SecurityID, captable.ShareholdingID) {
		tb.Helper()
		b, _ := founded(tb)
		terms := preferred("Series Seed")
		terms.Price, terms.AuthorizedShares = price("1"), captable.Authorized{Unlimited: true}
		class := b.security(terms)
		command := safe(bob, "1000000", "2025-02-01")
		command.ValuationCap = nil
		id := b.instrument(command)
		event := b.becomes(at(convertInstrument(id, class, "2025-03-01"), "0.4", ""))
		return b, class, event.Result.ID
	}
	on := func(b *bundle, id captable.ShareholdingID, day string) string {
		b.Helper()
		paid := b.holding(id).PreferencePriceOn(exact.MustDate(day))
		if paid == nil {
			return "none"
		}
		return paid.Amount.RatString()
	}
	reprice := func(b *bundle, id captable.ShareholdingID, price string) {
		b.Helper()
		b.do(captable.AmendShareholding{ID: id, Patch: []byte(`{"pricePerShare":` + price + `}`)})
	}
	t.Run("an amended price paid changes the preference price", func(t *testing.T) {
		t.Parallel()
		b, _, id := converted(t)
		reprice(b, id, `"0.5"`)
		equal(t, "amended", on(b, id, today), "1/2")
		reprice(b, id, `"1"`)
		equal(t, "price of the class", on(b, id, today), "none")
		reprice(b, id, `"0.25"`)
		reprice(b, id, `null`)
		equal(t, "removed", on(b, id, today), "1/4")
	})
	t.Run("an amended price paid leaves an inherited preference price", func(t *testing.T) {
		t.Parallel()
		b, _, id := converted(t)
		moved := b.do(captable.TransferShareholding{
			Shareholding: id, To: captable.HolderRef{Entity: ada}, Shares: b.holding(id).Shares, Date: exact.MustDate("2025-05-01"), Kind: "sale",
		})
		sold := moved[0].(captable.ShareholdingEnded).Results[0].ID
		reprice(b, sold, `"3"`)
		equal(t, "inherited", on(b, sold, today), "2/5")
	})
	t.Run("an amended price of ended shares changes the preference price of the shares that came from them", func(t *testing.T) {
		t.Parallel()
		b, class, id := converted(t)
		b.do(captable.SplitSecurity{ID: class, Numerator: number("3"), Denominator: number("1"), Date: exact.MustDate("2025-06-01")})
		sale := func(id captable.ShareholdingID, to captable.EntityID, shares string) captable.ShareholdingEnded {
			return b.do(captable.TransferShareholding{
				Shareholding: id, To: holder(to), Shares: number(shares), Date: exact.MustDate("2025-07-01"), Kind: "sale", PricePerShare: price("9"),
			})[0].(captable.ShareholdingEnded)
		}
		first := sale(id, cleo, "1000")
		second := sale(first.Results[0].ID, ada, "400")
		reprice(b, id, `"0.5"`)
		equal(t, "sold", on(b, second.Results[0].ID, today), "1/2")
		equal(t, "balance", on(b, first.Balance.ID, today), "1/2")
		reprice(b, id, `"1"`)
		equal(t, "price of the class", on(b, second.Results[0].ID, today), "1")
	})
	t.Run("the preference price is the price of the conversion", func(t *testing.T) {
		t.Parallel()
		b, class, id := converted(t)
		equal(t, "price", on(b, id, today), "2/5")
		equal(t, "other shares", on(b, b.issue(ada, class, "10", "2025-04-01"), today), "none")
	})
	t.Run("the preference price is divided by splits and kept by transfers", func(t *testing.T) {
		t.Parallel()
		b, class, id := converted(t)
		split := func(numerator, denominator, day string) {
			b.do(captable.SplitSecurity{ID: class, Numerator: number(numerator), Denominator: number(denominator), Date: exact.MustDate(day)})
		}
		split("3", "1", "2025-06-01")
		equal(t, "before the split", on(b, id, "2025-05-31"), "2/5")
		equal(t, "after the split", on(b, id, "2025-06-01"), "2/15")
		equal(t, "shown", b.holding(id).Shown().PreferencePrice.Amount.String(), "0.1333333333")
		ended := b.do(captable.TransferShareholding{
			Shareholding: id, To: holder(cleo), Shares: number("1000"), Date: exact.MustDate("2025-07-01"), Kind: "sale", PricePerShare: price("9"),
		})[0].(captable.ShareholdingEnded)
		equal(t, "transferred", on(b, ended.Results[0].ID, today), "2/15")
		equal(t, "balance", on(b, ended.Balance.ID, today), "2/15")
		split("7", "1", "2025-08-01")
		equal(t, "after a further split", on(b, ended.Results[0].ID, today), "2/105")
		equal(t, "of an earlier day", on(b, ended.Results[0].ID, "2025-07-01"), "2/15")
		shares := number("7")
		left := b.do(
			captable.CancelShareholding{ID: ended.Balance.ID, Shares: &shares, Date: exact.MustDate("2025-09-01"), Reason: "r"},
		)[0].(captable.ShareholdingEnded)
		equal(t, "after a partial cancellation", on(b, left.Balance.ID, today), "2/105")
	})
	t.Run("the preference price of consolidated shares is the average", func(t *testing.T) {
		t.Parallel()
		b, class, id := converted(t)
		ended := b.do(captable.TransferShareholding{
			Shareholding: id, To: holder(cleo), Shares: number("100"), Date: exact.MustDate("2025-07-01"), Kind: "gift",
		})[0].(captable.ShareholdingEnded)
		other := b.issue(cleo, class, "300", "2025-07-01")
		consolidated := b.do(captable.ReplaceShareholding{
			Kind: captable.StatusConsolidated, From: []captable.ShareholdingID{ended.Results[0].ID, other}, Date: exact.MustDate("2025-08-01"),
			Results: []captable.Result{{Holder: holder(cleo), Security: class, Shares: number("400")}},
		})[0].(captable.ShareholdingEnded)
		equal(t, "price", on(b, consolidated.Results[0].ID, today), "17/20")
	})
	t.Run("the preference price stays after a correction of the holder", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		terms := preferred("Series Seed")
		terms.Price, terms.AuthorizedShares = price("1"), limit("100")
		round := priced()
		round.Security = captable.RoundSecurity{ID: b.security(terms)}
		issued := b.do(b.close(round))[2].(captable.ShareholdingIssued)
		b.do(captable.CorrectShareholding{
			ID: issued.ID, HolderRef: holder(bob), Security: issued.Security, Shares: issued.Shares, IssueDate: issued.IssueDate, Reason: "r",
			ShareholdingDetails: issued.ShareholdingDetails,
		})
		equal(t, "price", on(b, issued.ID, today), "3/2")
	})
}
