package processtest_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
)

// kills is the number of kills: few by default, many in a long run, or that of the variable.
func kills(t *testing.T, variable string) int {
	t.Helper()
	text := os.Getenv(variable)
	switch {
	case text != "":
	case processtest.Torture():
		return 20
	default:
		return 2
	}
	number, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return number
}

// uploads are the names of acknowledged documents, with the hashes of their bytes.
type uploads struct {
	mu    sync.Mutex
	known map[string]string
}

// store uploads documents until the context ends.
func (u *uploads) store(ctx context.Context, client *processtest.Client, company processtest.Company, prefix string) {
	var group sync.WaitGroup
	for caller := range 4 {
		group.Go(func() {
			for number := 0; ctx.Err() == nil; number++ {
				name := fmt.Sprintf("%s-%d-%d.txt", prefix, caller, number)
				content := []byte(strings.Repeat(name+"\n", 1+rand.IntN(20_000)))
				answer, err := client.StoreDocument(ctx, company, name, content)
				if err == nil && answer.Status == http.StatusCreated {
					sum := sha256.Sum256(content)
					u.mu.Lock()
					u.known[name] = hex.EncodeToString(sum[:])
					u.mu.Unlock()
				}
			}
		})
	}
	group.Wait()
}

// TestKilledServerKeepsTheBytesOfEachDocument kills the server at random moments of uploads.
func TestKilledServerKeepsTheBytesOfEachDocument(t *testing.T) {
	t.Parallel()
	for name, deployment := range map[string]func(*testing.T) processtest.Settings{
		"SQLite and files": processtest.Embedded,
		"PostgreSQL and an S3 server": func(t *testing.T) processtest.Settings {
			t.Helper()
			return processtest.WithObjects(t, processtest.Services(t))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := deployment(t)
			server := processtest.Start(t, settings)
			client := processtest.SignIn(t, server, settings, "ada@example.com")
			company := client.NewCompany(t, "1000")
			stored, checked := uploads{known: map[string]string{}}, map[string]bool{}
			for round := range kills(t, "DOCUMENT_KILLS") {
				ctx, cancel := context.WithCancel(t.Context())
				var killer sync.WaitGroup
				killer.Go(func() {
					time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
					server.Kill()
					cancel()
				})
				stored.store(ctx, client, company, strconv.Itoa(round))
				killer.Wait()
				server = processtest.Start(t, settings)
				client = client.At(server)
				listed := map[string]string{}
				for _, document := range client.Documents(t, company) {
					listed[document.Name] = document.SHA256
					if checked[document.ID] {
						continue
					}
					checked[document.ID] = true
					if sum := sha256.Sum256(client.Content(t, company, document.ID)); hex.EncodeToString(sum[:]) != document.SHA256 {
						t.Fatalf("%s has other bytes", document.Name)
					}
				}
				for name, hash := range stored.known {
					if listed[name] != hash {
						t.Fatalf("the acknowledged document %s is missing", name)
					}
				}
			}
			server.Kill()
			if out, err := processtest.Run(t, settings, "verify", "--content"); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			t.Logf("%d documents, %d acknowledged", len(checked), len(stored.known))
		})
	}
}
