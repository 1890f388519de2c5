package web_test

import (
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"

	"equity/web"
)

// The page and the script are long enough to be compressed.
var (
	page   = `<!doctype html><script>theme()</script><script type="module" src="/assets/a-1.js"></script>` + strings.Repeat("<p>text</p>", 100)
	script = strings.Repeat("run();", 100)
)

// built returns the files of a small app.
func built() fstest.MapFS {
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"index.html": page, "assets/a-1.js": script,
		"assets/_b.css": "a{}", "assets/inter.woff2": strings.Repeat("font", 200), "assets/data.json": "{}",
		"favicon.svg": "<svg/>", "app.webmanifest": "{}",
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

func setup(tb testing.TB) *web.App {
	tb.Helper()
	app, err := web.New(built(), web.Settings{Pages: []string{"/verify"}})
	if err != nil {
		tb.Fatal(err)
	}
	return app
}

// answer is an answer of the app.
type answer struct {
	StatusCode int
	Header     http.Header
	body       string
}

// get sends a request with pairs of headers. Nil means that the app did not answer.
func get(app *web.App, method, path string, headers ...string) *answer {
	r, w := httptest.NewRequest(method, path, nil), httptest.NewRecorder()
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	if !app.Serve(w, r) {
		return nil
	}
	return &answer{w.Code, w.Header(), w.Body.String()}
}

func text(tb testing.TB, got *answer) string {
	tb.Helper()
	if got == nil {
		tb.Fatal("the app did not answer")
	}
	return got.body
}

// decompressed returns the decoded body of an answer.
func decompressed(tb testing.TB, got *answer) string {
	tb.Helper()
	var from io.Reader = strings.NewReader(text(tb, got))
	switch coding := got.Header.Get("Content-Encoding"); coding {
	case "br":
		from = brotli.NewReader(from)
	case "gzip":
		var err error
		if from, err = gzip.NewReader(from); err != nil {
			tb.Fatal(err)
		}
	}
	body, err := io.ReadAll(from)
	if err != nil {
		tb.Fatal(err)
	}
	return string(body)
}

func TestFilesHaveTheirTypeAndCaching(t *testing.T) {
	t.Parallel()
	app := setup(t)
	const forever, never = "public, max-age=31536000, immutable", "no-cache"
	for path, want := range map[string][2]string{
		"/":                   {"text/html; charset=utf-8", never},
		"/index.html":         {"text/html; charset=utf-8", never},
		"/favicon.svg":        {"image/svg+xml", never},
		"/app.webmanifest":    {"application/manifest+json", never},
		"/assets/a-1.js":      {"text/javascript; charset=utf-8", forever},
		"/assets/_b.css":      {"text/css; charset=utf-8", forever},
		"/assets/inter.woff2": {"font/woff2", forever},
		"/assets/data.json":   {"application/json", forever},
	} {
		got := get(app, "GET", path)
		if got == nil || got.StatusCode != http.StatusOK {
			t.Fatalf("%s: %v", path, got)
		}
		if kind, caching := got.Header.Get("Content-Type"), got.Header.Get("Cache-Control"); kind != want[0] || caching != want[1] {
			t.Errorf("%s: %s, %s", path, kind, caching)
		}
		if got.Header.Get("Vary") != "Accept-Encoding" || got.Header.Get(
			"Content-Security-Policy",
		) == "" || got.Header.Get("Content-Length") != strconv.Itoa(len(got.body)) {
			t.Errorf("%s: %v", path, got.Header)
		}
	}
}

func TestNavigationsGetTheStartPage(t *testing.T) {
	t.Parallel()
	app := setup(t)
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
	for path, accepts := range map[string]string{
		"/": "", "/verify": "*/*", "/organization/7/captable": browser, "/a/": browser, "/assets": browser, "/c": "TEXT/HTML",
	} {
		if got := get(app, "GET", path, "Accept", accepts); got == nil || text(t, got) != page {
			t.Errorf("%s: %v", path, got)
		}
	}
}

func TestMissingFileIsNeverTheStartPage(t *testing.T) {
	t.Parallel()
	app := setup(t)
	for _, path := range []string{
		"/assets/gone.js", "/assets/", "/assets/directory", "/robots.txt", "/x/y.map", "/assets/a-1.js.br", "/index.html.gz",
		"/assets/../index.html", "/assets//a-1.js", "/.env", "/a.",
	} {
		if got := get(app, "GET", path, "Accept", "text/html"); got != nil {
			t.Errorf("%s was answered with %d", path, got.StatusCode)
		}
		if app.Has(path) {
			t.Errorf("%s is no file", path)
		}
	}
	for _, accepts := range []string{"", "*/*", "application/json", "text/html;q=0", "text/html; q=0.0, */*", "text/htmlx", "text/*"} {
		if got := get(app, "GET", "/organization/7", "Accept", accepts); got != nil {
			t.Errorf("%q was answered with %d", accepts, got.StatusCode)
		}
	}
}

func TestCompressedFormFollowsAcceptEncoding(t *testing.T) {
	t.Parallel()
	app := setup(t)
	for accepted, want := range map[string]string{
		"": "", "gzip, deflate, br, zstd": "br", "br": "br", "gzip": "gzip", "x-gzip": "gzip", "GZIP": "gzip", "deflate": "",
		"br;q=0, gzip": "gzip", "gzip;q=1.0, br;q=0.5": "gzip", "gzip;q=0.5, br;q=0.501": "br", "br;q=0,gzip;q=0": "", "*": "br", "*;q=0": "",
		"*;q=0.1, gzip;q=0": "br", "identity": "", "identity;q=1, br;q=0.5": "", "identity;q=0.5, gzip;q=0.5": "gzip", "identity;q=0": "",
		"br;q=2": "", "br;q=0.0001": "", "br;q=x": "", "br ; q=0.3": "br", ",,br": "br", "brotli": "", "xbr": "",
	} {
		got := get(app, "GET", "/assets/a-1.js", "Accept-Encoding", accepted)
		if got.Header.Get("Content-Encoding") != want || decompressed(t, got) != script || got.Header.Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("%q: %v, want %q", accepted, got.Header, want)
		}
	}
	if got := get(app, "GET", "/assets/a-1.js", "Accept-Encoding", "deflate", "Accept-Encoding", "br"); got.Header.Get("Content-Encoding") != "br" {
		t.Error("the second header was ignored")
	}
	for _, path := range []string{"/favicon.svg", "/assets/inter.woff2"} { // small, and no text
		if got := get(app, "GET", path, "Accept-Encoding", "br, gzip"); got.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s was compressed: %v", path, got.Header)
		}
	}
}

func TestTagsNameTheBytes(t *testing.T) {
	t.Parallel()
	app := setup(t)
	tags := map[string]string{}
	for _, path := range []string{"/", "/assets/a-1.js", "/favicon.svg"} {
		for _, coding := range []string{"", "gzip", "br"} {
			got := get(app, "GET", path, "Accept-Encoding", coding)
			tag, body := got.Header.Get("ETag"), text(t, got)
			if other, used := tags[tag]; !strings.HasPrefix(tag, `"`) || used && other != body {
				t.Errorf("%s in %q: the tag %s also names %q", path, coding, tag, other)
			}
			tags[tag] = body
		}
	}
	changed := built()
	changed["index.html"].Data = []byte(page + "<p>")
	other, err := web.New(changed, web.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	if get(other, "GET", "/").Header.Get("ETag") == get(app, "GET", "/").Header.Get("ETag") {
		t.Error("another page has the same tag")
	}
}

func TestKnownFormIsNotSentAgain(t *testing.T) {
	t.Parallel()
	app := setup(t)
	first := get(app, "GET", "/", "Accept-Encoding", "br")
	tag := first.Header.Get("ETag")
	for _, known := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
		got := get(app, "GET", "/", "Accept-Encoding", "br", "If-None-Match", known)
		if got.StatusCode != http.StatusNotModified || text(t, got) != "" || got.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: %d %v", known, got.StatusCode, got.Header)
		}
		for _, name := range []string{"ETag", "Cache-Control", "Content-Security-Policy", "Vary"} { // they replace the stored ones
			if got.Header.Get(name) != first.Header.Get(name) {
				t.Errorf("%s: %q became %q", name, first.Header.Get(name), got.Header.Get(name))
			}
		}
	}
	for _, other := range []string{`"x"`, strings.Trim(tag, `"`), ""} {
		if got := get(app, "GET", "/", "Accept-Encoding", "br", "If-None-Match", other); got.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", other, got.StatusCode)
		}
	}
	if got := get(app, "GET", "/", "Accept-Encoding", "gzip", "If-None-Match", tag); got.StatusCode != http.StatusOK {
		t.Error("the tag of one form names another one")
	}
}

func TestHeadHasTheHeadersOfGet(t *testing.T) {
	t.Parallel()
	app := setup(t)
	got, full := get(app, "HEAD", "/assets/a-1.js", "Accept-Encoding", "br"), get(app, "GET", "/assets/a-1.js", "Accept-Encoding", "br")
	if body := text(t, got); body != "" || got.StatusCode != http.StatusOK {
		t.Errorf("%d %q", got.StatusCode, body)
	}
	for name := range full.Header {
		if got.Header.Get(name) != full.Header.Get(name) {
			t.Errorf("%s: %q", name, got.Header.Get(name))
		}
	}
}

func TestBrokenBuildIsRefused(t *testing.T) {
	t.Parallel()
	for claim, files := range map[string]fstest.MapFS{
		"no start page":           {"assets/a.js": {}},
		"an unknown type of file": {"index.html": {}, "assets/a.exe": {}},
	} {
		if _, err := web.New(files, web.Settings{}); err == nil {
			t.Errorf("%s was accepted", claim)
		}
	}
}

func TestAnswersDoNotAllocate(t *testing.T) { //nolint:paralleltest // allocations are counted in the whole process
	app := setup(t)
	w := &discarding{header: http.Header{}}
	r := httptest.NewRequest(http.MethodGet, "/assets/a-1.js", nil)
	r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	r.Header.Set("If-None-Match", `"x", "y"`)
	deep := httptest.NewRequest(http.MethodGet, "/organization/7/captable", nil)
	deep.Header.Set("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")
	for _, request := range []*http.Request{r, deep} {
		if allocated := testing.AllocsPerRun(100, func() { app.Serve(w, request) }); allocated > 0 {
			t.Errorf("%s: %v allocations", request.URL.Path, allocated)
		}
	}
}

// discarding is a response without a recorded body.
type discarding struct{ header http.Header }

func (d *discarding) Header() http.Header            { return d.header }
func (d *discarding) Write(body []byte) (int, error) { return len(body), nil }
func (d *discarding) WriteHeader(int)                {}

func BenchmarkServe(b *testing.B) {
	app, w := setup(b), &discarding{header: http.Header{}}
	r := httptest.NewRequest(http.MethodGet, "/assets/a-1.js", nil)
	r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	b.ReportAllocs()
	for b.Loop() {
		app.Serve(w, r)
	}
}

// TestEmbeddedBuildIsComplete checks the files that the program embeds.
func TestEmbeddedBuildIsComplete(t *testing.T) {
	t.Parallel()
	files, err := web.Files()
	if err != nil {
		t.Fatal(err)
	}
	app, err := web.New(files, web.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	for _, license := range []string{"/licenses.txt", "/license-inter.txt"} {
		if !app.Has(license) {
			t.Errorf("%s does not exist", license)
		}
	}
	start := text(t, get(app, "GET", "/"))
	for _, found := range regexp.MustCompile(`\b(?:src|href)="([^"]*)"`).FindAllStringSubmatch(start, -1) {
		if !app.Has(found[1]) {
			t.Errorf("the start page names %s, which does not exist", found[1])
		}
	}
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		plain, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		for _, coding := range []string{"gzip", "br"} {
			if got := decompressed(t, get(app, "GET", "/"+name, "Accept-Encoding", coding)); got != string(plain) {
				t.Errorf("%s in %s has other bytes", name, coding)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
