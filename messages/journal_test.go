package messages_test

import (
	"encoding/hex"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"equity/messages"
	"equity/organization"
)

func sealed() messages.Row {
	row := messages.Row{
		Organization: organization.ID{1}, Sequence: 7, RecordedAt: time.Date(2026, 1, 15, 9, 0, 0, 123456000, time.UTC),
		By: "ada", Type: "memberAdded", Payload: []byte(`{"a":1}`), IdempotencyKey: "key", Fingerprint: "print",
	}
	row.Seal(messages.Hash{9})
	return row
}

func TestRowFits(t *testing.T) {
	t.Parallel()
	t.Run("a row fits only after the row on which it was sealed", func(t *testing.T) {
		t.Parallel()
		row := sealed()
		if !row.Fits(messages.Hash{9}) {
			t.Error("it does not fit after its predecessor")
		}
		if row.Fits(messages.Hash{8}) || row.Fits(messages.Hash{}) {
			t.Error("it fits after another row")
		}
	})
	t.Run("a row with any altered field does not fit", func(t *testing.T) {
		t.Parallel()
		alterations := map[string]func(*messages.Row){
			"Organization":   func(r *messages.Row) { r.Organization[15]++ },
			"Sequence":       func(r *messages.Row) { r.Sequence++ },
			"RecordedAt":     func(r *messages.Row) { r.RecordedAt = r.RecordedAt.Add(time.Microsecond) },
			"By":             func(r *messages.Row) { r.By += "x" },
			"Type":           func(r *messages.Row) { r.Type = "" },
			"Payload":        func(r *messages.Row) { r.Payload = []byte(`{"a":2}`) },
			"IdempotencyKey": func(r *messages.Row) { r.IdempotencyKey = "" },
			"Fingerprint":    func(r *messages.Row) { r.Fingerprint = "other" },
			"PreviousHash":   func(r *messages.Row) { r.PreviousHash[31] ^= 1 },
			"Hash":           func(r *messages.Row) { r.Hash[0] ^= 1 },
		}
		for field := range reflect.TypeFor[messages.Row]().Fields() {
			name := field.Name
			alter, ok := alterations[name]
			if !ok {
				t.Errorf("the test does not alter the field %s", name)
				continue
			}
			row := sealed()
			alter(&row)
			if row.Fits(messages.Hash{9}) {
				t.Errorf("a row with a changed %s fits", name)
			}
		}
	})
	t.Run("a row fits regardless of nanoseconds and of the time zone", func(t *testing.T) {
		t.Parallel()
		row := sealed()
		row.RecordedAt = row.RecordedAt.Add(999 * time.Nanosecond).In(time.FixedZone("east", 3600))
		if !row.Fits(messages.Hash{9}) {
			t.Error("times must be compared in microseconds")
		}
	})
	t.Run("a row with text moved from one field to another has another hash", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			texts := rapid.SliceOfN(rapid.StringN(0, 4, -1), 4, 4).Draw(t, "texts")
			moved := rapid.SliceOfN(rapid.StringN(0, 4, -1), 4, 4).Draw(t, "moved")
			row := func(texts []string) messages.Row {
				r := messages.Row{By: texts[0], Type: texts[1], IdempotencyKey: texts[2], Fingerprint: texts[3], Payload: []byte(texts[0])}
				r.Seal(messages.Hash{})
				return r
			}
			if one, two := row(texts), row(moved); (one.Hash == two.Hash) != reflect.DeepEqual(texts, moved) {
				t.Fatalf("%q and %q", texts, moved)
			}
		})
	})
	t.Run("the hashed encoding of a row never changes", func(t *testing.T) {
		t.Parallel()
		row := sealed()
		if got, want := hex.EncodeToString(row.Hash[:]), "9cb6419974f659e5851cbcf49ef3ff2abc13f55bceba41bf209232d64ed88b70"; got != want {
			t.Errorf("the hash is %s, but existing journals have %s", got, want)
		}
	})
}
