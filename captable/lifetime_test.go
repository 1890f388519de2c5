package captable_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
	"equity/fault"
)

// The first and the last day of the records of a life.
const (
	lifeBegins = "2025-02-01"
	lifeEnds   = "2025-06-30"
)

// life is a company whose records exist from the first day on. The grants and the warrant end on the last day. If it has
// ended, the shares and the note ended on it too.
type life struct {
	*bundle
	class, empty, preferred captable.SecurityID
	pool                    captable.PoolRef
	shares                  captable.ShareholdingID
	option, unit, expected  captable.GrantID
	warrant, note           captable.InstrumentID
}

func newLife(t *testing.T, ended bool) *life {
	t.Helper()
	b := setup(t)
	l := &life{bundle: b}
	born := func(terms captable.SecurityTerms) captable.SecurityID {
		terms.BoardApprovalDate = exact.MustDate(lifeBegins)
		return b.security(terms)
	}
	l.class = born(captable.SecurityTerms{Name: "Common", ShareType: captable.ShareCommon, AuthorizedShares: limit("10000")})
	l.empty = born(preferred("Empty"))
	terms := preferred("A")
	terms.Conversion = &captable.Conversion{Security: l.class, Ratio: number("1")}
	l.preferred = born(terms)
	plan := planned(l.class, "1000")
	plan.Pools[0].BoardApprovalDate = exact.MustDate(lifeBegins)
	l.pool = b.plan(plan)
	l.shares = b.issue(ada, l.preferred, "100", lifeBegins)
	grant := option(ada, l.pool, "100", lifeBegins)
	grant.ExpirationDate = exact.MustDate(lifeEnds)
	l.option = b.grant(grant)
	grant.Vesting = &vesting.Scheme{
		Allocation: vesting.CumulativeRoundDown, Discrete: []vesting.Tranche{{Milestone: "ipo", Fraction: number("1")}},
	}
	l.expected = b.grant(grant)
	grant.Type, grant.ExercisePrice = captable.GrantRSU, nil
	l.unit = b.grant(grant)
	right := warrant(ada, l.class, "100", lifeBegins)
	right.ExpirationDate = exact.MustDate(lifeEnds)
	l.warrant, l.note = b.instrument(right), b.instrument(note(ada, lifeBegins))
	if ended {
		b.do(captable.CancelShareholding{ID: l.shares, Date: exact.MustDate(lifeEnds), Reason: "r"})
		b.do(cancelInstrument(l.note, lifeEnds))
	}
	return l
}

// lifeCommand is a command on a record of a life.
type lifeCommand struct {
	on func(l *life, day captable.Date) captable.Command
	// endless is set for a record without a last day, and early for a fact that may precede its record.
	endless, early bool
}

// lifeCommands returns each command with a date, applied to a record of the company.
func lifeCommands() []lifeCommand {
	type on = func(l *life, day captable.Date) captable.Command
	class := []on{
		func(l *life, day captable.Date) captable.Command {
			return captable.SplitSecurity{ID: l.empty, Numerator: number("2"), Denominator: number("1"), Date: day}
		},
		func(l *life, day captable.Date) captable.Command { return authorize(l.class, "5", day.String()) },
		func(l *life, day captable.Date) captable.Command {
			return captable.AdjustConversion{ID: l.preferred, Ratio: number("2"), Date: day}
		},
		func(l *life, day captable.Date) captable.Command { return issue(bob, l.class, "5", day.String()) },
		func(l *life, day captable.Date) captable.Command { return warrant(bob, l.class, "5", day.String()) },
		func(l *life, day captable.Date) captable.Command { return option(bob, l.pool, "5", day.String()) },
		func(l *life, day captable.Date) captable.Command { return adjust(l.pool, "900", day.String()) },
		func(l *life, day captable.Date) captable.Command { return l.resize(l.pool, "1100", day.String()) },
	}
	records := []on{
		func(l *life, day captable.Date) captable.Command {
			return captable.AcceptShareholding{ID: l.shares, Date: day}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.RetractShareholding{ID: l.shares, Date: day, Reason: "r"}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.CancelShareholding{ID: l.shares, Date: day, Reason: "r"}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.TransferShareholding{Shareholding: l.shares, To: holder(bob), Shares: number("5"), Date: day, Kind: "gift"}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.RepurchaseShareholding{ID: l.shares, Shares: number("5"), Price: price("1"), Date: day}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.ConvertShareholding{ID: l.shares, Security: l.class, Date: day}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.ReplaceShareholding{Kind: captable.StatusCancelled, From: []captable.ShareholdingID{l.shares}, Date: day}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.ChangeCapital{Entity: ada, CapitalChangeTerms: captable.CapitalChangeTerms{
				Kind: "distribution", Amount: *dollars("5"), Date: day, Shareholding: l.shares,
			}}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.AcceptGrant{ID: l.option, Date: day}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.RetractGrant{ID: l.option, Date: day, Reason: "r"}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.CancelGrant{ID: l.option, Date: day, Reason: "r"}
		},
		func(l *life, day captable.Date) captable.Command { return exercise(l.option, "5", day.String()) },
		func(l *life, day captable.Date) captable.Command {
			return captable.RequestExercise{ID: l.option, Quantity: number("5"), Date: day}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.RepriceGrants{Plan: l.pool.Plan, Options: []captable.GrantID{l.option}, ExercisePrice: *price("1"), Date: day}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.SettleGrant{ID: l.option, Kind: captable.StatusExercised, Quantity: number("5"), Date: day, Result: captable.Result{
				Holder: holder(ada), Security: l.class, Shares: number("5"),
			}}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.AccelerateGrant{ID: l.expected, Date: day}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.TerminateGrant{ID: l.option, Termination: captable.Termination{Date: day, Reason: captable.VoluntaryOther}}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.TerminateHolder{Entity: ada, Termination: captable.Termination{Date: day, Reason: captable.VoluntaryOther}}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.AcceptInstrument{ID: l.warrant, Date: day}
		},
		func(l *life, day captable.Date) captable.Command {
			return exerciseWarrant(l.warrant, "5", day.String())
		},
		func(l *life, day captable.Date) captable.Command { return cancelInstrument(l.warrant, day.String()) },
		func(l *life, day captable.Date) captable.Command {
			return captable.TransferInstrument{ID: l.warrant, To: holder(bob), Date: day, Kind: "gift"}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.RetractInstrument{ID: l.warrant, Date: day, Reason: "r"}
		},
		func(l *life, day captable.Date) captable.Command {
			part := warrant(ada, l.class, "50", day.String())
			return captable.DivideInstrument{ID: l.warrant, Kind: captable.StatusCancelled, Date: day, Size: number("50"), Balance: &part}
		},
		func(l *life, day captable.Date) captable.Command {
			return captable.SettleInstrument{ID: l.warrant, Kind: captable.StatusExercised, Date: day, Result: captable.Result{
				Holder: holder(ada), Security: l.class, Shares: number("5"),
			}}
		},
		func(l *life, day captable.Date) captable.Command { return repay(l.note, "5", day.String()) },
		func(l *life, day captable.Date) captable.Command {
			return captable.ConvertInstrument{ID: l.note, Security: l.class, PricePerShare: price("10"), Date: day}
		},
	}
	commands := []lifeCommand{
		// A milestone may have been reached before the grant, which then vests by it on its first day.
		{on: func(l *life, day captable.Date) captable.Command { return l.milestone(l.expected, day) }, early: true},
		// Vested units are owed to the holder and do not end by time.
		{on: func(l *life, day captable.Date) captable.Command {
			l.do(l.milestone(l.unit, exact.MustDate(lifeBegins)))
			return captable.ReleaseGrant{ID: l.unit, Date: day}
		}, endless: true},
	}
	for _, command := range class {
		commands = append(commands, lifeCommand{on: command, endless: true})
	}
	for _, command := range records {
		commands = append(commands, lifeCommand{on: command})
	}
	return commands
}

func (l *life) milestone(id captable.GrantID, day captable.Date) captable.Command {
	return captable.HappenGrant{ID: id, Happening: vesting.Happening{Condition: "ipo", Date: day}}
}

func TestNoEventOutsideTheLifeOfItsRecord(t *testing.T) {
	t.Parallel()
	first, last := exact.MustDate(lifeBegins), exact.MustDate(lifeEnds)
	for _, command := range lifeCommands() {
		name := reflect.TypeOf(command.on(newLife(t, false), first)).Name()
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			accepted := func(ended bool, day captable.Date) bool {
				l := newLife(t, ended)
				events, err := l.decide(command.on(l, day))
				return err == nil && len(events) > 0
			}
			if !accepted(false, first) {
				t.Errorf("refused on the first day, %s", first)
			}
			if accepted(false, first-1) != command.early {
				t.Errorf("the day before the first one: accepted is not %v", command.early)
			}
			for _, day := range []captable.Date{last + 1, exact.MustDate(today)} {
				if accepted(true, day) != command.endless {
					t.Errorf("after the last day, on %s: accepted is not %v", day, command.endless)
				}
			}
		})
	}
}

// A warrant cannot be amended or corrected to expire before a recorded event of it.
func TestAmendedExpiry(t *testing.T) {
	t.Parallel()
	for name, event := range map[string]func(l *life) captable.Command{
		"acceptance": func(l *life) captable.Command {
			return captable.AcceptInstrument{ID: l.warrant, Date: exact.MustDate("2025-05-01")}
		},
		"exercise": func(l *life) captable.Command { return exerciseWarrant(l.warrant, "5", "2025-05-01") },
		"end":      func(l *life) captable.Command { return cancelInstrument(l.warrant, "2025-05-01") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLife(t, false)
			l.do(event(l))
			amend := func(day string) captable.Command {
				return captable.AmendInstrument{ID: l.warrant, Patch: []byte(`{"expirationDate":"` + day + `"}`)}
			}
			l.refused(amend("2025-04-30"), fault.Invalid, "/expirationDate datesOutOfOrder")
			l.do(amend("2025-05-01"))
		})
	}
}

// TestEveryDatedCommandHasALife fails for a new command with a date that [lifeCommands] does not contain.
func TestEveryDatedCommandHasALife(t *testing.T) {
	t.Parallel()
	var known []string
	for _, command := range lifeCommands() {
		known = append(known, reflect.TypeOf(command.on(newLife(t, false), exact.MustDate(lifeBegins))).Name())
	}
	for name, reason := range map[string]string{
		"CloseRound":               "authorizes, converts and issues by commands of the table",
		"TerminateShares":          "ignores shares that do not vest on the day",
		"ExpireGrants":             "records lapses only",
		"AmendCapitalChange":       "has the rules of ChangeCapital",
		"CreateSecurity":           "begins its record",
		"CreatePlan":               "begins its record",
		"PutValuation":             "begins its record",
		"CreateBlock":              "begins its record",
		"AmendShareholding":        "changes clerical fields",
		"AmendGrant":               "changes clerical fields",
		"AmendInstrument":          "changes terms, whose last day is checked in TestAmendedExpiry",
		"ReplaceSecurity":          "is in force from today on",
		"ReplaceBlock":             "states the facts of the record anew",
		"CorrectShareholding":      "states the facts of the record anew",
		"CorrectGrant":             "states the facts of the record anew",
		"CorrectInstrument":        "states the facts of the record anew",
		"DeferLimits":              "decides another command",
		"Configure":                "has no date",
		"CheckLimits":              "has no date",
		"DeleteSecurity":           "has no date",
		"DeletePlan":               "has no date",
		"DeleteBlock":              "has no date",
		"CreateLegend":             "has no date",
		"AmendLegend":              "has no date",
		"DeleteLegend":             "has no date",
		"DeclineExercise":          "has no date",
		"VoidShareholding":         "has no date",
		"VoidGrant":                "has no date",
		"VoidInstrument":           "has no date",
		"CreateVestingSchedule":    "has no date",
		"DeleteVestingSchedule":    "has no date",
		"SupersedeVestingSchedule": "has no date",
	} {
		if reason != "" {
			known = append(known, name)
		}
	}
	for _, name := range decidedTypes(t) {
		if ast.IsExported(name) && !slices.Contains(known, name) {
			t.Errorf("%s is not in the table of commands with the life of their records", name)
		}
	}
}

// decidedTypes returns the names of the types of this package with a method decide.
func decidedTypes(t *testing.T) (names []string) {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		source, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range source.Decls {
			method, ok := declared.(*ast.FuncDecl)
			if !ok || method.Name.Name != "decide" || method.Recv == nil {
				continue
			}
			if receiver, ok := method.Recv.List[0].Type.(*ast.Ident); ok {
				names = append(names, receiver.Name)
			}
		}
	}
	if len(names) < 50 {
		t.Fatalf("only %d commands were found", len(names))
	}
	return names
}
