package captable_test

import (
	"testing"

	"equity/captable"
)

// resultOf carries out the command and returns its result.
func resultOf[R any](b *bundle, command captable.CommandOf[R]) R {
	b.Helper()
	result, ok := captable.ResultOf(command, b.do(command), b.state)
	if !ok {
		b.Fatalf("%T has no result", command)
	}
	return result
}

func TestResultOfACreationIsTheNewRecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := resultOf(b, captable.CreateLegend{LegendTerms: captable.LegendTerms{Name: "A", Text: "T"}})
	second := resultOf(b, captable.CreateLegend{LegendTerms: captable.LegendTerms{Name: "B", Text: "T"}})
	equal(t, "names", first.Name+second.Name, "AB")
}

func TestResultOfAChangeIsTheChangedRecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	legend, other := b.legend("A"), b.legend("B")
	result := resultOf(b, captable.AmendLegend{ID: legend, Patch: []byte(`{"default":true}`)})
	equal(t, "legend", result.ID, legend)
	equal(t, "other", resultOf(b, captable.AmendLegend{ID: other, Patch: []byte(`{"text":"U"}`)}).ID, other)
}

func TestResultOfATransferHasAllShareholdings(t *testing.T) {
	t.Parallel()
	b := setup(t)
	id := b.issue(ada, b.common("100"), "60", today)
	result := resultOf(b, transfer(id, bob, "20", today))
	equal(t, "from", result.From.ID, id)
	equal(t, "to", result.Results[0].Entity, bob)
	equal(t, "balance", result.Balance.Shares.String(), "40")
}

func TestResultIsNotALapsedRecord(t *testing.T) {
	t.Parallel()
	b := setup(t)
	class := b.common("100")
	lapsed, exercised := resultOf(b, warrant(ada, class, "5", today)).ID, resultOf(b, warrant(bob, class, "5", today)).ID
	command := exerciseWarrant(exercised, "2", today)
	events := append([]captable.Event{captable.InstrumentEnded{Kind: captable.StatusExpired, ID: lapsed}}, b.do(command)...)
	result, ok := captable.ResultOf(command, events, b.state)
	if !ok || result.Instrument.ID != exercised {
		t.Errorf("the result is %v", result.Instrument)
	}
}

func TestResultOfAnUnknownRecordIsMissing(t *testing.T) {
	t.Parallel()
	if legend, ok := captable.ResultOf(captable.AmendLegend{}, nil, captable.NewState()); ok {
		t.Errorf("the result is %v", legend)
	}
}
