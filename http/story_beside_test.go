package http_test

import (
	"net/http"
	"testing"
)

// beside is the part of the story that is about what people have beside organizations.
func (f *firm) beside(t *testing.T) {
	t.Helper()
	own := f.user.Entity.String()
	wallet := f.must(t, "POST", "/v1/wallet", walletWish(own, "ethereum", onEthereum), http.StatusCreated).header.Get("Location")
	f.must(t, "PUT", "/v1/wallet/"+last(wallet), `{"label":"Cold storage"}`, http.StatusOK)
	f.must(t, "GET", "/v1/entity/"+own+"/wallet", "", http.StatusOK)
	f.must(t, "GET", wallet, "", http.StatusOK)
	f.must(t, "DELETE", wallet, "", http.StatusNoContent)
	b, other := f.bundle, f.person(t, "other@example.com")
	b.grant(t, own, 10)
	f.must(t, "POST", "/v1/credit/transfer", transferOf(own, other.user.Entity.String(), "2.5"), http.StatusOK)
	f.must(t, "GET", "/v1/entity/"+own+"/history", "", http.StatusOK)
}
