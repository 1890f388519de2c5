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

func TestCapTableIncludesPools(t *testing.T) {
	t.Parallel()
	setupPools := func(t *testing.T) *apitest.Firm {
		t.Helper()
		f := apitest.Setup(t).NewFirm(t, "owner@example.com")
		issueToFour(t, f)
		f.NewPlan(t, "=Plan", "2")
		return f
	}
	t.Run("JSON counts available shares as diluting", func(t *testing.T) {
		t.Parallel()
		f := setupPools(t)
		got := f.Must(t, "GET", f.Home+"/captable", "", 200)
		if diluted := got.Text(t, "totals", "fullyDiluted"); diluted != "6.875" {
			t.Errorf("fully diluted: %s", diluted)
		}
		var sum captable.Decimal
		for _, list := range []string{"holders", "pools"} {
			for _, line := range got.List(t, list) {
				fields, _ := line.(map[string]any)
				percent, _ := fields["percentFullyDiluted"].(string)
				sum = sum.Add(exact.MustDecimal(percent))
			}
		}
		if sum.String() != "1" {
			t.Errorf("the percentages of holders and pools sum to %s", sum)
		}
	})
	t.Run("the dashboard lists pools", func(t *testing.T) {
		t.Parallel()
		f := setupPools(t)
		if got := f.Must(t, "GET", "/v1/captable/"+f.ID+"/dashboard", "", 200); len(got.List(t, "pools")) != 1 {
			t.Error(got.Body)
		}
	})
	t.Run("CSV has a line for each pool and its percentages sum to 1", func(t *testing.T) {
		t.Parallel()
		f := setupPools(t)
		lines, err := csv.NewReader(strings.NewReader(f.Must(t, "GET", f.Home+"/captable?format=csv", "", 200).Body)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var sum captable.Decimal
		for _, line := range lines[1:] {
			sum = sum.Add(exact.MustDecimal(line[7]))
		}
		last := lines[len(lines)-1]
		if sum.String() != "1" || last[0] != "'=Plan: Main" || last[9] != "pool" || last[11] != "2" {
			t.Errorf("sum %s, last line %q", sum, last)
		}
	})
	t.Run("the workbook has a sheet for pools and a line among the holders", func(t *testing.T) {
		t.Parallel()
		f := setupPools(t)
		book, err := excelize.OpenReader(strings.NewReader(f.Must(t, "GET", f.Home+"/captable?format=xlsx", "", 200).Body))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = book.Close() }()
		for at, want := range map[string]string{
			"Cap table!A8": "Available: =Plan, Main", "Cap table!H9": "1", "Pools!A4": "=Plan", "Pools!C4": "Common Stock", "Pools!J4": "2",
			"Pools!A5": "Total", "Pools!D5": "2",
		} {
			sheet, cell, _ := strings.Cut(at, "!")
			if got, err := book.GetCellValue(sheet, cell, excelize.Options{RawCellValue: true}); err != nil || got != want {
				t.Errorf("%s is %q, want %q", at, got, want)
			}
		}
	})
}
