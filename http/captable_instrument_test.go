package http_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"equity/captable"
	"equity/captable/exact"
	"equity/http/apitest"
)

// companyWithInstruments returns a company with a shareholder, a note, a SAFE and a warrant for 1,000 shares.
func companyWithInstruments(t *testing.T, b *apitest.Server) *apitest.Firm {
	t.Helper()
	f := b.NewFirm(t, "owner@example.com")
	ada, bob := f.NewHolder(t, "Ada"), f.NewHolder(t, "=Bob")
	f.Issue(t, ada, "3000")
	f.Must(t, "POST", f.IssueHolding(t, "convertibleNote", ada, apitest.NoteTerms)+"/accept", "", 200)
	f.IssueHolding(t, "safe", bob, apitest.SafeTerms)
	f.IssueHolding(t, "warrant", bob, apitest.WarrantTerms+`,"security":"`+f.Common+`"`)
	return f
}

func TestCapTableIncludesInstruments(t *testing.T) {
	t.Parallel()
	t.Run("JSON lists convertibles with their balance and counts warrants as diluting", func(t *testing.T) {
		t.Parallel()
		f := companyWithInstruments(t, apitest.Setup(t))
		apitest.Run(t, []apitest.Scenario{
			{Claim: "the table of today has all instruments", As: f.Client, Method: "GET", Path: f.Home + "/captable", Status: 200, Has: []string{
				`"fullyDiluted":"4000"`, `"warrants":"1000"`, `"percentFullyDiluted":"0.25"`, `"accruedInterest":"60","balance":"10060"`,
				`"convertibles":[{"currency":"USD","count":2,"principal":"510000","accruedInterest":"60","balance":"510060"}]`,
				`"quantity":"1000"`, `"expirationDate":"2030-12-31"`,
			}},
			{
				Claim: "a past date has the interest accrued by then", As: f.Client, Method: "GET",
				Path: f.Home + "/captable?asOf=2026-01-11", Status: 200,
				Has: []string{`"accruedInterest":"10","balance":"10010"`},
			},
			{
				Claim: "a date before the issue has no instruments", As: f.Client, Method: "GET",
				Path: f.Home + "/captable?asOf=2025-12-31", Status: 200,
				Has: []string{`"convertibles":[],"warrants":[]`},
			},
		})
	})
	t.Run("the dashboard shows instruments and pending records", func(t *testing.T) {
		t.Parallel()
		b := apitest.Setup(t)
		f := companyWithInstruments(t, b)
		path := "/v1/captable/" + f.ID + "/dashboard"
		guest := b.NewPerson(t, "guest@example.com")
		f.Join(t, f.Home, guest, "Guest")
		own := f.IssueHolding(t, "safe", guest.Holder, apitest.SafeTerms)
		apitest.Run(t, []apitest.Scenario{
			{Claim: "an editor sees all instruments", As: f.Client, Method: "GET", Path: path, Status: 200, Has: []string{
				`"warrants":"1000"`, `"principal":"1010000"`, `"convertibles":3,"warrants":1`, `"waiting":[]`,
			}},
			{
				Claim: "a holder sees their own instruments", As: guest, Method: "GET", Path: path, Status: 200,
				Has: []string{`"convertibles":1,"warrants":0,"waiting":1`, `"kind":"holdingAcceptance"`, apitest.IDOf(own)}, Lacks: []string{"totals"},
			},
		})
	})
	t.Run("CSV has a line for each convertible and its percentages sum to 1", func(t *testing.T) {
		t.Parallel()
		f := companyWithInstruments(t, apitest.Setup(t))
		lines, err := csv.NewReader(strings.NewReader(f.Must(t, "GET", f.Home+"/captable?format=csv", "", 200).Body)).ReadAll()
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
		f := companyWithInstruments(t, apitest.Setup(t))
		book, err := excelize.OpenReader(strings.NewReader(f.Must(t, "GET", f.Home+"/captable?format=xlsx", "", 200).Body))
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
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	ada := f.NewHolder(t, "Ada")
	old := f.IssueHolding(t, "warrant", ada, `,"quantity":"1000000","exercisePrice":"1","expirationDate":"2026-01-31","security":"`+f.Common+`"`)
	fresh := f.Must(t, "POST", "/v1/holding", strings.Replace(f.HoldingBody("warrant", ada, `,"quantity":"7","exercisePrice":"1","security":"`+f.Common+`"`), "2026-01-01", "2026-02-01", 1), 201)
	if remaining := fresh.Text(t, "left"); remaining != "7" {
		t.Errorf("unexpected remaining quantity: %s", fresh.Body)
	}
	if status := f.Must(t, "GET", old, "", 200).Text(t, "status"); status != "expired" {
		t.Errorf("the expired holding has status %s", status)
	}
}
