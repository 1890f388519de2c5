package http

import (
	"net/http"
	"net/url"
	"strings"

	"equity/fault"
	"equity/http/api"
	"equity/http/oauth"
)

// Headers of every answer. The slices are shared and must not be modified.
var (
	noSniff    = []string{"nosniff"}                                                                         //nolint:gochecknoglobals // immutable
	noReferrer = []string{"no-referrer"}                                                                     //nolint:gochecknoglobals // immutable
	noIndex    = []string{"noindex"}                                                                         //nolint:gochecknoglobals // immutable
	noFrame    = []string{"DENY"}                                                                            //nolint:gochecknoglobals // immutable
	noContent  = []string{"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"} //nolint:gochecknoglobals // immutable
	vary       = []string{"Authorization, Cookie, Origin"}                                                   //nolint:gochecknoglobals // immutable
	overHTTPS  = []string{"max-age=31536000"}                                                                //nolint:gochecknoglobals // immutable
)

// harden sets security headers. Pages, such as the API reference, replace the Content-Security-Policy
// with their own.
func (s *Server) harden(header http.Header, id string) {
	header["X-Content-Type-Options"] = noSniff
	header["Referrer-Policy"] = noReferrer // addresses of pages contain tokens
	header["X-Robots-Tag"] = noIndex
	header["X-Frame-Options"] = noFrame
	header["Content-Security-Policy"] = noContent
	header["Vary"] = vary
	header["X-Request-Id"] = []string{id}
	if s.settings.Secure {
		header["Strict-Transport-Security"] = overHTTPS
	}
}

// cross handles cross-origin requests and reports whether it answered the request. The frontend's
// origin may read and write; other origins may not change anything. Clients other than browsers send
// neither header and pass. A request with a bearer token passes too, because no cookie counts for it and browsers add no token.
func (s *Server) cross(x *exchange) (answered bool) {
	origin := x.r.Header.Get("Origin")
	if origin != "" && origin == s.settings.FrontendOrigin {
		header := x.w.Header()
		header.Set("Access-Control-Allow-Origin", origin)
		header.Set("Access-Control-Allow-Credentials", "true")
		header.Set("Access-Control-Expose-Headers", "ETag, Location, Retry-After, X-Request-Id, Content-Disposition")
	}
	if x.r.Method == http.MethodOptions {
		s.preflight(x, origin)
		return true
	}
	if err := s.origins.Check(x.r); err != nil && !bearerDecides(x.r) {
		s.Fail(x.w, &fault.FailureError{
			Refusal: fault.Refuse(fault.Forbidden, "Pages of other sites may not send this request."), Cause: err,
		}, x.id)
		return true
	}
	if isPlain(&s.settings, x.r, origin) {
		s.Fail(x.w, fault.Refuse(fault.Forbidden,
			"This page was opened with http, where browsers drop the cookie of a session. Open "+s.settings.PublicURL+" instead."), x.id)
		return true
	}
	return false
}

// isPlain reports whether a page that was opened without encryption wants to change something in a server for HTTPS. Its browser
// drops the cookie of the session, except on the own machine.
func isPlain(settings *Settings, r *http.Request, origin string) bool {
	address, err := url.Parse(origin)
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	return settings.Secure && !reads && err == nil && address.Scheme == "http" && !oauth.IsLoopback(address) &&
		origin != settings.FrontendOrigin && !bearerDecides(r)
}

const preflightAge = "600" // seconds

func (s *Server) preflight(x *exchange, origin string) {
	header := x.w.Header()
	if origin != "" && origin == s.settings.FrontendOrigin {
		header.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE")
		header.Set(
			"Access-Control-Allow-Headers",
			"Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id",
		)
		header.Set("Access-Control-Max-Age", preflightAge)
	}
	header.Set("Allow", s.methods(x.r)+", OPTIONS")
	x.w.WriteHeader(http.StatusNoContent)
}

// methods returns the methods of a path as in the header Allow. Paths outside of the contract are read, except those of programs.
func (s *Server) methods(r *http.Request) string {
	path := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, api.AppPrefix), "/")
	if found, _, err := s.routes.find(withPath(r, path)); err == nil {
		return found.allow
	}
	if handlers := s.oauth.Handler(path); handlers != nil {
		return allowed(handlers)
	}
	if path == oauth.MCPPath {
		return http.MethodPost
	}
	return "GET, HEAD"
}

func errNoMethod(method string) error {
	const longest = 20 // characters of the method in the message
	return fault.Refuse(
		fault.MethodNotAllowed, "This path does not support the method "+strings.ToUpper(method[:min(len(method), longest)])+".",
	)
}
