package sheet_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"equity/captable/exact"
	"equity/sheet"
)

// importCase is a published case of an import, with the part of its result that the recognition of tables decides.
type importCase struct {
	ID      string
	File    struct{ Text, Path string }
	Kind    string
	Company struct {
		Currency   string
		Securities []struct{ Name string }
	}
	Expect struct {
		Tables []struct {
			Sheet   string
			Heading int
			Kind    string
			Layout  string
			Rows    int
			Skipped []struct {
				Row    int
				Reason string
			}
			Columns map[string]*string
		}
		Records  []map[string]any
		Findings []struct{ Code, Cell, Stated, Computed string }
	}
}

func registry(tb testing.TB) *sheet.Registry {
	tb.Helper()
	r, err := sheet.NewRegistry()
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// recognized reads a text file and finds its tables.
func recognized(tb testing.TB, kind, text string) sheet.Recognition {
	tb.Helper()
	book, err := sheet.Read([]byte(text), sheet.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return registry(tb).Tables(book, sheet.Question{
		Kind: kind, Currency: "USD", Today: exact.MustDate("2026-11-28"), Hints: sheet.Hints{Delimiter: book.Delimiter},
		Classes: []string{"Common Stock"},
	})
}

func TestTablesOfPublishedCases(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("testdata", "import.json"))
	var file struct{ Cases []importCase }
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range file.Cases {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			content := []byte(c.File.Text)
			if c.File.Path != "" {
				if content, err = os.ReadFile(filepath.Join("testdata", c.File.Path)); err != nil {
					t.Fatal(err)
				}
			}
			book, err := sheet.Read(content, sheet.Options{})
			if err != nil {
				t.Fatal(err)
			}
			q := sheet.Question{
				Kind: c.Kind, Currency: c.Company.Currency, Today: exact.MustDate("2026-11-28"),
				Hints: sheet.Hints{Delimiter: book.Delimiter},
			}
			for _, security := range c.Company.Securities {
				q.Classes = append(q.Classes, security.Name)
			}
			c.compare(t, registry(t).Tables(book, q))
		})
	}
}

// record is a record with its values by field.
type record struct {
	sheet.Record

	values map[string]string
}

// recordsOf returns the records of a table.
func recordsOf(table sheet.Table) []record {
	var all []record
	for _, one := range table.Records {
		values := map[string]string{}
		for i, value := range one.Values {
			if value != "" {
				values[table.Fields[i]] = value
			}
		}
		if one.Kind != "" { // a column of a matrix
			values["quantity"] = values["shares"]
			delete(values, "shares")
		}
		all = append(all, record{one, values})
	}
	return all
}

// valueOf returns a value of the first record.
func valueOf(got sheet.Recognition, field string) string {
	table := got.Tables[0]
	return table.Value(&table.Records[0], field)
}

// compare requires the tables, their records and the findings about sheets and totals.
func (c importCase) compare(t *testing.T, got sheet.Recognition) {
	t.Helper()
	var findings, wanted, tables, tablesWanted []string
	for _, f := range got.Findings {
		findings = append(findings, fmt.Sprint(f.Code, " ", f.Cell, " ", f.Stated, " ", f.Computed))
	}
	if c.ID == "type-of-person" { // a column that is assigned by its values is not read
		wanted = append(wanted, "columnIgnored B1  ")
	}
	for _, f := range c.Expect.Findings {
		if f.Code != "outstandingMismatch" {
			wanted = append(wanted, fmt.Sprint(f.Code, " ", f.Cell, " ", f.Stated, " ", f.Computed))
		}
	}
	slices.Sort(findings)
	slices.Sort(wanted)
	if !slices.Equal(findings, wanted) {
		t.Errorf("findings: got %q, want %q", findings, wanted)
	}
	var records []record
	for _, table := range got.Tables {
		rows := map[int]bool{}
		for _, one := range recordsOf(table) {
			rows[one.Row] = true
			records = append(records, one)
		}
		tables = append(tables, fmt.Sprint(table.Sheet, table.Heading, table.Kind, table.Matrix, len(rows), table.Skipped))
	}
	for _, table := range c.Expect.Tables {
		tablesWanted = append(tablesWanted, fmt.Sprint(table.Sheet, table.Heading, table.Kind, table.Layout == "matrix", table.Rows, table.Skipped))
	}
	if !slices.Equal(tables, tablesWanted) {
		t.Fatalf("tables: got %q, want %q", tables, tablesWanted)
	}
	for i, table := range c.Expect.Tables {
		for _, column := range got.Tables[i].Columns {
			want := table.Columns[sheet.Letters(column.Column)]
			if byValues := strings.EqualFold(column.Heading, "type") && table.Kind == "shareholdings"; !byValues && table.Columns != nil && column.Field != first(want) {
				t.Errorf("column %q: got %q, want %q", column.Heading, column.Field, first(want))
			}
		}
	}
	c.compareRecords(t, records)
}

func first(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func (c importCase) compareRecords(t *testing.T, records []record) {
	t.Helper()
	if len(records) != len(c.Expect.Records) {
		t.Fatalf("got %d records, want %d", len(records), len(c.Expect.Records))
	}
	for i, want := range c.Expect.Records {
		for _, field := range []string{
			"holder", "shares", "issueDate", "certificate", "pricePerShare", "quantity", "exercisePrice", "principal", "valuationCap",
			"discount", "mfn",
			"vestingStart", "exercised", "exercisedDate", "expirationDate", "fullName", "externalId",
		} {
			value, given := want[field]
			text, found := records[i].values[field]
			got := text
			if slices.Contains([]string{"pricePerShare", "exercisePrice", "principal", "valuationCap"}, field) {
				got, _ = sheet.SplitPrice(text)
			}
			if given != found && want["mfn"] == nil || given && got != fmt.Sprint(value) {
				t.Errorf("row %d: %s is %q, want %v", records[i].Row, field, got, value)
			}
		}
		if len(records[i].Faults) > 0 {
			t.Errorf("row %d: %+v", records[i].Row, records[i].Faults)
		}
	}
}

func TestHeadingsHaveANormalForm(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"fullName*": "full name", "full_name": "full name", "Cert No.": "cert number", "# Shares": "number shares", "Qty": "quantity",
		"Ownership %":           "ownership percent",
		"Price per Share (USD)": "price per share", "Aksjonær": "aksjonaer", "Name des Gesellschafters": "name gesellschafters",
		"(shares)": "shares", "E-Mail": "e mail",
	} {
		if got, _ := sheet.NormalHeading(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if _, currency := sheet.NormalHeading("Price (EUR)"); currency != "EUR" {
		t.Errorf("got %q", currency)
	}
}

// skippedIn returns the skipped rows and the codes of findings.
func skippedIn(got sheet.Recognition) string {
	var all []string
	for _, table := range got.Tables {
		for _, skipped := range table.Skipped {
			all = append(all, fmt.Sprint(skipped.Row, " ", skipped.Reason))
		}
	}
	for _, finding := range got.Findings {
		all = append(all, finding.Code+" "+finding.Cell)
	}
	return strings.Join(all, ", ")
}

func TestRowsThatAreNoRecordsAreNamed(t *testing.T) {
	t.Parallel()
	const heading = "Holder,Security,Shares,Issue Date,Certificate\n"
	for claim, c := range map[string]struct{ rows, want string }{
		"a subtotal and a total": {
			"A,Common Stock,5,2024-01-01,1\nSubtotal,,5,,\nB,Common Stock,7,2024-01-01,2\nSubtotal,,7,,\nTotal,,12,,\n",
			"3 totalRow, 5 totalRow, 6 totalRow",
		},
		"a total of a class":              {"A,Common Stock,5,2024-01-01,1\nTotal Common Stock,,5,,\n", "3 totalRow"},
		"a row of a number alone":         {"A,Common Stock,5,2024-01-01,1\n,,5,,\n", "3 totalRow"},
		"a total with another sum":        {"A,Common Stock,5,2024-01-01,1\nTotal,,6,,\n", "3 totalRow, totalMismatch C3"},
		"a holder who is named Total":     {"Total SE,Common Stock,5,2024-01-01,1\n", ""},
		"a dated row with a total's name": {"A,Common Stock,5,2024-01-01,1\nTotal,Common Stock,6,2024-01-01,2\n", "looksLikeTotal A3"},
		"a pool": {
			"A,Common Stock,5,2024-01-01,1\nUnallocated options,,3,,\nESOP Trust LLC,Common Stock,2,2024-01-01,3\nTotal,,10,,\n",
			"3 poolRow, 5 totalRow",
		},
		"an example far below":          {"A,Common Stock,5,2024-01-01,1\nExample: B,Common Stock,5,2024-01-01,\n", "3 exampleRow"},
		"a mistyped date is a record":   {"A,Common Stock,5,2024-13-01,1\n", ""},
		"a holder named like a heading": {"Institution,Common Stock,5,2024-01-01,1\nHolder,Series Seed,,,\n", ""},
		"a repeated heading":            {"A,Common Stock,5,2024-01-01,1\n" + heading + "B,Common Stock,5,2024-01-01,1\n", ""},
		"a second table with its title": {"A,Common Stock,5,2024-01-01,1\nPreferred\nHolder,Shares,Price\nB,5,1\n", "3 titleRow"},
	} {
		if got := skippedIn(recognized(t, "", heading+c.rows)); got != c.want {
			t.Errorf("%s: got %q, want %q", claim, got, c.want)
		}
	}
}

func TestUpperRowDistinguishesEqualHeadings(t *testing.T) {
	t.Parallel()
	got := recognized(t, "", ",,Vesting Start,Issue\nHolder,Quantity,Date,Date\nAda,5,2024-01-15,2024-01-16\n")
	if len(got.Tables) != 1 || valueOf(got, "issueDate") != "2024-01-16" || valueOf(got, "vestingStart") != "2024-01-15" {
		t.Errorf("%+v", got)
	}
}

func TestColumnsOfAFileAgreeAboutTheFormat(t *testing.T) {
	t.Parallel()
	got := recognized(t, "", "Holder,Shares,Price\nAda,1.000,\"1,50\"\n")
	if valueOf(got, "shares") != "1000" || valueOf(got, "pricePerShare") != "1.5" {
		t.Errorf("%+v", got)
	}
	got = recognized(t, "", "Holder|Shares|Price\nAda|1.000|7\n")
	if record := got.Tables[0].Records[0]; len(record.Faults) != 1 || record.Faults[0].Code != "ambiguousNumber" || record.Faults[0].Cell != "B2" {
		t.Errorf("%+v", record)
	}
}

func TestRecordsWithWordsOfHeadingsAreRecords(t *testing.T) {
	t.Parallel()
	got := recognized(t, "members", "Full name,Kind,Title\nAda,individual,Founder\nInvestor,,\nFund,institution,f\nfullName,kind,title\nBo,,\n")
	if len(got.Tables) != 2 || len(got.Tables[0].Records) != 3 || len(got.Tables[1].Records) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestKindNeedsOnlyItsRequiredFields(t *testing.T) {
	t.Parallel()
	if got := recognized(t, "members", "Full name\nAda\n"); len(got.Tables) != 1 || valueOf(got, "fullName") != "Ada" {
		t.Errorf("%+v", got)
	}
	if got := recognized(t, "", "Full name\nAda\n"); len(got.Tables) != 0 || skippedIn(got) != "sheetNotRead " {
		t.Errorf("%+v", got)
	}
}

func TestFaultsOfCellsNameTheirReason(t *testing.T) {
	t.Parallel()
	for row, want := range map[string]string{
		"Ada,Common Stock,5,2024-01-15,¥3":            "ambiguousCurrency",
		"Ada,Common Stock,5,2024-01-15,kr 3":          "ambiguousCurrency",
		"Ada,Common Stock,€5,2024-01-15,3":            "amountOfMoney",
		"Ada,Common Stock,5,2027-01-15,3":             "dateInFuture",
		"Ada,Common Stock,5,2024-01-15,$3":            "",
		"Ada,Common Stock,5,2024-01-15,3 EUR":         "",
		"Ada,Common Stock,5,2024-01-15,0.12345678912": "rounded E2",
	} {
		got := recognized(t, "shareholdings", "Holder,Security,Shares,Issue Date,Price\n"+row+"\n")
		var codes strings.Builder
		for _, problem := range got.Tables[0].Records[0].Faults {
			codes.WriteString(problem.Code)
		}
		codes.WriteString(skippedIn(got))
		if codes := codes.String(); codes != want {
			t.Errorf("%s: got %q, want %q", row, codes, want)
		}
	}
}

func TestErrorsOutsideOfReadCellsAreWarnings(t *testing.T) {
	t.Parallel()
	const heading = `<row><c t="inlineStr"><is><t>Holder</t></is></c><c t="inlineStr"><is><t>Shares</t></is></c><c t="inlineStr"><is><t>Price</t></is></c><c t="inlineStr"><is><t>Notes</t></is></c></row>`
	const holder = `<row><c t="inlineStr"><is><t>Ada</t></is></c>`
	for rows, want := range map[string]string{
		holder + `<c><v>5</v></c><c><v>1</v></c><c><f>1+1</f></c></row>`:                                           "warning noCachedValue",
		holder + `<c><v>5</v></c><c><f>1+1</f></c></row>`:                                                          "fault noCachedValue",
		holder + `<c><v>5</v></c><c t="e"><v>#REF!</v></c></row>`:                                                  "warning cellError",
		holder + `<c t="e"><v>#REF!</v></c><c><v>1</v></c></row>`:                                                  "fault cellError",
		holder + `<c t="b"><v>1</v></c><c><v>1</v></c></row>`:                                                      "fault invalidDecimal",
		holder + `<c><v>5</v></c><c><v>0.20000000000000001</v></c></row>`:                                          "",
		holder + `<c><v>5</v></c></row><row><c/><c><f>SUM(B2)</f></c></row>`:                                       "error noCachedValue",
		holder + `<c><v>5</v></c></row><row><c t="inlineStr"><is><t>Total</t></is></c><c><f>SUM(B2)</f></c></row>`: "warning noCachedValue",
	} {
		book, err := sheet.Read(archive(t, withRows(heading+rows)), sheet.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := registry(t).Tables(book, sheet.Question{Kind: "shareholdings", Currency: "USD", Today: exact.MustDate("2026-11-28")})
		var all []string
		for _, finding := range got.Findings {
			if finding.Code != "columnIgnored" {
				all = append(all, finding.Severity+" "+finding.Code)
			}
		}
		for _, problem := range got.Tables[0].Records[0].Faults {
			all = append(all, "fault "+problem.Code)
		}
		if found := strings.Join(all, ", "); found != want {
			t.Errorf("%s: got %q, want %q", rows, found, want)
		}
	}
}
