package membership_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"equity/captable/exact"
	"equity/membership"
	"equity/organization"
	"equity/sheet"
)

// read returns the rows of a CSV file, and the codes of the findings with their cells.
func read(t *testing.T, kind, file, issueDate string) ([]membership.Row, []string) {
	t.Helper()
	registry, err := sheet.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	book, err := sheet.Read([]byte(file), sheet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := registry.Tables(book, sheet.Question{Kind: kind, Today: exact.MustDate("2026-11-28"), Currency: "USD", Classes: []string{"Common Stock"}})
	rows, findings := membership.RowsOf(kind, found, issueDate)
	var codes []string
	for _, finding := range findings {
		codes = append(codes, finding.Severity+" "+finding.Code+" "+finding.Cell)
	}
	return rows, codes
}

func TestHeadingsIgnoreCaseAndSeparators(t *testing.T) {
	t.Parallel()
	for _, heading := range []string{"fullName", "Full Name", "full_name", "FULL-NAME", "fullName*"} {
		rows, codes := read(t, membership.Members, heading+"\nAda\n", "")
		if len(rows) != 1 || rows[0].Line != 2 || rows[0].Cells["fullName"] != "Ada" || len(codes) > 0 {
			t.Errorf("%q: %+v %v", heading, rows, codes)
		}
	}
}

func TestColumnsOfATemplateAreFieldsOfTheReader(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{membership.Members, membership.Shareholdings, membership.Options} {
		columns := membership.Columns(kind)
		rows, codes := read(t, kind, strings.Join(columns, ",")+"\n"+strings.Repeat("x,", len(columns)-1)+"x\n", "")
		if len(rows) != 1 || len(codes) > 0 || len(rows[0].Cells)+len(rows[0].Faults) != len(columns) {
			t.Errorf("%s: %+v %v", kind, rows, codes)
		}
	}
}

func TestColumnsWithoutARecordAreNamed(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct{ kind, file, want string }{
		"a missing column":         {membership.Options, "holder,quantity,issueDate\nAda,1,2024-01-15\n", "error required 1:1, error required 1:1"},
		"a missing date":           {membership.Shareholdings, "holder,shares\nAda,1\n", "warning assumed 1:1, error required 1:1"},
		"a repeated column":        {membership.Members, "fullName,Full name\nAda,Bo\n", "error duplicateColumn B1"},
		"an unknown column":        {membership.Members, "fullName,salary\nAda,5\n", "warning columnIgnored B1"},
		"a known column":           {membership.Members, "fullName,tax id\nAda,5\n", "warning columnIgnored B1"},
		"a cell without a heading": {membership.Members, "fullName,\nAda,x\n", "warning columnIgnored B1"},
		"no row":                   {membership.Members, "fullName\n", "error empty "},
		"outstanding shares": {
			membership.Shareholdings, "holder,security,shares,issueDate,outstanding\nAda,C,5,2024-01-15,4\n", "warning columnIgnored E1",
		},
		"equal outstanding shares": {membership.Shareholdings, "holder,security,shares,issueDate,outstanding\nAda,C,5,2024-01-15,5\n", ""},
		"outstanding shares alone": {membership.Shareholdings, "holder,security,outstanding,issueDate\nAda,C,5,2024-01-15\n", "warning assumed 1:1"},
		"an empty unknown column":  {membership.Members, "fullName,salary\nAda,\n", ""},
		"a title, a pool and a sum": {
			membership.Shareholdings, "Ledger\nholder,security,shares,issueDate\nAda,C,5,2024-01-15\nOption pool,,3,\nTotal,,8,\n",
			"warning titleRow 1:1, warning poolRow 4:4, warning totalRow 5:5",
		},
	} {
		if _, codes := read(t, c.kind, c.file, ""); strings.Join(codes, ", ") != c.want {
			t.Errorf("%s: got %q, want %q", claim, codes, c.want)
		}
	}
}

func TestIssueDateOfAllRowsFillsEmptyCells(t *testing.T) {
	t.Parallel()
	rows, codes := read(t, membership.Shareholdings, "holder,security,shares,issueDate\nAda,C,5,\nBo,C,5,2024-01-15\n", "2023-02-01")
	if rows[0].Cells["issueDate"] != "2023-02-01" || rows[1].Cells["issueDate"] != "2024-01-15" || len(codes) > 0 {
		t.Errorf("%+v %v", rows, codes)
	}
	if rows, codes = read(
		t, membership.Shareholdings, "holder,shares\nAda,5\n", "2023-02-01",
	); rows[0].Cells["issueDate"] != "2023-02-01" || len(codes) != 1 {
		t.Errorf("%+v %v", rows, codes)
	}
}

func TestMatrixIsRecordedByCell(t *testing.T) {
	t.Parallel()
	rows, codes := read(t, membership.Shareholdings, "Shareholder,Common,Series Seed,Options,Total\nAda,1000,5,3,1008\n", "2023-02-01")
	if len(rows) != 2 || rows[0].Place != "B2" || rows[1].Place != "C2" || rows[1].Cells["security"] != "Series Seed" || rows[1].Cells["shares"] != "5" {
		t.Errorf("%+v", rows)
	}
	if want := []string{"warning columnIgnored D2"}; !slices.Equal(codes, want) {
		t.Errorf("got %q, want %q", codes, want)
	}
}

func TestCellsKnowTheirAddress(t *testing.T) {
	t.Parallel()
	rows, _ := read(t, membership.Shareholdings, "holder,security,shares,issueDate,pricePerShare\nAda,C,many,2024-01-15,1.50 EUR\n", "")
	if row := rows[0]; row.Cell("shares") != "C2" || row.Cell("block") != "" || row.Cells["pricePerShare"] != "1.5 EUR" || len(row.Faults) != 1 || row.Faults[0].Pointer != "/shares" {
		t.Errorf("%+v", row)
	}
}

func TestKnownWordsAreWrittenAsInTheContract(t *testing.T) {
	t.Parallel()
	rows, _ := read(t, membership.Members, "fullName,kind,relationship\nAda,Individual,Board Member\nBo,person,Friend\n", "")
	if rows[0].Cells["kind"] != "individual" || rows[0].Cells["relationship"] != "boardMember" || rows[1].Cells["kind"] != "person" || rows[1].Cells["relationship"] != "Friend" {
		t.Errorf("%+v", rows)
	}
}

func TestInstitutionWithoutAPersonIsTheMember(t *testing.T) {
	t.Parallel()
	rows, codes := read(t, membership.Members, "First name,Last name,Institution name\nAda,Lovelace,\n,,Harbor Fund\n", "")
	if rows[0].Cells["fullName"] != "Ada Lovelace" || rows[1].Cells["fullName"] != "Harbor Fund" || rows[1].Cells["kind"] != "institution" || len(codes) > 0 {
		t.Errorf("%+v %v", rows, codes)
	}
}

func TestImportsNeedThePermissionOfTheirKind(t *testing.T) {
	t.Parallel()
	kinds := []string{"", membership.Shareholdings, membership.Members, membership.Options}
	for permission, want := range map[organization.Permission][]string{
		organization.EditCapTable:      {"", membership.Shareholdings, membership.Options},
		organization.EditMembers:       {membership.Members},
		organization.EditIncentivePlan: {membership.Options},
		organization.ViewCapTable:      nil,
	} {
		var got []string
		for _, kind := range kinds {
			if membership.MayImport(organization.NewPermissions(permission), kind) {
				got = append(got, kind)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: got %q, want %q", permission, got, want)
		}
	}
}

func TestPersonalFieldsAreSeparatedFromTheOthers(t *testing.T) {
	t.Parallel()
	rest, private, err := membership.SplitParticulars([]byte(`{"fullName":"Ada","email":"ada@example.org","dateOfBirth":"1815-12-10","title":"CTO","phone":null}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(private)); !slices.Equal(got, []string{"dateOfBirth", "email", "phone"}) {
		t.Errorf("particulars: %v", got)
	}
	kept := map[string]string{}
	if err := json.Unmarshal(rest, &kept); err != nil || !maps.Equal(kept, map[string]string{"fullName": "Ada", "title": "CTO"}) {
		t.Errorf("rest: %s %v", rest, err)
	}
	if strings.Contains(string(rest), "ada@example.org") {
		t.Errorf("the rest contains the address: %s", rest)
	}
}
