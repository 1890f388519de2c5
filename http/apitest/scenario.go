package apitest

import (
	"strings"
	"testing"
)

// Scenario is a request with the expected answer.
type Scenario struct {
	Claim        string
	As           *Client
	Method, Path string
	Body         string
	Headers      []string
	Status       int
	// Has and Lacks list texts that must and must not be in the body.
	Has, Lacks []string
}

// Run runs the scenarios in order, each as a subtest.
func Run(t *testing.T, scenarios []Scenario) {
	t.Helper()
	for _, s := range scenarios {
		t.Run(s.Claim, func(t *testing.T) {
			t.Helper()
			got := s.As.Send(t, s.Method, s.Path, s.Body, s.Headers...)
			if got.Status != s.Status {
				t.Errorf("%s %s: status %d, want %d: %s", s.Method, s.Path, got.Status, s.Status, got.Body)
			}
			for _, text := range s.Has {
				if !strings.Contains(got.Body, text) {
					t.Errorf("%q is missing in %s", text, got.Body)
				}
			}
			for _, text := range s.Lacks {
				if strings.Contains(got.Body, text) {
					t.Errorf("%q must not be in %s", text, got.Body)
				}
			}
		})
	}
}
