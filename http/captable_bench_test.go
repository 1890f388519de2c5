package http_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"equity/captable/exact"
	"equity/http/apitest"
)

// companyWithHolders returns a company with the given number of holders of one class.
func companyWithHolders(tb testing.TB, b *apitest.Server, holders int) *apitest.Firm {
	tb.Helper()
	f := b.NewFirm(tb, "crowd@example.com")
	for i := range holders {
		f.Issue(tb, f.NewHolder(tb, fmt.Sprintf("Holder %d of the crowd", i)), strconv.Itoa(1+i%900), `"pricePerShare":"1.25"`)
	}
	return f
}

// sizeWriter is a response writer that keeps only the size.
type sizeWriter struct {
	header http.Header
	status int
	size   int
}

func (w *sizeWriter) Header() http.Header { return w.header }

func (w *sizeWriter) WriteHeader(status int) { w.status = status }

func (w *sizeWriter) Write(text []byte) (int, error) {
	w.size += len(text)
	return len(text), nil
}

// BenchmarkCapTable reads the table of 1,000 holders: computed, as after every change; from
// the cache; and with a matching ETag.
func BenchmarkCapTable(b *testing.B) {
	f := companyWithHolders(b, apitest.Setup(b), 1000)
	get := func(b *testing.B, query string, status int, headers ...string) *sizeWriter {
		b.Helper()
		r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, f.Home+"/captable"+query, nil)
		if err != nil {
			b.Fatal(err)
		}
		r.Header.Set("Cookie", f.Cookie)
		for i := 0; i+1 < len(headers); i += 2 {
			r.Header.Set(headers[i], headers[i+1])
		}
		w := &sizeWriter{header: http.Header{}}
		if f.HTTP.ServeHTTP(w, r); w.status != status {
			b.Fatalf("%s: %d, want %d", r.URL, w.status, status)
		}
		return w
	}
	for _, format := range []string{"json", "csv", "xlsx", "ocf"} {
		b.Run("computed/"+format, func(b *testing.B) {
			day := exact.DateOf(time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC))
			size := 0
			for b.Loop() { // each day needs a new computation
				day++
				size = get(b, "?format="+format+"&asOf="+day.String(), 200).size
			}
			b.ReportMetric(float64(size), "bytes")
		})
	}
	b.Run("cached", func(b *testing.B) {
		get(b, "", 200)
		for b.Loop() {
			get(b, "", 200)
		}
	})
	b.Run("not modified", func(b *testing.B) {
		tag := get(b, "", 200).header.Get("ETag")
		for b.Loop() {
			get(b, "", 304, "If-None-Match", tag)
		}
	})
}
