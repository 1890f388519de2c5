package captable_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// isoHistory is a random history of the ISOs of one holder. Its valuations and grants change once a month.
type isoHistory struct {
	*bundle
	*rand.Rand
	class   captable.SecurityID
	ref     captable.PoolRef
	grants  []captable.GrantID
	reached map[string]int
}

func newISOHistory(tb testing.TB, seed uint64, reached map[string]int) *isoHistory {
	tb.Helper()
	h := &isoHistory{bundle: setup(tb), Rand: rand.New(rand.NewPCG(seed, 422)), reached: reached}
	h.class = h.common("100000000")
	h.ref = h.plan(planned(h.class, "50000000"))
	h.value(isoDay(0), "1")
	return h
}

// isoDay returns the first day of a month after January 2020.
func isoDay(month int) captable.Date {
	return exact.MustDate(fmt.Sprintf("%d-%02d-01", 2020+month/12, month%12+1))
}

func (h *isoHistory) value(on captable.Date, amount string) {
	h.do(captable.PutValuation{ValuationTerms: captable.ValuationTerms{
		Security: h.class, Type: "409A", EffectiveDate: on, PricePerShare: dollars(amount),
	}})
}

func (h *isoHistory) thousands(most int) captable.Decimal {
	return exact.NewDecimal(int64(1000 * (1 + h.IntN(most))))
}

// granting returns the command to grant options that become exercisable on one to four days, mostly at the value.
func (h *isoHistory) granting(month int, worth string) captable.GrantOption {
	command := option(ada, h.ref, "1", isoDay(month).String())
	command.Type, command.ExercisePrice, command.Quantity = captable.GrantISO, price(worth), captable.Decimal{}
	if h.IntN(6) == 0 {
		command.ExercisePrice = price("0.1") // mostly below the value
	}
	for next := month; len(command.Vestings) < 1+h.IntN(4); {
		next += 1 + h.IntN(14)
		instalment := vesting.Vesting{Date: isoDay(next), Quantity: h.thousands(90)}
		command.Vestings, command.Quantity = append(command.Vestings, instalment), command.Quantity.Add(instalment.Quantity)
	}
	command.EarlyExercise = h.IntN(6) == 0
	return command
}

// attempt executes a command unless it is refused.
func (h *isoHistory) attempt(name string, command captable.Command) []captable.Event {
	if _, err := h.decide(command); err != nil {
		return nil
	}
	h.reached[name]++
	return h.do(command)
}

// happen records an event in each month, and grants options with other prices.
func (h *isoHistory) happen(from, until int) {
	worth := "1"
	for month := from; month < until; month++ {
		day := isoDay(month)
		if h.IntN(4) == 0 {
			worth = []string{"0.5", "1", "2", "5"}[h.IntN(4)]
			h.value(day, worth)
		}
		if len(h.grants) < 2 || h.IntN(8) == 0 {
			for _, event := range h.attempt("grant", h.granting(month, worth)) {
				h.grants = append(h.grants, event.(captable.OptionGranted).ID)
			}
		}
		id := h.grants[h.IntN(len(h.grants))]
		switch h.IntN(6) {
		case 0, 1:
			h.attempt("exercise", captable.ExerciseGrant{ID: id, Quantity: h.thousands(40), Date: day, Payment: captable.PayCash})
		case 2:
			h.attempt("accelerate", captable.AccelerateGrant{ID: id, Quantity: new(h.thousands(60)), Date: day})
		case 3:
			h.attempt("cancel", captable.CancelGrant{ID: id, Quantity: new(h.thousands(20)), Date: day, Reason: "r"})
		case 4:
			h.attempt("reprice", captable.RepriceGrants{Plan: h.ref.Plan, Options: []captable.GrantID{id}, ExercisePrice: *price(worth), Date: day})
		default:
			if h.IntN(6) == 0 {
				h.attempt("terminate", captable.TerminateGrant{ID: id, Termination: captable.Termination{Date: day, Reason: captable.VoluntaryOther}})
			}
		}
	}
}

// searchISO runs a property with at least the given number of seeds. TORTURE_SECONDS extends the search.
func searchISO(t *testing.T, number uint64, property func(seed uint64, reached map[string]int)) {
	t.Helper()
	seconds, _ := strconv.Atoi(os.Getenv("TORTURE_SECONDS"))
	reached, seed := map[string]int{}, uint64(0)
	if seconds > 0 {
		seed = uint64(time.Now().UnixNano())
	}
	if text := os.Getenv("PROPERTY_SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64)
	}
	defer func() {
		if t.Failed() {
			t.Logf("repeat with PROPERTY_SEED=%d", seed)
		}
	}()
	for begin, end := seed, time.Now().Add(time.Duration(seconds)*time.Second); seed < begin+number || time.Now().Before(end); seed++ {
		property(seed, reached)
	}
	for _, kind := range []string{"grant", "exercise", "accelerate", "cancel", "reprice", "terminate"} {
		if reached[kind] == 0 {
			t.Errorf("%s was never reached", kind)
		}
	}
}

// The kind of exercised options is final (26 CFR 1.422-4(b)(4)).
func TestKindsOfExercisedISOsAreInvariant(t *testing.T) {
	t.Parallel()
	searchISO(t, 10, func(seed uint64, reached map[string]int) {
		h := newISOHistory(t, seed, reached)
		h.happen(0, 60)
		for _, id := range h.grants {
			all := h.exercises(id, today)
			for month := 2; month < 60; month += 5 {
				day := isoDay(month) + 3
				if h.granted(id).IssueDate > day {
					continue
				}
				if then := h.exercises(id, day.String()); !strings.HasPrefix(all, then) {
					t.Fatalf("seed %d: on %s the exercises were %s; today they are %s", seed, day, then, all)
				}
			}
		}
	})
}

// A change of the price is the grant of a new option (26 U.S.C. 424(h)).
func TestRepricedISOsAndNewOnesAreInvariant(t *testing.T) {
	t.Parallel()
	searchISO(t, 40, func(seed uint64, reached map[string]int) {
		const month = 30
		var others [2][]string
		var changed [2]captable.ISOSplit
		for world := range others {
			h := newISOHistory(t, seed, reached)
			h.happen(0, month-1)
			id := h.grants[0]
			grant := h.granted(id)
			if !grant.LeftOn(isoDay(month)).IsZero() && grant.Termination == nil && grant.ExercisePrice.Amount.Cmp(number("0.1")) > 0 {
				h.value(isoDay(month)-1, "0.05")
				split := h.state.ISOSplit(grant, isoDay(month)-1, "USD")
				if world == 0 {
					h.do(captable.RepriceGrants{Plan: h.ref.Plan, Options: []captable.GrantID{id}, ExercisePrice: *price("0.05"), Date: isoDay(month)})
				} else {
					id = h.again(grant, isoDay(month))
				}
				h.value(isoDay(month+1), "1")
				late := listed(h.ref, "90000", isoDay(month+2).String(), "2022-12-15")
				h.grants = append(h.grants, h.grant(late))
				changed[world] = *h.state.ISOSplit(h.granted(id), exact.MustDate(today), "USD")
				if world == 0 {
					for _, exercise := range split.Exercises {
						changed[0].ISO, changed[0].NSO = changed[0].ISO.Sub(exercise.ISO), changed[0].NSO.Sub(exercise.NSO)
					}
				}
				reached["compared"]++
			}
			for _, other := range h.grants[1:] {
				others[world] = append(others[world], h.years(other))
			}
		}
		if !slices.Equal(others[0], others[1]) {
			t.Fatalf(
				"seed %d: with a new price the other options are\n%s\nand with a new grant\n%s", seed, strings.Join(others[0], "\n"),
				strings.Join(others[1], "\n"),
			)
		}
		equal(
			t, "ISOs of seed "+strconv.FormatUint(seed, 10), changed[0].ISO.String()+" "+changed[0].NSO.String(),
			changed[1].ISO.String()+" "+changed[1].NSO.String(),
		)
	})
}

// again cancels what is left of a grant and grants as many options, which become exercisable as those did.
func (h *isoHistory) again(grant *captable.Grant, on captable.Date) captable.GrantID {
	command := option(ada, h.ref, "1", on.String())
	command.Type, command.ExercisePrice, command.Quantity = captable.GrantISO, price("0.05"), grant.LeftOn(on)
	command.EarlyExercise = grant.EarlyExercise
	figures := grant.On(on)
	vested := figures.Vested
	for _, deduction := range grant.Deductions {
		vested = vested.Sub(deduction.Quantity)
		if deduction.Kind != captable.StatusExercised {
			vested = vested.Add(deduction.Unvested)
		}
	}
	if vested.Sign() > 0 {
		command.Vestings = append(command.Vestings, vesting.Vesting{Date: on, Quantity: vested})
	}
	rest := figures.Unvested
	if vested.Sign() < 0 { // exercised before they vested; all options of such a grant are exercisable at once
		rest = rest.Add(vested)
	}
	for _, instalment := range grant.Schedule(on) {
		if quantity := instalment.Quantity.Min(rest); instalment.Date > on && quantity.Sign() > 0 {
			command.Vestings = append(command.Vestings, vesting.Vesting{Date: instalment.Date, Quantity: quantity})
			rest = rest.Sub(quantity)
		}
	}
	h.do(captable.CancelGrant{ID: grant.ID, Date: on, Reason: "r"})
	return h.grant(command)
}
