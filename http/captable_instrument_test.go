package http_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"equity/captable"
	"equity/captable/exact"
)

// companyWithInstruments returns a company with a shareholder, a note, a SAFE and a warrant for 1,000 shares.
func companyWithInstruments(t *testing.T, b *bundle) *firm {
	t.Helper()
	f := b.firm(t, "owner@example.com")
	ada, bob := f.holder(t, "Ada"), f.holder(t, "=Bob")
	f.issue(t, ada, "3000")
	f.must(t, "POST", f.issueHolding(t, "convertibleNote", ada, noteTerms)+"/accept", "", 200)
	f.issueHolding(t, "safe", bob, safeTerms)
	f.issueHolding(t, "warrant", bob, warrantTerms+`,"security":"`+f.common+`"`)
	return f
}

func TestCapTableIncludesInstruments(t *testing.T) {
	t.Parallel()
	t.Run("JSON lists convertibles with their balance and counts warrants as diluting", func(t *testing.T) {
		t.Parallel()
		f := companyWithInstruments(t, setup(t))
		run(t, []scenario{
			{claim: "the table of today has all instruments", as: f.client, method: "GET", path: f.home + "/captable", status: 200, has: []string{
				`"fullyDiluted":"4000"`, `"warrants":"1000"`, `"percentFullyDiluted":"0.25"`, `"accruedInterest":"60","balance":"10060"`,
				`"convertibles":[{"currency":"USD","count":2,"principal":"510000","accruedInterest":"60","balance":"510060"}]`,
				`"quantity":"1000"`, `"expirationDate":"2030-12-31"`,
			}},
			{
				claim: "a past date has the interest accrued by then", as: f.client, method: "GET",
				path: f.home + "/captable?asOf=2026-01-11", status: 200,
				has: []string{`"accruedInterest":"10","balance":"10010"`},
			},
			{
				claim: "a date before the issue has no instruments", as: f.client, method: "GET",
				path: f.home + "/captable?asOf=2025-12-31", status: 200,
				has: []string{`"convertibles":[],"warrants":[]`},
			},
		})
	})
	t.Run("the dashboard shows instruments and pending records", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		f := companyWithInstruments(t, b)
		path := "/v1/captable/" + f.id + "/dashboard"
		guest := b.person(t, "guest@example.com")
		f.join(t, f.home, guest, "Guest")
		own := f.issueHolding(t, "safe", guest.holder, safeTerms)
		run(t, []scenario{
			{claim: "an editor sees all instruments", as: f.client, method: "GET", path: path, status: 200, has: []string{
				`"warrants":"1000"`, `"principal":"1010000"`, `"convertibles":3,"warrants":1`, `"waiting":[]`,
			}},
			{
				claim: "a holder sees their own instruments", as: guest, method: "GET", path: path, status: 200,
				has: []string{`"convertibles":1,"warrants":0,"waiting":1`, `"kind":"holdingAcceptance"`, last(own)}, lacks: []string{"totals"},
			},
		})
	})
	t.Run("CSV has a line for each convertible and its percentages sum to 1", func(t *testing.T) {
		t.Parallel()
		f := companyWithInstruments(t, setup(t))
		lines, err := csv.NewReader(strings.NewReader(f.must(t, "GET", f.home+"/captable?format=csv", "", 200).body)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var sum captable.Decimal
		for _, line := range lines[1:] {
			sum = sum.Add(exact.MustDecimal(line[7]))
		}
		if last := strings.Join(lines[4], ","); sum.String() != "1" || !strings.HasPrefix(last, "'=Bob,") || !strings.HasSuffix(last, ",USD,500000,0") {
			t.Errorf("sum %s, last line %s", sum, last)
		}
		if warrants := lines[2][12]; warrants != "1000" {
			t.Errorf("the line of Bob has %s warrants", warrants)
		}
	})
	t.Run("the workbook has a sheet for convertibles and one for warrants", func(t *testing.T) {
		t.Parallel()
		f := companyWithInstruments(t, setup(t))
		book, err := excelize.OpenReader(strings.NewReader(f.must(t, "GET", f.home+"/captable?format=xlsx", "", 200).body))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = book.Close() }()
		for at, want := range map[string]string{
			"Cap table!E5": "1000", "Cap table!E6": "1000", "Cap table!G6": "1", "Convertibles!A4": "Ada", "Convertibles!G4": "60",
			"Convertibles!J4": "0.2",
			"Convertibles!I5": "5000000", "Convertibles!A6": "Total", "Convertibles!H6": "510060", "Warrants!A4": "=Bob", "Warrants!B4": "Common Stock",
			"Warrants!D4": "2030-12-31", "Warrants!E4": "1.5", "Warrants!H5": "1000",
		} {
			sheet, cell, _ := strings.Cut(at, "!")
			if got, err := book.GetCellValue(sheet, cell, excelize.Options{RawCellValue: true}); err != nil || got != want {
				t.Errorf("%s is %q, want %q", at, got, want)
			}
		}
	})
}

func TestExpiredHoldingReleasesShares(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	ada := f.holder(t, "Ada")
	old := f.issueHolding(t, "warrant", ada, `,"quantity":"1000000","exercisePrice":"1","expirationDate":"2026-01-31","security":"`+f.common+`"`)
	fresh := f.must(t, "POST", "/v1/holding", strings.Replace(f.holding("warrant", ada, `,"quantity":"7","exercisePrice":"1","security":"`+f.common+`"`), "2026-01-01", "2026-02-01", 1), 201)
	if remaining := fresh.text(t, "left"); remaining != "7" {
		t.Errorf("unexpected remaining quantity: %s", fresh.body)
	}
	if status := f.must(t, "GET", old, "", 200).text(t, "status"); status != "expired" {
		t.Errorf("the expired holding has status %s", status)
	}
}
