package processtest_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"equity/cmd/equity/processtest"
	"equity/persistence/storetest"
)

// fireTime is the duration of a test: short by default, or
// TORTURE_SECONDS.
func fireTime(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("TORTURE_SECONDS")
	if text == "" {
		return 6 * time.Second
	}
	seconds, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("TORTURE_SECONDS: %v", err)
	}
	return time.Duration(seconds) * time.Second
}

func TestKilled(t *testing.T) {
	t.Parallel()
	for name, deployment := range map[string]func(*testing.T) processtest.Settings{
		"with the embedded stores":  processtest.Embedded,
		"with PostgreSQL and Redis": processtest.Services,
	} {
		t.Run("a server killed at random moments keeps every acknowledged write, once, "+name, func(t *testing.T) {
			t.Parallel()
			settings := deployment(t)
			server := processtest.Start(t, settings)
			client := processtest.SignIn(t, server, settings, "ada@example.com")
			company := client.NewCompany(t, "1500")
			ledger := processtest.NewLedger()
			end := time.Now().Add(fireTime(t))
			for round := 0; round < 2 || time.Now().Before(end); round++ {
				ctx, cancel := context.WithCancel(t.Context())
				var killer sync.WaitGroup
				killer.Go(func() {
					time.Sleep(time.Duration(100+rand.IntN(700)) * time.Millisecond)
					server.Kill()
					cancel()
				})
				ledger.Write(ctx, t, client, company, fmt.Sprintf("round%d", round), 12)
				killer.Wait()
				processtest.Verify(t, settings)
				server = processtest.Start(t, settings)
				client = client.At(server)
				ledger.Check(t, client, company)
			}
			ledger.Retry(t, client, company)
			ledger.Check(t, client, company)
			t.Logf("%d acknowledged, %d refused", len(ledger.Of(processtest.Acknowledged)), len(ledger.Of(processtest.Refused)))
		})
	}
}

func TestStoreAway(t *testing.T) {
	t.Parallel()
	t.Run("callers get errors while the store is away, and writes resume without a restart", func(t *testing.T) {
		t.Parallel()
		settings := processtest.Services(t)
		address, err := url.Parse(settings["DATABASE_URL"])
		if err != nil {
			t.Fatal(err)
		}
		proxy := storetest.NewProxy(t, address.Host)
		address.Host = proxy.Address()
		direct := settings
		settings = settings.With("DATABASE_URL", address.String())
		server := processtest.Start(t, settings)
		client := processtest.SignIn(t, server, settings, "ada@example.com")
		company := client.NewCompany(t, "1000000")
		ledger := processtest.NewLedger()
		ctx, cancel := context.WithCancel(t.Context())
		var writing sync.WaitGroup
		writing.Go(func() { ledger.Write(ctx, t, client, company, "away", 6) })
		time.Sleep(time.Second)
		proxy.Refuse(true)
		told := tellsCallers(t, client, company)
		time.Sleep(time.Second)
		proxy.Refuse(false)
		recovered := recovers(t, client, company)
		cancel()
		writing.Wait()
		if !told || !recovered {
			t.Errorf("callers told: %v, recovered: %v", told, recovered)
		}
		ledger.Retry(t, client, company)
		processtest.Verify(t, direct)
	})
}

// tellsCallers reports whether a write is promptly refused as not stored.
func tellsCallers(t *testing.T, client *processtest.Client, company processtest.Company) bool {
	t.Helper()
	for i := range 20 {
		begin := time.Now()
		answer, err := client.Issue(t.Context(), company, company.Holder, "1", fmt.Sprintf("told-%d", i))
		if err != nil {
			t.Errorf("while the store was away: %v", err)
			return false
		}
		if took := time.Since(begin); took > 20*time.Second {
			t.Errorf("a caller waited %s", took)
		}
		if answer.Status == 503 {
			return true
		}
	}
	return false
}

// recovers reports whether a write succeeds again within a limit.
func recovers(t *testing.T, client *processtest.Client, company processtest.Company) bool {
	t.Helper()
	for i := range 100 {
		answer, err := client.Issue(t.Context(), company, company.Holder, "1", fmt.Sprintf("recovers-%d", i))
		if err == nil && answer.Status == 201 {
			return true
		}
		time.Sleep(200 * time.Millisecond)
	}
	return false
}

func TestOrderlyStop(t *testing.T) {
	t.Parallel()
	t.Run("a stop under load loses no acknowledged write and ends without an error", func(t *testing.T) {
		t.Parallel()
		settings := processtest.Embedded(t)
		server := processtest.Start(t, settings)
		client := processtest.SignIn(t, server, settings, "ada@example.com")
		company := client.NewCompany(t, "1000000")
		ledger := processtest.NewLedger()
		ctx, cancel := context.WithCancel(t.Context())
		var writing sync.WaitGroup
		writing.Go(func() { ledger.Write(ctx, t, client, company, "stop", 12) })
		time.Sleep(time.Second)
		if err := server.Stop(t, 30*time.Second); err != nil {
			t.Errorf("exit status: %v", err)
		}
		cancel()
		writing.Wait()
		processtest.Verify(t, settings)
		again := client.At(processtest.Start(t, settings))
		ledger.Check(t, again, company)
		if len(ledger.Of(processtest.Acknowledged)) == 0 {
			t.Error("nothing was written before the stop")
		}
	})
}
