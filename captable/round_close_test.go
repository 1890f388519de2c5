package captable_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// close plans the round and returns a command to close it as planned, with Cleo as the fund.
func (b *bundle) close(terms captable.RoundTerms) captable.CloseRound {
	b.Helper()
	return captable.CloseRound{
		RoundTerms: terms, Confirm: b.outcome(terms).Confirm, Newcomers: map[string]captable.EntityID{"Fund": cleo},
	}
}

func kinds(events []captable.Event) string {
	var all []string
	for rest := events; len(rest) > 0; {
		kind, count := rest[0].EventType(), 0
		for count < len(rest) && rest[count].EventType() == kind {
			count++
		}
		if rest = rest[count:]; count > 1 {
			kind = strconv.Itoa(count) + " " + kind
		}
		all = append(all, kind)
	}
	return strings.Join(all, ", ")
}

func TestCloseRound(t *testing.T) {
	t.Parallel()
	t.Run("a close creates class and round, converts, sells shares and records valuations", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		safeID := b.instrument(postMoney(bob))
		events := b.do(b.close(priced()))
		equal(t, "events", kinds(events),
			"2 securityCreated, blockCreated, holdingConverted, shareholdingIssued, 2 valuationCreated")
		class := events[0].(captable.SecurityCreated)
		equal(t, "class", class.Terms.Name+" "+string(class.Terms.ShareType)+" "+class.Terms.Price.Amount.String(), "Series A preferred 1.35")
		b.totals(class.ID, "2222222", "2222222", "0", "0")
		b.totals(events[1].(captable.SecurityCreated).ID, "888888", "888888", "0", "0")
		equal(t, "SAFE", b.right(safeID).Status, captable.StatusConverted)
		bought := b.holding(events[4].(captable.ShareholdingIssued).ID)
		equal(t, "fund", bought.Entity, cleo)
		equal(t, "round of it", bought.Block, events[2].(captable.BlockCreated).ID.String())
		equal(t, "paid, but for what is too little for a share", bought.Invested().String(), "2999999.7")
		equal(t, "value", events[5].(captable.ValuationCreated).Terms.CompanyValue.Amount.String(), "15000000")
		b.audited()
	})
	t.Run("a close gives every holder the planned shares", func(t *testing.T) {
		t.Parallel()
		b, class := founded(t)
		ref := b.plan(planned(class, "500000"))
		b.grant(option(bob, ref, "100000", "2025-06-01"))
		b.instrument(postMoney(bob))
		terms := priced()
		terms.Pool = &captable.RoundPool{Target: figure("0.1")}
		planned := b.outcome(terms)
		b.do(b.close(terms))
		table := b.on(today)
		equal(t, "fully diluted", table.Totals.FullyDiluted.String(), planned.SharesAfter.String())
		for _, row := range planned.Ownership {
			i := slices.IndexFunc(table.Holders, func(h captable.TableHolder) bool {
				return h.Entity == row.Entity || row.Name == "Fund" && h.Entity == cleo
			})
			if row.Kind == "holder" {
				equal(t, row.Name, table.Holders[i].Shares.Add(table.Holders[i].Options).String(), row.SharesAfter.String())
			}
		}
		equal(t, "pool", table.Pools[0].Available.String(), planned.Pool.After.String())
		b.audited()
	})
	t.Run("a close that issues an existing class authorizes the missing shares", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		common := b.common("8000000")
		b.issue(ada, common, "8000000", "2025-01-01")
		terms := priced()
		terms.Security = captable.RoundSecurity{ID: common}
		equal(t, "events", kinds(b.do(b.close(terms))), "sharesAuthorized, blockCreated, shareholdingIssued, valuationCreated")
		b.totals(common, "10000000", "10000000", "0", "0")
	})
	t.Run("a close needs a plan for its pool and can create one", func(t *testing.T) {
		t.Parallel()
		b, class := founded(t)
		terms := priced()
		terms.Pool = &captable.RoundPool{Target: figure("0.1")}
		command := b.close(terms)
		b.refused(command, fault.Invalid, "/pool/of required")
		terms.Pool.NewPlan = &captable.RoundNewPlan{Name: "2026 Plan", Security: class}
		command = b.close(terms)
		command.Block = captable.RoundBlock{Name: "Series A round", Kind: "seriesA"}
		equal(t, "events", kinds(b.do(command)), "securityCreated, blockCreated, shareholdingIssued, planCreated, valuationCreated")
		equal(t, "pool", b.on(today).Pools[0].Available.String(), b.on(today).Pools[0].Reserve.String())
	})
	t.Run("a close converts a SAFE with a fixed conversion into its fixed class", func(t *testing.T) {
		t.Parallel()
		b, class := founded(t)
		command := safe(bob, "1000000", "2025-02-01")
		command.ValuationCap, command.FixedConversion = nil, &captable.FixedConversion{Security: class, Shares: figure("500000")}
		b.instrument(command)
		b.do(b.close(priced()))
		b.totals(class, "8500000", "8500000", "0", "11500000")
	})
}

func TestClosingARoundIsRefused(t *testing.T) {
	t.Parallel()
	t.Run("a close after a change of the cap table is refused", func(t *testing.T) {
		t.Parallel()
		b, class := founded(t)
		command := b.close(priced())
		b.issue(bob, class, "1", "2025-01-01")
		b.refused(command, fault.Conflict)
	})
	t.Run("a close with other terms than the planned ones is refused", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		command := b.close(priced())
		command.PreMoney = figure("12000001")
		b.refused(command, fault.Conflict)
	})
	t.Run("a close is refused if its plan or its class was created in the meantime", func(t *testing.T) {
		t.Parallel()
		b, class := founded(t)
		terms := priced()
		terms.Pool = &captable.RoundPool{Target: figure("0.1"), NewPlan: &captable.RoundNewPlan{Name: "2026 Plan", Security: class}}
		command := b.close(terms)
		b.do(captable.CreatePlan{PlanTerms: captable.PlanTerms{PlanDetails: captable.PlanDetails{Name: "2026 plan"}}})
		equal(t, "plan", b.refused(command, fault.Conflict)["plan"] != "", true)
		made := b.security(captable.SecurityTerms{Name: terms.Security.Name, ShareType: captable.SharePreferred, AuthorizedShares: limit("10")})
		equal(t, "security", b.refused(command, fault.Conflict)["security"], made.String())
	})
	t.Run("a close on a future day is refused", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		terms := priced()
		terms.Date = exact.MustDate("2026-03-01")
		b.refused(b.close(terms), fault.Invalid, "/date dateInFuture")
	})
	t.Run("a close that issues less than a share is refused", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		terms := priced()
		terms.NewMoney[0].Amount = number("0.5")
		b.refused(b.close(terms), fault.Conflict)
	})
	t.Run("a close dated before the last repayment of its convertible is refused", func(t *testing.T) {
		t.Parallel()
		b, _ := founded(t)
		command := note(bob, "2025-02-01")
		id := b.instrument(command)
		b.do(repay(id, "10", "2025-12-01"))
		terms := priced()
		terms.Date = exact.MustDate("2025-06-01")
		b.refused(b.close(terms), fault.Invalid, "/date datesOutOfOrder")
	})
	t.Run("a round with a ratio other than one, or with an unknown plan or class, is refused", func(t *testing.T) {
		t.Parallel()
		b, class := founded(t)
		for _, c := range []struct {
			claim  string
			change func(*captable.RoundTerms)
		}{
			{"/security ratioNotOne", func(r *captable.RoundTerms) {
				r.Security.Conversion = &captable.Conversion{Security: class, Ratio: number("2")}
			}},
			{"/security/participation enum", func(r *captable.RoundTerms) { r.Security.Participation = "some" }},
			{"/pool/of/plan unknownReference", func(r *captable.RoundTerms) { r.Pool = &captable.RoundPool{Of: &captable.PoolRef{}} }},
			{"/pool/newPlan/security unknownReference", func(r *captable.RoundTerms) {
				r.Pool = &captable.RoundPool{NewPlan: &captable.RoundNewPlan{Name: "A"}}
			}},
		} {
			terms := priced()
			c.change(&terms)
			_, err := b.planRound(terms)
			b.refusal(err, fault.Invalid, c.claim)
		}
	})
}

// TestClosedRoundsAreAsPlanned closes random rounds. The cap table must then have exactly the
// planned number of fully diluted shares.
func TestClosedRoundsAreAsPlanned(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		b, class := founded(t)
		ref := b.plan(planned(class, "900000"))
		if granted := rapid.IntRange(0, 900000).Draw(r, "granted"); granted > 0 {
			b.grant(option(bob, ref, exact.NewDecimal(int64(granted)).String(), "2025-06-01"))
		}
		for range rapid.IntRange(0, 3).Draw(r, "convertibles") {
			command := postMoney(rapid.SampledFrom([]captable.EntityID{ada, bob, cleo}).Draw(r, "holder"))
			command.CapBasis = rapid.SampledFrom([]string{"pre", "post"}).Draw(r, "basis")
			command.Principal.Amount = exact.NewDecimal(rapid.Int64Range(100_000, 2_000_000).Draw(r, "principal"))
			if rapid.Bool().Draw(r, "discounted") {
				command.Discount = figure("0.15")
			}
			b.instrument(command)
		}
		terms := priced()
		terms.PreMoney = new(exact.NewDecimal(rapid.Int64Range(8_000_000, 90_000_000).Draw(r, "preMoney")))
		if target := rapid.SampledFrom([]string{"", "0.05", "0.2"}).Draw(r, "target"); target != "" {
			terms.Pool = &captable.RoundPool{Target: figure(target)}
		}
		planned, err := b.planRound(terms)
		if err != nil { // the terms contradict each other, so there is no round to close
			return
		}
		b.do(b.close(terms))
		table := b.on(today)
		if table.Totals.FullyDiluted.String() != planned.SharesAfter.String() {
			r.Errorf("%s shares, planned were %s", table.Totals.FullyDiluted, planned.SharesAfter)
		}
		b.audited()
	})
}
