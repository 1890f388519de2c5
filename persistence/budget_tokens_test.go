package persistence_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

func TestReservationsNeverExceedTheBudget(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		budget := persistence.NewModelBudget(db)
		payer := messages.ModelPayer{
			Organization: storetest.NewID[organization.Organization](),
			User:         organization.UserID(storetest.NewID[organization.Organization]()),
		}
		var admitted atomic.Int64
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				if budget.Reserve(t.Context(), payer, "2026-03", 30, messages.ModelLimits{Organization: 100}) == nil {
					admitted.Add(1)
				}
			})
		}
		wait.Wait()
		if of, _, err := budget.Spent(t.Context(), payer, "2026-03"); err != nil || of != 90 || admitted.Load() != 3 {
			t.Errorf("%d tokens after %d reservations: %v", of, admitted.Load(), err)
		}
	})
}

func TestReservationIsNoChangeOfTheRequest(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		budget := persistence.NewModelBudget(db)
		payer := messages.ModelPayer{Organization: storetest.NewID[organization.Organization]()}
		ctx, changes := messages.WithChanges(t.Context())
		must(t, budget.Reserve(ctx, payer, "2026-03", 80, messages.ModelLimits{}))
		must(t, budget.Settle(ctx, payer, "2026-03", -80))
		if changes.Any() {
			t.Error("a message without an answer would be refused with an unknown outcome")
		}
	})
}

func TestAccountHasOneBudgetInAllOrganizations(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		budget, limits := persistence.NewModelBudget(db), messages.ModelLimits{Organization: 100, Account: 100}
		user := organization.UserID(storetest.NewID[organization.Organization]())
		first, second := storetest.NewID[organization.Organization](), storetest.NewID[organization.Organization]()
		must(t, budget.Reserve(t.Context(), messages.ModelPayer{Organization: first, User: user}, "2026-03", 80, limits))
		err := budget.Reserve(t.Context(), messages.ModelPayer{Organization: second, User: user}, "2026-03", 80, limits)
		if !errors.Is(err, messages.ErrAccountBudgetSpent) {
			t.Errorf("%v", err)
		}
		if of, _, err := budget.Spent(t.Context(), messages.ModelPayer{Organization: second}, "2026-03"); err != nil || of != 0 {
			t.Errorf("the refused reservation counts %d tokens to the organization: %v", of, err)
		}
		must(t, budget.Settle(t.Context(), messages.ModelPayer{Organization: first, User: user}, "2026-03", -70))
		must(t, budget.Reserve(t.Context(), messages.ModelPayer{Organization: second, User: user}, "2026-03", 80, limits))
		must(t, budget.Reserve(t.Context(), messages.ModelPayer{Organization: second, User: user}, "2026-04", 100, limits))
		if err := budget.Reserve(t.Context(), messages.ModelPayer{}, "2026-03", 101, limits); !errors.Is(err, messages.ErrAccountBudgetSpent) {
			t.Errorf("descriptions without an account have no budget: %v", err)
		}
	})
}

func TestNetworksWithoutAnAccountHaveBudgetsWithinATotal(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		budget, limits := persistence.NewModelBudget(db), messages.ModelLimits{Account: 100, Anonymous: 150}
		reserve := func(network, month string, tokens int64) error {
			return budget.Reserve(t.Context(), messages.ModelPayer{Network: network}, month, tokens, limits)
		}
		must(t, reserve("192.0.2.1", "2026-03", 90))
		if err := reserve("192.0.2.1", "2026-03", 20); !errors.Is(err, messages.ErrAccountBudgetSpent) {
			t.Errorf("beyond the budget of a network: %v", err)
		}
		must(t, reserve("2001:db8::/64", "2026-03", 50))
		if err := reserve("192.0.2.2", "2026-03", 20); !errors.Is(err, messages.ErrAccountBudgetSpent) {
			t.Errorf("beyond the total: %v", err)
		}
		if _, total, err := budget.Spent(t.Context(), messages.ModelPayer{}, "2026-03"); err != nil || total != 140 {
			t.Errorf("refused reservations count: %d %v", total, err)
		}
		must(t, budget.Settle(t.Context(), messages.ModelPayer{Network: "192.0.2.1"}, "2026-03", -80))
		must(t, reserve("192.0.2.1", "2026-03", 90))
		must(t, reserve("192.0.2.1", "2026-04", 100))
		must(t, budget.Reserve(
			t.Context(), messages.ModelPayer{User: organization.UserID(storetest.NewID[organization.Organization]())}, "2026-03", 100,
			limits,
		))
	})
}
