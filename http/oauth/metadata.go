package oauth

import (
	"net/http"

	"equity/http/api"
	"equity/messages"
)

// scopes returns the scopes in their order.
func scopes() []messages.ToolClass {
	return []messages.ToolClass{messages.ToolRead, messages.ToolWrite, messages.ToolDestructive}
}

const metadataAge = "public, max-age=3600"

// describeResource returns the metadata of the resource (RFC 9728).
func (s *Server) describeResource(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", metadataAge)
	w.Header().Set("Access-Control-Allow-Origin", "*") // public, for clients in browsers
	send(w, http.StatusOK, map[string]any{
		"resource": s.Resource(), "resource_name": "equity", "authorization_servers": []string{s.issuer},
		"bearer_methods_supported": []string{"header"}, "scopes_supported": scopes(), "resource_documentation": s.issuer + "/docs",
	})
}

// describeServer returns the metadata of the authorization server (RFC 8414).
func (s *Server) describeServer(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", metadataAge)
	w.Header().Set("Access-Control-Allow-Origin", "*")
	send(w, http.StatusOK, map[string]any{
		"issuer":                                         s.issuer,
		"authorization_endpoint":                         s.issuer + api.AuthorizePath,
		"token_endpoint":                                 s.issuer + tokenPath,
		"registration_endpoint":                          s.issuer + registerPath,
		"revocation_endpoint":                            s.issuer + revokePath,
		"scopes_supported":                               scopes(),
		"response_types_supported":                       []string{"code"},
		"response_modes_supported":                       []string{"query"},
		"grant_types_supported":                          []string{grantCode, grantRefresh},
		"code_challenge_methods_supported":               []string{methodS256},
		"token_endpoint_auth_methods_supported":          []string{authNone},
		"revocation_endpoint_auth_methods_supported":     []string{authNone},
		"authorization_response_iss_parameter_supported": true,
		"service_documentation":                          s.issuer + "/docs",
	})
}
