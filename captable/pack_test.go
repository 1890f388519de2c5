package captable_test

import (
	"bytes"
	"encoding"
	"iter"
	"reflect"
	"slices"
	"testing"

	"equity/captable"
	"equity/captable/captabletest"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

// full returns a state in which every field of every record has a value in some record. Terms
// and details are filled by reflection, so that new fields are filled as well.
func full(tb testing.TB) *bundle {
	tb.Helper()
	b := setup(tb)
	var legend captable.LegendTerms
	captabletest.Fill(reflect.ValueOf(&legend).Elem(), new(int))
	var terms captable.SecurityTerms
	captabletest.Fill(reflect.ValueOf(&terms).Elem(), new(int))
	terms.AuthorizedShares = limit("1000")
	var valuation captable.ValuationTerms
	captabletest.Fill(reflect.ValueOf(&valuation).Elem(), new(int))
	var change captable.CapitalChangeTerms
	captabletest.Fill(reflect.ValueOf(&change).Elem(), new(int))
	var block captable.BlockTerms
	captabletest.Fill(reflect.ValueOf(&block).Elem(), new(int))
	var plan captable.PlanTerms
	captabletest.Fill(reflect.ValueOf(&plan).Elem(), new(int))
	var schedule captable.VestingScheduleTerms
	captabletest.Fill(reflect.ValueOf(&schedule).Elem(), new(int))
	var grant captable.GrantIssue
	captabletest.Fill(reflect.ValueOf(&grant).Elem(), new(int))
	var taken captable.OptionReduced
	captabletest.Fill(reflect.ValueOf(&taken).Elem(), new(int))
	var request captable.ExerciseRequest
	captabletest.Fill(reflect.ValueOf(&request).Elem(), new(int))
	id, other := captable.SecurityID{1}, captable.SecurityID{2}
	terms.Conversion.Security = other
	terms.Conversion.Ratio = captable.Decimal{} // the fraction states the ratio
	plan.Pools[0].Security, plan.Pools[1].Security = id, id

	var issue captable.Issue
	captabletest.Fill(reflect.ValueOf(&issue).Elem(), new(int))
	issue.ID, issue.Security, issue.Shares, issue.FromTreasury = captable.ShareholdingID{1}, id, number("50"), number("20")
	issue.IssueDate, issue.Source = exact.MustDate("2025-01-02"), nil
	earlier, later := issue, issue
	earlier.ID, earlier.Certificate, earlier.ExternalID, earlier.FromTreasury = captable.ShareholdingID{2}, "E", "e", captable.Decimal{}
	later.ID, later.Certificate, later.ExternalID, later.FromTreasury = captable.ShareholdingID{3}, "L", "l", captable.Decimal{}
	later.Consideration = &captable.Consideration{Cash: number("7")}

	exercised := earlier
	exercised.ID, exercised.Certificate, exercised.ExternalID = captable.ShareholdingID{4}, "X", "e2"
	grant.Security, grant.ExternalID, grant.Source, taken.ID = id, "g", nil, grant.ID
	taken.Deduction.Kind, taken.Deduction.Quantity = captable.StatusForfeited, grant.Quantity.Sub(number("1"))
	grant.Deductions, taken.Source, taken.Balance = nil, nil, nil
	retracted := grant
	retracted.ID, retracted.ExternalID = captable.GrantID{2}, "g2"
	deduction := taken.Deduction
	deduction.Kind, deduction.Quantity = captable.StatusExercised, number("1")
	vested := vesting.Vesting{Date: 9, Quantity: number("1")}
	happened := vesting.Happening{Condition: "c", Date: 9, Realized: vesting.Fraction{Numerator: 1, Denominator: 2}}
	bought := later
	bought.ID, bought.Certificate, bought.ExternalID = captable.ShareholdingID{5}, "B", "b"

	approved := plan
	approved.Pools = slices.Clone(plan.Pools)
	approved.Pools[0].BoardApprovalDate++
	b.apply([]captable.Event{
		captable.ConfigurationChanged{Configuration: captable.Configuration{
			EquityName: "units", Fractional: true, Numbering: "perSecurity", CapitalAccounts: true,
			CertificateSignatories: []captable.Signatory{{Name: "A", Title: "T"}},
			OperatingAgreement:     &captable.OperatingAgreement{File: "f", Date: 9, Previous: "p"},
		}},
		captable.ObjectCarried{},
		captable.LegendCreated{ID: captable.LegendID{1}, Terms: legend},
		captable.SecurityCreated{ID: id, Terms: terms},
		captable.SecurityCreated{ID: other, Terms: captable.SecurityTerms{Name: "Other", ExternalID: "o"}},
		captable.ValuationCreated{ID: captable.ValuationID{1}, Terms: valuation},
		captable.CapitalChanged{ID: captable.CapitalChangeID{1}, Entity: ada, Terms: change},
		captable.BlockCreated{ID: captable.BlockID{1}, Terms: block},
		captable.VestingScheduleCreated{ID: captable.VestingScheduleID{1}, Terms: schedule},
		captable.VestingScheduleSuperseded{ID: captable.VestingScheduleID{2}, Old: captable.VestingScheduleID{1}, Terms: schedule},
		captable.PlanCreated{
			ID: captable.PlanID{1}, Terms: plan, Reserves: []captable.PoolReserve{{Pool: plan.Pools[0].ID, From: 9, Change: number("90")}},
		},
		captable.PlanChanged{ID: captable.PlanID{1}, Terms: approved},
		captable.ShareholdingIssued{Issue: earlier},
		captable.ShareholdingEnded{
			Kind: captable.StatusRepurchased, From: []captable.ShareholdingID{earlier.ID}, Date: issue.IssueDate, Shares: number("50"),
			ToTreasury: true, Reason: "r",
		},
		captable.ShareholdingIssued{Issue: issue, PreferencePrice: &captable.Price{Amount: number("3"), Currency: "EUR"}},
		captable.ShareholdingAccepted{ID: issue.ID, Date: issue.IssueDate},
		captable.VestingStopped{Shareholdings: []captable.ShareholdingID{issue.ID}, Termination: captable.Termination{Date: 9, Reason: "r"}},
		captable.OptionGranted{GrantIssue: grant},
		captable.OptionAccepted{ID: grant.ID, Date: 9},
		captable.OptionRepriced{ID: grant.ID, Repricing: captable.Repricing{
			Date: 9, From: captable.Price{Amount: number("2"), Currency: "EUR"}, To: captable.Price{Amount: number("1"), Currency: "EUR"}, Reason: "r",
		}},
		captable.OptionVestingChanged{ID: grant.ID, Acceleration: &vested, Happening: &happened},
		captable.ExerciseRequested{ID: grant.ID, Request: request},
		captable.OptionExercised{ID: grant.ID, Deduction: deduction, Result: exercised},
		taken,
		captable.OptionGranted{GrantIssue: retracted},
		captable.OptionRetracted{ID: retracted.ID, Date: 9, Effective: true},
		captable.SecuritySplit{
			ID: id, Ratio: captable.Ratio{Numerator: number("2"), Denominator: number("1")}, Date: exact.MustDate("2025-02-01"),
			Authorized: limit("2000"), LaterDays: true,
		},
		captable.ShareholdingEnded{
			Kind: captable.StatusTransferred, From: []captable.ShareholdingID{issue.ID}, Date: exact.MustDate("2025-03-01"),
			Shares: number("100"), Results: []captable.Issue{later}, Reason: "r",
		},
		captable.InstrumentIssued{InstrumentIssue: captable.InstrumentIssue{ID: captable.InstrumentID{1}}},
		captable.WarrantExercised{ID: captable.InstrumentID{1}, Result: bought},
	})
	ref := captable.PoolRef{Plan: captable.PlanID{1}, Pool: plan.Pools[0].ID}
	b.state.Granted(ref, number("60"), 10)
	b.state.Exercised(ref, number("10"), 11)
	b.state.Cancelled(ref, number("20"), true, 12)
	elsewhere := captable.GrantIssue{
		ID: captable.GrantID{3}, Security: other, GrantTerms: captable.GrantTerms{Plan: ref.Plan, Pool: ref.Pool, IssueDate: 9},
	}
	elsewhere.Quantity = number("3")
	bought.ID, bought.Security, bought.Certificate, bought.ExternalID, bought.IssueDate = captable.ShareholdingID{6}, other, "O", "o2", 9
	b.apply([]captable.Event{
		captable.OptionGranted{GrantIssue: elsewhere},
		captable.OptionExercised{ID: elsewhere.ID, Deduction: deduction, Result: bought},
		captable.OptionReduced{
			ID: elsewhere.ID, Deduction: captable.Deduction{Kind: captable.StatusCancelled, Date: 9, Quantity: number("1")}, Returns: true,
		},
	})
	return b
}

// used marks the path of every field with a value in the record. Its counterpart all adds every
// path of a type.
func used(v reflect.Value, path string, paths map[string]bool) {
	if v.IsZero() {
		return
	}
	if isLeaf(v.Type()) {
		paths[path] = true
		return
	}
	switch v.Kind() { //nolint:exhaustive // all other kinds are structs
	case reflect.Pointer:
		used(v.Elem(), path, paths)
	case reflect.Slice:
		for i := range v.Len() {
			used(v.Index(i), path+"[]", paths)
		}
	default:
		for field, value := range v.Fields() {
			if !field.IsExported() { // computed from the exported fields
				continue
			}
			used(value, path+"."+field.Name, paths)
		}
	}
}

func all(t reflect.Type, path string, paths map[string]bool) {
	switch {
	case isLeaf(t):
		paths[path] = false
	case t.Kind() == reflect.Pointer:
		all(t.Elem(), path, paths)
	case t.Kind() == reflect.Slice:
		all(t.Elem(), path+"[]", paths)
	default:
		for field := range t.Fields() {
			if !field.IsExported() {
				continue
			}
			all(field.Type, path+"."+field.Name, paths)
		}
	}
}

// isLeaf reports whether the type is a single value.
func isLeaf(t reflect.Type) bool {
	value := t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
	return value || t.Kind() != reflect.Struct && t.Kind() != reflect.Slice && t.Kind() != reflect.Pointer
}

func TestPackCoversEveryField(t *testing.T) {
	t.Parallel()
	b := full(t)
	restored := unpacked(t, packed(b.state))
	t.Run("a snapshot keeps every field of a shareholding", func(t *testing.T) {
		t.Parallel()
		paths := map[string]bool{}
		all(reflect.TypeFor[captable.Shareholding](), "", paths)
		for path := range paths {
			if len(path) >= 13 && path[:13] == ".Issue.Source" { // stored in the journal only
				delete(paths, path)
			}
		}
		count := 0
		for h := range b.state.Shareholdings() {
			count++
			used(reflect.ValueOf(*h), "", paths)
			got, _ := restored.Shareholding(h.ID)
			if !reflect.DeepEqual(got, h) {
				t.Errorf("unpacked %+v, packed %+v", got, h)
			}
		}
		delete(paths, ".Issue.Source")
		equal(t, "shareholdings", count, 6)
		unused(t, paths)
	})
	t.Run("a snapshot keeps every field of a security", func(t *testing.T) {
		t.Parallel()
		paths := map[string]bool{}
		all(reflect.TypeFor[captable.Security](), "", paths)
		for security := range b.state.Securities() {
			used(reflect.ValueOf(*security), "", paths)
			got, _ := restored.Security(security.ID)
			if !reflect.DeepEqual(got, security) {
				t.Errorf("unpacked %+v, packed %+v", got, security)
			}
		}
		delete(paths, ".Reserved") // set by plans
		unused(t, paths)
	})
	t.Run("a snapshot keeps every field of a legend", func(t *testing.T) {
		t.Parallel()
		paths := map[string]bool{}
		all(reflect.TypeFor[captable.Legend](), "", paths)
		for legend := range b.state.Legends() {
			used(reflect.ValueOf(*legend), "", paths)
			got, _ := restored.Legend(legend.ID)
			if !reflect.DeepEqual(got, legend) {
				t.Errorf("unpacked %+v, packed %+v", got, legend)
			}
		}
		unused(t, paths)
	})
	t.Run("a snapshot keeps every field of a valuation, a capital change and a funding round", func(t *testing.T) {
		t.Parallel()
		packedFew(t, b.state.Valuations(), restored.Valuations())
		packedFew(t, b.state.CapitalChanges(), restored.CapitalChanges())
		packedFew(t, b.state.Blocks(), restored.Blocks())
	})
	t.Run("a snapshot keeps every field of a plan, its pools and their history", func(t *testing.T) {
		t.Parallel()
		packedFew(t, b.state.Plans(), restored.Plans())
	})
	t.Run("a snapshot keeps every field of a grant", func(t *testing.T) {
		t.Parallel()
		packedFew(t, b.state.Grants(), restored.Grants())
	})
	t.Run("a snapshot keeps every field of a vesting schedule", func(t *testing.T) {
		t.Parallel()
		packedFew(t, b.state.VestingSchedules(), restored.VestingSchedules())
	})
	t.Run("a snapshot keeps convertibles and warrants unchanged", func(t *testing.T) {
		t.Parallel()
		teller := setup(t)
		story(teller)
		was := slices.Collect(teller.state.Instruments())
		is := slices.Collect(unpacked(t, packed(teller.state)).Instruments())
		equal(t, "instruments", len(was), 9)
		if !reflect.DeepEqual(is, was) {
			t.Errorf("unpacked %+v, packed %+v", is, was)
		}
	})
	t.Run("a snapshot keeps the configuration and the counts", func(t *testing.T) {
		t.Parallel()
		if !reflect.DeepEqual(restored.Configuration(), b.state.Configuration()) {
			t.Errorf("unpacked %+v", restored.Configuration())
		}
		equal(t, "configured", restored.ConfigurationVersion(), 1)
		equal(t, "carried", restored.Carried(), 1)
	})
}

// packedFew checks that the restored records equal the packed ones, and that every field has a
// value in some record.
func packedFew[R any](t *testing.T, packed, restored iter.Seq[*R]) {
	t.Helper()
	paths := map[string]bool{}
	all(reflect.TypeFor[R](), "", paths)
	was, is := slices.Collect(packed), slices.Collect(restored)
	for _, record := range was {
		used(reflect.ValueOf(*record), "", paths)
	}
	if !reflect.DeepEqual(is, was) {
		t.Errorf("unpacked %+v, packed %+v", is, was)
	}
	unused(t, paths)
}

func unused(t *testing.T, paths map[string]bool) {
	t.Helper()
	for path, used := range paths {
		if !used {
			t.Errorf("nothing sets %s: extend full, then the walk of the Packer", path)
		}
	}
}

func TestPackKeepsTheIndexes(t *testing.T) {
	t.Parallel()
	t.Run("a restored state keeps the names in use and the shares of each holder", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1000")
		command := issue(ada, class, "1", today)
		command.ExternalID = "x"
		b.do(command)
		b.issue(bob, class, "2", today)
		b.issue(ada, class, "3", today)
		b.state = unpacked(t, packed(b.state))
		b.refused(command, fault.Conflict)
		command.ExternalID, command.Certificate = "", "CS-2"
		b.refused(command, fault.Conflict)
		shares := captable.Decimal{}
		for h := range b.state.ShareholdingsOf(ada) {
			shares = shares.Add(h.Shares)
		}
		equal(t, "Ada's shares", shares.String(), "4")
		equal(t, "next certificate", b.holding(b.issue(cleo, class, "1", today)).Certificate, "CS-4")
	})
	t.Run("grants lapse in a restored state", func(t *testing.T) {
		t.Parallel()
		b, _, ref := pooled(t)
		command := option(ada, ref, "10", today)
		command.ExpirationDate = exact.MustDate(today) + 1
		b.grant(command)
		b.state = unpacked(t, packed(b.state))
		equal(t, "lapses", len(b.state.Lapses(command.ExpirationDate+1)), 1)
	})
	t.Run("a restored empty state accepts commands", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.state = unpacked(t, packed(b.state))
		b.issue(ada, b.common("10"), "1", today)
	})
	t.Run("a snapshot with shares of no security, or a security without a limit, is refused", func(t *testing.T) {
		t.Parallel()
		for _, event := range []captable.Event{
			captable.ShareholdingIssued{Issue: captable.Issue{ID: captable.ShareholdingID{1}, Shares: number("1")}},
			captable.SecurityCreated{ID: captable.SecurityID{1}},
		} {
			s := captable.NewState()
			s.Apply(event, captable.Stamp{})
			snapshot := bytes.ReplaceAll(packed(s), []byte(`"authorizations":[{`), []byte(`"authorisations":[{`))
			u := captable.NewUnpacker(snapshot)
			if captable.NewState().Pack(u); u.Err() == nil {
				t.Errorf("%s was unpacked", event.EventType())
			}
		}
	})
	t.Run("a snapshot that states more records than it can contain is refused before they are made", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		p := captable.NewPacker()
		configuration, zero, many := text(t, b.state.Configuration()), uint64(0), uint64(5000)
		p.Text(&configuration)
		p.Uint(&zero) // configured
		p.Uint(&zero) // carried
		p.Uint(&zero) // securities
		p.Uint(&zero) // legends
		p.Uint(&many) // shareholdings
		u := captable.NewUnpacker(append(p.Bytes(), make([]byte, many)...))
		s := captable.NewState()
		s.Pack(u)
		if _, _, count := s.Counts(); u.Err() == nil || count != 0 {
			t.Errorf("%v, and %d shareholdings", u.Err(), count)
		}
	})
}
