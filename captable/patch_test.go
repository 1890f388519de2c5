package captable_test

import (
	"encoding/json"
	"errors"
	"testing"

	"equity/captable"
	"equity/fault"
)

// sheet has a field of every type of value that occurs in records.
type sheet struct {
	Name  string            `json:"name"`
	ID    captable.LegendID `json:"id,omitzero"`
	Count *int              `json:"count,omitempty"`
	Total captable.Decimal  `json:"total,omitzero"`
	Day   captable.Date     `json:"day,omitzero"`
	Tags  []string          `json:"tags,omitempty"`
	Price *captable.Price   `json:"price,omitempty"`
	Inner *inner            `json:"inner,omitempty"`
	Kept  map[string]string `json:"kept,omitempty"`
}

type inner struct {
	Street string `json:"street,omitempty"`
	City   string `json:"city,omitempty"`
	Deeper *inner `json:"deeper,omitempty"`
}

func TestPatched(t *testing.T) {
	t.Parallel()
	const full = `{"name":"a","count":1,"total":"5","day":"2024-02-29","tags":["x","y"],"price":"2","inner":{"street":"s","city":"c","deeper":{"city":"d"}},"kept":{"k":"v"}}`
	for claim, c := range map[string]struct{ value, patch, want string }{
		"nothing named changes nothing":            {full, `{}`, full},
		"a named field changes, the others stay":   {`{"name":"a","count":1}`, `{"name":"b"}`, `{"name":"b","count":1}`},
		"null clears a field":                      {`{"name":"a","count":1,"day":"2024-02-29"}`, `{"count":null,"day":null}`, `{"name":"a"}`},
		"null clears what was not there":           {`{"name":"a"}`, `{"count":null,"inner":null}`, `{"name":"a"}`},
		"null clears a field that always prints":   {`{"name":"a","count":1}`, `{"name":null}`, `{"name":"","count":1}`},
		"blanks around null do not matter":         {`{"name":"a","count":1}`, `{"count": null }`, `{"name":"a"}`},
		"objects merge at every depth":             {full, `{"inner":{"city":null,"deeper":{"street":"t"}}}`, `{"name":"a","count":1,"total":"5","day":"2024-02-29","tags":["x","y"],"price":"2","inner":{"street":"s","deeper":{"street":"t","city":"d"}},"kept":{"k":"v"}}`},
		"an object comes to be where none was":     {`{"name":"a"}`, `{"inner":{"city":"c","street":null}}`, `{"name":"a","inner":{"city":"c"}}`},
		"an empty object is one":                   {`{"name":"a"}`, `{"inner":{}}`, `{"name":"a","inner":{}}`},
		"an object goes whole":                     {full, `{"inner":null,"kept":{"k":null,"l":"w"},"price":null}`, `{"name":"a","count":1,"total":"5","day":"2024-02-29","tags":["x","y"],"kept":{"l":"w"}}`},
		"lists are replaced, not merged":           {`{"name":"a","tags":["x","y"]}`, `{"tags":["z"]}`, `{"name":"a","tags":["z"]}`},
		"money takes the place of a plain price":   {`{"name":"a","price":"2"}`, `{"price":{"amount":"3","currency":"EUR"}}`, `{"name":"a","price":{"amount":"3","currency":"EUR"}}`},
		"a plain price takes the place of money":   {`{"name":"a","price":{"amount":"3","currency":"EUR"}}`, `{"price":"2"}`, `{"name":"a","price":"2"}`},
		"money changes in part":                    {`{"name":"a","price":{"amount":"3","currency":"EUR"}}`, `{"price":{"amount":"4"}}`, `{"name":"a","price":{"amount":"4","currency":"EUR"}}`},
		"text that looks like markup stays itself": {`{"name":"a"}`, `{"name":"<b>&\u2028 \ud83d\ude00"}`, `{"name":"\u003cb\u003e\u0026\u2028 😀"}`},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			var value sheet
			if err := json.Unmarshal([]byte(c.value), &value); err != nil {
				t.Fatal(err)
			}
			before := text(t, value)
			patched, err := captable.Patched(value, []byte(c.patch))
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "patched", text(t, patched), c.want)
			equal(t, "the value afterwards", text(t, value), before)
		})
	}
}

func TestPatchedRefuses(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct {
		patch  string
		fields []fault.Field
	}{
		"a list":                {`[]`, nil},
		"null":                  {`null`, nil},
		"a text":                {`"x"`, nil},
		"nothing":               {``, nil},
		"half an object":        {`{"name":"b"`, nil},
		"two objects":           {`{} {}`, nil},
		"an unknown field":      {`{"nome":"b"}`, []fault.Field{{Pointer: "/nome", Code: "unknownField"}}},
		"another's field":       {`{"shares":"5"}`, []fault.Field{{Pointer: "/shares", Code: "unknownField"}}},
		"a field in other case": {`{"Name":"b"}`, []fault.Field{{Pointer: "/Name", Code: "unknownField"}}},
		"a pointer's own signs": {`{"a/b~c":1}`, []fault.Field{{Pointer: "/a~1b~0c", Code: "unknownField"}}},
		"an unknown field deep": {`{"inner":{"deeper":{"zip":"1"}}}`, []fault.Field{{Pointer: "/inner", Code: "unknownField"}}},
		"every wrong field at once, in order": {`{"total":5,"name":7,"day":"2023-02-29","tags":"x","price":"1e5","id":"x"}`, []fault.Field{
			{Pointer: "/day", Code: "invalidDate"},
			{Pointer: "/id", Code: "invalidId"},
			{Pointer: "/name", Code: "wrongType"},
			{Pointer: "/price", Code: "invalidDecimal"},
			{Pointer: "/tags", Code: "wrongType"},
			{Pointer: "/total", Code: "wrongType"},
		}},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			_, err := captable.Patched(sheet{Name: "a"}, []byte(c.patch))
			var refusal *fault.Error
			if !errors.As(err, &refusal) || refusal.Code != fault.Invalid || len(refusal.Fields) != len(c.fields) {
				t.Fatalf("got %v, want the fields %v", err, c.fields)
			}
			for i, want := range c.fields {
				equal(t, "field", refusal.Fields[i].Pointer+" "+refusal.Fields[i].Code, want.Pointer+" "+want.Code)
			}
		})
	}
}

func FuzzPatched(f *testing.F) {
	for _, patch := range []string{`{}`, `null`, `{"name":null}`, `{"inner":{"deeper":{"deeper":{}}}}`, `{"price":{"amount":"1"}}`, `{"kept":{"k":1}}`} {
		f.Add([]byte(patch))
	}
	f.Fuzz(func(t *testing.T, patch []byte) {
		value := sheet{Name: "a", Tags: []string{"x"}, Inner: &inner{City: "c"}}
		before := text(t, value)
		patched, err := captable.Patched(value, patch)
		if text(t, value) != before {
			t.Fatal("the value was changed")
		}
		if err != nil {
			return
		}
		again, err := captable.Patched(patched, patch)
		if err != nil || text(t, again) != text(t, patched) {
			t.Fatalf("patched twice: %v, %s, once: %s", err, text(t, again), text(t, patched))
		}
	})
}

func text(tb testing.TB, value any) string {
	tb.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		tb.Fatal(err)
	}
	return string(encoded)
}
