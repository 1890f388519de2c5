package captable_test

import (
	"encoding/json"
	"testing"
	"time"

	"pgregory.net/rapid"

	"equity/captable"
)

func TestInstant(t *testing.T) {
	t.Parallel()
	t.Run("an instant is truncated to microseconds and written in UTC", func(t *testing.T) {
		t.Parallel()
		moment := time.Date(2026, time.January, 15, 10, 0, 0, 123_456_789, time.FixedZone("east", 3600))
		text, err := json.Marshal(captable.InstantOf(moment))
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "JSON", string(text), `"2026-01-15T09:00:00.123456Z"`)
	})
	t.Run("an instant is equal after it is written and read", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			want := captable.Instant(rapid.Int64Range(-62135596800_000000, 253402300799_999999).Draw(t, "instant"))
			text, err := want.MarshalText()
			if err != nil {
				t.Fatal(err)
			}
			var read captable.Instant
			if err := read.UnmarshalText(text); err != nil || read != want {
				t.Fatalf("%s was read as %d, %v; want %d", text, read, err, want)
			}
		})
	})
	t.Run("a text that is not RFC 3339 is refused", func(t *testing.T) {
		t.Parallel()
		for _, text := range []string{"", "2026-01-15", "2026-01-15 09:00:00Z", "yesterday", "2026-02-30T00:00:00Z", "2026-01-15T09:00:00"} {
			var read captable.Instant
			if err := read.UnmarshalText([]byte(text)); err == nil {
				t.Errorf("%q was read as %d", text, read)
			}
		}
	})
}

func TestMeta(t *testing.T) {
	t.Parallel()
	t.Run("a record keeps its creation and follows its last event", func(t *testing.T) {
		t.Parallel()
		meta := captable.NewMeta(captable.Stamp{Sequence: 3, At: 100, By: "somebody"})
		meta.Touch(captable.Stamp{Sequence: 9, At: 200})
		equal(t, "meta", meta, captable.Meta{CreatedAt: 100, UpdatedAt: 200, Version: 9})
	})
}
