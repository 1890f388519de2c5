package http

import (
	"net/http"
	"strings"

	"equity/http/api"
)

// App serves the files and pages of the browser app.
type App interface {
	// Has reports whether the path is a file of the app, or a page that answers every client.
	Has(path string) bool
	// Serve answers a request with the method GET or HEAD. It returns false if the path does not belong to the app.
	Serve(w http.ResponseWriter, r *http.Request) bool
}

// appEndpoint is the name of all paths of the app in the log and the metrics.
const appEndpoint = "/app"

// serveApp answers a request for the browser app. It needs neither a session nor a slot of the queue, because the answers are in memory and
// the same for everybody. The app has no paths below those of the server: a client with a wrong path must get an error.
func (s *Server) serveApp(x *exchange) {
	path := x.r.URL.Path
	if s.app == nil || reserved(path) {
		s.Fail(x.w, api.NoPath(), x.id)
		return
	}
	if x.r.Method != http.MethodGet && x.r.Method != http.MethodHead {
		if !s.app.Has(path) {
			s.Fail(x.w, api.NoPath(), x.id)
			return
		}
		x.endpoint = appEndpoint
		x.w.Header().Set("Allow", "GET, HEAD")
		s.Fail(x.w, errNoMethod(x.r.Method), x.id)
		return
	}
	header := x.w.Header()
	origin := header["Access-Control-Allow-Origin"]
	delete(header, "Access-Control-Allow-Origin") // stored answers do not depend on the origin
	if s.app.Serve(x.w, x.r) {
		x.endpoint = appEndpoint
		return
	}
	if origin != nil {
		header["Access-Control-Allow-Origin"] = origin
	}
	s.Fail(x.w, api.NoPath(), x.id)
}

// reserved reports whether a path without a handler is below one of the server.
func reserved(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch "/" + first {
	case api.Prefix, api.AppPrefix, "/oauth", "/.well-known", "/mcp":
		return true
	}
	return false
}
