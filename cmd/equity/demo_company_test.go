package main

import (
	"testing"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/organization"
)

// tellDemo tells the story to a state in memory.
func tellDemo(t *testing.T) *organization.State {
	t.Helper()
	state := organization.NewState()
	next, sequence := byte(0), uint64(0)
	newID := func() (id [16]byte) {
		next++
		id[15] = next
		if next == 0 {
			t.Fatal("more ids than expected")
		}
		return id
	}
	now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	do := func(command organization.Command) ([]any, error) {
		events, err := organization.Decide(state, command, organization.Moment{Now: now, NewID: newID})
		var records []any
		for _, event := range events {
			sequence++
			state.Apply(event, captable.Stamp{Sequence: sequence, At: captable.InstantOf(now), By: "system:demo"})
			records = append(records, event.Records(state)...)
		}
		return records, err
	}
	founder := captable.EntityID{1}
	_, err := do(organization.Create{ID: organization.ID{1}, Profile: demoProfile(), Creator: organization.Founder{
		User: organization.UserID{1}, Entity: founder, Name: demoFounders()[0],
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := (&demoCompany{do: do}).tell(founder); err != nil {
		t.Fatal(err)
	}
	return state
}

func TestDemoCompany(t *testing.T) {
	t.Parallel()
	state := tellDemo(t)
	table := state.Table().TableOn(exact.MustDate("2026-01-02"), state.NameOf)
	t.Run("has enough holders to make tables interesting", func(t *testing.T) {
		t.Parallel()
		if len(table.Holders) < 40 || len(table.Securities) != 4 {
			t.Errorf("%d holders of %d securities", len(table.Holders), len(table.Securities))
		}
	})
	t.Run("shows every way in which shares end", func(t *testing.T) {
		t.Parallel()
		seen := map[captable.Status]bool{}
		for held := range state.Table().Shareholdings() {
			seen[held.Status] = true
		}
		for _, status := range []captable.Status{
			captable.StatusActive, captable.StatusAccepted, captable.StatusTransferred, captable.StatusRepurchased,
			captable.StatusCancelled, captable.StatusConverted, captable.StatusVoided,
		} {
			if !seen[status] {
				t.Errorf("no shareholding is %s", status)
			}
		}
	})
	t.Run("has treasury shares and a split in its past", func(t *testing.T) {
		t.Parallel()
		if table.Totals.Treasury.IsZero() {
			t.Error("the treasury is empty")
		}
		before := state.Table().TableOn(exact.MustDate("2019-12-31"), state.NameOf)
		if got := before.Totals.Outstanding; !got.Equal(exact.NewDecimal(2_500_000)) {
			t.Errorf("before the split %s shares were outstanding, want 2500000", got)
		}
	})
}
