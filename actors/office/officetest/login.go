package officetest

import (
	"crypto/rand"
	"net/http"
)

// token is the endpoint of the login service for client_credentials.
func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	if !s.admit(w, r, kindToken) {
		return
	}
	switch {
	case r.URL.Path != "/login/"+TenantID+"/oauth2/v2.0/token":
		refuseLogin(w, http.StatusBadRequest, "invalid_request")
		return
	case r.PostFormValue("grant_type") != "client_credentials", r.PostFormValue("scope") != s.URL+"/.default":
		refuseLogin(w, http.StatusBadRequest, "invalid_scope")
		return
	case r.PostFormValue("client_id") != ClientID, r.PostFormValue("client_secret") != ClientSecret:
		refuseLogin(w, http.StatusUnauthorized, "invalid_client")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	access := "eyJ0eXAi." + rand.Text() + "." + rand.Text()
	s.access[access] = true
	s.secrets = append(s.secrets, access)
	lifetime := int(s.lifetime.Seconds())
	write(w, http.StatusOK, map[string]any{
		"token_type": "Bearer", "expires_in": lifetime, "ext_expires_in": lifetime, "access_token": access,
	})
}

// refuseLogin answers with an error of the login service.
func refuseLogin(w http.ResponseWriter, status int, code string) {
	write(w, status, map[string]any{
		"error": code, "error_description": "AADSTS7000215: Invalid client secret provided: " + ClientSecret, "error_codes": []int{7000215},
		"timestamp": "2026-03-01 09:30:00Z", "trace_id": "5b7b1f4e-0000", "correlation_id": "1f4e5b7b-0000",
	})
}
