package ocf_test

import (
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// limits returns the initial limit of the class and its adjustments as date=shares, in file
// order.
func (b *born) limits(class captable.SecurityID) string {
	b.Helper()
	files := b.export("2026-03-01")
	valid(b, files)
	c := contentOf(b, files)
	var all []string
	for _, object := range c.objects["OCF_STOCK_CLASSES_FILE"] {
		if fields := object.(map[string]any); fields["name"] == "Common" {
			all = append(all, fields["initial_shares_authorized"].(string))
		}
	}
	for _, object := range c.objects["OCF_TRANSACTIONS_FILE"] {
		fields := object.(map[string]any)
		switch fields["object_type"] {
		case "TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT":
			all = append(all, fields["date"].(string)+"="+fields["new_shares_authorized"].(string))
		case "TX_STOCK_CLASS_SPLIT":
			all = append(all, fields["date"].(string)+" split")
		}
	}
	// An import of the package results in the same limit.
	again := setup(b)
	again.taken(files)
	security, _ := b.state.Security(class)
	for copied := range again.state.Securities() {
		if copied.Name == "Common" {
			equal(b, "the limit after an import", copied.AuthorizedShares.String(), security.AuthorizedShares.String())
		}
	}
	return strings.Join(all, " ")
}

func TestExportOfLimits(t *testing.T) {
	t.Parallel()
	authorize := func(b *born, quantity, on string) {
		b.do(captable.AuthorizeShares{ID: b.common, Quantity: number(quantity), EffectiveDate: exact.MustDate(on)})
	}
	replace := func(b *born, limit captable.Authorized) {
		security, _ := b.state.Security(b.common)
		terms := security.SecurityTerms
		terms.AuthorizedShares = limit
		b.do(captable.ReplaceSecurity{ID: b.common, SecurityTerms: terms})
	}
	split := func(b *born, numerator, denominator, on string, keep bool) {
		b.do(captable.SplitSecurity{
			ID: b.common, Numerator: number(numerator), Denominator: number(denominator), Date: exact.MustDate(on), KeepAuthorized: keep,
		})
	}
	for claim, c := range map[string]struct {
		history func(b *born)
		want    string
	}{
		"nothing happened": {func(*born) {}, "1000"},
		"one after another": {
			func(b *born) { authorize(b, "1", "2024-01-01"); authorize(b, "2", "2024-02-01") }, "1000 2024-01-01=1001 2024-02-01=1003",
		},
		"an earlier one later": {
			func(b *born) { authorize(b, "1", "2024-02-01"); authorize(b, "2", "2024-01-01") }, "1000 2024-02-01=1003 2024-01-01=1002",
		},
		"two on one day": {
			func(b *born) { authorize(b, "1", "2024-01-01"); authorize(b, "2", "2024-01-01") }, "1000 2024-01-01=1001 2024-01-01=1003",
		},
		"lowered by other terms":  {func(b *born) { replace(b, captable.AuthorizedOf(number("500"))) }, "1000 2026-03-01=500"},
		"terms of the same limit": {func(b *born) { replace(b, captable.AuthorizedOf(number("1000"))) }, "1000"},
		"none at last":            {func(b *born) { authorize(b, "1", "2024-01-01"); replace(b, captable.Authorized{Unlimited: true}) }, "UNLIMITED"},
		"one again after none": {func(b *born) {
			replace(b, captable.Authorized{Unlimited: true})
			replace(b, captable.AuthorizedOf(number("7")))
		}, "UNLIMITED 2026-03-01=7"},
		"raised by a split":  {func(b *born) { split(b, "2", "1", "2024-01-01", false) }, "1000 2024-01-01=2000 2024-01-01 split"},
		"lowered by a split": {func(b *born) { split(b, "1", "2", "2024-01-01", false) }, "1000 2024-01-01 split 2024-01-01=500"},
		"kept by a split":    {func(b *born) { split(b, "2", "1", "2024-01-01", true) }, "1000 2024-01-01=1000 2024-01-01 split"},
		"raised by a split before a later limit": {
			func(b *born) { authorize(b, "10", "2024-02-01"); split(b, "2", "1", "2024-01-01", false) },
			"1000 2024-02-01=2020 2024-01-01=2000 2024-01-01 split",
		},
		"lowered by a split before a later limit": {
			func(b *born) { authorize(b, "10", "2024-02-01"); split(b, "1", "2", "2024-01-01", false) },
			"1000 2024-02-01=505 2024-01-01 split 2024-01-01=500",
		},
		"a split of what has none": {func(b *born) {
			replace(b, captable.Authorized{Unlimited: true})
			split(b, "2", "1", "2026-03-01", false)
		}, "UNLIMITED 2026-03-01 split"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			b := company(t)
			c.history(b)
			equal(t, "limits", b.limits(b.common), c.want)
		})
	}
}

func TestExportOfImportedLimits(t *testing.T) {
	t.Parallel()
	p := sound()
	adjustment := object(`"id":"more","object_type":"TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT","date":"2024-06-01","stock_class_id":"common",
		"new_shares_authorized":"2000.00","comments":["as it came"]`, nil)
	p.transactions = append(p.transactions, adjustment)
	w := setup(t)
	w.taken(p.files())
	same(t, w.export("2026-03-01"), p.files())
	for security := range w.state.Securities() {
		if security.ExternalID == "common" {
			w.do(captable.AuthorizeShares{ID: security.ID, Quantity: number("1"), EffectiveDate: exact.MustDate("2024-02-01")})
		}
	}
	got := map[string]string{}
	for _, object := range contentOf(t, w.export("2026-03-01")).objects["OCF_TRANSACTIONS_FILE"] {
		if shares, ok := object.(map[string]any)["new_shares_authorized"].(string); ok {
			got[object.(map[string]any)["date"].(string)] = shares
		}
	}
	equal(t, "an earlier one moves the one that came", got["2024-06-01"]+" "+got["2024-02-01"], "2001 1001")
}

func TestExportAfterCorrections(t *testing.T) {
	t.Parallel()
	t.Run("a correction after a split keeps the quantity at issue", func(t *testing.T) {
		t.Parallel()
		b := company(t)
		id := b.issue(b.ada, b.common, "100")
		b.do(captable.SplitSecurity{ID: b.common, Numerator: number("2"), Denominator: number("1"), Date: exact.MustDate("2024-03-01")})
		b.do(captable.CorrectShareholding{
			ID: id, HolderRef: holder(b.cleo), Security: b.common, Shares: number("200"), IssueDate: exact.MustDate("2024-02-01"), Reason: "another's",
		})
		equal(t, "issuance", fields(b.exported("2026-03-01")[id.String()+"-issued"], "quantity", "stakeholder_id"), `["100","`+b.cleo.String()+`"]`)
	})
	t.Run("a corrected shareholding of an import keeps its other fields", func(t *testing.T) {
		t.Parallel()
		p := sound()
		p.transactions[0] = issue("one", "2024-01-01", "ada", "common", "600", `"cost_basis":{"amount":"1","currency":"USD"}`, `"consideration_text":"a horse"`)
		w := setup(t)
		w.taken(p.files())
		for h := range w.state.Shareholdings() {
			w.do(captable.CorrectShareholding{
				ID: h.ID, HolderRef: holder(h.Entity), Security: h.Security, Shares: number("500"), IssueDate: h.IssueDate,
				ShareholdingDetails: h.ShareholdingDetails, Reason: "misread",
			})
		}
		got := contentOf(t, w.export("2026-03-01")).objects["OCF_TRANSACTIONS_FILE"][0].(map[string]any)
		equal(t, "issuance", fields(got, "id", "quantity", "cost_basis", "consideration_text", "custom_id"), `["issue-one","500",{"amount":"1","currency":"USD"},"a horse","ONE"]`)
	})
}
