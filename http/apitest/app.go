package apitest

import (
	"strings"
	"testing"
	"testing/fstest"

	"equity/http/api"
	"equity/web"
)

// StartPage is the start page of the app in tests.
const StartPage = `<!doctype html><title>app</title><script>theme()</script><script type="module" src="/assets/a.js"></script>`

// StartScript is long enough to be compressed.
var StartScript = strings.Repeat("run();", 100)

// newApp returns a small browser app.
func newApp(tb testing.TB) *web.App {
	tb.Helper()
	app, err := web.New(fstest.MapFS{
		"index.html": {Data: []byte(StartPage)}, "favicon.svg": {Data: []byte("<svg/>")},
		"assets/a.js": {Data: []byte(StartScript)},
	}, web.Settings{Pages: api.AppPages()})
	if err != nil {
		tb.Fatal(err)
	}
	return app
}
