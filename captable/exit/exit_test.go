package exit_test

import (
	"slices"
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/captabletest"
	"equity/captable/exact"
	"equity/captable/exit"
	"equity/fault"
)

// sale returns the terms of a sale at the values, on the day of the tests.
func sale(values ...string) exit.Terms {
	terms := exit.Terms{Date: exact.MustDate(today)}
	for _, value := range values {
		terms.Values = append(terms.Values, number(value))
	}
	return terms
}

func (b *bundle) planExit(terms exit.Terms) (exit.Outcome, error) {
	b.Helper()
	return exit.Plan(b.State, terms, b.DecideContext(), b.NameOf)
}

func (b *bundle) exit(terms exit.Terms) exit.Outcome {
	b.Helper()
	out, err := b.planExit(terms)
	if err != nil {
		b.Fatal(err)
	}
	for _, at := range out.Values {
		b.isPaidOut(at)
	}
	return out
}

// isPaidOut checks that the claims and the holders' amounts each sum to the value of the sale.
func (b *bundle) isPaidOut(at exit.Value) {
	b.Helper()
	byClaim, byHolder, percent := at.Costs.Add(at.Remaining), at.Costs.Add(at.Remaining), captable.Decimal{}
	claims := map[string]captable.Decimal{} // the payments of a claim less its payouts
	for _, claim := range at.Claims {
		byClaim = byClaim.Add(claim.Amount)
		claims[claim.ID] = claims[claim.ID].Add(claim.Amount)
	}
	for _, holder := range at.Holders {
		byHolder, percent = byHolder.Add(holder.Amount), percent.Add(holder.Percent)
		for _, payout := range holder.Payouts {
			holder.Amount = holder.Amount.Sub(payout.Amount)
			claims[payout.ID] = claims[payout.ID].Sub(payout.Amount)
		}
		captabletest.Equal(b, "the rest of "+holder.Name+"'s payouts", holder.Amount.String(), "0")
	}
	for id, rest := range claims {
		captabletest.Equal(b, "the rest of claim "+id, rest.String(), "0")
	}
	captabletest.Equal(b, "the claims' sum", byClaim.String(), at.Value.String())
	captabletest.Equal(b, "the holders' sum", byHolder.String(), at.Value.String())
	if at.Value.Sign() > 0 && at.Value.Cmp(at.Costs.Add(at.Remaining)) > 0 {
		captabletest.Equal(b, "all percentages", percent.String(), "1")
	}
}

// got returns the amount of each holder at the nth value.
func got(out exit.Outcome, n int) string {
	var lines []string
	for _, holder := range out.Values[n].Holders {
		lines = append(lines, holder.Name+" "+holder.Amount.String())
	}
	return strings.Join(lines, "; ")
}

// backed returns a company with 8,000,000 common shares of Ada and 2,000,000 preferred shares
// of Bob, issued at 1 each. Change adjusts the terms of the preferred class.
func backed(tb testing.TB, change func(*captable.SecurityTerms)) *bundle {
	tb.Helper()
	b, common := founded(tb)
	terms := captable.SecurityTerms{
		Name: "Series A", ShareType: captable.SharePreferred, AuthorizedShares: exact2m(), Price: price("1"), Seniority: new(1),
		Conversion: &captable.Conversion{Security: common, Ratio: number("1")},
	}
	change(&terms)
	b.Issue(bob, b.Security(terms), "2000000", "2025-03-01")
	return b
}

func exact2m() captable.Authorized { return captable.Authorized{Shares: number("2000000")} }

func TestPlanExit(t *testing.T) {
	t.Parallel()
	t.Run("preferred shares take their preference, or convert if that is more", func(t *testing.T) {
		t.Parallel()
		out := backed(t, func(*captable.SecurityTerms) {}).exit(sale("1000000", "5000000", "20000000"))
		captabletest.Equal(t, "less than the preference", got(out, 0), "Bob Noyce 1000000; Ada Lovelace 0")
		captabletest.Equal(t, "not enough to convert", got(out, 1), "Ada Lovelace 3000000; Bob Noyce 2000000")
		captabletest.Equal(t, "enough", got(out, 2), "Ada Lovelace 16000000; Bob Noyce 4000000")
		captabletest.Equal(t, "converts", out.Values[2].Claims[1].Converts, true)
		captabletest.Equal(t, "did not before", out.Values[1].Claims[1].Converts, false)
	})
	t.Run("a preference multiple of two doubles the preference", func(t *testing.T) {
		t.Parallel()
		out := backed(t, func(terms *captable.SecurityTerms) { terms.LiquidationPreferenceMultiple = figure("2") }).exit(sale("5000000"))
		captabletest.Equal(t, "twice", got(out, 0), "Bob Noyce 4000000; Ada Lovelace 1000000")
		captabletest.Equal(t, "preference", out.Claims[1].Preference.String(), "4000000")
	})
	t.Run("participating shares also receive a part of the rest, up to their cap", func(t *testing.T) {
		t.Parallel()
		participates := func(kind, limit string) func(*captable.SecurityTerms) {
			return func(terms *captable.SecurityTerms) {
				terms.Participation = kind
				if limit != "" {
					terms.ParticipationCapMultiple = figure(limit)
				}
			}
		}
		captabletest.Equal(t, "full", got(backed(t, participates("full", "")).exit(sale("12000000")), 0), "Ada Lovelace 8000000; Bob Noyce 4000000")
		capped := backed(t, participates("capped", "1.5")).exit(sale("12000000", "20000000"))
		captabletest.Equal(t, "capped", got(capped, 0), "Ada Lovelace 9000000; Bob Noyce 3000000")
		captabletest.Equal(t, "converted", got(capped, 1), "Ada Lovelace 16000000; Bob Noyce 4000000")
	})
	t.Run("the preference of a class without a price is the amount paid for its shares", func(t *testing.T) {
		t.Parallel()
		b := backed(t, func(terms *captable.SecurityTerms) { terms.Price = nil })
		series := b.preferred()
		b.Do(captable.ReplaceSecurity{ID: series, SecurityTerms: roomier(b.Class(series).SecurityTerms)})
		b.Do(captable.IssueShareholding{
			HolderRef: holder(cleo), Security: series, Shares: number("1000000"), IssueDate: exact.MustDate(today),
			ShareholdingDetails: captable.ShareholdingDetails{PricePerShare: price("3")},
		})
		out := b.exit(sale("3000000"))
		captabletest.Equal(t, "claims", len(out.Claims), 3)
		captabletest.Equal(t, "paid", got(out, 0), "Cleo Ltd 3000000; Ada Lovelace 0; Bob Noyce 0")
	})
	t.Run("costs are paid first, and proceeds without a claim remain", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.Issue(bob, b.Security(captable.SecurityTerms{
			Name: "Series A", ShareType: captable.SharePreferred, AuthorizedShares: exact2m(), Price: price("1"),
		}), "1000000", "2025-03-01")
		terms := sale("2000000")
		terms.Costs, terms.CostRate = number("50000"), number("0.1")
		at := b.exit(terms).Values[0]
		captabletest.Equal(t, "costs and rest", at.Costs.String()+" "+at.Remaining.String(), "250000 750000")
	})
	t.Run("a range has a value at every step", func(t *testing.T) {
		t.Parallel()
		terms := sale()
		terms.Range = &exit.Range{From: number("1"), To: number("2"), Step: number("0.4")}
		var values []string
		for _, at := range backed(t, func(*captable.SecurityTerms) {}).exit(terms).Values {
			values = append(values, at.Value.String())
		}
		captabletest.Equal(t, "values", strings.Join(values, " "), "1 1.4 1.8")
	})
	t.Run("a preference in another currency is refused, and the refusal names the class", func(t *testing.T) {
		t.Parallel()
		b := backed(t, func(terms *captable.SecurityTerms) {
			terms.Price = &captable.Price{Amount: number("1"), Currency: "EUR"}
		})
		_, err := b.planExit(sale("5000000"))
		captabletest.Equal(t, "of", b.refusal(err, fault.Conflict)["of"], b.preferred().String())
	})
	t.Run("shares without a class price that were bought in another currency are refused", func(t *testing.T) {
		t.Parallel()
		b := backed(t, func(terms *captable.SecurityTerms) {
			terms.Price, terms.AuthorizedShares.Shares = nil, number("9000000")
		})
		held := b.Do(captable.IssueShareholding{
			HolderRef: holder(cleo), Security: b.preferred(), Shares: number("10"), IssueDate: exact.MustDate("2025-04-01"),
			ShareholdingDetails: captable.ShareholdingDetails{PricePerShare: &captable.Price{Amount: number("3"), Currency: "EUR"}},
		})[0].(captable.ShareholdingIssued)
		_, err := b.planExit(sale("5000000"))
		captabletest.Equal(t, "of", b.refusal(err, fault.Conflict)["of"], held.ID.String())
	})
	t.Run("a currency without cents is paid in whole units", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		m := b.DecideContext()
		m.Currency = "JPY"
		out, err := exit.Plan(b.State, sale("10.5"), m, b.NameOf)
		if err != nil {
			t.Fatal(err)
		}
		captabletest.Equal(t, "paid and left", got(out, 0)+" "+out.Values[0].Remaining.String(), "Ada Lovelace 10 0.5")
	})
}

func roomier(terms captable.SecurityTerms) captable.SecurityTerms {
	terms.AuthorizedShares.Shares = number("9000000")
	return terms
}

func TestOptionsAtAnExit(t *testing.T) {
	t.Parallel()
	granting := func(tb testing.TB) (*bundle, captable.PoolRef) {
		tb.Helper()
		b, class := founded(tb)
		return b, b.Plan(planned(class, "2000000"))
	}
	t.Run("vested options are exercised if a share is worth more than their exercise price", func(t *testing.T) {
		t.Parallel()
		b, ref := granting(t)
		b.Do(option(bob, ref, "2000000", "2025-06-01"))
		out := b.exit(sale("8000000", "22000000"))
		captabletest.Equal(t, "under water", got(out, 0), "Ada Lovelace 8000000; Bob Noyce 0")
		captabletest.Equal(t, "in the money", got(out, 1), "Ada Lovelace 20000000; Bob Noyce 2000000")
	})
	t.Run("unvested options receive proceeds only with acceleration", func(t *testing.T) {
		t.Parallel()
		b, ref := granting(t)
		command := option(bob, ref, "480000", "2025-12-01")
		command.Vesting, command.VestingStart = monthly(), exact.MustDate("2025-12-01")
		b.Do(command)
		terms := sale("22000000")
		captabletest.Equal(t, "not vested", got(b.exit(terms), 0), "Ada Lovelace 22000000; Bob Noyce 0")
		terms.Acceleration = true
		captabletest.Equal(t, "accelerated", strings.Contains(got(b.exit(terms), 0), "Bob Noyce 0"), false)
	})
	t.Run("a warrant on preferred shares counts as the shares that they convert into", func(t *testing.T) {
		t.Parallel()
		b := backed(t, func(terms *captable.SecurityTerms) {
			terms.AuthorizedShares.Shares, terms.Conversion.Ratio = number("3000000"), number("2")
		})
		b.Instrument(warrant(cleo, b.preferred(), "1000000", "2025-06-01"))
		out := b.exit(sale("26500000"))
		// (26.5 million + 1.5 million of exercise price) / (8,000,000 + 2·2,000,000 + 2·1,000,000
		// shares) = 2
		captabletest.Equal(t, "paid", got(out, 0), "Ada Lovelace 16000000; Bob Noyce 8000000; Cleo Ltd 2500000")
	})
}

func TestConvertiblesAtAnExit(t *testing.T) {
	t.Parallel()
	t.Run("the terms of a claim are told in words: a pre-money cap, a discount, and where it stands", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		command := safe(bob, "1000", "2025-02-01")
		command.ValuationCap, command.CapBasis, command.Discount, command.Seniority = price("5000000"), "pre", figure("0.2"), new(7)
		b.Instrument(command)
		out := b.exit(sale("20000000"))
		captabletest.Equal(t, "terms", out.Claims[len(out.Claims)-1].Terms, "1000 in cash at seniority 7, or as shares where that is more: "+
			"1000 at a cap of 5000000, itself not included, or 1000 at 0.2 off the price of the sale.")
	})
	t.Run("a SAFE takes its money back, or its part", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		command := postMoney(bob)
		command.CapBasis = "post"
		b.Instrument(command)
		out := b.exit(sale("5000000", "20000000"))
		captabletest.Equal(t, "cash", got(out, 0), "Ada Lovelace 4000000; Bob Noyce 1000000")
		captabletest.Equal(t, "a tenth", got(out, 1), "Ada Lovelace 18000000; Bob Noyce 2000000")
	})
	t.Run("a note is paid before preferred shares, with its interest", func(t *testing.T) {
		t.Parallel()
		b := backed(t, func(*captable.SecurityTerms) {})
		command := note(cleo, "2025-01-15") // a principal of 10,000, with interest of 1 per day
		b.Instrument(command)
		captabletest.Equal(t, "paid", got(b.exit(sale("12365")), 0), "Cleo Ltd 10365; Bob Noyce 2000; Ada Lovelace 0")
	})
	t.Run("a multiple of the principal is the least that a sale pays", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		command := safe(bob, "1000", "2025-02-01")
		command.ExitMultiple = figure("3")
		b.Instrument(command)
		captabletest.Equal(t, "paid", got(b.exit(sale("4000")), 0), "Bob Noyce 3000; Ada Lovelace 1000")
	})
	t.Run("a fixed conversion pays its shares or its amount, whichever is more", func(t *testing.T) {
		t.Parallel()
		b, class := founded(t)
		command := safe(bob, "1000000", "2025-02-01")
		command.ValuationCap, command.FixedConversion = nil, &captable.FixedConversion{Security: class, Price: figure("0.5")}
		b.Instrument(command)
		out := b.exit(sale("3000000", "20000000"))
		captabletest.Equal(t, "cash", got(out, 0), "Ada Lovelace 2000000; Bob Noyce 1000000")
		captabletest.Equal(t, "2,000,000 shares", got(out, 1), "Ada Lovelace 16000000; Bob Noyce 4000000")
	})
	t.Run("a fixed part is that part of the company", func(t *testing.T) {
		t.Parallel()
		b, class := founded(t)
		command := safe(bob, "1000000", "2025-02-01")
		command.ValuationCap, command.FixedConversion = nil, &captable.FixedConversion{Security: class, Fraction: figure("0.25")}
		b.Instrument(command)
		captabletest.Equal(t, "a quarter", got(b.exit(sale("20000000")), 0), "Ada Lovelace 15000000; Bob Noyce 5000000")
	})
	t.Run("a most favoured holder takes the terms of a later one", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		first := safe(bob, "1000000", "2025-02-01")
		first.ValuationCap, first.MFN = nil, true
		favoured := b.Instrument(first)
		second := safe(cleo, "1000000", "2025-03-01")
		second.CapBasis = "post"
		later := b.Instrument(second)
		terms := sale("20000000")
		captabletest.Equal(t, "without", got(b.exit(terms), 0), "Ada Lovelace 15200000; Cleo Ltd 3800000; Bob Noyce 1000000")
		terms.Elections = []captable.RoundElection{{Holding: favoured, Elects: later}}
		captabletest.Equal(t, "with", got(b.exit(terms), 0), "Ada Lovelace 12000000; Bob Noyce 4000000; Cleo Ltd 4000000")
	})
}

func TestManyPricesOverManyConvertiblesAreRefused(t *testing.T) {
	t.Parallel()
	b, _ := founded(t)
	for range 101 {
		b.Instrument(postMoney(bob))
	}
	terms := exit.Terms{
		Date: exact.MustDate(today), Range: &exit.Range{From: number("1"), To: number("200"), Step: number("1")},
	}
	_, err := b.planExit(terms)
	b.refusal(err, fault.Invalid, "/values tooMany")
}

func TestAnExitIsRefused(t *testing.T) {
	t.Parallel()
	b, _ := founded(t)
	id := b.Instrument(safe(bob, "1000", "2025-02-01"))
	for claim, change := range map[string]func(*exit.Terms){
		"/date required":                      func(e *exit.Terms) { e.Date = 0 },
		"/date beforeLast":                    func(e *exit.Terms) { e.Date = exact.MustDate("2024-01-01") },
		"/values required":                    func(e *exit.Terms) { e.Values = nil },
		"/values/0 negative":                  func(e *exit.Terms) { e.Values[0] = number("-1") },
		"/values tooMany":                     func(e *exit.Terms) { e.Values = slices.Repeat(e.Values, 201) },
		"/costs negative":                     func(e *exit.Terms) { e.Costs = number("-1") },
		"/costRate notBelowOne":               func(e *exit.Terms) { e.CostRate = number("1.1") },
		"/range/step notPositive":             func(e *exit.Terms) { e.Values, e.Range = nil, &exit.Range{} },
		"/range/from negative":                func(e *exit.Terms) { e.Values, e.Range = nil, &exit.Range{From: number("-1")} },
		"/range/to outOfOrder":                func(e *exit.Terms) { e.Values, e.Range = nil, &exit.Range{From: number("1")} },
		"/elections/0/holding notOutstanding": func(e *exit.Terms) { e.Elections = []captable.RoundElection{{Elects: id}} },
		"/elections/0/elects cannotElect":     func(e *exit.Terms) { e.Elections = []captable.RoundElection{{Holding: id, Elects: id}} },
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			terms := sale("1")
			change(&terms)
			_, err := b.planExit(terms)
			b.refusal(err, fault.Invalid, claim)
		})
	}
	t.Run("a sale in another currency than its convertibles is refused", func(t *testing.T) {
		t.Parallel()
		m := b.DecideContext()
		m.Currency = "EUR"
		_, err := exit.Plan(b.State, sale("1"), m, b.NameOf)
		b.refusal(err, fault.Conflict)
	})
	t.Run("a sale with post-money caps over the whole company is refused", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		command := safe(bob, "5000000", "2025-02-01")
		command.CapBasis = "post"
		b.Instrument(command)
		_, err := b.planExit(sale("1"))
		b.refusal(err, fault.Conflict)
	})
}

func TestListedHoldersOfAnExit(t *testing.T) {
	t.Parallel()
	b := backed(t, func(*captable.SecurityTerms) {})
	all := b.exit(sale("1000000")).Values[0]
	chosen := all.Holders[len(all.Holders)-1]
	for claim, listed := range map[string][]captable.EntityID{"ChosenHolderIsListed": {chosen.Entity}, "NoHolderIsListed": {}} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			terms := sale("1000000")
			terms.Holders = listed
			out, err := b.planExit(terms)
			if err != nil {
				t.Fatal(err)
			}
			at := out.Values[0]
			captabletest.Equal(t, "number of holders", len(at.Holders), len(listed))
			captabletest.Equal(t, "number of claims", len(at.Claims), len(all.Claims))
			for _, holder := range at.Holders {
				captabletest.Equal(t, "percent", holder.Percent.String(), chosen.Percent.String())
			}
		})
	}
}
