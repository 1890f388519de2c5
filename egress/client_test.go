package egress_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"equity/egress"
)

func TestRedirectIsAnAnswer(t *testing.T) {
	t.Parallel()
	followed := false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		followed = followed || r.URL.Path == "/other"
		http.Redirect(w, r, "/other", http.StatusTemporaryRedirect)
	}))
	t.Cleanup(server.Close)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := egress.NewClient(nil, 0).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if err := answer.Body.Close(); err != nil || answer.StatusCode != http.StatusTemporaryRedirect || followed {
		t.Errorf("status %d, followed: %t, %v", answer.StatusCode, followed, err)
	}
}
