package bench_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	"equity/captable"
	"equity/cmd/equity/bench"
	"equity/fault"
	"equity/organization"
	"equity/persistence/storetest"
)

// baseline opens a baseline on a fresh store.
func baseline(t *testing.T, factory storetest.Factory) *bench.Baseline {
	t.Helper()
	b, err := bench.NewBaseline(t.Context(), factory(t))
	if err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

func body(security captable.SecurityID, shares string) []byte {
	return fmt.Appendf(nil, `{"entity": %q, "security": %q, "shares": %q, "issueDate": "2024-03-15", "pricePerShare": "0.25"}`,
		storetest.NewID[captable.Entity]().String(), security.String(), shares)
}

func named(captable.EntityID) string { return "Grace Hopper" }

func TestBaselineDoesTheWork(t *testing.T) {
	t.Parallel()
	for engine, factory := range storetest.Engines() {
		t.Run("consecutive issues are numbered on "+engine, func(t *testing.T) {
			t.Parallel()
			b := baseline(t, factory)
			org, security := storetest.NewID[organization.Organization](), storetest.NewID[captable.Security]()
			for n := int64(1); n <= 3; n++ {
				row, err := b.Issue(t.Context(), org, "ada", body(security, "10"), named)
				if err != nil {
					t.Fatal(err)
				}
				if row.SerialNumber != n || row.Certificate != fmt.Sprintf("CS-%d", n) || row.ShareholderName != "Grace Hopper" || row.Version != n {
					t.Errorf("issue %d gave %+v", n, row)
				}
				if text, err := json.Marshal(row); err != nil || len(text) < 200 {
					t.Errorf("answered %s, %v", text, err)
				}
			}
			checkIssued(t, b, org, security, "30", 3)
		})
		t.Run("concurrent issues are all recorded on "+engine, func(t *testing.T) {
			t.Parallel()
			b := baseline(t, factory)
			org, security := storetest.NewID[organization.Organization](), storetest.NewID[captable.Security]()
			var callers sync.WaitGroup
			for range 16 {
				callers.Go(func() {
					for range 4 {
						if _, err := b.Issue(t.Context(), org, "ada", body(security, "1"), named); err != nil {
							t.Error(err)
						}
					}
				})
			}
			callers.Wait()
			checkIssued(t, b, org, security, "64", 64)
		})
		t.Run("unauthorized and invalid commands are refused on "+engine, func(t *testing.T) {
			t.Parallel()
			b := baseline(t, factory)
			org, security := storetest.NewID[organization.Organization](), storetest.NewID[captable.Security]()
			_, err := b.Issue(t.Context(), org, "ada", body(security, "1000000000001"), named)
			if refusal, ok := errors.AsType[*fault.Error](err); !ok || refusal.Code != fault.InsufficientShares {
				t.Errorf("error is %v", err)
			}
			if _, err := b.Issue(t.Context(), org, "ada", []byte(`{`), named); err == nil {
				t.Error("half a body was taken")
			}
			checkIssued(t, b, org, security, "0", 0)
		})
	}
}

func checkIssued(t *testing.T, b *bench.Baseline, org organization.ID, security captable.SecurityID, issued string, count int) {
	t.Helper()
	got, rows, audits, err := b.Issued(t.Context(), org, security)
	if err != nil || got != issued || rows != count || audits != count {
		t.Errorf("%s issued in %d rows with %d audit rows, want %s in %d: %v", got, rows, audits, issued, count, err)
	}
}

func TestBaselineNeedsAStore(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "mysql://h/d", "postgres://nobody@127.0.0.1:1/none?connect_timeout=1"} {
		if _, err := bench.NewBaseline(t.Context(), address); err == nil {
			t.Errorf("%q is a store", address)
		}
	}
}
