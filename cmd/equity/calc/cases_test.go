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

// files are the published cases, by the kind that answers them.
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

// published is a case of a file with what is expected of it.
type published struct {
	id     string
	input  []byte // without what is expected, with the fields that the file's cases share
	expect any
}

// cases reads the cases of a file of the module.
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

// figures leaves what a source prints, in its own words and rounding, out of what is expected.
func figures(expect any) any {
	if fields, ok := expect.(map[string]any); ok {
		maps.DeleteFunc(fields, func(name string, _ any) bool { return strings.HasSuffix(name, "published") })
	}
	return expect
}

// read decodes JSON with its numbers as they are written.
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

// holds tells whether the answer is what is expected, name by name: same shapes, same
// texts, and numbers of the same size and kind.
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

// asPrinted rounds figures to the places in which the source of a sale prints them: four for
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

// sameNumber compares numbers that one side writes as 4.50 and the other as 4.5.
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
