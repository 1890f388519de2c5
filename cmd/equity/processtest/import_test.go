package processtest_test

import (
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
)

// importedRows is the size of an import with a transaction of several round trips.
const importedRows = 3_000

// TestKilledImportIsStoredCompletelyOrNotAtAll kills the server at random moments of an import of many rows.
func TestKilledImportIsStoredCompletelyOrNotAtAll(t *testing.T) {
	t.Parallel()
	for name, store := range map[string]func(*testing.T) processtest.Settings{
		"SQLite": processtest.Embedded, "PostgreSQL": processtest.Services,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings := store(t)
			server := processtest.Start(t, settings)
			client := processtest.SignIn(t, server, settings, "ada@example.com")
			file := "holder,security,shares,issueDate\n" + strings.Repeat("Grace Hopper,Common Stock,1,2024-03-15\n", importedRows)
			begin := time.Now()
			answer, err := client.Upload(t.Context(), client.NewCompany(t, "1000000").Import("shareholdings"), "text/csv", file)
			if err != nil || answer.Status != http.StatusCreated {
				t.Fatalf("%v %v", err, answer)
			}
			whole := time.Since(begin)
			for range kills(t, "IMPORT_KILLS") {
				company := client.NewCompany(t, "1000000")
				answered := make(chan bool, 1)
				go func() {
					answer, err := client.Upload(t.Context(), company.Import("shareholdings"), "text/csv", file)
					answered <- err == nil && answer.Status == http.StatusCreated
				}()
				<-time.After(rand.N(whole))
				server.Kill()
				stored := <-answered
				processtest.Verify(t, settings)
				server = processtest.Start(t, settings)
				client = client.At(server)
				switch got := client.Outstanding(t, company); {
				case got == strconv.Itoa(importedRows):
				case got != "0" || stored:
					t.Errorf("%s of %d rows are stored; acknowledged: %t", got, importedRows, stored)
				}
			}
		})
	}
}
