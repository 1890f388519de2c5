package captable_test

import (
	"encoding/json"
	"testing"

	"equity/captable"
)

func TestAuthorizedInJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]captable.Authorized{
		`"unlimited"`: {Unlimited: true}, `"0"`: {}, `"1000"`: captable.AuthorizedOf(number("1000")), `"10.5"`: captable.AuthorizedOf(number("10.5")),
	} {
		t.Run("the limit "+text+" is read and written unchanged", func(t *testing.T) {
			t.Parallel()
			read := captable.Authorized{Unlimited: true, Shares: number("7")} // every field must be overwritten
			if err := json.Unmarshal([]byte(text), &read); err != nil {
				t.Fatal(err)
			}
			equal(t, "limit", read, want)
			printed, err := json.Marshal(read)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "JSON", string(printed), text)
			equal(t, "text", `"`+read.String()+`"`, text)
		})
	}
	for _, text := range []string{`1000`, `"Unlimited"`, `""`, `" unlimited"`, `"1e9"`, `{}`, `true`, `"NOT APPLICABLE"`} {
		t.Run("the limit "+text+" is refused", func(t *testing.T) {
			t.Parallel()
			var read captable.Authorized
			if err := json.Unmarshal([]byte(text), &read); err == nil {
				t.Errorf("read as %s", read)
			}
		})
	}
}

func TestAuthorizedCovers(t *testing.T) {
	t.Parallel()
	t.Run("a limit covers quantities up to its number, and no limit covers any quantity", func(t *testing.T) {
		t.Parallel()
		ten := limit("10")
		equal(t, "as many", ten.Covers(number("10")), true)
		equal(t, "a little more", ten.Covers(number("10.0000000001")), false)
		equal(t, "without limit", limit("unlimited").Covers(number("9999999999999999999")), true)
	})
	t.Run("the sum of both, which has no limit where one has none", func(t *testing.T) {
		t.Parallel()
		equal(t, "sum", limit("10").Add(limit("5")), limit("15"))
		equal(t, "one without", limit("10").Add(limit("unlimited")), limit("unlimited"))
		equal(t, "the other without", limit("unlimited").Add(limit("10")), limit("unlimited"))
	})
}
