package http

import (
	"net/http"
	"strings"

	"equity/captable"
	"equity/organization"
)

// What every answer says. The slices are shared: headers are read, never written to.
var (
	noSniff    = []string{"nosniff"}                                                                         //nolint:gochecknoglobals // immutable
	noReferrer = []string{"same-origin"}                                                                     //nolint:gochecknoglobals // immutable
	noFrame    = []string{"DENY"}                                                                            //nolint:gochecknoglobals // immutable
	noContent  = []string{"default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"} //nolint:gochecknoglobals // immutable
	vary       = []string{"Cookie, Origin"}                                                                  //nolint:gochecknoglobals // immutable
	overHTTPS  = []string{"max-age=31536000"}                                                                //nolint:gochecknoglobals // immutable
)

// harden sets the headers that keep browsers from doing what nobody wants. Pages,
// such as the reference, replace the content policy by their own.
func (s *Server) harden(header http.Header, id string) {
	header["X-Content-Type-Options"] = noSniff
	header["Referrer-Policy"] = noReferrer
	header["X-Frame-Options"] = noFrame
	header["Content-Security-Policy"] = noContent
	header["Vary"] = vary
	header["X-Request-Id"] = []string{id}
	if s.settings.Secure {
		header["Strict-Transport-Security"] = overHTTPS
	}
}

// cross handles what comes from other origins, and tells whether it was answered:
// the frontend's pages may read and write, anybody else's may do nothing that
// changes something. Clients that are no browsers send neither header and pass.
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
	if err := s.origins.Check(x.r); err != nil {
		s.fail(x.w, &failure{
			refusal: captable.Refuse(organization.CodeForbidden, "A page of another site may not do this."), cause: err,
		}, x.id)
		return true
	}
	return false
}

const preflightAge = "600" // seconds

func (s *Server) preflight(x *exchange, origin string) {
	header := x.w.Header()
	if origin != "" && origin == s.settings.FrontendOrigin {
		header.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE")
		header.Set("Access-Control-Allow-Headers", "Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id")
		header.Set("Access-Control-Max-Age", preflightAge)
	}
	x.w.WriteHeader(http.StatusNoContent)
}

func errMethod(method string) error {
	const longest = 20 // of a method that we repeat
	return captable.Refuse(codeMethodNotAllowed, "This address does not answer "+strings.ToUpper(method[:min(len(method), longest)])+".")
}
