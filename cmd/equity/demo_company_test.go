package main

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/messages"
	"equity/organization"
)

// demoState executes the history on a state in memory.
func demoState(t *testing.T) *organization.State {
	t.Helper()
	state := organization.NewState()
	next, sequence := uint64(0), uint64(0)
	newID := func() (id [16]byte) {
		next++
		binary.BigEndian.PutUint64(id[8:], next)
		return id
	}
	now := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	do := func(command messages.Command) (messages.Reply, error) {
		events, err := organization.Decide(state, command.Body, organization.DecideContext{Now: now, NewID: newID, Schema: schema()})
		for _, event := range events {
			sequence++
			state.Apply(event, captable.Stamp{Sequence: sequence, At: captable.InstantOf(now), By: "system:demo"})
		}
		reply := messages.Reply{Events: events}
		if command.Result != nil && err == nil {
			reply.Result, _ = command.Result(events, state)
		}
		return reply, err
	}
	founder := captable.EntityID{1}
	_, err := do(messages.Command{Body: organization.Create{ID: organization.ID{1}, Profile: demoProfile(), Creator: organization.Founder{
		User: organization.UserID{1}, Entity: founder, Name: demoFounders()[0],
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := (&demoCompany{do: do}).execute(founder); err != nil {
		t.Fatal(err)
	}
	return state
}

func TestDemoCompany(t *testing.T) {
	t.Parallel()
	state := demoState(t)
	table := state.Table().TableOn(exact.MustDate("2026-01-02"), state.NameOf)
	t.Run("the demo company has at least 40 holders and four securities", func(t *testing.T) {
		t.Parallel()
		if len(table.Holders) < 40 || len(table.Securities) != 4 {
			t.Errorf("%d holders of %d securities", len(table.Holders), len(table.Securities))
		}
	})
	t.Run("the demo company has every disposition of shares", func(t *testing.T) {
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
	t.Run("the demo company has treasury shares and a past split", func(t *testing.T) {
		t.Parallel()
		if table.Totals.Treasury.IsZero() {
			t.Error("the treasury is empty")
		}
		before := state.Table().TableOn(exact.MustDate("2019-12-31"), state.NameOf)
		if got := before.Totals.Outstanding; !got.Equal(exact.NewDecimal(2_500_000)) {
			t.Errorf("before the split %s shares were outstanding, want 2500000", got)
		}
	})
	t.Run("the demo company has grants in every state", func(t *testing.T) {
		t.Parallel()
		seen, types := map[captable.Status]bool{}, map[captable.GrantType]bool{}
		requests, early := 0, 0
		for grant := range state.Table().Grants() {
			seen[grant.Status], types[grant.Type] = true, true
			for _, deduction := range grant.Deductions {
				seen[deduction.Kind] = true
				if deduction.Kind == captable.StatusExercised && deduction.Unvested.Sign() > 0 {
					early++
				}
			}
			if figures := grant.On(exact.MustDate("2026-01-02")); figures.Expired.Sign() > 0 {
				seen[captable.StatusExpired] = true
			}
			requests += len(grant.Requests)
		}
		for _, status := range []captable.Status{
			captable.StatusActive, captable.StatusAccepted, captable.StatusExercised, captable.StatusReleased, captable.StatusCancelled,
			captable.StatusForfeited, captable.StatusExpired, captable.StatusVoided,
		} {
			if !seen[status] {
				t.Errorf("no grant is %s", status)
			}
		}
		if len(types) != 5 || requests != 1 || early != 1 {
			t.Errorf("%d types of grants, %d requests, %d early exercises", len(types), requests, early)
		}
	})
	t.Run("the demo company has an option below the value of its day", func(t *testing.T) {
		t.Parallel()
		found := false
		for grant := range state.Table().Grants() {
			split := state.Table().ISOSplit(grant, grant.IssueDate, "USD")
			found = found || split != nil && slices.ContainsFunc(
				split.Findings, func(f captable.ISOFinding) bool { return f.Code == captable.ISOBelowValue },
			)
		}
		if !found {
			t.Error("no grant has the finding")
		}
	})
	t.Run("the demo company has two rounds with shares, and SAFEs converted by the first", func(t *testing.T) {
		t.Parallel()
		var names []string
		for block := range state.Table().Blocks() {
			names = append(names, block.Name)
			ofIt := 0
			for held := range state.Table().Shareholdings() {
				if held.Block == block.ID.String() {
					ofIt++
				}
			}
			if ofIt < 5 {
				t.Errorf("%d shareholdings are of %s", ofIt, block.Name)
			}
		}
		if !slices.Equal(names, []string{"Seed", "Series A"}) {
			t.Errorf("the rounds are %v", names)
		}
		bases := map[conversion.Basis]int{}
		for i := range state.Table().Instruments() {
			if i.Conversion != nil {
				bases[i.Conversion.Basis]++
			}
		}
		if bases["cap"] != 2 || bases["discount"] != 1 {
			t.Errorf("SAFEs converted by %v", bases)
		}
	})
	t.Run("the demo company has a note and a warrant outstanding", func(t *testing.T) {
		t.Parallel()
		if len(table.Convertibles) != 1 || table.Convertibles[0].AccruedInterest.Sign() <= 0 || table.Convertibles[0].Principal.Amount.Cmp(
			exact.NewDecimal(400_000),
		) >= 0 {
			t.Errorf("the convertibles are %+v", table.Convertibles)
		}
		if len(table.Warrants) != 1 || !table.Warrants[0].Quantity.Equal(exact.NewDecimal(40_000)) {
			t.Errorf("the warrants are %+v", table.Warrants)
		}
	})
	t.Run("the demo company has three plans with balanced pools", func(t *testing.T) {
		t.Parallel()
		plans := 0
		for plan := range state.Table().Plans() {
			plans++
			pool := plan.Pools[0]
			used := pool.Available().Add(pool.Outstanding()).Add(pool.Exercised).Add(pool.Retired())
			if !used.Equal(pool.Reserve) || pool.Available().Sign() < 0 {
				t.Errorf("%s: %s is used of %s", plan.Name, used, pool.Reserve)
			}
		}
		if plans != 3 {
			t.Errorf("there are %d plans", plans)
		}
		if faults := state.Table().Audit(); len(faults) > 0 {
			t.Error(faults)
		}
	})
}
