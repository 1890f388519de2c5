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
)

// share creates a table with four holders of two classes whose percentages do not divide
// evenly.
func (f *firm) share(tb testing.TB) {
	tb.Helper()
	preferred := f.security(tb, `{"name":"Series A","shareType":"preferred","authorizedShares":"unlimited","fractionalShares":true,`+
		`"conversion":{"security":"`+f.common+`","ratio":"1.5"}}`)
	for _, name := range []string{"Ada", "=HYPERLINK(\"http://example.com\")", "Cleo, \"Ltd\""} {
		f.issue(tb, f.holder(tb, name), "1", `"pricePerShare":"2.50"`)
	}
	f.issue(tb, f.holder(tb, "Dora"), "1.25", `"security":"`+preferred+`"`)
}

func TestCapTableTotalsAndPercentagesAddUp(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		f.share(t)
		got := f.must(t, "GET", f.home+"/captable", "", 200)
		for field, want := range map[string]string{
			"outstanding": "4.25", "issued": "4.25", "treasury": "0", "authorized": "unlimited", "fullyDiluted": "4.875", "invested": "7.5",
		} {
			if total := got.text(t, "totals", field); total != want {
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
			for _, holder := range got.list(t, "holders") {
				add(&holders, holder)
				fields, _ := holder.(map[string]any)
				for _, position := range fields["bySecurity"].([]any) {
					add(&positions, position)
				}
			}
			for _, security := range got.list(t, "securities") {
				add(&securities, security)
			}
			if holders.String() != "1" || positions.String() != "1" || securities.String() != "1" {
				t.Errorf("%s sums to %s, %s and %s", column, holders, positions, securities)
			}
		}
		run(t, []scenario{
			{
				claim: "a date before the first issue has no holders", as: f.client, method: "GET",
				path: f.home + "/captable?asOf=2025-12-31", status: 200,
				has: []string{`"asOf":"2025-12-31"`, `"holders":[]`},
			},
			{
				claim: "an early sequence has no securities", as: f.client, method: "GET", path: f.home + "/captable?knownAt=1", status: 200,
				has: []string{`"sequence":1`, `"securities":[]`},
			},
			{
				claim: "asOf and knownAt are combined", as: f.client, method: "GET",
				path: f.home + "/captable?knownAt=2026-03-02T10:00:00Z&asOf=2026-01-01", status: 200,
				has: []string{`"outstanding":"4.25"`},
			},
			{
				claim: "another format is refused", as: f.client, method: "GET", path: f.home + "/captable?format=pdf", status: 400,
				has: []string{"/query/format"},
			},
		})
	})
}

func TestCapTableIncludesIssuesDatedTomorrowInUTC(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	f.issue(t, f.holder(t, "Ada"), "5", `"issueDate":"2026-03-03"`) // already this date in Auckland
	if got := f.must(t, "GET", f.home+"/captable", "", 200); got.text(t, "totals", "outstanding") != "5" || got.text(t, "asOf") != "2026-03-03" {
		t.Errorf("the current table: %s", got.body)
	}
	if got := f.must(t, "GET", f.home+"/captable?asOf=2026-03-02", "", 200); got.text(t, "totals", "outstanding") != "0" {
		t.Errorf("the table of the previous day: %s", got.body)
	}
}

func TestCapTableTagIdentifiesOneAnswer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	auditor := b.person(t, "auditor@example.com")
	f.join(t, f.home, auditor, "Auditor")
	f.share(t)
	seen := map[string]string{}
	for _, query := range []string{"", "?format=csv", "?format=xlsx", "?format=ocf", "?asOf=2026-01-01", "?knownAt=4"} {
		got := f.must(t, "GET", f.home+"/captable"+query, "", 200)
		tag := got.header.Get("ETag")
		if other, twice := seen[tag]; twice || tag == "" {
			t.Errorf("%q and %q have the same tag %s", query, other, tag)
		}
		seen[tag] = query
		if again := f.must(t, "GET", f.home+"/captable"+query, "", 304, "If-None-Match", `"other", W/`+tag); again.body != "" {
			t.Errorf("%q: 304 has a body", query)
		}
		if again := f.must(t, "GET", f.home+"/captable"+query, "", 200); again.body != got.body || again.header.Get("ETag") != tag {
			t.Errorf("%q: the cached answer differs", query)
		}
	}
	tag := f.must(t, "GET", f.home+"/captable", "", 200).header.Get("ETag")
	f.issue(t, f.holder(t, "Eve"), "1")
	if got := f.must(t, "GET", f.home+"/captable", "", 200, "If-None-Match", tag); !strings.Contains(got.body, "Eve") {
		t.Errorf("after a change: %s", got.body)
	}
	tag = f.must(t, "GET", f.home+"/captable", "", 200).header.Get("ETag")
	b.clock.advance(24 * time.Hour)
	if got := f.must(t, "GET", f.home+"/captable", "", 200, "If-None-Match", tag); got.text(t, "asOf") != "2026-03-03" {
		t.Errorf("the next day: %s", got.body)
	}
}

func TestCapTableCSVIsCompleteAndInert(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	f.must(t, "PATCH", f.home, `{"name":"Ada/../Söhne \"A&B\"\u0000"}`, 400)
	f.must(t, "PATCH", f.home, `{"name":"../Ada Söhne \"A&B\""}`, 200)
	f.share(t)
	got := f.must(t, "GET", f.home+"/captable?format=csv", "", 200)
	lines, err := csv.NewReader(strings.NewReader(got.body)).ReadAll()
	if err != nil || len(lines) != 5 {
		t.Fatalf("%v: %q", err, got.body)
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
	disposition := got.header.Get("Content-Disposition")
	if want := "attachment; filename*=utf-8''Ada%20S%C3%B6hne%20-A&B-%20cap%20table%202026-03-02.csv"; disposition != want {
		t.Errorf("the content disposition is %s, want %s", disposition, want)
	}
}

func TestCapTableWorkbookHasValuesAndNoFormulas(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	f.share(t)
	f.issue(t, f.holder(t, "Fay"), "999991", `"pricePerShare":"0.0000000001"`)
	got := f.must(t, "GET", f.home+"/captable?format=xlsx", "", 200)
	book, err := excelize.OpenReader(strings.NewReader(got.body))
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
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	f.share(t)
	book, err := excelize.OpenReader(strings.NewReader(f.must(t, "GET", f.home+"/captable?format=xlsx", "", 200).body))
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
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		f.share(t)
		secret := f.must(t, "POST", f.home+"/member", `{"fullName":"Gail","email":"gail@private.example","roles":[]}`, http.StatusCreated)
		f.issue(t, secret.text(t, "entity"), "3")
		investor := b.person(t, "investor@example.com")
		f.join(t, f.home, investor, "Investor")
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
		names, full := read(f.must(t, "GET", f.home+"/captable?format=ocf", "", 200).body)
		for _, name := range []string{"Manifest.ocf.json", "Stakeholders.ocf.json", "StockClasses.ocf.json", "Transactions.ocf.json"} {
			if !strings.Contains(names, name) {
				t.Errorf("%s is missing among %s", name, names)
			}
		}
		if _, less := read(investor.must(t, "GET", f.home+"/captable?format=ocf", "", 200).body); strings.Contains(less, "gail@private.example") ||
			!strings.Contains(less, "Gail") || !strings.Contains(full, "gail@private.example") {
			t.Error("contact details must be shown exactly to callers with viewMembers")
		}
		if _, past := read(f.must(t, "GET", f.home+"/captable?format=ocf&asOf=2025-12-31", "", 200).body); strings.Contains(past, "TX_STOCK_ISSUANCE") {
			t.Error("a package of a past date contains later issues")
		}
	})
}
