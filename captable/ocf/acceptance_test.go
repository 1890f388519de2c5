package ocf_test

import (
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
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
	t.Run("an accepted warrant with a back-dated partial exercise comes back", func(t *testing.T) {
		t.Parallel()
		b, id := accepted(t, captable.KindWarrant)
		b.do(captable.ExerciseWarrant{ID: id, Quantity: number("3"), Date: day, Payment: captable.PayCash})
		b.stable()
	})
	t.Run("an accepted warrant with a back-dated cancellation comes back", func(t *testing.T) {
		t.Parallel()
		b, id := accepted(t, captable.KindWarrant)
		b.do(captable.CancelInstrument{ID: id, Date: day, Reason: "waived"})
		b.stable()
	})
	t.Run("an accepted SAFE with a back-dated cancellation comes back", func(t *testing.T) {
		t.Parallel()
		b, id := accepted(t, captable.KindSAFE)
		b.do(captable.CancelInstrument{ID: id, Date: day, Reason: "waived"})
		b.stable()
	})
	t.Run("an accepted SAFE with a back-dated transfer comes back", func(t *testing.T) {
		t.Parallel()
		b, id := accepted(t, captable.KindSAFE)
		b.do(captable.TransferInstrument{ID: id, To: holder(b.bob), Date: day, Kind: "gift"})
		b.stable()
	})
}

// An acceptance after a lapse is left out. It can only come from a termination or a correction that was
// recorded later.
func TestAcceptancesAfterALapseAreLeftOut(t *testing.T) {
	t.Parallel()
	accepted := func(t *testing.T) (*born, captable.GrantID, captable.GrantOption) {
		t.Helper()
		b := company(t)
		command := captable.GrantOption{HolderRef: holder(b.ada), Quantity: number("40"), ExercisePrice: &captable.Price{Amount: number("0.5")}}
		ref := b.reserve()
		command.Plan, command.Pool, command.Type, command.IssueDate = ref.Plan, ref.Pool, captable.GrantNSO, exact.MustDate("2024-01-01")
		command.TerminationWindows = []captable.TerminationWindow{{Reason: captable.VoluntaryOther, Period: vesting.Period{N: 1, Unit: vesting.Months}}}
		id := b.do(command)[0].(captable.OptionGranted).ID
		b.do(captable.AcceptGrant{ID: id, Date: exact.MustDate("2024-06-01")})
		return b, id, command
	}
	t.Run("a grant with a termination dated before its acceptance comes back", func(t *testing.T) {
		t.Parallel()
		b, id, _ := accepted(t)
		b.do(captable.TerminateGrant{ID: id, Termination: captable.Termination{Date: exact.MustDate("2024-02-01"), Reason: captable.VoluntaryOther}})
		b.stable()
	})
	t.Run("a grant with an expiration date corrected to before its acceptance comes back", func(t *testing.T) {
		t.Parallel()
		b, id, command := accepted(t)
		command.ExpirationDate = exact.MustDate("2024-03-01")
		b.do(captable.CorrectGrant{ID: id, GrantOption: command, Reason: "r"})
		b.stable()
	})
}
