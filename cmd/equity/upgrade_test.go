package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"equity/persistence/storetest"
)

// The folder testdata/first-release contains the demo company as the first version of the program stored it, with three migrations, on both
// engines. The JSON files contain the answers of that version by path.

func firstRelease(t *testing.T, name string) []byte {
	t.Helper()
	packed, err := os.ReadFile(filepath.Join("testdata", "first-release", name))
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(name) != ".gz" {
		return packed
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unpacked)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// setupFirstRelease returns a shell with the store of the first version.
func setupFirstRelease(t *testing.T, engine string) *shell {
	t.Helper()
	s := setup(t)
	s.variables["CLOCK_SKEW_LIMIT"], s.variables["CLOCK_STOP_LIMIT"] = "876000h", "876000h" // the rows have a fixed time
	s.variables["SECRET_KEY"] = strings.TrimSpace(string(firstRelease(t, engine+".key")))
	if engine == "sqlite" {
		s.variables["DATABASE_URL"] = "sqlite://" + s.file(t, "equity.db", string(firstRelease(t, "sqlite.db.gz")))
		return s
	}
	s.variables["DATABASE_URL"] = storetest.PostgreSQL(t)
	plain, schema := withoutSchema(t, s.variables["DATABASE_URL"])
	dump := strings.ReplaceAll(string(firstRelease(t, "postgresql.sql.gz")), "first_release", schema)
	dump = strings.Replace(dump, "CREATE SCHEMA "+schema+";", "", 1)
	tool(t, "psql", "--quiet", "--set=ON_ERROR_STOP=1", "--file="+s.file(t, "dump.sql", dump), plain)
	return s
}

func TestStoreOfTheFirstReleaseKeepsItsFigures(t *testing.T) {
	t.Parallel()
	for _, engine := range []string{"sqlite", "postgresql"} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			s := setupFirstRelease(t, engine)
			mustContain(t, s.refused(t, statusFailed, "verify"), "equity migrate")
			s.run(t, "migrate")
			mustContain(t, s.run(t, "verify"), "1 organizations checked, 0 with faults")
			r := s.serve(t)
			v := r.signIn(t) // with the password of that version
			var answers map[string]json.RawMessage
			if err := json.Unmarshal(firstRelease(t, engine+".json.gz"), &answers); err != nil {
				t.Fatal(err)
			}
			var found []string
			home := ""
			for _, path := range slices.Sorted(maps.Keys(answers)) {
				if home == "" { // the shortest path is the first
					home = strings.TrimPrefix(path, "/organization/")
				}
				status, _, body := v.send(t, http.MethodGet, "/v1"+path, "")
				if status != http.StatusOK {
					t.Errorf("%s: %d %s", path, status, body)
					continue
				}
				_, short, _ := strings.Cut(path, "/organization/"+home)
				found = append(found, differences(short, decoded(t, answers[path]), decoded(t, []byte(body)))...)
			}
			if want := corrections(); !slices.Equal(found, want) {
				t.Errorf("the differences are\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(want, "\n"))
			}
			if status, _, body := v.send(t, http.MethodPatch, "/v1/organization/"+home, `{"website":"https://upgraded.example.com"}`); status != http.StatusOK {
				t.Errorf("a write after the upgrade: %d %s", status, body)
			}
			r.end(t)
			mustContain(t, s.run(t, "verify"), "151 events are valid", "0 with faults")
		})
	}
}

// corrections are the figures that later versions corrected. Before ruling 36, the cap table of a past day had classes that were approved later.
// Before ruling 31, the price of a share was not restated for splits. Before ruling 138, a sale between holders counted as money of the company.
func corrections() []string {
	return []string{
		"/captable?asOf=2019-12-31.securities[Series Seed Preferred Stock] is missing",
		"/captable?asOf=2019-12-31.securities[Series A Preferred Stock] is missing",
		"/captable?asOf=2019-12-31.totals.authorized is 8500000; it was 13500000",
		"/captable?asOf=2021-12-31.securities[Series A Preferred Stock] is missing",
		"/captable?asOf=2021-12-31.totals.authorized is 18000000; it was 21000000",
		"/captable?asOf=2023-06-30.totals.invested is 5609887.3; it was 6084886.05",
		"/captable?asOf=2025-12-31.totals.invested is 6119096.5; it was 6594095.25",
		"/shareholding?limit=200.data[CS-1].pricePerShare is 0.000005; it was 0.00001",
		"/shareholding?limit=200.data[CS-2].pricePerShare is 0.000005; it was 0.00001",
		"/shareholding?limit=200.data[CS-3].pricePerShare is 0.000005; it was 0.00001",
	}
}

func decoded(t *testing.T, text []byte) (value any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}

// differences returns the values of the former answer that the present one does not have. Later versions may add fields.
func differences(at string, former, present any) (found []string) {
	switch former := former.(type) {
	case map[string]any:
		object, _ := present.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(former)) {
			value, has := object[name]
			if !has {
				found = append(found, fmt.Sprintf("%s.%s is missing; it was %v", at, name, former[name]))
				continue
			}
			found = append(found, differences(at+"."+name, former[name], value)...)
		}
	case []any:
		list, _ := present.([]any)
		if len(list) > len(former) {
			found = append(found, fmt.Sprintf("%s has %d elements; it had %d", at, len(list), len(former)))
		}
		for i := range former {
			name := fmt.Sprintf("%s[%s]", at, nameOfElement(former[i], i))
			other := counterpart(former[i], list, i)
			if other == nil {
				found = append(found, name+" is missing")
				continue
			}
			found = append(found, differences(name, former[i], other)...)
		}
	default:
		if former != present {
			found = append(found, fmt.Sprintf("%s is %v; it was %v", at, present, former))
		}
	}
	return found
}

// nameOfElement returns the name of a record in a list, or its index.
func nameOfElement(element any, index int) string {
	record, _ := element.(map[string]any)
	for _, field := range []string{"name", "certificate", "type"} {
		if text, is := record[field].(string); is {
			return text
		}
	}
	return strconv.Itoa(index)
}

// counterpart returns the record with the same id in the other list, or the element at the same index.
func counterpart(element any, list []any, index int) any {
	record, _ := element.(map[string]any)
	if id, has := record["id"]; has {
		for _, other := range list {
			if candidate, _ := other.(map[string]any); candidate["id"] == id {
				return candidate
			}
		}
		return nil
	}
	if index < len(list) {
		return list[index]
	}
	return nil
}
