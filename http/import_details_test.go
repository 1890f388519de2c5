package http_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"equity/http/apitest"
)

// shownDetail is a detail of an answer.
type shownDetail struct{ Pointer, Label, Value, Kind, Name, Mark string }

// shownChange is a change of a file with its details.
type shownChange struct {
	Pointer string
	Details []shownDetail
}

// shownImport is the part of the report of a dry run that a person sees before they confirm the import.
type shownImport struct {
	Details []shownDetail
	Records []struct {
		Kind  string
		Count int
		Shown []shownChange
	}
}

// previewImport returns what a person sees before an import of the file.
func previewImport(t *testing.T, f *apitest.Firm, path, file, kind string) (shown shownImport) {
	t.Helper()
	found := f.Must(t, "POST", path, file, http.StatusOK, "Content-Type", kind)
	if err := json.Unmarshal([]byte(found.Body), &shown); err != nil {
		t.Fatal(err)
	}
	return shown
}

// find returns the detail with the pointer; an empty one without it.
func (s shownImport) find(pointer string) shownDetail {
	all := slices.Clone(s.Details)
	for _, records := range s.Records {
		for _, one := range records.Shown {
			all = append(all, one.Details...)
		}
	}
	at := slices.IndexFunc(all, func(one shownDetail) bool { return one.Pointer == pointer })
	if at < 0 {
		return shownDetail{}
	}
	return all[at]
}

// rowsOfFile returns a file with a heading and rows.
func rowsOfFile(rows ...[]string) string {
	var text strings.Builder
	for _, row := range rows {
		text.WriteString(strings.Join(row, ",") + "\n")
	}
	return text.String()
}

func TestPreviewOfAnImportShowsEachFieldOfItsRows(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		f.NewHolder(t, "Grace Hopper")
		f.NewHolder(t, "Alan Turing")
		f.NewSchedule(t, "Standard")
		files := map[string]struct {
			marks map[string]string
			cells [][3]string // column, text, another text
		}{
			"members": {
				map[string]string{"fullName": "recipient", "email": "address", "street1": "address", "country": "address"},
				[][3]string{
					{"fullName", "Nora Quist", "Nora Qvist"},
					{"email", "nora@example.com", "eve@evil.example"},
					{"kind", "individual", "institution"},
					{"title", "Engineer", "Director"},
					{"relationship", "employee", "founder"},
					{"phone", "+1 555 0100", "+1 555 0101"},
					{"startDate", "2024-01-01", "2024-01-02"},
					{"street1", "1 Market Street", "2 Market Street"},
					{"street2", "Suite 1", "Suite 2"},
					{"city", "San Francisco", "San Jose"},
					{"province", "CA", "NV"},
					{"postalCode", "94105", "94106"},
					{"country", "US", "DE"},
					{"externalId", "E-1", "E-2"},
				},
			},
			"shareholdings": {
				map[string]string{"holder": "recipient", "pricePerShare": "price"},
				[][3]string{
					{"holder", "Grace Hopper", "Alan Turing"},
					{"security", "Common Stock", "Preferred"},
					{"shares", "100", "1000"},
					{"issueDate", "2025-01-01", "2025-01-02"},
					{"certificate", "CS-7", "CS-8"},
					{"pricePerShare", "1.00", "0.01"},
					{"issuanceType", "standard", "founders"},
					{"vestingSchedule", "Standard", "Other"},
					{"vestingStart", "2025-01-01", "2025-01-02"},
					{"boardApprovalDate", "2024-12-01", "2024-12-02"},
					{"rule144Date", "2025-01-01", "2025-01-02"},
					{"block", "Seed", "Series A"},
					{"externalId", "S-1", "S-2"},
				},
			},
			"options": {
				map[string]string{"holder": "recipient", "exercisePrice": "price", "marketValue": "price"},
				[][3]string{
					{"holder", "Grace Hopper", "Alan Turing"},
					{"plan", "2024 Plan", "2025 Plan"},
					{"pool", "Main", "Other"},
					{"type", "nso", "iso"},
					{"quantity", "100", "1000"},
					{"issueDate", "2025-01-01", "2025-01-02"},
					{"exercisePrice", "1.00", "0.01"},
					{"expirationDate", "2034-12-31", "2034-12-30"},
					{"vestingSchedule", "Standard", "Other"},
					{"vestingStart", "2025-01-01", "2025-01-02"},
					{"earlyExercise", "no", "yes"},
					{"marketValue", "1.00", "2.00"},
					{"boardApprovalDate", "2024-12-01", "2024-12-02"},
					{"block", "Seed", "Series A"},
					{"externalId", "O-1", "O-2"},
				},
			},
		}
		for kind, file := range files {
			path := f.Home + "/import?dryRun=true&kind=" + kind
			heading, row := []string{}, []string{}
			for _, cell := range file.cells {
				heading, row = append(heading, cell[0]), append(row, cell[1])
			}
			template := strings.TrimPrefix(f.Must(t, "GET", f.Home+"/import?kind="+kind, "", http.StatusOK).Body, "\ufeff")
			if strings.TrimSpace(template) != strings.Join(heading, ",") {
				t.Fatalf("the test of %s has not the columns %s", kind, template)
			}
			before := previewImport(t, f, path, rowsOfFile(heading, row), csvKind)
			for i, cell := range file.cells {
				changed := slices.Clone(row)
				changed[i] = cell[2]
				pointer := "/rows/2/" + cell[0]
				was, is := before.find(pointer), previewImport(t, f, path, rowsOfFile(heading, changed), csvKind).find(pointer)
				if was.Value == "" || was == is {
					t.Errorf("%s: another %s is shown as %+v, before %+v", kind, cell[0], is, was)
				}
				if was.Mark != file.marks[cell[0]] && file.marks[cell[0]] != "" {
					t.Errorf("%s: the mark of %s is %q, want %q", kind, cell[0], was.Mark, file.marks[cell[0]])
				}
			}
			if hash := before.find("/file"); !strings.Contains(hash.Value, "SHA-256") {
				t.Errorf("%s: the file is shown as %+v", kind, hash)
			}
		}
	})
}

func TestPreviewOfAnImportNamesRecords(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		f.Must(
			t, "POST", f.Home+"/member", `{"fullName":"Grace Hopper","email":"grace@example.com","externalId":"E-7"}`, http.StatusCreated,
		)
		path := f.Home + "/import?dryRun=true&kind="
		shares := previewImport(t, f, path+"shareholdings", "holder,security,shares,issueDate\nE-7,common stock,5,2025-01-01\nNobody,None,5,2025-01-01\n", csvKind)
		for pointer, want := range map[string][2]string{
			"/rows/2/holder": {"member", "Grace Hopper, grace@example.com"}, "/rows/2/security": {"security", "Common Stock"},
			"/rows/3/holder": {"unknown", ""}, "/rows/3/security": {"unknown", ""},
		} {
			if found := shares.find(pointer); found.Kind != want[0] || found.Name != want[1] {
				t.Errorf("%s is %+v, want %v", pointer, found, want)
			}
		}
		members := previewImport(t, f, path+"members", "fullName,email,externalId\nGrace Hopper,eve@evil.example,E-7\n", csvKind)
		if found := members.find("/rows/2/path/member"); found.Kind != "member" || found.Name != "Grace Hopper, grace@example.com" {
			t.Errorf("the updated member is shown as %+v", found)
		}
	})
}

func TestPreviewOfALongImportShowsTheFirstRowsAndEachChangedAddress(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		f.Must(t, "POST", f.Home+"/member", `{"fullName":"Grace Hopper","email":"grace@example.com","externalId":"E-7"}`, http.StatusCreated)
		f.Must(t, "POST", f.Home+"/member", `{"fullName":"Alan Turing","email":"alan@example.com","externalId":"E-8"}`, http.StatusCreated)
		var file strings.Builder
		file.WriteString("fullName,email,externalId\n")
		for i := range 40 {
			_, _ = fmt.Fprintf(&file, "Person %d,person%d@example.com,\n", i, i)
		}
		file.WriteString("Grace Hopper,eve@evil.example,E-7\nAlan Turing,alan@example.com,E-8\n")
		body, kind := spreadsheet(t, "members.csv", file.String())
		shown := previewImport(t, f, "/v1/organization/member/upload?partial=true&dryRun=true&organization="+f.ID, body, kind)
		if len(shown.Records) != 1 || shown.Records[0].Kind != "members" || shown.Records[0].Count != 42 {
			t.Fatalf("records: %+v", shown.Records)
		}
		pointers := []string{}
		for _, one := range shown.Records[0].Shown {
			pointers = append(pointers, one.Pointer)
		}
		if len(pointers) != 21 || pointers[19] != "/rows/21" || pointers[20] != "/rows/42" {
			t.Errorf("the shown rows are %v", pointers)
		}
	})
}

func TestPreviewOfAPackageShowsEachFieldOfItsObjects(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := firmWithoutClass(t, b, "owner@example.com")
		path, kind := f.Home+"/import?dryRun=true", "application/zip"
		before := previewImport(t, f, path, validPackage().zip(t), kind)
		for _, change := range []struct{ old, text, pointer, mark string }{
			{`"legal_name":"Acme, Inc."`, `"legal_name":"Evil, Inc."`, "/ISSUER/acme/legal_name", "recipient"},
			{`"legal_name":"Ada Lovelace"`, `"legal_name":"Eve"`, "/STAKEHOLDER/ada/name/legal_name", "recipient"},
			{"INDIVIDUAL", "INSTITUTION", "/STAKEHOLDER/ada/stakeholder_type", ""},
			{"ada@private.example", "eve@evil.example", "/STAKEHOLDER/ada/contact_info/emails/0/email_address", "address"},
			{`"initial_shares_authorized":"1000"`, `"initial_shares_authorized":"2000"`, "/STOCK_CLASS/common/initial_shares_authorized", ""},
			{`"votes_per_share":"1"`, `"votes_per_share":"9"`, "/STOCK_CLASS/common/votes_per_share", ""},
			{`"quantity":"600"`, `"quantity":"999"`, "/TX_STOCK_ISSUANCE/t1/quantity", ""},
			{`"amount":"1.00"`, `"amount":"0.01"`, "/TX_STOCK_ISSUANCE/t1/share_price/amount", "price"},
			{`"date":"2024-01-01"`, `"date":"2023-01-01"`, "/TX_STOCK_ISSUANCE/t1/date", ""},
		} {
			was, is := before.find(change.pointer),
				previewImport(t, f, path, validPackage().with(t, change.old, change.text).zip(t), kind).find(change.pointer)
			if was.Value == "" || was.Value == is.Value || is.Mark != change.mark {
				t.Errorf("%s is shown as %+v, before %+v; its mark is %q", change.pointer, is, was, change.mark)
			}
		}
		if holder := before.find(
			"/TX_STOCK_ISSUANCE/t1/stakeholder_id",
		); holder.Kind != "stakeholder" || holder.Name != "Ada Lovelace" || holder.Mark != "recipient" {
			t.Errorf("the holder is shown as %+v", holder)
		}
	})
}
