package http_test

import (
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"equity/http/apitest"
)

// published returns a published spreadsheet as a form.
func published(tb testing.TB, name string) (body, kind string) {
	tb.Helper()
	content, err := os.ReadFile(filepath.Join("testdata", "spreadsheets", name))
	if err != nil {
		tb.Fatal(err)
	}
	return spreadsheet(tb, name, string(content))
}

// widgetFirm returns an organization with the records that the published spreadsheets name.
func widgetFirm(t *testing.T, b *apitest.Server) *apitest.Firm {
	t.Helper()
	f := firmWithoutClass(t, b, "owner@example.com")
	f.Must(t, "POST", f.Home+"/security", `{"name":"Common Stock","shareType":"common","authorizedShares":"20000000","boardApprovalDate":"2018-01-01"}`, http.StatusCreated)
	for _, name := range []string{"Jo Example", "Max Muster", "Ada L", "Harbor Fund LP", "Ines Quill", "Bo Berg"} {
		f.Must(t, "POST", f.Home+"/member", `{"fullName":"`+name+`","kind":"individual","roles":[]}`, http.StatusCreated)
	}
	return f
}

// shares are the fields of the row that most of the published spreadsheets have.
func shares(quantity, date string, more ...string) map[string]string {
	fields := map[string]string{"holder": "Jo Example", "security": "Common Stock", "shares": quantity, "issueDate": date}
	for i := 0; i < len(more); i += 2 {
		fields[more[i]] = more[i+1]
	}
	return fields
}

// rowOf returns the fields of a row in the report of a dry run.
func rowOf(t *testing.T, report apitest.Answer, index int) map[string]string {
	t.Helper()
	all := report.List(t, "rows")
	if index >= len(all) {
		t.Fatalf("no row %d in %s", index, report.Body)
	}
	row, _ := all[index].(map[string]any)
	fields, _ := row["fields"].(map[string]any)
	found := map[string]string{}
	for name, value := range fields {
		found[name], _ = value.(string)
	}
	return found
}

// findingsOf returns the severities, codes and cells of the findings of a report, sorted.
func findingsOf(t *testing.T, report apitest.Answer) []string {
	t.Helper()
	found := []string{}
	for _, finding := range report.List(t, "findings") {
		found = append(found, apitest.Field(finding, "severity")+" "+apitest.Field(finding, "code")+" "+apitest.Field(finding, "cell"))
	}
	slices.Sort(found)
	return found
}

func TestPublishedSpreadsheetsAreImported(t *testing.T) {
	t.Parallel()
	f := widgetFirm(t, apitest.Setup(t))
	for name, c := range map[string]struct {
		query    string
		fields   map[string]string
		findings []string
	}{
		"f02-price-0.0001.xlsx": {"", shares("1000", "2024-01-15", "pricePerShare", "0.0001"), nil},
		"f02d-price-0.2.xlsx":   {"", shares("1000", "2024-01-15", "pricePerShare", "0.2"), nil},
		"f05-carta-like-ledger.csv": {
			"", shares("1000000", "2024-01-15", "pricePerShare", "0.0001", "certificate", "CS-1"),
			[]string{"warning columnIgnored C1", "warning columnIgnored D1"},
		},
		"f05-ocx07-class-ledger.csv": {
			"", shares("7250000", "2023-02-01", "pricePerShare", "0.0001", "certificate", "CS-1"), []string{"warning assumed 1:1"},
		},
		"f05-plain.csv":              {"", shares("1000", "2024-01-15"), nil},
		"f05-template-and-notes.csv": {"", shares("1000", "2024-01-15"), []string{"warning columnIgnored E1"}},
		"f06-time.csv":               {"", shares("1000", "2024-01-15"), nil},
		"f06-us-short.csv":           {"", shares("1000", "2024-01-15"), nil},
		"f06-us.csv":                 {"", shares("1000", "2024-01-15"), nil},
		"f06-words.csv":              {"", shares("1000", "2024-01-15"), nil},
		"f07-dash.csv":               {"", shares("1000", "2024-01-15"), nil},
		"f07-dollar.csv":             {"", shares("1000", "2024-01-15", "pricePerShare", "0.0001"), nil},
		"f07-thousands.csv":          {"", shares("1000000", "2024-01-15"), nil},
		"f08-de.csv":                 {"&numberFormat=comma", shares("1000", "2024-01-15"), nil},
		"f11b-hidden.xlsx":           {"", shares("1000", "2024-01-15"), []string{"warning sheetHidden lists"}},
		"f11b-instructions.xlsx":     {"", shares("1000", "2024-01-15"), []string{"warning sheetNotRead Instructions"}},
		"f11b-title.xlsx":            {"", shares("1000", "2024-01-15"), []string{"warning titleRow A!1:1"}},
		"f24-title.csv":              {"", shares("1000", "2024-01-15"), []string{"warning titleRow 1:1"}},
		"f24-total.csv":              {"", shares("1000", "2024-01-15"), []string{"warning totalRow 3:3"}},
		"workbook-of-ledgers.xlsx": {
			"", shares("10000000", "2023-02-01", "holder", "Ines Quill", "certificate", "CS-1", "pricePerShare", "0.0001"), nil,
		},
		"f05-captableinc-stakeholders.csv": {"kind=members", map[string]string{
			"fullName": "Jo Sample", "email": "jo@example.com", "kind": "individual", "relationship": "employee", "street1": "1 First St",
			"city":     "Townville",
			"province": "CA", "postalCode": "94016",
		}, nil},
	} {
		body, mime := published(t, name)
		query := "kind=shareholdings" + c.query
		if strings.HasPrefix(c.query, "kind=") {
			query = c.query
		}
		got := f.Must(t, "POST", f.Home+"/import?dryRun=true&"+query, body, http.StatusOK, "Content-Type", mime)
		if got.Get(t, "accepted") != true {
			t.Errorf("%s: %s", name, got.Body)
		} else if row := rowOf(t, got, 0); !maps.Equal(row, c.fields) {
			t.Errorf("%s: got %v, want %v", name, row, c.fields)
		}
		if findings := findingsOf(t, got); c.findings != nil && !slices.Equal(findings, c.findings) {
			t.Errorf("%s: findings %q, want %q", name, findings, c.findings)
		}
	}
}

func TestTablesOfOtherKindsAndSheetsAreNamed(t *testing.T) {
	t.Parallel()
	f := widgetFirm(t, apitest.Setup(t))
	body, mime := published(t, "workbook-of-ledgers.xlsx")
	got := f.Must(t, "POST", f.Home+"/import?dryRun=true&kind=shareholdings", body, http.StatusOK, "Content-Type", mime)
	want := []string{
		"warning assumed Common Ledger!4:4", "warning columnIgnored Common Ledger!C4", "warning columnIgnored Common Ledger!D4",
		"warning columnIgnored Common Ledger!H4",
		"warning sheetNotRead 2023 Plan Option Ledger", "warning sheetNotRead Convertible Ledger", "warning sheetNotRead Summary",
		"warning titleRow Common Ledger!1:1", "warning titleRow Common Ledger!2:2", "warning totalRow Common Ledger!7:7",
	}
	if findings := findingsOf(t, got); !slices.Equal(findings, want) || len(got.List(t, "rows")) != 2 {
		t.Errorf("%q: %s", findings, got.Body)
	}
	f.Must(t, "POST", f.Home+"/security", `{"name":"Series Seed","shareType":"preferred","authorizedShares":"1000","boardApprovalDate":"2018-01-01"}`, http.StatusCreated)
	body, mime = published(t, "two-sheets-and-lists.xlsx")
	done := f.Must(t, "POST", f.Home+"/import?kind=shareholdings", body, http.StatusCreated, "Content-Type", mime)
	if rows := done.List(t, "rows"); len(rows) != 2 || apitest.Field(rows[1], "sheet") != "Series Seed" || apitest.Field(rows[1], "id") == "" {
		t.Errorf("%s", done.Body)
	}
	register := f.Must(t, "GET", f.Home+"/shareholding", "", http.StatusOK).Body
	for _, part := range []string{`"shares":"1000"`, `"shares":"500"`, `"pricePerShare":"1.25"`, `"issueDate":"2024-02-29"`} {
		if !strings.Contains(register, part) {
			t.Errorf("%s is missing in %s", part, register)
		}
	}
	one := f.Must(
		t, "POST", f.Home+"/import?dryRun=true&kind=shareholdings&sheet="+url.QueryEscape("Series Seed"), body, http.StatusOK,
		"Content-Type", mime,
	)
	if len(one.List(t, "rows")) != 1 {
		t.Errorf("%s", one.Body)
	}
}

// TestCellsWithoutACertainValueAreRefused contains the sequences x24 and x25, and the public case f08.
func TestCellsWithoutACertainValueAreRefused(t *testing.T) {
	t.Parallel()
	f := widgetFirm(t, apitest.Setup(t))
	const heading = "holder,security,shares,issueDate,pricePerShare"
	formula := workbookWith(t, heading, `<c t="inlineStr"><is><t>Jo Example</t></is></c><c t="inlineStr"><is><t>Common Stock</t></is></c><c><v>1000</v></c>`+
		`<c t="d"><v>2024-01-15</v></c><c><f>1/2</f></c>`)
	truth := workbookWith(t, heading, `<c t="inlineStr"><is><t>Jo Example</t></is></c><c t="inlineStr"><is><t>Common Stock</t></is></c><c t="b"><v>1</v></c>`+
		`<c t="d"><v>2024-01-15</v></c>`)
	book := func(content string) [2]string {
		body, mime := spreadsheet(t, "f.xlsx", content)
		return [2]string{body, mime}
	}
	text := func(content string) [2]string { return [2]string{content, csvKind} }
	for claim, c := range map[string]struct {
		file               [2]string
		query, code, where string
		message            string
	}{
		"a price of 1.500 in a file with semicolons": {
			text("holder;security;shares;issueDate;pricePerShare\nJo Example;Common Stock;5;2020-01-01;1.500\n"), "", "ambiguousNumber",
			"/rows/2/pricePerShare", "E2: 1.500 is 1.5 or 1500. State numberFormat.",
		},
		"a quantity of 1.000": {
			text("holder;security;shares;issueDate\nJo Example;Common Stock;1.000;2024-01-15\n"), "", "ambiguousNumber", "/rows/2/shares",
			"1 or 1000",
		},
		"a date of two readings": {
			text("holder,security,shares,issueDate\nJo Example,Common Stock,1,03/04/2024\n"), "", "ambiguousDate", "/rows/2/issueDate",
			"D2: 03/04/2024 is 2024-04-03 or 2024-03-04. State dateFormat.",
		},
		"a formula without a result":  {book(formula), "", "noCachedValue", "/rows/2/pricePerShare", "E2 has a formula without result"},
		"a truth value as a quantity": {book(truth), "", "invalidDecimal", "/rows/2/shares", ""},
		"an amount of money as a quantity": {
			text("holder,security,shares,issueDate\nJo Example,Common Stock,$5,2024-01-15\n"), "", "amountOfMoney", "/rows/2/shares", "",
		},
		"dates of both orders": {
			text("holder,security,shares,issueDate\nJo Example,Common Stock,1,13/04/2024\nJo Example,Common Stock,1,04/13/2024\n"), "",
			"mixedDates", "/rows/3/issueDate", "",
		},
		"a date of another format than the stated": {
			text("holder,security,shares,issueDate\nJo Example,Common Stock,1,13/04/2024\n"), "&dateFormat=mdy", "otherFormat",
			"/rows/2/issueDate", "",
		},
		"a year of the first century": {
			text("holder,security,shares,issueDate\nJo Example,Common Stock,1,0024-01-15\n"), "", "dateOutOfRange", "/rows/2/issueDate", "",
		},
		"bytes of no known encoding": {
			text("holder,security,shares,issueDate\nJ\x81,Common Stock,1,2024-01-15\n"), "", "encodingUnknown", "/file",
			"Choose the encoding",
		},
		"a file without a heading": {text("Jo Example,Common Stock,1,2024-01-15\n"), "", "noTable", "/file", "No heading was found."},
		"a column Type that is no class": {
			text("holder,type,shares,issueDate\nJo Example,Gold,1,2024-01-15\n"), "", "columnByValues", "/cells/B1", "",
		},
		"a foreign workbook format": {
			text("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "", "unreadable", "/file", "Save the file as .xlsx or CSV UTF-8.",
		},
		"no issue date": {text("holder,security,shares\nJo Example,Common Stock,1\n"), "", "required", "/cells/1:1", "State"},
	} {
		got := f.Send(t, "POST", f.Home+"/import?kind=shareholdings"+c.query, c.file[0], "Content-Type", c.file[1])
		if got.Status != http.StatusBadRequest || !strings.Contains(got.Body, c.code) || !strings.Contains(got.Body, c.where) || !strings.Contains(strings.ToLower(got.Body), strings.ToLower(c.message)) {
			t.Errorf("%s: %d %s", claim, got.Status, got.Body)
		}
	}
	if register := f.Must(t, "GET", f.Home+"/shareholding", "", http.StatusOK); len(register.List(t, "data")) > 0 {
		t.Errorf("%s", register.Body)
	}
}

func TestStatedFormatsDecideACell(t *testing.T) {
	t.Parallel()
	f := widgetFirm(t, apitest.Setup(t))
	const file = "holder;security;shares;pricePerShare;issueDate\nJo Example;Common Stock;5;1.500;03/04/2024\n"
	for query, want := range map[string][2]string{
		"numberFormat=point&dateFormat=dmy": {"1.5", "2024-04-03"}, "numberFormat=comma&dateFormat=mdy": {"1500", "2024-03-04"},
	} {
		got := f.Must(t, "POST", f.Home+"/import?dryRun=true&kind=shareholdings&"+query, file, http.StatusOK, "Content-Type", csvKind)
		if row := rowOf(t, got, 0); row["pricePerShare"] != want[0] || row["issueDate"] != want[1] {
			t.Errorf("%s: %s", query, got.Body)
		}
	}
	got := f.Must(
		t, "POST", f.Home+"/import?kind=shareholdings&issueDate=2023-02-01",
		"holder,security,shares,pricePerShare\nJo Example,Common Stock,5,1.50 €\n", http.StatusCreated, "Content-Type", csvKind,
	)
	id := apitest.Field(got.List(t, "rows")[0], "id")
	if record := f.Must(t, "GET", "/v1/shareholding/"+id, "", http.StatusOK).Body; !strings.Contains(record, `"pricePerShare":{"amount":"1.5","currency":"EUR"}`) || !strings.Contains(record, `"issueDate":"2023-02-01"`) {
		t.Errorf("%s", record)
	}
	latin := f.Must(
		t, "POST", f.Home+"/import?dryRun=true&kind=members&encoding=iso-8859-2", "fullName\n\xa3ukasz\n", http.StatusOK, "Content-Type",
		csvKind,
	)
	if row := rowOf(t, latin, 0); row["fullName"] != "Łukasz" {
		t.Errorf("%s", latin.Body)
	}
}

func TestClassesAsColumnsAreImported(t *testing.T) {
	t.Parallel()
	f := widgetFirm(t, apitest.Setup(t))
	f.Must(t, "POST", f.Home+"/security", `{"name":"Series Seed","shareType":"preferred","authorizedShares":"1000","boardApprovalDate":"2018-01-01"}`, http.StatusCreated)
	const file = "Shareholder,Common Stock,Series Seed,Total\nJo Example,100,5,105\nMax Muster,0,7,7\nTotal,100,12,112\n"
	done := f.Must(t, "POST", f.Home+"/import?kind=shareholdings&issueDate=2024-01-15", file, http.StatusCreated, "Content-Type", csvKind)
	if rows := done.List(t, "rows"); len(rows) != 3 || done.Get(t, "counts", "shareholdingIssued") != 3.0 {
		t.Errorf("%s", done.Body)
	}
	wrong := f.Must(
		t, "POST", f.Home+"/import?kind=shareholdings&issueDate=2024-01-15", strings.Replace(file, "Jo Example", "Nobody", 1),
		http.StatusBadRequest, "Content-Type", csvKind,
	)
	for _, pointer := range []string{"/rows/B2/holder", "/rows/C2/holder"} {
		if !strings.Contains(wrong.Body, pointer) {
			t.Errorf("%s is missing in %s", pointer, wrong.Body)
		}
	}
}

func TestPublishedSpreadsheetsCompleteADescription(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	id := describeCompany(t, ada, "ada@example.com", "Sample Widgets Inc. has 10,000,000 authorized shares of Common Stock.")
	linkHolders(t, ada, id)
	for name, c := range map[string]struct{ has, lacks []string }{
		"f03-date.xlsx":      {has: []string{"1,000 shares of Common Stock for Ada L", `"issueDate":"2024-01-15"`}},
		"f04-total.csv":      {has: []string{"6,000 shares of Common Stock for A. Founder", "4,000 shares of Common Stock for B. Founder", `"issued":"10000"`, "totalRow"}, lacks: []string{"for Total"}},
		"f05c-a.csv":         {has: []string{"1,000,000 shares of Common Stock for Ada L", `"issueDate":"2024-01-15"`}},
		"f05c-b.csv":         {has: []string{"10 shares of Common Stock for Ada L"}},
		"f05c-c.csv":         {has: []string{"10 shares of Common Stock for Ada L"}},
		"f05d-a.csv":         {has: []string{"10 shares of Common Stock for Ada L"}},
		"f05d-b.csv":         {has: []string{"10 shares of Common Stock for Ada L", "assumed"}},
		"f05d-c.csv":         {has: []string{"1,000 shares of Common Stock for Ada L", "columnIgnored"}},
		"f05d-dropped.csv":   {has: []string{"10 shares of Common Stock for Ada L", `"issueDate":"2024-01-15"`, `"pricePerShare":"0.5"`}},
		"f05d-matrix.csv":    {has: []string{"1,000 shares of Common Stock for Ada L", "500 shares of Series Seed for Fund"}},
		"f08-onboarding.csv": {has: []string{"12,000 shares of Common Stock for A. Founder", "12,500 shares of Common Stock for B. Founder"}},
		"f10-type.csv": {
			has:   []string{"12,500 shares of Common Stock for A Person", "500 shares of Common Stock for B Fund"},
			lacks: []string{"Individual,", "Institution,"},
		},
	} {
		body, mime := published(t, name)
		got := ada.Send(t, "POST", "/v1/agent/onboarding/attachment/"+id, body, "Content-Type", mime)
		if got.Status != http.StatusOK {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
			continue
		}
		plan := ada.Must(t, "GET", "/v1/agent/onboarding/showcase/"+id, "", http.StatusOK).Body
		for _, part := range c.has {
			if !strings.Contains(plan, part) {
				t.Errorf("%s: %q is missing in %s", name, part, plan)
			}
		}
		for _, part := range c.lacks {
			if strings.Contains(plan, part) {
				t.Errorf("%s: %q is in %s", name, part, plan)
			}
		}
	}
	body, mime := spreadsheet(t, "one.csv", "Shareholder;Shares\nA. Founder;1.000\n")
	ada.Must(t, "POST", "/v1/agent/onboarding/attachment/"+id, body, http.StatusBadRequest, "Content-Type", mime)
	ada.Must(t, "POST", "/v1/agent/onboarding/attachment/"+id+"?numberFormat=comma", body, http.StatusOK, "Content-Type", mime)
}
