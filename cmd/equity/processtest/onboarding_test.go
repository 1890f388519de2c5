package processtest_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
)

// description is that of a company with three holders, of whom one is the user.
const description = "Analytical Engines Inc. is a Delaware corporation with 10,000,000 authorized shares. " +
	"Ada Lovelace (%s) holds 4,500,000 shares, Charles Babbage holds 3,000,000 shares, and Mary Somerville holds 500,000 shares, " +
	"vesting over 4 years with a one-year cliff. The option pool has 1,500,000 shares. " +
	"Seed Ventures invested $500,000 on a SAFE with an $8M cap."

// TestKilledBuildContinues kills the server at random moments of the build of a company.
func TestKilledBuildContinues(t *testing.T) {
	t.Parallel()
	for name, deployment := range map[string]func(*testing.T) processtest.Settings{
		"SQLite": processtest.Embedded, "PostgreSQL": processtest.Services,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := deployment(t).With("AGENT_PROVIDER", "embedded")
			server := processtest.Start(t, settings)
			interrupted := 0
			for round := range kills(t, "ONBOARDING_KILLS") {
				email := fmt.Sprintf("ada%d@example.com", round)
				client := processtest.SignIn(t, server, settings, email)
				described := client.Must(t, http.StatusCreated, "POST", "/v1/agent/onboarding/create",
					map[string]any{"email": email, "initialPrompt": fmt.Sprintf(description, email)},
					"X-Forwarded-For", fmt.Sprintf("192.0.2.%d", 1+round%250))
				reference := map[string]any{"onboardingId": described["onboardingId"]}
				client.Must(t, http.StatusOK, "POST", "/v1/agent/onboarding/link", reference)
				waitAnalyzed(t, client, described["onboardingId"])
				var killer sync.WaitGroup
				killer.Go(func() {
					<-time.After(time.Duration(rand.IntN(250)) * time.Millisecond)
					server.Kill()
				})
				answer, err := client.Do(t.Context(), "POST", "/v1/agent/onboarding/build", reference)
				if err != nil {
					interrupted++
				} else if answer.Status != http.StatusOK {
					t.Fatalf("%v", answer)
				}
				killer.Wait()
				server = processtest.Start(t, settings)
				client = client.At(server)
				checkCompany(t, client, built(t, client, reference))
			}
			t.Logf("%d interrupted", interrupted)
			server.Kill()
			processtest.Verify(t, settings)
		})
	}
}

func waitAnalyzed(t *testing.T, client *processtest.Client, id any) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		if client.Must(t, http.StatusOK, "GET", fmt.Sprintf("/v1/agent/onboarding/%v", id), nil)["status"] == "analyzed" {
			return
		}
		<-time.After(20 * time.Millisecond) // polls another process
	}
	t.Fatal("the analysis did not end")
}

// built waits for the end of a build, and returns the id of its organization. The build begins again if the kill preceded its request.
func built(t *testing.T, client *processtest.Client, reference map[string]any) string {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); {
		answer, err := client.Do(t.Context(), "POST", "/v1/agent/onboarding/build", reference)
		if err != nil {
			t.Fatal(err)
		}
		result, _ := answer.Body["setupResult"].(map[string]any)
		if answer.Status == http.StatusOK && result != nil {
			if failed := list(result, "failed"); len(failed) > 0 {
				t.Fatalf("failed items: %v", failed)
			}
			id, _ := result["organization"].(string)
			return id
		}
		if code := answer.Body["code"]; answer.Status != http.StatusAccepted && code != "inProgress" {
			t.Fatalf("%v", answer)
		}
		<-time.After(50 * time.Millisecond) // polls another process
	}
	t.Fatal("the build did not end")
	return ""
}

// checkCompany checks that each record of the description exists once.
func checkCompany(t *testing.T, client *processtest.Client, id string) {
	t.Helper()
	if got := list(client.Must(t, http.StatusOK, "GET", "/v1/organization", nil), "data"); len(got) != 1 {
		t.Fatalf("%d organizations", len(got))
	}
	home := "/v1/organization/" + id
	for path, want := range map[string]int{"/security": 1, "/shareholding": 3, "/plan": 1, "/member": 4, "/holding": 1} {
		if got := list(client.Must(t, http.StatusOK, "GET", home+path, nil), "data"); len(got) != want {
			t.Errorf("%d records of %s: %v", len(got), path, got)
		}
	}
	totals, _ := client.Must(t, http.StatusOK, "GET", "/v1/captable/"+id+"/dashboard", nil)["totals"].(map[string]any)
	if totals["outstanding"] != "8000000" || totals["fullyDiluted"] != "9500000" || totals["authorized"] != "10000000" {
		t.Errorf("the totals are %v", totals)
	}
}
