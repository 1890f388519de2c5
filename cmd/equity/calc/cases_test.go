package calc_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"equity/cmd/equity/calc"
)

// files maps kinds to the files of published cases.
func files() map[string][]string {
	return map[string][]string{
		"vesting":    {"captable/vesting/testdata/graph.json"},
		"statements": {"captable/vesting/testdata/statements.json"},
		"iso":        {"captable/vesting/testdata/iso_nso.json"},
		"date":       {"captable/vesting/testdata/dates.json"},
		"interest":   {"captable/conversion/testdata/note_interest.json"},
		"conversion": {"captable/conversion/testdata/note_conversion.json"},
		"liquidity":  {"captable/conversion/testdata/liquidity.json"},
		"ownership":  {"captable/conversion/testdata/ownership.json"},
	}
}

// published is a case of a file with its expected result.
type published struct {
	id     string
	input  []byte // without the expected result, with the shared fields of the file
	expect any
}

// cases reads the cases of a file in the module.
func cases(tb testing.TB, file string) []published {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(file)))
	if err != nil {
		tb.Fatal(err)
	}
	shared := read(tb, text).(map[string]any)
	var all []published
	for _, one := range shared["cases"].([]any) {
		input := map[string]any{}
		for _, fields := range []map[string]any{shared, one.(map[string]any)} {
			for name, value := range fields {
				if name != "cases" && !strings.HasPrefix(name, "expect") {
					input[name] = value
				}
			}
		}
		text, err := json.Marshal(input)
		if err != nil {
			tb.Fatal(err)
		}
		all = append(all, published{input["id"].(string), text, figures(one.(map[string]any)["expect"])})
	}
	return all
}

// figures removes the figures that a source prints with its own labels and rounding from an expected result.
func figures(expect any) any {
	if fields, ok := expect.(map[string]any); ok {
		maps.DeleteFunc(fields, func(name string, _ any) bool { return strings.HasSuffix(name, "published") })
	}
	return expect
}

// read decodes JSON without converting numbers.
func read(tb testing.TB, text []byte) any {
	tb.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		tb.Fatalf("%v: %s", err, text)
	}
	return value
}

func TestPublishedCases(t *testing.T) {
	t.Parallel()
	for kind, files := range files() {
		for _, file := range files {
			for _, c := range cases(t, file) {
				t.Run(kind+" "+c.id, func(t *testing.T) {
					t.Parallel()
					var out bytes.Buffer
					if err := calc.Calculate(kind, bytes.NewReader(c.input), &out); err != nil {
						t.Fatal(err)
					}
					got := read(t, out.Bytes())
					if kind == "liquidity" {
						got = asPrinted(got, c.expect)
					}
					holds(t, "", got, c.expect)
				})
			}
		}
	}
}

// holds compares an answer with the expected result by name: equal structure, equal
// texts, and numbers of equal value and type.
func holds(t *testing.T, at string, got, want any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		fields, _ := got.(map[string]any)
		if len(fields) != len(want) {
			t.Errorf("%s: got the fields %v, want %v", at, fields, want)
		}
		for name, value := range want {
			holds(t, at+"/"+name, fields[name], value)
		}
	case []any:
		items, _ := got.([]any)
		if len(items) != len(want) {
			t.Fatalf("%s: got %d items, want %d", at, len(items), len(want))
		}
		for i, value := range want {
			holds(t, at+"/item", items[i], value)
		}
	default:
		if !reflect.DeepEqual(got, want) && !sameNumber(got, want) {
			t.Errorf("%s: got %v, want %v", at, got, want)
		}
	}
}

// asPrinted rounds figures to the decimal places of the source: four for
// shares, six for a price, two for money.
func asPrinted(got, want any) any {
	switch want := want.(type) {
	case map[string]any:
		fields, _ := got.(map[string]any)
		for name, value := range fields {
			fields[name] = asPrinted(value, want[name])
		}
	case string:
		_, behind, _ := strings.Cut(want, ".")
		if figure, ok := new(big.Rat).SetString(fmt.Sprint(got)); ok {
			return figure.FloatString(len(behind))
		}
	}
	return got
}

// sameNumber compares numbers regardless of trailing zeros.
func sameNumber(got, want any) bool {
	if reflect.TypeOf(got) != reflect.TypeOf(want) {
		return false
	}
	texts := [2]string{}
	for i, value := range []any{got, want} {
		switch value := value.(type) {
		case string:
			texts[i] = value
		case json.Number:
			texts[i] = value.String()
		}
	}
	a, okA := new(big.Rat).SetString(texts[0])
	b, okB := new(big.Rat).SetString(texts[1])
	return okA && okB && a.Cmp(b) == 0
}
