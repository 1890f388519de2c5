package main

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestStreamSurvivesThePassivationOfItsOrganization keeps a stream open while the organization leaves memory and is loaded again,
// and stops the server in order.
func TestStreamSurvivesThePassivationOfItsOrganization(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["PASSIVATE_AFTER"] = "1s"
	r := s.serve(t, "--demo")
	v := r.signIn(t)
	_, _, list := v.send(t, http.MethodGet, "/v1/organization", "")
	_, rest, _ := strings.Cut(list, `"id":"`)
	home := "/v1/organization/" + rest[:36]
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+home+"/event", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := v.client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	lines := bufio.NewScanner(response.Body)
	for range 2 {
		for deadline := time.Now().Add(time.Minute); ; {
			_, body := r.get(t, r.metrics+"/metrics")
			if strings.Contains(body, "\nequity_organizations_live 0\n") && strings.Contains(body, "\nequity_event_streams 1\n") {
				break
			}
			if time.Now().After(deadline) {
				t.Fatal("the organization does not leave memory")
			}
		}
		if status, _, body := v.send(t, http.MethodPatch, home, `{"website":"https://`+time.Now().Format("150405.000000")+`.example.com"}`); status != http.StatusOK {
			t.Fatalf("%d %s", status, body)
		}
		if !scanned(lines, "event: organizationChanged") {
			t.Fatal("the event did not arrive")
		}
	}
	r.stop()
	if !scanned(lines, "retry: ") || scanned(lines, "event") {
		t.Error("the stream did not end with a time to reconnect")
	}
}

// scanned reads up to a line with the prefix; false at the end.
func scanned(lines *bufio.Scanner, prefix string) bool {
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), prefix) {
			return true
		}
	}
	return false
}
