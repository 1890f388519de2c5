package ocf_test

import (
	"slices"
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// preferences returns each class with its price, and the prices paid for its shares.
func (w *world) preferences() string {
	var lines []string
	for security := range w.state.Securities() {
		line := []string{security.Name}
		if security.Price != nil {
			line = append(line, security.Price.Amount.String())
		}
		for h := range w.state.Shareholdings() {
			if paid := h.PreferencePriceOn(exact.MustDate("2026-01-01")); h.Security == security.ID && h.Status.Outstanding() && paid != nil {
				line = append(line, "paid", paid.Amount.RatString())
			}
		}
		lines = append(lines, strings.Join(line, " "))
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}

func TestSeriesOfARoundComeBackAsClasses(t *testing.T) {
	t.Parallel()
	for series, want := range map[captable.ShadowSeries]string{
		captable.SeriesPerPrice: "Common; Series A 2; Series A-1 1.6; Series Seed 1 paid 2",
		captable.SeriesNone:     "Common; Series A 2 paid 8/5; Series Seed 1 paid 2",
	} {
		t.Run(string(series), func(t *testing.T) {
			t.Parallel()
			w := setup(t)
			ada, fund := w.person("Ada"), w.person("Fund")
			class := func(name string, kind captable.ShareType, price string) captable.SecurityID {
				terms := captable.SecurityTerms{Name: name, ShareType: kind, AuthorizedShares: captable.AuthorizedOf(number("100000"))}
				if price != "" {
					terms.Price = &captable.Price{Amount: number(price)}
				}
				return w.do(captable.CreateSecurity{SecurityTerms: terms})[0].(captable.SecurityCreated).ID
			}
			common, seed := class("Common", captable.ShareCommon, ""), class("Series Seed", captable.SharePreferred, "1")
			w.do(captable.IssueShareholding{HolderRef: holder(ada), Security: common, Shares: number("1000"), IssueDate: exact.MustDate("2025-01-01")})
			w.do(captable.IssueInstrument{
				HolderRef: holder(ada),
				InstrumentFacts: captable.InstrumentFacts{
					Kind: captable.KindSAFE, IssueDate: exact.MustDate("2025-02-01"),
					Principal: &captable.Money{Amount: number("160"), Currency: "USD"},
				},
				InstrumentTerms: captable.InstrumentTerms{ConvertibleTerms: captable.ConvertibleTerms{Discount: new(number("0.2"))}},
			})
			w.closed(captable.RoundSecurity{SecurityTerms: captable.SecurityTerms{Name: "Series A"}}, series, fund, "2025-03-01")
			w.closed(captable.RoundSecurity{ID: seed}, "", fund, "2025-04-01")
			equal(t, "the company", w.preferences(), want)
			again := setup(t)
			again.taken(w.export("2026-01-01"))
			equal(t, "the imported company", again.preferences(), want)
			same(t, again.export("2026-01-01"), w.export("2026-01-01"))
		})
	}
}

// closed closes a round of 400 at 2.
func (w *world) closed(class captable.RoundSecurity, series captable.ShadowSeries, investor captable.EntityID, on string) {
	w.Helper()
	terms := captable.RoundTerms{
		Date: exact.MustDate(on), PricePerShare: new(number("2")), Security: class, ShadowSeries: series,
		NewMoney: []captable.RoundInvestment{{Investor: captable.RoundInvestor{HolderRef: holder(investor)}, Amount: number("400")}},
	}
	planned, err := w.state.PlanRound(terms, w.moment(), func(id captable.EntityID) string { return w.holders[id] })
	if err != nil {
		w.Fatal(err)
	}
	w.do(captable.CloseRound{RoundTerms: terms, Confirm: planned.Confirm, Block: captable.RoundBlock{Name: on}})
}
