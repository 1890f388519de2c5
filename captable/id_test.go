package captable_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
)

const someID = "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10"

func TestParseID(t *testing.T) {
	t.Parallel()
	t.Run("a UUID is read in either case and written in lower case", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{someID, strings.ToUpper(someID)} {
			id, err := captable.ParseID[captable.Security](text)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "text", id.String(), someID)
		}
	})
	for _, text := range []string{
		"x", "01926f3c8a5e7c319d552b1f0a6c4e10", "{" + someID + "}", someID + "0", someID[1:], "g" + someID[1:], " " + someID[1:],
		"01926f3c-8a5e-7c31-9d552-b1f0a6c4e10", "urn:uuid:" + someID, strings.ReplaceAll(someID, "-", "_"), "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e1z",
	} {
		t.Run("the id '"+text+"' is refused", func(t *testing.T) {
			t.Parallel()
			if id, err := captable.ParseID[captable.Security](text); err == nil || !id.IsZero() {
				t.Errorf("read as %s, %v", id, err)
			}
		})
	}
	t.Run("every id comes back from its text", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			id := captable.EntityID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
			text, err := id.MarshalText()
			if err != nil {
				t.Fatal(err)
			}
			if read, err := captable.ParseID[captable.Entity](string(text)); err != nil || read != id {
				t.Fatalf("%s was read as %s, %v", text, read, err)
			}
		})
	})
}

func TestIDInJSON(t *testing.T) {
	t.Parallel()
	t.Run("the zero id is an empty text", func(t *testing.T) {
		t.Parallel()
		text, err := json.Marshal(captable.LegendID{})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "JSON", string(text), `""`)
		id := captable.LegendID{1}
		if err := json.Unmarshal(text, &id); err != nil || !id.IsZero() {
			t.Errorf("read as %s, %v", id, err)
		}
	})
	t.Run("numbers and objects are refused", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{`5`, `{}`, `[1]`, `true`} {
			var id captable.LegendID
			if err := json.Unmarshal([]byte(text), &id); err == nil {
				t.Errorf("%s was read as %s", text, id)
			}
		}
	})
	t.Run("an invalid text leaves the id unchanged", func(t *testing.T) {
		t.Parallel()
		id := captable.LegendID{1}
		if err := id.UnmarshalText([]byte("01926f3c-8a5e-7c31-9d55-2b1f0a6c4e1z")); err == nil || id != (captable.LegendID{1}) {
			t.Errorf("%s, %v", id, err)
		}
	})
}

func FuzzID(f *testing.F) {
	for _, text := range []string{someID, strings.ToUpper(someID), "", "x", someID[:35] + "z"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		id, err := captable.ParseID[captable.Entity](text)
		if err == nil && text != "" && id.String() != strings.ToLower(text) {
			t.Fatalf("%q was read as %s", text, id)
		}
	})
}
