package http_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"equity/http/apitest"
)

// encodedAnswer returns the answer to a GET request, as it arrives.
func encodedAnswer(tb testing.TB, c *apitest.Client, path string, headers ...string) *httptest.ResponseRecorder {
	tb.Helper()
	return beginRequest(tb.Context(), c, http.MethodGet, path, nil, headers...)
}

// plainBody returns the body, uncompressed if it was compressed.
func plainBody(tb testing.TB, response *httptest.ResponseRecorder) string {
	tb.Helper()
	body := io.Reader(response.Body)
	if response.Header().Get("Content-Encoding") == "gzip" {
		compressed, err := gzip.NewReader(response.Body)
		if err != nil {
			tb.Fatal(err)
		}
		body = compressed
	}
	text, err := io.ReadAll(body)
	if err != nil {
		tb.Fatal(err)
	}
	return string(text)
}

func TestLargeAnswersAreCompressedOnRequest(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	for i := range 5 {
		f.NewLegend(t, `{"name":"Legend `+strconv.Itoa(i)+`","text":"`+strings.Repeat("Not registered under the Act. ", 20)+`"}`)
	}
	for i := range 20 {
		f.Issue(t, f.NewHolder(t, "Holder "+strconv.Itoa(i)), "10")
		f.Must(t, "POST", "/v1/user/token", `{"name":"Report `+strconv.Itoa(i)+`","scopes":["read"]}`, http.StatusCreated)
	}
	list := f.Home + "/legend"
	plain := plainBody(t, encodedAnswer(t, f.Client, list))
	t.Run("a large answer is compressed as gzip with the same ETag", func(t *testing.T) {
		t.Parallel()
		response := encodedAnswer(t, f.Client, list, "Accept-Encoding", "gzip, deflate, br, zstd")
		if got := response.Header().Get("Content-Encoding"); got != "gzip" {
			t.Errorf("the coding is %q", got)
		}
		if got, want := response.Header().Get("ETag"), encodedAnswer(t, f.Client, list).Header().Get("ETag"); got != want || want == "" {
			t.Errorf("ETag %s, want %s", got, want)
		}
		if got := plainBody(t, response); got != plain {
			t.Errorf("got %s, want %s", got, plain)
		}
	})
	for format, want := range map[string]string{"csv": "gzip", "json": "gzip", "xlsx": ""} {
		t.Run("a cap table in the format "+format+" has the content coding '"+want+"'", func(t *testing.T) {
			t.Parallel()
			path := f.Home + "/captable?format=" + format
			response := encodedAnswer(t, f.Client, path, "Accept-Encoding", "gzip")
			if got := response.Header().Get("Content-Encoding"); got != want {
				t.Errorf("the coding is %q, want %q", got, want)
			}
			if plainBody(t, response) != plainBody(t, encodedAnswer(t, f.Client, path)) {
				t.Error("the uncompressed body is another")
			}
		})
	}
	for claim, headers := range map[string][]string{
		"an answer without the header is not compressed":    nil,
		"an answer is not compressed if gzip is excluded":   {"Accept-Encoding", "gzip;q=0, br"},
		"an answer for an unknown coding is not compressed": {"Accept-Encoding", "br"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			response := encodedAnswer(t, f.Client, list, headers...)
			if got := response.Header().Get("Content-Encoding"); got != "" || plainBody(t, response) != plain {
				t.Errorf("the coding is %q", got)
			}
			if !slices.Contains(response.Header().Values("Vary"), "Accept-Encoding") {
				t.Errorf("Vary is %v", response.Header().Values("Vary"))
			}
		})
	}
	t.Run("a request with the ETag of a compressed answer has the status 304", func(t *testing.T) {
		t.Parallel()
		tag := encodedAnswer(t, f.Client, list, "Accept-Encoding", "gzip").Header().Get("ETag")
		if got := encodedAnswer(t, f.Client, list, "Accept-Encoding", "gzip", "If-None-Match", tag).Code; got != http.StatusNotModified {
			t.Errorf("status %d", got)
		}
	})
	t.Run("a private answer is not compressed", func(t *testing.T) {
		t.Parallel()
		response := encodedAnswer(t, f.Client, "/v1/user/token", "Accept-Encoding", "gzip")
		if got := response.Header().Get("Content-Encoding"); got != "" || response.Header().Get("Cache-Control") != "no-store" || len(plainBody(t, response)) < 1024 {
			t.Errorf("the coding is %q", got)
		}
	})
	t.Run("an answer below 1 KB is not compressed", func(t *testing.T) {
		t.Parallel()
		if got := encodedAnswer(t, f.Client, f.Home, "Accept-Encoding", "gzip").Header().Get("Content-Encoding"); got != "" {
			t.Errorf("the coding is %q", got)
		}
	})
}
