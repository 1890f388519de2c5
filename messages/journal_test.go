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
	t.Run("behind the row that it was sealed onto, and no other", func(t *testing.T) {
		t.Parallel()
		row := sealed()
		if !row.Fits(messages.Hash{9}) {
			t.Error("it does not fit")
		}
		if row.Fits(messages.Hash{8}) || row.Fits(messages.Hash{}) {
			t.Error("it fits elsewhere")
		}
	})
	t.Run("no longer once any field was altered", func(t *testing.T) {
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
				t.Errorf("nothing tells whether %s is part of the hash", name)
				continue
			}
			row := sealed()
			alter(&row)
			if row.Fits(messages.Hash{9}) {
				t.Errorf("a row with another %s fits", name)
			}
		}
	})
	t.Run("whatever is finer than a microsecond, and wherever the moment is told", func(t *testing.T) {
		t.Parallel()
		row := sealed()
		row.RecordedAt = row.RecordedAt.Add(999 * time.Nanosecond).In(time.FixedZone("east", 3600))
		if !row.Fits(messages.Hash{9}) {
			t.Error("the journal does not keep more than microseconds")
		}
	})
	t.Run("no longer when text moves from one field to the next", func(t *testing.T) {
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
	t.Run("for ever: the bytes that are hashed do not change", func(t *testing.T) {
		t.Parallel()
		row := sealed()
		if got, want := hex.EncodeToString(row.Hash[:]), "9cb6419974f659e5851cbcf49ef3ff2abc13f55bceba41bf209232d64ed88b70"; got != want {
			t.Errorf("the hash is %s, and journals were sealed with %s", got, want)
		}
	})
}
