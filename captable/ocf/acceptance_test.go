package ocf_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// An acceptance comes back although an exercise or an end was recorded later, with an earlier date.
func TestAcceptancesBeforeABackDatedEndComeBack(t *testing.T) {
	t.Parallel()
	day := exact.MustDate("2024-05-01")
	accepted := func(t *testing.T, kind captable.InstrumentKind) (*born, captable.InstrumentID) {
		t.Helper()
		b := company(t)
		id := b.issued(kind, func(*captable.IssueInstrument) {})
		b.do(captable.AcceptInstrument{ID: id, Date: exact.MustDate("2024-06-01")})
		return b, id
	}
	t.Run("of a warrant exercised in part", func(t *testing.T) {
		t.Parallel()
		b, id := accepted(t, captable.KindWarrant)
		b.do(captable.ExerciseWarrant{ID: id, Quantity: number("3"), Date: day, Payment: captable.PayCash})
		b.stable()
	})
	t.Run("of a cancelled warrant", func(t *testing.T) {
		t.Parallel()
		b, id := accepted(t, captable.KindWarrant)
		b.do(captable.CancelInstrument{ID: id, Date: day, Reason: "waived"})
		b.stable()
	})
	t.Run("of a cancelled convertible", func(t *testing.T) {
		t.Parallel()
		b, id := accepted(t, captable.KindSAFE)
		b.do(captable.CancelInstrument{ID: id, Date: day, Reason: "waived"})
		b.stable()
	})
	t.Run("of a transferred convertible", func(t *testing.T) {
		t.Parallel()
		b, id := accepted(t, captable.KindSAFE)
		b.do(captable.TransferInstrument{ID: id, To: holder(b.bob), Date: day, Kind: "gift"})
		b.stable()
	})
}
