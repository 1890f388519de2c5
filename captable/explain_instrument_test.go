package captable_test

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/conversion"
	"equity/captable/exact"
)

// rights draws commands about notes and warrants at random, and has every figure of them
// explained.
type rights struct {
	*bundle
	draw  *rapid.T
	class captable.SecurityID
}

func (r *rights) amount() string {
	return rapid.SampledFrom([]string{"1", "7.77", "33.3333333333", "100", "2500", "9999.99"}).Draw(r.draw, "amount")
}

func (r *rights) day() string {
	return (exact.DateOf(r.now) - captable.Date(rapid.IntRange(0, 60).Draw(r.draw, "days ago"))).String()
}

func (r *rights) any() captable.InstrumentID {
	ids := []captable.InstrumentID{{}}
	for i := range r.state.Instruments() {
		ids = append(ids, i.ID)
	}
	return rapid.SampledFrom(ids).Draw(r.draw, "instrument")
}

// lent is a note with interest of any terms.
func (r *rights) lent() captable.IssueInstrument {
	day := r.day()
	command := note(rapid.SampledFrom([]captable.EntityID{ada, bob}).Draw(r.draw, "lender"), day)
	change := exact.MustDate(day) + captable.Date(rapid.IntRange(10, 300).Draw(r.draw, "change"))
	command.Interest = &conversion.Interest{
		Rates:       []conversion.Rate{{Rate: number("0.07"), From: exact.MustDate(day), To: change}, {Rate: number("0.0933"), From: change + 1}},
		DayCount:    rapid.SampledFrom([]conversion.DayCount{conversion.Actual365, conversion.Thirty360}).Draw(r.draw, "day count"),
		Compounding: rapid.SampledFrom([]conversion.Compounding{conversion.Simple, conversion.Compound}).Draw(r.draw, "compounding"),
		AccrualPeriod: rapid.SampledFrom([]conversion.AccrualPeriod{conversion.Daily, conversion.Monthly, conversion.Quarterly, conversion.Annual}).
			Draw(r.draw, "period"),
	}
	return command
}

func (r *rights) command() captable.Command {
	id := r.any()
	switch rapid.IntRange(0, 10).Draw(r.draw, "command") {
	case 0, 1:
		return r.lent()
	case 2, 3, 4:
		command := repay(id, r.amount(), r.day())
		command.InterestFirst = rapid.Bool().Draw(r.draw, "interest first")
		return command
	case 5:
		return transferInstrument(id, cleo, r.amount(), r.day())
	case 6:
		return cancelInstrument(id, r.day())
	case 7:
		command := warrant(bob, r.class, "77", r.day())
		command.ExpirationDate = exact.DateOf(r.now) + captable.Date(rapid.IntRange(1, 500).Draw(r.draw, "expires"))
		return command
	case 8:
		return exerciseWarrant(id, rapid.SampledFrom([]string{"1", "10", "33"}).Draw(r.draw, "quantity"), r.day())
	case 9:
		return captable.SplitSecurity{ID: r.class, Numerator: number("3"), Denominator: number("2"), Date: exact.DateOf(r.now)}
	default:
		r.now = r.now.Add(time.Duration(rapid.IntRange(1, 200).Draw(r.draw, "later")) * 24 * time.Hour)
		return captable.AcceptInstrument{ID: id, Date: exact.DateOf(r.now)}
	}
}

// step carries out a command that is allowed, and has everything explained.
func (r *rights) step() {
	command := r.command()
	events, err := r.decide(command)
	if refusal := new(captable.Error); err != nil && !errors.As(err, &refusal) {
		r.Fatalf("%T: %v", command, err)
	}
	r.apply(events)
	day := exact.DateOf(r.now) + captable.Date(rapid.SampledFrom([]int{-100, -20, 0, 0, 400}).Draw(r.draw, "explained day"))
	for i := range r.state.Instruments() {
		of := "holding/" + i.ID.String() + "/"
		if i.Kind == captable.KindWarrant {
			r.explains(of+"outstanding", day, i.LeftOn(day))
			continue
		}
		balance, interest := i.Balance(day)
		r.explains(of+"balance", day, balance)
		r.explains(of+"accruedInterest", day, interest)
		r.explains(of+"principal", day, exact.RoundHalfUp(i.Owed(day).Principal, exact.Places))
	}
}

func TestWhatIsOwedIsExplained(t *testing.T) {
	t.Parallel()
	t.Run("by rates, repayments and divisions, on any day of any history", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(draw *rapid.T) {
			r := &rights{bundle: setup(drawing{t, draw}), draw: draw}
			r.class = r.common("2000")
			for range rapid.IntRange(5, 40).Draw(draw, "commands") {
				r.step()
			}
		})
	})
	t.Run("in words", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(note(ada, "2025-01-01"))
		b.do(repay(id, "1050", "2025-02-20"))

		term := b.explainOn("holding/"+id.String()+"/balance", exact.MustDate("2025-03-02"))

		equal(t, "owed", term.Value.String(), "9009")
		principal, interest := term.Terms[0], term.Terms[1]
		equal(t, "came in", principal.Terms[0].Label+" "+principal.Terms[0].Value.String(), "came in on 2025-01-01 10000")
		equal(t, "repaid", principal.Terms[1].Label+" "+principal.Terms[1].Value.String(), "repaid on 2025-02-20 -1000")
		equal(t, "accrued", interest.Terms[0].Label+" "+interest.Terms[0].Value.String(), "at 0.0365 a year from 2025-01-01 until 2025-02-20 50")
		equal(t, "paid", interest.Terms[1].Value.String(), "-50")
		equal(t, "accrued since", interest.Terms[2].Value.String(), "9")
		equal(t, "from the note", interest.Terms[2].Records[0].ID, [16]byte(id))
	})
	t.Run("until it is over", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.instrument(safe(ada, "5000", "2025-01-01"))
		b.do(cancelInstrument(id, "2025-06-01"))
		term := b.explain("holding/" + id.String() + "/balance")
		equal(t, "owed", term.Value.String(), "0")
		equal(t, "why", term.Terms[0].Terms[0].Label, "cancelled on 2025-06-01")
	})
	t.Run("and nothing else of it", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		noted, warranted := b.instrument(note(ada, "2025-01-01")), b.instrument(warrant(ada, b.common("10"), "5", today))
		for _, figure := range []string{noted.String() + "/outstanding", warranted.String() + "/balance", ada.String() + "/balance"} {
			if _, err := b.state.Explain("holding/"+figure, exact.MustDate(today), b.nameOf); err == nil {
				t.Errorf("%q was explained", figure)
			}
		}
	})
}
