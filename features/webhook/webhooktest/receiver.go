// Package webhooktest receives webhooks in tests, and tells the tests of the whole contract about the room.
package webhooktest

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/http/apitest"
	"equity/persistence/storetest"
)

// Request is a request that a receiver of webhooks got.
type Request struct {
	Header http.Header
	Body   string
}

// Receiver answers webhooks with the status and passes the requests on.
func Receiver(t *testing.T, status int) (url string, received <-chan Request) {
	t.Helper()
	requests := make(chan Request, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		requests <- Request{r.Header.Clone(), string(body)}
		w.WriteHeader(status)
	}))
	storetest.Cleanup(t, server.Close)
	return server.URL + "/events", requests
}

// Next returns the next request of a receiver, after a comparison with the contract.
func Next(t *testing.T, received <-chan Request) Request {
	t.Helper()
	select {
	case request := <-received:
		checkDelivery(t, apitest.NewContract(t), request)
		return request
	case <-time.After(time.Minute):
		t.Fatal("the receiver got no request")
		return Request{}
	}
}

// Signs reports whether the request has a Service-Signature with the secret.
func (r *Request) Signs(t *testing.T, secret string) bool {
	t.Helper()
	parts := strings.Split(r.Header.Get("Service-Signature"), ",")
	digest := hmac.New(sha256.New, []byte(secret))
	_, _ = io.WriteString(digest, strings.TrimPrefix(parts[0], "t=")+"."+r.Body)
	want := "v1=" + hex.EncodeToString(digest.Sum(nil))
	return slices.Contains(parts[1:], want)
}

// Callback returns the request that the contract declares for a type of webhook events, or nil.
func Callback(c *apitest.Contract, eventType string) *openapi3.Operation {
	if strings.HasPrefix(eventType, "journal.") {
		eventType = "journal.*"
	}
	declared := c.Operation("POST", "/v1/organization/x/webhook").Callbacks[eventType]
	if declared == nil {
		return nil
	}
	return declared.Value.Value("{$request.body#/url}").Post
}

// checkDelivery fails the test unless the contract declares the body and the headers of the delivery.
func checkDelivery(t *testing.T, c *apitest.Contract, request Request) {
	t.Helper()
	var got struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal([]byte(request.Body), &got); err != nil {
		t.Errorf("%v: %s", err, request.Body)
		return
	}
	declared := Callback(c, got.Type)
	if declared == nil {
		t.Errorf("the contract has no callback for %s", got.Type)
		return
	}
	c.CheckBody(t, got.Type, declared.RequestBody.Value.Content.Get("application/json").Schema, request.Body)
	for _, parameter := range declared.Parameters {
		if request.Header.Get(parameter.Value.Name) == "" {
			t.Errorf("%s: the header %s is missing", got.Type, parameter.Value.Name)
		}
	}
}
