package sheet_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"equity/captable/exact"
	"equity/sheet"
)

// column reads texts as a column.
func column(as sheet.Type, stated sheet.Format, texts ...string) sheet.Column {
	cells := make([]sheet.Cell, len(texts))
	for i, text := range texts {
		cells[i] = sheet.Cell{Value: text}
	}
	return sheet.ReadColumn(cells, sheet.Context{Type: as, Stated: stated, Today: exact.MustDate("2026-11-28")})
}

// shown returns the status, and for each value its text or the code of its error.
func shown(c sheet.Column) string {
	text := string(c.Status)
	for i, value := range c.Values {
		at := slices.IndexFunc(c.Errors, func(e sheet.Issue) bool { return e.Index == i })
		switch {
		case value != nil:
			text += " " + *value
		case at >= 0:
			text += " " + c.Errors[at].Code
		case slices.Contains(c.Ambiguous, i):
			text += " ?"
		default:
			text += " -"
		}
	}
	return text
}

func TestColumnsAreReadByTheirRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		as     sheet.Type
		stated sheet.Format
		texts  []string
		want   string
	}{
		{sheet.Quantity, "", []string{"(1,000,000)", "5-", "-", "n/a", "x", "%", "50%"}, "decided -1000000 -5 - - invalidDecimal invalidDecimal invalidDecimal"}, //nolint:dupword // three values,
		{sheet.Quantity, "", []string{"1.5", "2"}, "decided notWhole 2"},
		{sheet.Quantity, sheet.Comma, []string{"1.000", "1,000.5"}, "decided 1000 otherFormat"},
		{sheet.Price, sheet.Point, []string{"1.000", "1.000,50"}, "decided 1 otherFormat"},
		{sheet.Price, "", []string{"0.33333333333333", "12345678901234567890.5"}, "decided 0.3333333333 invalidDecimal"},
		{sheet.Price, "", []string{"01.000", "1,00,000", "10,00"}, "mixed mixedFormats mixedFormats mixedFormats"}, //nolint:dupword // three values,
		{sheet.Fraction, "", []string{"1", "0"}, "ask ? 0"},
		{sheet.Fraction, "", []string{"0.5", "1"}, "decided 0.5 1"},
		{sheet.Fraction, "", []string{"120", "20 %", "-5%"}, "decided range 0.2 range"},
		{sheet.Day, "", []string{"31/02/2024", "13/01/2024", "1/2/2024"}, "decided invalidDate 2024-01-13 2024-02-01"},
		{sheet.Day, "", []string{"24-01-15"}, "ask ?"},
		{
			sheet.Day, "",
			[]string{"15-Jan-46", "15-Jan-47", "15. des. 2024", "1er août 2023", "15 de enero de 2024"},
			"decided 2046-01-15 1947-01-15 2024-12-15 2023-08-01 2024-01-15",
		},
		{
			sheet.Day, "",
			[]string{"20240115", "45306", "19999", "2024-01-15T10:00:00Z", "1899-12-31", "soon"},
			"decided 2024-01-15 2024-01-15 invalidDate 2024-01-15 dateOutOfRange invalidDate",
		},
		{sheet.Day, sheet.DMY, []string{"03/04/2024", "01/15/2024"}, "decided 2024-04-03 otherFormat"},
		{sheet.Truth, "", []string{"Ja", "non", "X", "perhaps"}, "decided true false true invalidBoolean"},
	} {
		if got := shown(column(c.as, c.stated, c.texts...)); got != c.want {
			t.Errorf("%s %q: got %s, want %s", c.as, c.texts, got, c.want)
		}
	}
}

// TestOrderOfRowsDoesNotChangeValues reads permutations of random columns.
func TestOrderOfRowsDoesNotChangeValues(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	numbers := []string{"1.000", "12.500", "1,000", "0.125", "1,5", "20%", "7", "0", "1", "$3", "x", ""}
	days := []string{"03/04/2024", "13/04/2024", "04/13/24", "01/01/2024", "2024-01-15", "1 May 2024", "03.04.24", "x"}
	for as, pool := range map[sheet.Type][]string{sheet.Quantity: numbers, sheet.Price: numbers, sheet.Fraction: numbers, sheet.Day: days} {
		for range 500 {
			texts := make([]string, 1+random.IntN(5))
			for i := range texts {
				texts[i] = pool[random.IntN(len(pool))]
			}
			values := func(c sheet.Column, order []int) string {
				found := make([]string, len(order))
				for i, at := range order {
					if c.Values[i] != nil {
						found[at] = *c.Values[i]
					}
				}
				return fmt.Sprint(c.Status, c.Format, found)
			}
			first, moved := make([]int, len(texts)), random.Perm(len(texts))
			permuted := make([]string, len(texts))
			for i, at := range moved {
				first[i], permuted[i] = i, texts[at]
			}
			if a, b := values(column(as, "", texts...), first), values(column(as, "", permuted...), moved); a != b {
				t.Fatalf("%s %q: %q, permuted %q", as, texts, a, b)
			}
		}
	}
}
