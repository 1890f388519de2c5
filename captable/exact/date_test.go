package exact_test

import (
	"encoding/json"
	"testing"
	"time"

	"equity/captable/exact"
)

func TestDateAgreesWithTheCalendar(t *testing.T) {
	t.Parallel()
	t.Run("dates agree with the calendar on every day of the years 1 to 9999", func(t *testing.T) {
		t.Parallel()
		last := time.Date(9999, time.December, 31, 0, 0, 0, 0, time.UTC)
		want := exact.Date(1)
		for day := time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC); !day.After(last); day = day.AddDate(0, 0, 1) {
			if got := exact.DateOf(day); got != want || !got.Time().Equal(day) {
				t.Fatalf("%s: got %d (%s), want %d", day.Format(time.DateOnly), got, got.Time(), want)
			}
			want++
		}
	})
	t.Run("every 97th date is formatted and parsed like in the calendar", func(t *testing.T) {
		t.Parallel()
		for d := exact.MustDate("0001-01-01"); d <= exact.MustDate("9999-12-31"); d += 97 {
			text := d.Time().Format(time.DateOnly)
			if read, err := exact.ParseDate(text); err != nil || read != d || d.String() != text {
				t.Fatalf("%s: read as %s, printed as %s, %v", text, read, d, err)
			}
		}
	})
	t.Run("the date of a moment follows its time zone", func(t *testing.T) {
		t.Parallel()
		moment := time.Date(2024, time.February, 29, 23, 30, 0, 0, time.UTC)
		equal(t, "UTC", exact.DateOf(moment).String(), "2024-02-29")
		equal(t, "an hour east", exact.DateOf(moment.In(time.FixedZone("east", 3600))).String(), "2024-03-01")
		equal(t, "a day west", exact.DateOf(moment.In(time.FixedZone("west", -24*3600))).String(), "2024-02-28")
	})
	t.Run("moments before 1970 and at noon have the date of the calendar", func(t *testing.T) {
		t.Parallel()
		equal(t, "noon", exact.DateOf(time.Date(1969, time.December, 31, 12, 0, 0, 0, time.UTC)).String(), "1969-12-31")
		equal(t, "one day on", exact.DateOf(time.Unix(0, 0).UTC()), exact.MustDate("1969-12-31")+1)
	})
}

func TestParseDate(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"0001-01-01", "2024-02-29", "2000-02-29", "1600-02-29", "2023-12-31", "9999-12-31"} {
		t.Run("the date "+text+" is accepted", func(t *testing.T) {
			t.Parallel()
			d, err := exact.ParseDate(text)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "text", d.String(), text)
		})
	}
	for _, text := range []string{
		"", "2023-02-29", "1900-02-29", "2100-02-29", "2023-02-30", "2023-04-31", "2023-00-10", "2023-13-01", "2023-01-00", "2023-01-32",
		"0000-01-01", "0000-12-31", "10000-01-01", "2023-1-01", "2023-01-1", "23-01-01", "2023/01/01", "20230101", "2023-01-01T00:00:00Z",
		" 2023-01-01", "2023-01-01 ", "+023-01-01", "-001-01-01", "2023-+1-01", "2023--1-01", "2023-01--1", "2O23-01-01", "２０２３-01-01", "abcd-ef-gh",
	} {
		t.Run("the date '"+text+"' is refused", func(t *testing.T) {
			t.Parallel()
			if d, err := exact.ParseDate(text); err == nil || !d.IsZero() {
				t.Errorf("read as %s, %v", d, err)
			}
		})
	}
}

func TestMustDate(t *testing.T) {
	t.Parallel()
	t.Run("a date that does not exist panics", func(t *testing.T) {
		t.Parallel()
		defer func() {
			if recover() == nil {
				t.Error("it returned")
			}
		}()
		exact.MustDate("2023-02-29")
	})
}

func TestDateInJSON(t *testing.T) {
	t.Parallel()
	type body struct {
		Needed exact.Date `json:"needed"`
		Spared exact.Date `json:"spared,omitzero"`
	}
	t.Run("a date is written as YYYY-MM-DD and omitted if absent", func(t *testing.T) {
		t.Parallel()
		text, err := json.Marshal(body{Needed: exact.MustDate("2024-02-29")})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "JSON", string(text), `{"needed":"2024-02-29"}`)
	})
	t.Run("the zero date is an empty text in both directions", func(t *testing.T) {
		t.Parallel()
		text, err := json.Marshal(body{})
		if err != nil {
			t.Fatal(err)
		}
		read := body{Needed: exact.MustDate("2026-01-15")}
		if err := json.Unmarshal(text, &read); err != nil || !read.Needed.IsZero() {
			t.Errorf("%s was read as %s, %v", text, read.Needed, err)
		}
	})
	for _, text := range []string{`20240229`, `"2023-02-29"`, `{}`, `true`, `"today"`} {
		t.Run("the JSON value "+text+" is not a date", func(t *testing.T) {
			t.Parallel()
			var d exact.Date
			if err := json.Unmarshal([]byte(text), &d); err == nil {
				t.Errorf("read as %s", d)
			}
		})
	}
}

func FuzzDate(f *testing.F) {
	for _, text := range []string{"2024-02-29", "2023-02-29", "0001-01-01", "9999-12-31", "0000-01-01", "", "2023-1-1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := exact.ParseDate(text)
		want, wantErr := time.Parse(time.DateOnly, text)
		exists := wantErr == nil && want.Year() >= 1
		if (err == nil) != exists {
			t.Fatalf("%q: %v, the time package says %v", text, err, wantErr)
		}
		if exists && (d.String() != text || !d.Time().Equal(want)) {
			t.Fatalf("%q was read as %s", text, d)
		}
	})
}
