package captable_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// story carries out commands of every kind and returns all events.
func story(b *bundle) []captable.Event {
	b.Helper()
	var events []captable.Event
	do := func(command captable.Command) captable.Event {
		b.Helper()
		done := b.do(command)
		events = append(events, done...)
		return done[0]
	}
	shares := func(of captable.SecurityID) captable.ShareholdingID {
		b.Helper()
		command := issue(ada, of, "100", "2025-01-01")
		command.Source = &captable.Source{File: "F", Order: 3, Object: json.RawMessage(`{"id":"1"}`)}
		return do(command).(captable.ShareholdingIssued).ID
	}
	day := exact.MustDate(today)
	legend := do(captable.CreateLegend{LegendTerms: captable.LegendTerms{Name: "A", Text: "T"}}).(captable.LegendCreated).ID
	do(captable.AmendLegend{ID: legend, Patch: []byte(`{"default":true}`)})
	do(captable.DeleteLegend{ID: legend})
	common := do(captable.CreateSecurity{
		SecurityTerms: captable.SecurityTerms{Name: "Common", ShareType: captable.ShareCommon, AuthorizedShares: limit("unlimited")},
	}).(captable.SecurityCreated).ID
	terms := preferred("Preferred")
	terms.Conversion = &captable.Conversion{Security: common, Ratio: number("1")}
	class := do(captable.CreateSecurity{SecurityTerms: terms}).(captable.SecurityCreated).ID
	do(captable.DeleteSecurity{ID: do(captable.CreateSecurity{SecurityTerms: preferred("Gone")}).(captable.SecurityCreated).ID})
	terms.AuthorizedShares = limit("2000")
	do(captable.ReplaceSecurity{ID: class, SecurityTerms: terms})
	do(authorize(class, "500", today))
	do(captable.AdjustConversion{ID: class, Ratio: number("1.5"), Date: exact.MustDate("2025-01-01")})
	do(captable.Configure{Configuration: captable.Configuration{EquityName: "units", Numbering: "perSecurity"}})
	id := shares(class)
	do(amend(id, `{"block":"A","pricePerShare":"2"}`))
	do(amend(id, `{"vestings":[{"date":"2025-01-01","quantity":"1"}]}`))
	do(captable.TerminateShares{
		Shareholdings: []captable.ShareholdingID{id},
		Termination:   captable.Termination{Date: exact.MustDate("2025-01-01"), Reason: captable.VoluntaryOther},
	})
	do(amend(id, `{"vestings":null}`))
	do(captable.AcceptShareholding{ID: id})
	do(captable.CorrectShareholding{
		ID: id, HolderRef: holder(bob), Security: class, Shares: number("90"), IssueDate: exact.MustDate("2025-01-01"), Reason: "r",
	})
	do(split(class, "2", "1", today))
	do(convert(id, common, today))
	do(captable.VoidShareholding{ID: shares(common), Reason: "r"})
	do(transfer(shares(common), cleo, "10", today))
	do(cancel(shares(common), "10", today))
	do(captable.RepurchaseShareholding{ID: shares(common), Shares: number("10"), Price: price("1"), Date: day, ToTreasury: true})
	do(captable.RetractShareholding{ID: shares(common), Date: day})
	reissue := replace(captable.StatusReissued, today, shares(common))
	reissue.Results = []captable.Result{result(ada, common, "100")}
	do(reissue)
	consolidate := replace(captable.StatusConsolidated, today, shares(common), shares(common))
	consolidate.Results = []captable.Result{result(ada, common, "200")}
	do(consolidate)
	tellRecords(do, common)
	tellInstruments(do, common)
	imported := []captable.Event{
		captable.PackageImported{Version: "1.2.0", Manifest: json.RawMessage(`{}`), Objects: 1},
		captable.ObjectCarried{Source: captable.Source{File: "F", Object: json.RawMessage(`{"a":1}`)}},
	}
	b.apply(imported)
	return append(events, imported...)
}

// tellRecords adds to the story the commands about records other than shares.
func tellRecords(do func(captable.Command) captable.Event, class captable.SecurityID) {
	again := valued(class, "2", today)
	again.ID = do(valued(class, "1", today)).(captable.ValuationCreated).ID
	do(again)
	change := do(contributed(ada, "5")).(captable.CapitalChanged).ID
	do(captable.AmendCapitalChange{ID: change, Entity: ada, Patch: []byte(`{"note":"n"}`)})
	block := do(round("Seed", class)).(captable.BlockCreated).ID
	do(captable.ReplaceBlock{ID: block, BlockTerms: captable.BlockTerms{Name: "A"}})
	do(captable.DeleteBlock{ID: block})
	plan := do(captable.CreatePlan{PlanTerms: planned(class, "10")}).(captable.PlanCreated).ID
	do(captable.ReplacePlan{ID: plan, PlanTerms: planned(class, "20")})
	schedule := do(scheduled("Four years")).(captable.VestingScheduleCreated).ID
	successor := do(
		captable.SupersedeVestingSchedule{Old: schedule, VestingScheduleTerms: scheduled("Five years").VestingScheduleTerms},
	).(captable.VestingScheduleSuperseded).ID
	terms := planned(class, "20")
	terms.VestingSchedules = []string{successor.String()}
	do(captable.ReplacePlan{ID: plan, PlanTerms: terms})
	do(captable.DeleteVestingSchedule{Plan: plan, ID: successor})
	pools := do(captable.ReplacePlan{ID: plan, PlanTerms: planned(class, "20")}).(captable.PlanChanged).Terms.Pools
	do(captable.AdjustPool{PoolRef: captable.PoolRef{Plan: plan, Pool: pools[0].ID}, TotalShares: number("30"), EffectiveDate: exact.MustDate(today)})
	do(captable.DeletePlan{ID: plan})
	tellGrants(do, class)
}

// tellInstruments adds to the story the commands about convertibles and warrants.
func tellInstruments(do func(captable.Command) captable.Event, class captable.SecurityID) {
	issued := func(command captable.IssueInstrument) captable.InstrumentID {
		return do(command).(captable.InstrumentIssued).ID
	}
	id := issued(note(ada, "2025-01-01"))
	do(captable.AcceptInstrument{ID: id})
	do(amendInstrument(id, `{"mfn":true}`))
	do(corrected(id, note(bob, "2025-01-01")))
	do(repay(id, "100", today))
	do(transferInstrument(id, cleo, "1000", today))
	do(captable.VoidInstrument{ID: issued(warrant(ada, class, "5", today)), Reason: "r"})
	do(cancelInstrument(issued(safe(ada, "5", today)), today))
	do(retractInstrument(issued(safe(ada, "5", today)), today))
	lapsed := warrant(ada, class, "5", "2025-01-01")
	lapsed.ExpirationDate = exact.MustDate("2025-06-30")
	issued(lapsed)
	do(captable.ExpireGrants{})
	do(exerciseWarrant(issued(warrant(ada, class, "5", today)), "2", today))
	do(at(convertInstrument(issued(safe(ada, "5", today)), class, today), "1", "1000000"))
}

func TestEvents(t *testing.T) {
	t.Parallel()
	t.Run("every type of event is decoded unchanged and replayed to the same state", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		events := story(b)
		decoders := captable.Decoders()
		told := map[string]bool{}
		replayed := captable.NewState()
		for i, row := range b.recorded {
			told[row.kind] = true
			event, err := decoders[row.kind](row.payload)
			if err != nil {
				t.Fatalf("%s %s: %v", row.kind, row.payload, err)
			}
			equal(t, "type", event.EventType(), row.kind)
			equal(t, "Go type", reflect.TypeOf(event), reflect.TypeOf(events[i]))
			equal(t, "payload", text(t, event), string(row.payload))
			replayed.Apply(event, row.stamp)
		}
		for kind := range decoders {
			if !told[kind] {
				t.Errorf("the story does not tell %s", kind)
			}
		}
		equal(t, "kinds", len(told), len(decoders))
		if string(packed(replayed)) != string(packed(b.state)) {
			t.Error("the replayed state differs")
		}
	})
	t.Run("an invalid payload is an error for every type of event", func(t *testing.T) {
		t.Parallel()
		for _, kind := range slices.Sorted(maps.Keys(captable.Decoders())) {
			for _, payload := range []string{``, `[]`, `{"id":5,"configuration":5,"equityName":5,"version":5,"source":5,"from":5}`, `{`} {
				if event, err := captable.Decoders()[kind]([]byte(payload)); err == nil {
					t.Errorf("%s %q was read as %v", kind, payload, event)
				}
			}
		}
	})
	t.Run("events about missing records are applied without a failure", func(t *testing.T) {
		t.Parallel()
		teller := setup(t)
		story(teller)
		for _, row := range teller.recorded {
			event, err := captable.Decoders()[row.kind](row.payload)
			if err != nil {
				t.Fatal(err)
			}
			captable.NewState().Apply(event, row.stamp)
		}
	})
}

func TestEventRecords(t *testing.T) {
	t.Parallel()
	t.Run("the records of an event are the created and the changed ones, in their current state", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("100")
		event := b.do(issue(ada, class, "60", today))[0]
		id := event.(captable.ShareholdingIssued).ID
		equal(t, "created", event.Creates()[0], captable.Created{ID: id, Kind: "shareholding"})
		equal(t, "record", event.Records(b.state)[0].(*captable.Shareholding), b.holding(id))
		ending := b.ended(transfer(id, bob, "20", today))
		equal(t, "created by a transfer", len(ending.Creates()), 2)
		records := ending.Records(b.state)
		equal(t, "old first", records[0].(*captable.Shareholding).Status, captable.StatusTransferred)
		equal(t, "then the result", records[1].(*captable.Shareholding).Entity, bob)
		equal(t, "then the balance", records[2].(*captable.Shareholding).Entity, ada)
		equal(t, "and no more", len(records), 3)
		changed := b.do(authorize(class, "1", today))[0]
		equal(t, "security", changed.Records(b.state)[0].(*captable.Security), b.class(class))
		configured := b.do(captable.Configure{Configuration: captable.NewConfiguration()})[0]
		equal(t, "configuration", configured.Records(b.state)[0].(captable.Configuration).EquityName, "shares")
	})
	t.Run("events about missing records return no records", func(t *testing.T) {
		t.Parallel()
		teller := setup(t)
		for _, event := range story(teller) {
			if len(event.Records(captable.NewState())) > 0 && event.EventType() != "configurationChanged" {
				t.Errorf("%s has records in an empty state", event.EventType())
			}
			_ = event.Creates()
		}
	})
	t.Run("an ending without a kind has the type shareholdingEnded", func(t *testing.T) {
		t.Parallel()
		equal(t, "type", captable.ShareholdingEnded{}.EventType(), "shareholdingEnded")
	})
}
