// Package stripetest is a fake of Stripe for tests: a real HTTP server with the behavior that billing relies on, and switches for
// faults. Events are signed with the test helper of stripe-go.
package stripetest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// The secrets of the fake.
const (
	Key    = "sk_test_fake"
	Secret = "whsec_fake"
)

// Faults are switches for faults of the API.
type Faults struct {
	// Status refuses each request: 429 with Retry-After, 500, 401; 0 accepts it.
	Status int
	// Hang keeps requests without an answer.
	Hang bool
	// Empty answers each request with an empty object.
	Empty bool
}

// Request is a received request.
type Request struct {
	Method, Path, Key string
	Form              url.Values
}

// Server is the fake. It is safe for concurrent use.
type Server struct {
	URL string
	// OwnPages replaces the addresses of Stripe's pages for users by pages of the fake.
	OwnPages bool
	// Before runs before a request has its effect; it may refuse it. It may be nil.
	Before func(context.Context, Request) (status int)
	// After runs after the effect of a request, before its answer.
	After func(Request)

	mu            sync.Mutex
	faults        Faults
	now           func() time.Time
	requests      []Request
	customers     map[string]object
	subscriptions map[string]object
	invoices      map[string]object
	sessions      map[string]url.Values // the forms that requested the pages for users
	answered      map[string]remembered
	counter       int
	events        []Event
	mirror        string
	invalid       []string
	release       chan struct{}
}

type object = map[string]any

type remembered struct {
	form   string
	status int
	body   []byte
}

// New returns a fake that ends with the test.
func New(tb testing.TB, now func() time.Time) *Server {
	tb.Helper()
	s, end := Start(now)
	tb.Cleanup(end)
	return s
}

// Start returns a fake, and a function that ends it.
func Start(now func() time.Time) (s *Server, end func()) {
	s = &Server{
		now: now, customers: map[string]object{}, subscriptions: map[string]object{}, invoices: map[string]object{},
		sessions: map[string]url.Values{},
		answered: map[string]remembered{}, release: make(chan struct{}),
	}
	routes := http.NewServeMux()
	routes.HandleFunc("/", s.serve)
	routes.HandleFunc("GET /pages/{session}", s.page)
	routes.HandleFunc("POST /pages/{session}", s.pay)
	server := httptest.NewServer(routes)
	s.URL = server.URL
	return s, func() {
		close(s.release)
		server.CloseClientConnections()
		server.Close()
	}
}

// Mirror passes each request to stripe-mock at the address too, which validates it. See Invalid.
func (s *Server) Mirror(address string) { s.mirror = address }

// Invalid returns the requests that stripe-mock refused.
func (s *Server) Invalid() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.invalid)
}

// Set sets the faults.
func (s *Server) Set(faults Faults) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = faults
}

// Requests returns the received requests with the method and the prefix of the path.
func (s *Server) Requests(method, prefix string) (found []Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		if r.Method == method && strings.HasPrefix(r.Path, prefix) {
			found = append(found, r)
		}
	}
	return found
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if r.ParseForm() != nil { // the caller gave up before the end of the request, so that it has no effect
		return
	}
	request := Request{r.Method, r.URL.Path, r.Header.Get("Idempotency-Key"), r.Form}
	s.mu.Lock()
	s.requests = append(s.requests, request)
	faults := s.faults
	s.mu.Unlock()
	if faults.Hang {
		select {
		case <-r.Context().Done():
		case <-s.release:
		}
		return
	}
	status := faults.Status
	if status == 0 && r.Header.Get("Authorization") != "Bearer "+Key {
		status = http.StatusUnauthorized
	}
	if s.Before != nil && status == 0 {
		status = s.Before(r.Context(), request)
	}
	if status != 0 {
		if status == http.StatusTooManyRequests {
			w.Header().Set("Retry-After", "2")
		}
		refuse(w, status, "refused")
		return
	}
	if faults.Empty {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte("{}"))
		return
	}
	s.validate(r, request)
	status, body := s.once(request)
	if s.After != nil {
		s.After(request)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `{"error":{"type":"invalid_request_error","code":%q,"message":"refused"}}`, code)
}

// validate passes the request to stripe-mock.
func (s *Server) validate(r *http.Request, request Request) {
	if s.mirror == "" {
		return
	}
	address := s.mirror + r.URL.Path
	body := ""
	if r.Method == http.MethodPost {
		body = r.PostForm.Encode()
	}
	if r.URL.RawQuery != "" {
		address += "?" + r.URL.RawQuery
	}
	copied, err := http.NewRequestWithContext(r.Context(), r.Method, address, strings.NewReader(body))
	if err == nil {
		copied.Header.Set("Authorization", "Bearer sk_test_123")
		copied.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		var answer *http.Response
		if answer, err = http.DefaultClient.Do(copied); err == nil {
			_ = answer.Body.Close()
			if answer.StatusCode >= http.StatusBadRequest {
				err = fmt.Errorf("status %d", answer.StatusCode) //nolint:err113 // text of a test
			}
		}
	}
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.invalid = append(s.invalid, fmt.Sprintf("%s %s %v: %v", request.Method, request.Path, request.Form, err))
	}
}

// once answers a request, and a repetition with its idempotency key like the first time.
func (s *Server) once(r Request) (int, []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	form := r.Path + "?" + r.Form.Encode()
	if first, known := s.answered[r.Key]; known && r.Key != "" {
		if first.form != form {
			return http.StatusBadRequest, []byte(`{"error":{"type":"idempotency_error","message":"other parameters"}}`)
		}
		return first.status, first.body
	}
	status, record := s.answer(r)
	body, err := json.Marshal(record)
	if err != nil {
		return http.StatusInternalServerError, nil
	}
	if r.Method == http.MethodPost && r.Key != "" {
		s.answered[r.Key] = remembered{form, status, body}
	}
	return status, body
}

func (s *Server) answer(r Request) (int, object) {
	kind, rest, _ := strings.Cut(strings.TrimPrefix(r.Path, "/v1/"), "/")
	switch kind {
	case "products":
		return list(products())
	case "prices":
		return list(prices())
	case "customers":
		return s.customer(r, rest)
	case "coupons":
		if rest != "HALF" {
			return missing()
		}
		return http.StatusOK, object{"id": rest, "object": "coupon", "valid": true}
	case "subscriptions":
		return s.subscription(r, rest)
	case "subscription_items":
		return s.item(r, rest)
	case "checkout":
		return http.StatusOK, s.session(r, "cs", "checkout.session", "https://checkout.stripe.com/c/pay")
	case "billing_portal":
		return http.StatusOK, s.session(r, "bps", "billing_portal.session", "https://billing.stripe.com/p/session")
	case "invoices":
		return s.invoice(r, rest)
	}
	return missing()
}

func missing() (int, object) {
	return http.StatusNotFound, object{"error": object{"type": "invalid_request_error", "code": "resource_missing", "message": "missing"}}
}

func list(data []object) (int, object) {
	if data == nil {
		data = []object{} // which is not null
	}
	return http.StatusOK, object{"object": "list", "data": data, "has_more": false}
}

func (s *Server) id(prefix string) string {
	s.counter++
	return fmt.Sprintf("%s_%06d", prefix, s.counter)
}

func clone(o object) object { return maps.Clone(o) }
