package captable_test

import (
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/captable/explain"
)

// checkExplained checks the explanations of the balances of convertibles and of the outstanding
// quantities of warrants on the day.
func (r *rights) checkExplained(day captable.Date) {
	if rapid.IntRange(0, 5).Draw(r.draw, "explain") > 0 { // the explanations take more time than all other checks
		return
	}
	for i := range r.state.Instruments() {
		of := "holding/" + i.ID.String() + "/"
		if i.Kind == captable.KindWarrant {
			r.explains(of+"outstanding", day, i.LeftOn(day))
			continue
		}
		balance, interest := i.Balance(day)
		r.explains(of+"balance", day, balance)
		r.explains(of+"accruedInterest", day, interest)
		r.explains(of+"principal", day, balance.Sub(interest))
	}
	r.explainsTable(day)
}

// lent returns the issue of a note with random interest terms.
func lent(draw *rapid.T) captable.IssueInstrument {
	command := note(ada, "2024-01-01")
	change := exact.MustDate("2024-01-01") + captable.Date(rapid.IntRange(10, 300).Draw(draw, "change"))
	command.Interest = &conversion.Interest{
		Rates: []conversion.Rate{
			{Rate: number("0.07"), From: exact.MustDate("2024-01-01"), To: change}, {Rate: number("0.0933"), From: change + 1},
		},
		DayCount:    rapid.SampledFrom([]conversion.DayCount{conversion.Actual365, conversion.Thirty360}).Draw(draw, "day count"),
		Compounding: rapid.SampledFrom([]conversion.Compounding{conversion.Simple, conversion.Compound}).Draw(draw, "compounding"),
		AccrualPeriod: rapid.SampledFrom([]conversion.AccrualPeriod{conversion.Daily, conversion.Monthly, conversion.Quarterly, conversion.Annual}).
			Draw(draw, "period"),
	}
	return command
}

func TestWhatIsOwedIsExplained(t *testing.T) {
	t.Parallel()
	t.Run("the balance of a note is explained by rates, repayments and divisions", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(draw *rapid.T) {
			b := setup(drawing{t, draw})
			id := b.instrument(lent(draw))
			for on := exact.MustDate("2024-02-01"); on < exact.MustDate(today); on += captable.Date(rapid.IntRange(90, 400).Draw(draw, "days")) {
				paid := repay(id, rapid.SampledFrom([]string{"1", "7.77", "33.3333333333", "2500"}).Draw(draw, "amount"), on.String())
				paid.InterestFirst = rapid.Bool().Draw(draw, "interest first")
				if events, err := b.decide(paid); err == nil {
					b.apply(events)
				}
				if events, err := b.decide(transferInstrument(id, cleo, "7.01", on.String())); err == nil {
					b.apply(events)
					id = events[0].(captable.InstrumentEnded).Balance.ID
				}
				balance, interest := b.right(id).Balance(on + 7)
				b.explains("holding/"+id.String()+"/balance", on+7, balance)
				b.explains("holding/"+id.String()+"/accruedInterest", on+7, interest)
			}
		})
	})
	t.Run("the explanation of a balance names principal, interest and repayments", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		b.do(repay(id, "1050", "2025-02-20"))

		term := b.explainOn("holding/"+id.String()+"/balance", exact.MustDate("2025-03-02"))

		equal(t, "owed", term.Value.String(), "9009")
		equal(t, "by", term.Label, "Ada Lovelace, convertible note of 2025-01-01, owed")
		principal, interest := term.Terms[0], term.Terms[1]
		equal(t, "came in", principal.Terms[0].Label+" "+principal.Terms[0].Value.String(), "came in on 2025-01-01 10000")
		equal(t, "repaid", principal.Terms[1].Label+" "+principal.Terms[1].Value.String(), "repaid on 2025-02-20 -1000")
		equal(t, "accrued", interest.Terms[0].Label+" "+interest.Terms[0].Value.String(), "at 0.0365 a year from 2025-01-01 until 2025-02-20 50")
		equal(t, "paid", interest.Terms[1].Value.String(), "-50")
		equal(t, "accrued since", interest.Terms[2].Value.String(), "9")
		equal(t, "from the note", interest.Terms[2].Records[0].ID, [16]byte(id))
	})
	t.Run("the balance of a cancelled SAFE is explained by its cancellation", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(safe(ada, "5000", "2025-01-01"))
		b.do(cancelInstrument(id, "2025-06-01"))
		term := b.explain("holding/" + id.String() + "/balance")
		equal(t, "owed", term.Value.String(), "0")
		equal(t, "why", term.Terms[0].Terms[0].Label, "cancelled on 2025-06-01")
	})
	t.Run("unknown figures of instruments are refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		noted, warranted := b.instrument(note(ada, "2025-01-01")), b.instrument(warrant(ada, b.common("10"), "5", today))
		for _, figure := range []string{noted.String() + "/outstanding", warranted.String() + "/balance", ada.String() + "/balance"} {
			if _, err := explain.Figure(b.state, "holding/"+figure, exact.MustDate(today), b.nameOf); err == nil {
				t.Errorf("%q was explained", figure)
			}
		}
	})
}
