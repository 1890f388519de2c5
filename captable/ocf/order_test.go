package ocf_test

import (
	"math/big"
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// TestOrderWithinADay checks that transactions of one day may appear in any order, because
// the format has no time of day.
func TestOrderWithinADay(t *testing.T) {
	t.Parallel()
	adjust := func(date, shares string) string {
		return object(`"id":"adjust-`+shares+`","object_type":"TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT","date":"`+date+`","stock_class_id":"common","new_shares_authorized":"`+shares+`"`, nil)
	}
	const day = "2024-05-01"
	for claim, c := range map[string]struct {
		transactions []string
		common       string
	}{
		"an acceptance before the issue": {[]string{tx("STOCK_ACCEPTANCE", "two", day), issue("two", day, "ada", "common", "1")}, "601"},
		"an end before the issue": {[]string{
			tx("STOCK_CANCELLATION", "two", day, `"quantity":"10","reason_text":"r"`), issue("two", day, "ada", "common", "10"),
		}, "600"},
		"a chain of transfers backwards": {[]string{
			tx("STOCK_TRANSFER", "three", day, `"quantity":"10","resulting_security_ids":["four"]`), tx("STOCK_ACCEPTANCE", "four", day),
			tx("STOCK_TRANSFER", "two", day, `"quantity":"10","resulting_security_ids":["three"]`), issue("four", day, "ada", "common", "10"),
			issue("three", day, "fund", "common", "10"), issue("two", day, "ada", "common", "10"), tx("STOCK_ACCEPTANCE", "three", day),
		}, "610"},
		"shares issued in the room that a cancellation makes": {[]string{
			tx("STOCK_CANCELLATION", "one", day, `"quantity":"600","reason_text":"replaced"`), issue("two", day, "ada", "common", "1000"), tx("STOCK_ACCEPTANCE", "two", day),
		}, "1000"},
		"shares issued in that room, and then split": {[]string{
			issue("two", day, "ada", "common", "1000"), tx("STOCK_CANCELLATION", "one", day, `"quantity":"600","reason_text":"replaced"`), split("s", "common", day, "1", "2"),
		}, "500"},
		"shares issued in the room that a new limit makes": {[]string{issue("two", day, "ada", "common", "900"), adjust(day, "1500")}, "1500"},
		"a limit lowered to what a cancellation leaves":    {[]string{adjust(day, "1"), tx("STOCK_CANCELLATION", "one", day, `"quantity":"600","reason_text":"r"`)}, "0"},
		"a day that only goes as it is written": {[]string{
			tx("STOCK_CANCELLATION", "one", "2024-04-01", `"quantity":"600","reason_text":"r"`), adjust(day, "2"), adjust(day, "3"), issue("two", day, "ada", "common", "3"),
			tx("STOCK_CANCELLATION", "two", day, `"quantity":"3","reason_text":"r"`), adjust(day, "1"),
		}, "0"},
		"reissues before the split that they state": {[]string{
			tx("STOCK_REISSUANCE", "one", day, `"resulting_security_ids":["two"],"split_transaction_id":"s"`), issue("two", day, "ada", "common", "300"),
			split("s", "common", day, "1", "2"),
		}, "300"},
		"a split that nobody restates multiplies": {[]string{split("s", "common", day, "1", "3"), issue("two", day, "ada", "common", "30")}, "210"},
		"a split that some restate multiplies the others": {[]string{
			issue("two", "2024-01-05", "fund", "common", "90"), split("s", "common", day, "1", "3"),
			tx("STOCK_REISSUANCE", "one", day, `"resulting_security_ids":["three"],"split_transaction_id":"s"`), issue("three", day, "ada", "common", "200"),
		}, "230"},
		"a reissue that rounds what a reverse split leaves": {[]string{
			issue("two", "2024-01-05", "fund", "common", "7"), split("s", "common", day, "1", "2"),
			tx("STOCK_REISSUANCE", "two", day, `"resulting_security_ids":["three"],"split_transaction_id":"s"`), issue("three", day, "fund", "common", "4"),
		}, "304"},
		"a restated lot that a transfer of the day made": {[]string{
			split("s", "common", day, "1", "2"), tx("STOCK_REISSUANCE", "two", day, `"resulting_security_ids":["three"],"split_transaction_id":"s"`),
			tx("STOCK_TRANSFER", "one", day, `"quantity":"600","resulting_security_ids":["two"]`), issue("two", day, "fund", "common", "600"),
			issue("three", day, "fund", "common", "300"),
		}, "300"},
		"several become one": {[]string{
			issue("two", "2024-01-05", "ada", "common", "7"), issue("three", day, "ada", "common", "607"),
			object(`"id":"c","object_type":"TX_STOCK_CONSOLIDATION","date":"`+day+`","security_ids":["one","two"],"resulting_security_id":"three"`, nil),
		}, "607"},
		"a retraction undoes": {[]string{tx("STOCK_RETRACTION", "one", day, `"reason_text":"r"`)}, "0"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			p := sound()
			p.transactions = append(c.transactions, p.transactions...)
			w := setup(t)
			equalLists(t, "refusals", refusals(w.take(p.files())), nil)
			equal(t, "common", w.outstanding()["COMMON"], c.common)
			same(t, w.export("2026-01-01"), p.files())
		})
	}
}

func TestTranslation(t *testing.T) {
	t.Parallel()
	p := sound()
	p.classes = []string{
		class("preferred", "PREFERRED", "UNLIMITED", "3", right("common", "3", "2"), `"default_id_prefix":"PS-","par_value":{"amount":"0.0001","currency":"USD"},
			"price_per_share":{"amount":"+02.50","currency":"EUR"},"liquidation_preference_multiple":"1","participation_cap_multiple":"3","board_approval_date":"2023-01-01",
			"stockholder_approval_date":"2023-01-02","comments":["c"]`),
		class("common", "COMMON", "NOT APPLICABLE", "-1", `"votes_per_share":"0"`),
	}
	p.transactions = []string{issue("half", "2024-01-01", "ada", "common", "0.5", `"issuance_type":"RSA","board_approval_date":"2023-12-01","comments":["x"],
		"share_price":{"amount":"2","currency":"CHF"},"stock_legend_ids":["act","act"]`), issue("whole", "2024-01-01", "fund", "preferred", "1", `"issuance_type":"FOUNDERS_STOCK"`)}
	w := setup(t)
	w.taken(p.files())
	var common, preferred *captable.Security
	for security := range w.state.Securities() {
		if security.Name == "COMMON" {
			common = security
		} else {
			preferred = security
		}
	}
	equal(t, "no limit applies", common.AuthorizedShares.Unlimited && preferred.AuthorizedShares.Unlimited, true)
	equal(t, "fractions", common.FractionalShares && !preferred.FractionalShares, true)
	equal(t, "votes", preferred.VotingShares && !common.VotingShares, true)
	equal(t, "seniorities", *preferred.Seniority-*common.Seniority, 4)
	equal(t, "prefix", preferred.Prefix, "PS")
	equal(t, "conversion", *preferred.Conversion, *captable.ConversionInto(common.ID, big.NewRat(3, 2)))
	equal(
		t, "prices",
		preferred.Price.Amount.String()+preferred.Price.Currency+preferred.ParValue.Amount.String()+preferred.ParValue.Currency,
		"2.5EUR0.0001",
	)
	equal(t, "participation", preferred.Participation+preferred.ParticipationCapMultiple.String()+common.Participation, "capped3")
	equal(t, "approvals", preferred.BoardApprovalDate.String()+preferred.StockholderApprovalDate.String(), "2023-01-012023-01-02")
	for h := range w.state.Shareholdings() {
		if h.Security == common.ID {
			equal(t, "names", h.ExternalID+h.Certificate+h.ShareholderName+h.IssuanceType, "halfHALFAda LovelacerestrictedStockAward")
			equal(t, "legends, each once", len(h.Legends), 1)
			equal(t, "price", *h.PricePerShare, captable.Price{Amount: number("2"), Currency: "CHF"})
		} else {
			equal(t, "type", h.IssuanceType, "founders")
		}
	}
	same(t, w.export("2026-01-01"), p.files())
}

func TestCertificatesAreMarked(t *testing.T) {
	t.Parallel()
	p := sound()
	for _, name := range []string{"a", "b", "c"} {
		p.transactions = append(p.transactions, issue(name, "2024-01-02", "ada", "common", "1", `"custom_id":"ONE"`))
	}
	p.transactions = append(p.transactions, issue("d", "2024-01-02", "ada", "common", "1", `"custom_id":"ONE*3"`), issue("e", "2024-01-03", "ada", "common", "1", `"custom_id":""`))
	w := setup(t)
	w.taken(p.files())
	got := map[string]string{}
	for h := range w.state.Shareholdings() {
		got[h.ExternalID] = h.Certificate
	}
	for security, want := range map[string]string{"one": "ONE", "a": "ONE*2", "b": "ONE*3", "c": "ONE*4", "d": "ONE*3*2", "e": "C-6"} {
		equal(t, security, got[security], want)
	}
	same(t, w.export("2026-01-01"), p.files())
}

func TestEntityThatIsMissing(t *testing.T) {
	t.Parallel()
	w := setup(t)
	w.taken(sound().files())
	findings := w.take(sound().files())
	equalLists(t, "importing the same again collides", refusals(findings), []string{
		"STOCK_CLASS/common conflict", "STOCK_CLASS/preferred conflict", "STOCK_LEGEND_TEMPLATE/act conflict",
	})
}

func TestCorrectedGrantFollowsTheSplitOfItsDayDespiteItsAcceptance(t *testing.T) {
	t.Parallel()
	b := company(t)
	day := exact.MustDate("2024-06-01")
	plan := b.do(captable.CreatePlan{PlanTerms: captable.PlanTerms{
		PlanDetails: captable.PlanDetails{Name: "Plan", BoardApprovalDate: exact.MustDate("2024-05-01")},
		Pools:       []captable.PoolTerms{{Name: "Main", Security: b.common, TotalShares: number("400")}},
	}})[0].(captable.PlanCreated)
	command := captable.GrantOption{HolderRef: holder(b.ada)}
	command.Type, command.IssueDate, command.Quantity = captable.GrantNSO, day, number("48")
	command.ExercisePrice, command.Class = &captable.Price{Amount: number("1")}, b.preferred
	id := b.do(command)[0].(captable.OptionGranted).ID
	b.do(captable.AcceptGrant{ID: id, Date: day})
	b.do(captable.SplitSecurity{ID: b.common, Numerator: number("2"), Denominator: number("1"), Date: day})
	command.Class, command.Plan, command.Pool, command.Quantity = captable.SecurityID{}, plan.ID, plan.Terms.Pools[0].ID, number("3")
	b.do(captable.CorrectGrant{ID: id, GrantOption: command, Reason: "misread"})
	again := setup(t)
	again.taken(b.export("2026-03-01"))
	equal(t, "table", again.table(day), b.table(day))
}
