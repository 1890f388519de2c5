package http_test

import (
	"net/http"
	"strconv"
	"testing"

	"equity/http/apitest"
)

// An IPv6 client usually controls a whole network of addresses. Registrations and guesses are
// therefore counted by network.
func TestAttemptsAreCountedByNetwork(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	register := func(number, from string, status int) {
		t.Helper()
		body := `{"email":"` + number + `@example.com","password":"compilers are for people","firstName":"G","lastName":"H","acceptedTerms":true}`
		b.Anonymous().Must(t, "POST", "/v1/user", body, status, "X-Forwarded-For", from)
	}
	for i := range 3 { // the limit of one address
		register("a"+strconv.Itoa(i), "2001:db8:1:2::"+strconv.Itoa(i), http.StatusCreated)
	}
	register("b", "2001:db8:1:2:ffff::1", http.StatusBadRequest)
	register("b", "2001:db8:1:3::1", http.StatusCreated)
}

// Guesses at one account count together for every spelling of its address.
func TestGuessesAreCountedByAccount(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	b.NewPerson(t, "ada@exämple.com")
	spellings := []string{"ada@exämple.com", "ADA@exämple.com", "ada@exa\u0308mple.com", "Ada@exA\u0308mple.com"}
	for i := range 10 {
		body := `{"email":"` + spellings[i%len(spellings)] + `","password":"guess"}`
		b.Anonymous().Must(t, "POST", "/v1/user/login", body, http.StatusBadRequest)
	}
	for _, email := range spellings {
		body := `{"email":"` + email + `","password":"` + apitest.Password + `"}`
		b.Anonymous().Must(t, "POST", "/v1/user/login", body, http.StatusTooManyRequests)
	}
}
