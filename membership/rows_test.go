package membership_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"equity/fault"
	"equity/membership"
	"equity/organization"
)

// faults returns the invalid fields of a refusal as "pointer code", sorted.
func faults(t *testing.T, err error) []string {
	t.Helper()
	refusal, ok := errors.AsType[*fault.Error](err)
	if !ok {
		t.Fatalf("the error is not a refusal: %v", err)
	}
	found := make([]string, len(refusal.Fields))
	for i, field := range refusal.Fields {
		found[i] = field.Pointer + " " + field.Code
	}
	slices.Sort(found)
	return found
}

func TestHeadingsIgnoreCaseAndSeparators(t *testing.T) {
	t.Parallel()
	for _, heading := range []string{"fullName", "Full Name", "full_name", "FULL-NAME", "fullName*"} {
		rows, err := membership.ReadRows(membership.Members, []string{heading}, []membership.Line{{Line: 2, Cells: []string{"Ada"}}})
		if err != nil || len(rows) != 1 || rows[0].Line != 2 || rows[0].Cells["fullName"] != "Ada" {
			t.Errorf("%q: %+v %v", heading, rows, err)
		}
	}
}

func TestHeadingsAreRefusedWithEachFault(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		kind    string
		heading []string
		want    []string
	}{
		"missing":   {membership.Members, []string{"email"}, []string{"/heading missingColumn"}},
		"repeated":  {membership.Members, []string{"fullName", "Full name"}, []string{"/heading/1 duplicateColumn"}},
		"unknown":   {membership.Members, []string{"fullName", "salary"}, []string{"/heading/1 unknownColumn"}},
		"of shares": {membership.Shareholdings, []string{"holder", "security"}, []string{"/heading missingColumn", "/heading missingColumn"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := membership.ReadRows(row.kind, row.heading, []membership.Line{{Line: 2, Cells: make([]string, len(row.heading))}})
			if got := faults(t, err); !slices.Equal(got, row.want) {
				t.Errorf("got %v, want %v", got, row.want)
			}
		})
	}
}

func TestTableWithoutRowsIsRefused(t *testing.T) {
	t.Parallel()
	_, err := membership.ReadRows(membership.Members, []string{"fullName"}, nil)
	if got := faults(t, err); !slices.Equal(got, []string{"/file empty"}) {
		t.Errorf("got %v", got)
	}
}

// Workbooks store dates as day numbers. Day 45000 is 2023-03-15.
func TestDayNumbersOfWorkbooksBecomeDates(t *testing.T) {
	t.Parallel()
	heading := []string{"fullName", "startDate", "phone"}
	rows, err := membership.ReadRows(membership.Members, heading, []membership.Line{{Line: 2, Cells: []string{"Ada", "45000", "45000"}}})
	want := map[string]string{"fullName": "Ada", "startDate": "2023-03-15", "phone": "45000"}
	if err != nil || !maps.Equal(rows[0].Cells, want) {
		t.Errorf("%+v %v", rows, err)
	}
}

func TestEmptyCellsAndUnnamedColumnsAreIgnored(t *testing.T) {
	t.Parallel()
	rows, err := membership.ReadRows(membership.Members, []string{"fullName", "", "email"}, []membership.Line{{Line: 2, Cells: []string{"Ada", "x", ""}}})
	if err != nil || !maps.Equal(rows[0].Cells, map[string]string{"fullName": "Ada"}) {
		t.Errorf("%+v %v", rows, err)
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
