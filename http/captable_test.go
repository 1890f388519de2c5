package http_test

import (
	"archive/zip"
	"encoding/csv"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"equity/captable"
	"equity/captable/exact"
	"equity/http/apitest"
)

// issueToFour creates a table with four holders of two classes whose percentages do not divide
// evenly.
func issueToFour(tb testing.TB, f *apitest.Firm) {
	tb.Helper()
	preferred := f.NewSecurity(tb, `{"name":"Series A","shareType":"preferred","authorizedShares":"unlimited","fractionalShares":true,`+
		`"conversion":{"security":"`+f.Common+`","ratio":"1.5"}}`)
	for _, name := range []string{"Ada", "=HYPERLINK(\"http://example.com\")", "Cleo, \"Ltd\""} {
		f.Issue(tb, f.NewHolder(tb, name), "1", `"pricePerShare":"2.50"`)
	}
	f.Issue(tb, f.NewHolder(tb, "Dora"), "1.25", `"security":"`+preferred+`"`)
}

func TestCapTableTotalsAndPercentagesAddUp(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		issueToFour(t, f)
		got := f.Must(t, "GET", f.Home+"/captable", "", 200)
		for field, want := range map[string]string{
			"outstanding": "4.25", "issued": "4.25", "treasury": "0", "authorized": "unlimited", "fullyDiluted": "4.875", "invested": "7.5",
		} {
			if total := got.Text(t, "totals", field); total != want {
				t.Errorf("%s is %s, want %s", field, total, want)
			}
		}
		for _, column := range []string{"percentOutstanding", "percentFullyDiluted"} {
			var holders, positions, securities captable.Decimal
			add := func(sum *captable.Decimal, record any) {
				fields, _ := record.(map[string]any)
				text, _ := fields[column].(string)
				*sum = sum.Add(exact.MustDecimal(text))
			}
			for _, holder := range got.List(t, "holders") {
				add(&holders, holder)
				fields, _ := holder.(map[string]any)
				for _, position := range fields["bySecurity"].([]any) {
					add(&positions, position)
				}
			}
			for _, security := range got.List(t, "securities") {
				add(&securities, security)
			}
			if holders.String() != "1" || positions.String() != "1" || securities.String() != "1" {
				t.Errorf("%s sums to %s, %s and %s", column, holders, positions, securities)
			}
		}
		apitest.Run(t, []apitest.Scenario{
			{
				Claim: "a date before the first issue has no holders", As: f.Client, Method: "GET",
				Path: f.Home + "/captable?asOf=2025-12-31", Status: 200,
				Has: []string{`"asOf":"2025-12-31"`, `"holders":[]`},
			},
			{
				Claim: "an early sequence has no securities", As: f.Client, Method: "GET", Path: f.Home + "/captable?knownAt=1", Status: 200,
				Has: []string{`"sequence":1`, `"securities":[]`},
			},
			{
				Claim: "asOf and knownAt are combined", As: f.Client, Method: "GET",
				Path: f.Home + "/captable?knownAt=2026-03-02T10:00:00Z&asOf=2026-01-01", Status: 200,
				Has: []string{`"outstanding":"4.25"`},
			},
			{
				Claim: "another format is refused", As: f.Client, Method: "GET", Path: f.Home + "/captable?format=pdf", Status: 400,
				Has: []string{"/query/format"},
			},
		})
	})
}

func TestCapTableIncludesIssuesDatedTomorrowInUTC(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	f.Issue(t, f.NewHolder(t, "Ada"), "5", `"issueDate":"2026-03-03"`) // already this date in Auckland
	if got := f.Must(t, "GET", f.Home+"/captable", "", 200); got.Text(t, "totals", "outstanding") != "5" || got.Text(t, "asOf") != "2026-03-03" {
		t.Errorf("the current table: %s", got.Body)
	}
	if got := f.Must(t, "GET", f.Home+"/captable?asOf=2026-03-02", "", 200); got.Text(t, "totals", "outstanding") != "0" {
		t.Errorf("the table of the previous day: %s", got.Body)
	}
}

func TestCapTableTagIdentifiesOneAnswer(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	auditor := b.NewPerson(t, "auditor@example.com")
	f.Join(t, f.Home, auditor, "Auditor")
	issueToFour(t, f)
	seen := map[string]string{}
	for _, query := range []string{"", "?format=csv", "?format=xlsx", "?format=ocf", "?asOf=2026-01-01", "?knownAt=4"} {
		got := f.Must(t, "GET", f.Home+"/captable"+query, "", 200)
		tag := got.Header.Get("ETag")
		if other, twice := seen[tag]; twice || tag == "" {
			t.Errorf("%q and %q have the same tag %s", query, other, tag)
		}
		seen[tag] = query
		if again := f.Must(t, "GET", f.Home+"/captable"+query, "", 304, "If-None-Match", `"other", W/`+tag); again.Body != "" {
			t.Errorf("%q: 304 has a body", query)
		}
		if again := f.Must(t, "GET", f.Home+"/captable"+query, "", 200); again.Body != got.Body || again.Header.Get("ETag") != tag {
			t.Errorf("%q: the cached answer differs", query)
		}
	}
	tag := f.Must(t, "GET", f.Home+"/captable", "", 200).Header.Get("ETag")
	f.Issue(t, f.NewHolder(t, "Eve"), "1")
	if got := f.Must(t, "GET", f.Home+"/captable", "", 200, "If-None-Match", tag); !strings.Contains(got.Body, "Eve") {
		t.Errorf("after a change: %s", got.Body)
	}
	tag = f.Must(t, "GET", f.Home+"/captable", "", 200).Header.Get("ETag")
	b.Clock.Advance(24 * time.Hour)
	if got := f.Must(t, "GET", f.Home+"/captable", "", 200, "If-None-Match", tag); got.Text(t, "asOf") != "2026-03-03" {
		t.Errorf("the next day: %s", got.Body)
	}
}

func TestCapTableCSVIsCompleteAndInert(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	f.Must(t, "PATCH", f.Home, `{"name":"Ada/../Söhne \"A&B\"\u0000"}`, 400)
	f.Must(t, "PATCH", f.Home, `{"name":"../Ada Söhne \"A&B\""}`, 200)
	issueToFour(t, f)
	got := f.Must(t, "GET", f.Home+"/captable?format=csv", "", 200)
	lines, err := csv.NewReader(strings.NewReader(got.Body)).ReadAll()
	if err != nil || len(lines) != 5 {
		t.Fatalf("%v: %q", err, got.Body)
	}
	var sum captable.Decimal
	names := map[string]bool{}
	for _, line := range lines[1:] {
		sum = sum.Add(exact.MustDecimal(line[6]))
		names[line[0]] = true
		for i, cell := range line {
			if strings.IndexAny(cell, "=+-@") == 0 {
				t.Errorf("column %s starts like a formula: %s", lines[0][i], cell)
			}
		}
	}
	if sum.String() != "1" || !names[`'=HYPERLINK("http://example.com")`] || !names[`Cleo, "Ltd"`] {
		t.Errorf("sum %s, names %v", sum, names)
	}
	disposition := got.Header.Get("Content-Disposition")
	if want := "attachment; filename*=utf-8''Ada%20S%C3%B6hne%20-A&B-%20cap%20table%202026-03-02.csv"; disposition != want {
		t.Errorf("the content disposition is %s, want %s", disposition, want)
	}
}

func TestCapTableWorkbookHasValuesAndNoFormulas(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	issueToFour(t, f)
	f.Issue(t, f.NewHolder(t, "Fay"), "999991", `"pricePerShare":"0.0000000001"`)
	got := f.Must(t, "GET", f.Home+"/captable?format=xlsx", "", 200)
	book, err := excelize.OpenReader(strings.NewReader(got.Body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = book.Close() }()
	cell := func(sheet, at string) string {
		t.Helper()
		value, err := book.GetCellValue(sheet, at, excelize.Options{RawCellValue: true})
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
	for at, want := range map[string]string{
		"A1": "Analytical Engines: cap table as of 2026-03-02", "A3": "Holder", "B3": "Common Stock", "C3": "Series A", "D3": "Shares",
		"E3": "Options", "F3": "Warrants",
		"A4": "Fay", "B4": "999991", "C4": "", "I4": "0.0000999991", "A5": "Dora", "C5": "1.25", "A9": "Total", "B9": "999994",
		"C9": "1.25", "E9": "0", "F9": "0", "G9": "1", "H9": "1",
	} {
		if value := cell("Cap table", at); value != want {
			t.Errorf("cap table %s is %q, want %q", at, value, want)
		}
	}
	for at, want := range map[string]string{
		"A4": "Common Stock", "C4": "1000000", "H4": "6", "A5": "Series A", "C5": "unlimited", "A6": "Total", "K6": "1",
	} {
		if value := cell("Securities", at); value != want {
			t.Errorf("securities %s is %q, want %q", at, value, want)
		}
	}
	rows, err := book.GetRows("Cap table", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range rows {
		for j := range row {
			name, err := excelize.CoordinatesToCellName(j+1, i+1)
			if err != nil {
				t.Fatal(err)
			}
			if formula, err := book.GetCellFormula("Cap table", name); err != nil || formula != "" {
				t.Errorf("%s is the formula %s", name, formula)
			}
		}
	}
	if shown, err := book.GetCellValue("Cap table", "G5"); err != nil || shown != "0.00%" {
		t.Errorf("a percentage is shown as %s", shown)
	}
}

func TestCapTableWorkbookPrintsOnePageWide(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	issueToFour(t, f)
	book, err := excelize.OpenReader(strings.NewReader(f.Must(t, "GET", f.Home+"/captable?format=xlsx", "", 200).Body))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = book.Close() }()
	heads := map[string]string{}
	for _, name := range book.GetDefinedName() {
		heads[name.Scope] = name.RefersTo
	}
	for _, sheet := range book.GetSheetList() {
		layout, err := book.GetPageLayout(sheet)
		if err != nil {
			t.Fatal(err)
		}
		if *layout.Orientation != "landscape" || *layout.FitToWidth != 1 {
			t.Errorf("%s is printed %d pages wide, in %s", sheet, *layout.FitToWidth, *layout.Orientation)
		}
		if got := heads[sheet]; got != "'"+sheet+"'!$1:$3" {
			t.Errorf("the repeated lines of %s are %s", sheet, got)
		}
	}
}

func TestCapTablePackageIsRestrictedByPermissionAndDate(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		issueToFour(t, f)
		secret := f.Must(t, "POST", f.Home+"/member", `{"fullName":"Gail","email":"gail@private.example","roles":[]}`, http.StatusCreated)
		f.Issue(t, secret.Text(t, "entity"), "3")
		investor := b.NewPerson(t, "investor@example.com")
		f.Join(t, f.Home, investor, "Investor")
		read := func(body string) (string, string) {
			t.Helper()
			var names, all strings.Builder
			archive, err := zip.NewReader(strings.NewReader(body), int64(len(body)))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range archive.File {
				names.WriteString(file.Name + " ")
				all.WriteString(content(t, file))
			}
			return names.String(), all.String()
		}
		names, full := read(f.Must(t, "GET", f.Home+"/captable?format=ocf", "", 200).Body)
		for _, name := range []string{"Manifest.ocf.json", "Stakeholders.ocf.json", "StockClasses.ocf.json", "Transactions.ocf.json"} {
			if !strings.Contains(names, name) {
				t.Errorf("%s is missing among %s", name, names)
			}
		}
		if _, less := read(investor.Must(t, "GET", f.Home+"/captable?format=ocf", "", 200).Body); strings.Contains(less, "gail@private.example") ||
			!strings.Contains(less, "Gail") || !strings.Contains(full, "gail@private.example") {
			t.Error("contact details must be shown exactly to callers with viewMembers")
		}
		if _, past := read(f.Must(t, "GET", f.Home+"/captable?format=ocf&asOf=2025-12-31", "", 200).Body); strings.Contains(past, "TX_STOCK_ISSUANCE") {
			t.Error("a package of a past date contains later issues")
		}
	})
}
