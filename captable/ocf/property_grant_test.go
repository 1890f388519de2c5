package ocf_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// given draws a grant with an outstanding quantity. Without one, it returns an unknown id.
func (l *life) given() captable.GrantID {
	var ids []captable.GrantID
	for grant := range l.state.Grants() {
		if grant.On(l.day()).Outstanding.Sign() > 0 {
			ids = append(ids, grant.ID)
		}
	}
	if len(ids) == 0 {
		return captable.GrantID{}
	}
	return rapid.SampledFrom(ids).Draw(l.rt, "grant")
}

// option draws a grant of options or units from the pool.
func (l *life) option(t *rapid.T) captable.GrantOption {
	command := captable.GrantOption{HolderRef: l.anybody(), Quantity: l.some(60), ExercisePrice: &captable.Price{Amount: number("0.5")}}
	command.Plan, command.Pool, command.IssueDate = l.pool.Plan, l.pool.Pool, l.day()
	command.Type = rapid.SampledFrom([]captable.GrantType{captable.GrantISO, captable.GrantNSO, captable.GrantRSU}).Draw(t, "type")
	command.TerminationWindows = []captable.TerminationWindow{{Reason: captable.VoluntaryOther, Period: vesting.Period{N: 1, Unit: vesting.Months}}}
	if command.Type == captable.GrantRSU {
		command.ExercisePrice, command.TerminationWindows = nil, nil
	}
	month := vesting.Period{N: 1, Unit: vesting.Months}
	switch rapid.IntRange(0, 3).Draw(t, "vesting") {
	case 0:
		command.Vesting = &vesting.Scheme{
			Allocation: vesting.CumulativeRounding, Continuous: &vesting.Continuous{Length: month.Times(12), Frequency: month},
		}
	case 1:
		command.Vestings = []vesting.Vesting{{Date: l.day() + 20, Quantity: command.Quantity}}
	}
	return command
}

// options returns actions on grants.
func (l *life) options() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"grant":            func(t *rapid.T) { l.try(l.option(t)) },
		"grant more":       func(t *rapid.T) { l.try(l.option(t)) },
		"accept a grant":   func(*rapid.T) { l.try(captable.AcceptGrant{ID: l.given(), Date: l.day()}) },
		"retract a grant":  func(*rapid.T) { l.try(captable.RetractGrant{ID: l.given(), Date: l.day()}) },
		"void a grant":     func(*rapid.T) { l.try(captable.VoidGrant{ID: l.given(), Reason: "twice"}) },
		"exercise a grant": func(*rapid.T) { l.try(captable.ExerciseGrant{ID: l.given(), Quantity: l.some(20), Date: l.day()}) },
		"release units":    func(*rapid.T) { l.try(captable.ReleaseGrant{ID: l.given(), Date: l.day()}) },
		"cancel a grant": func(t *rapid.T) {
			behavior := rapid.SampledFrom([]captable.CancellationBehavior{"", captable.ReturnToPool, captable.Retire}).Draw(t, "behavior")
			l.try(captable.CancelGrant{ID: l.given(), Quantity: new(l.some(20)), Date: l.day(), Reason: "gone", Behavior: behavior})
		},
		"accelerate": func(*rapid.T) {
			l.try(captable.AccelerateGrant{ID: l.given(), Quantity: new(l.some(20)), Date: l.day()})
		},
		"reprice": func(*rapid.T) {
			l.try(captable.RepriceGrants{Plan: l.pool.Plan, ExercisePrice: captable.Price{Amount: number("0.4")}, Date: l.day()})
		},
		"amend a grant": func(*rapid.T) { l.try(captable.AmendGrant{ID: l.given(), Patch: []byte(`{"comments":["noted"]}`)}) },
		"correct a grant": func(t *rapid.T) {
			grant, known := l.state.Grant(l.given())
			if !known {
				return
			}
			// A package states the corrected grant. A larger quantity may not fit on the
			// grant date if the pool was enlarged later.
			command := l.option(t)
			command.Quantity, command.Vestings = command.Quantity.Min(grant.Quantity), nil
			l.try(captable.CorrectGrant{ID: grant.ID, GrantOption: command, Reason: "misread"})
		},
		"pay with shares": func(*rapid.T) {
			l.try(captable.ExerciseGrant{
				ID: l.given(), Quantity: l.some(20), Date: l.day(), Payment: captable.PayNet,
				MarketValue: &captable.Price{Amount: number("2")},
			})
		},
		"split": func(t *rapid.T) {
			ratio := rapid.SampledFrom([][2]int64{{2, 1}, {3, 2}, {1, 2}, {1, 10}}).Draw(t, "ratio")
			if l.try(captable.SplitSecurity{
				ID: l.common, Numerator: exact.NewDecimal(ratio[0]), Denominator: exact.NewDecimal(ratio[1]), Date: l.day(),
			}) {
				l.split = l.day()
			}
		},
		"lapse":          func(*rapid.T) { l.try(captable.ExpireGrants{}) },
		"pass some days": func(t *rapid.T) { l.pass(rapid.IntRange(1, 60).Draw(t, "days")) },
		"somebody leaves": func(*rapid.T) {
			l.try(captable.TerminateGrant{ID: l.given(), Termination: captable.Termination{Date: l.day(), Reason: captable.VoluntaryOther}})
		},
	}
}

func TestGrantsSurviveExportAndImport(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		l := begin(t, rt)
		actions := l.actions()
		maps.Copy(actions, l.options())
		rt.Repeat(actions)
		l.try(captable.ExpireGrants{}) // the format represents only recorded expiries

		_, again := l.comesBack(t)
		if faults := again.state.Audit(); len(faults) > 0 {
			rt.Fatalf("after the import: %v", faults)
		}
		for _, ago := range looked() {
			day := l.day() - ago
			if got, want := again.figures(day), l.figures(day); !slices.Equal(got, want) {
				rt.Fatalf("the grants of %s\n%s\nwere\n%s", day, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
	})
}

// figures returns the figures of every grant that was not voided or retracted, by security
// id.
func (w *world) figures(day captable.Date) []string {
	var all []string
	for grant := range w.state.Grants() {
		if grant.Status == captable.StatusVoided || grant.Status == captable.StatusRetracted {
			continue
		}
		f, name := grant.On(day), grant.ExternalID
		if name == "" {
			name = grant.ID.String()
		}
		line := name + " " + string(grant.Type) + " of " + f.Quantity.String() + " exercised " + f.Exercised.Add(f.Released).String() +
			" ended " + f.Cancelled.Add(f.Expired).String() + " left " + f.Outstanding.String()
		if len(grant.Before) == 0 { // a split rounds unlisted vesting as a whole, but listed instalments separately
			line += " vested " + f.Vested.String()
		}
		all = append(all, line)
	}
	slices.Sort(all)
	return all
}
