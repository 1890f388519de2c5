package ocf_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/ocf"
	"equity/fault"
)

// life is a random company history in date order. It omits facts that the format cannot
// represent: treasury shares and backdated transactions.
type life struct {
	*born

	rt   *rapid.T
	live []captable.ShareholdingID
	// pool is a pool of common shares for awards.
	pool captable.Award
	// split is the date of the last split. In the format's standard order, shares issued on
	// that date precede the split.
	split captable.Date
}

func (l *life) day() captable.Date { return exact.DateOf(l.now) }

func (l *life) pass(days int) { l.now = l.now.Add(time.Duration(days) * 24 * time.Hour) }

// one draws an outstanding shareholding. Without one, it returns an unknown id, for which
// every command is refused.
func (l *life) one() captable.ShareholdingID {
	if len(l.live) == 0 {
		return captable.ShareholdingID{}
	}
	return rapid.SampledFrom(l.live).Draw(l.rt, "holding")
}

func (l *life) anybody() captable.HolderRef {
	return holder(rapid.SampledFrom([]captable.EntityID{l.ada, l.bob, l.cleo}).Draw(l.rt, "holder"))
}

func (l *life) class() captable.SecurityID {
	return rapid.SampledFrom([]captable.SecurityID{l.common, l.preferred}).Draw(l.rt, "class")
}

func (l *life) some(most int) captable.Decimal {
	return exact.NewDecimal(int64(rapid.IntRange(1, most).Draw(l.rt, "shares")))
}

// try executes the command and reports whether it was accepted. A refusal is part of the
// history; any other error fails the test.
func (l *life) try(command captable.Command) (done bool) {
	_, err := l.decide(command)
	if refusal := new(fault.Error); errors.As(err, &refusal) {
		return false
	}
	if err != nil {
		l.rt.Fatal(err)
	}
	l.live = l.live[:0]
	for h := range l.state.Shareholdings() {
		if h.Status.Outstanding() {
			l.live = append(l.live, h.ID)
		}
	}
	return true
}

func (l *life) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"pass": func(t *rapid.T) { l.pass(rapid.IntRange(1, 40).Draw(t, "days")) },
		"issue": func(t *rapid.T) {
			command := captable.IssueShareholding{HolderRef: l.anybody(), Security: l.class(), Shares: l.some(300), IssueDate: l.day()}
			if rapid.Bool().Draw(t, "awarded") {
				command.Security, command.Award = l.common, l.pool
			}
			if rapid.Bool().Draw(t, "named") {
				command.ExternalID = "x" + strconv.FormatUint(l.ids, 10)
				command.Legends = []captable.LegendID{l.legend}
			}
			l.try(command)
		},
		"accept":  func(*rapid.T) { l.try(captable.AcceptShareholding{ID: l.one(), Date: l.day()}) },
		"retract": func(*rapid.T) { l.try(captable.RetractShareholding{ID: l.one(), Date: l.day(), Reason: "wrong"}) },
		"void":    func(*rapid.T) { l.try(captable.VoidShareholding{ID: l.one(), Reason: "twice"}) },
		"transfer": func(*rapid.T) {
			l.try(captable.TransferShareholding{Shareholding: l.one(), To: l.anybody(), Shares: l.some(100), Date: l.day(), Kind: "sale"})
		},
		"cancel": func(*rapid.T) {
			shares := l.some(100)
			l.try(captable.CancelShareholding{ID: l.one(), Shares: &shares, Date: l.day(), Reason: "gone"})
		},
		"repurchase": func(*rapid.T) {
			l.try(captable.RepurchaseShareholding{ID: l.one(), Shares: l.some(100), Date: l.day(), Price: &captable.Price{Amount: number("1")}})
		},
		"convert": func(*rapid.T) { l.try(captable.ConvertShareholding{ID: l.one(), Security: l.common, Date: l.day()}) },
		"authorize": func(*rapid.T) {
			l.try(captable.AuthorizeShares{ID: l.class(), Quantity: l.some(500), EffectiveDate: l.day()})
		},
		"split": func(t *rapid.T) {
			ratio := rapid.SampledFrom([][2]int64{{2, 1}, {5, 1}, {1, 2}, {1, 10}, {3, 2}}).Draw(t, "ratio")
			keep := rapid.Bool().Draw(t, "keep")
			if l.try(captable.SplitSecurity{
				ID: l.class(), Numerator: exact.NewDecimal(ratio[0]), Denominator: exact.NewDecimal(ratio[1]), Date: l.day(),
				KeepAuthorized: keep,
			}) {
				l.split = l.day()
			}
		},
		"amend": func(t *rapid.T) {
			l.try(captable.AmendShareholding{ID: l.one(), Patch: []byte(`{"comments":["c` + strconv.Itoa(rapid.IntRange(0, 9).Draw(t, "comment")) + `"]}`)})
		},
		"correct": func(t *rapid.T) {
			h, known := l.state.Shareholding(l.one())
			if !known {
				return
			}
			details := h.Shown().ShareholdingDetails
			price := rapid.SampledFrom([]string{"", "3", "12.5"}).Draw(t, "corrected price")
			if price != "" {
				details.PricePerShare = &captable.Price{Amount: number(price)}
			}
			l.try(captable.CorrectShareholding{
				ID: h.ID, HolderRef: l.anybody(), Security: h.Security, Shares: h.Shares.Min(l.some(300)), IssueDate: h.IssueDate,
				Award: h.Award, ShareholdingDetails: details, Reason: "misread",
			})
		},
		"replace": func(t *rapid.T) {
			security, _ := l.state.Security(l.class())
			terms := security.SecurityTerms
			terms.Comments = append(slices.Clone(terms.Comments), "changed")
			if rapid.Bool().Draw(t, "limit") && !terms.AuthorizedShares.Unlimited {
				terms.AuthorizedShares = captable.AuthorizedOf(security.Issued.Add(l.some(50)))
			}
			l.try(captable.ReplaceSecurity{ID: security.ID, SecurityTerms: terms})
		},
	}
}

// table formats the cap table with names, because ids differ between imports.
func (w *world) table(day captable.Date) string {
	table := w.state.TableOn(day, func(id captable.EntityID) string { return w.holders[id] })
	var lines []string
	names := map[captable.SecurityID]string{}
	for _, s := range table.Securities {
		names[s.ID] = s.Name
		lines = append(lines, fmt.Sprint(s.Name, " authorized ", s.Authorized, " issued ", s.Issued, " diluted ", s.FullyDiluted, " by ", s.Holders))
	}
	for _, h := range table.Holders {
		for _, p := range h.BySecurity {
			lines = append(lines, fmt.Sprint(h.Name, " has ", p.Shares, " and may buy ", p.Warrants, " ", names[p.Security]))
		}
	}
	for _, p := range table.Pools {
		lines = append(lines, fmt.Sprint("of the pool ", p.Exercised, " are shares and ", p.Available, " are left"))
	}
	for _, c := range table.Convertibles {
		lines = append(lines, fmt.Sprint(c.Name, " is owed ", c.Balance, " by a ", c.Kind, " of ", c.Principal.Amount))
	}
	lines = append(lines, fmt.Sprint("invested were ", table.Totals.Invested, " and holders paid ", table.Totals.HolderCost))
	for h := range w.state.Shareholdings() {
		if price := h.PreferencePriceOn(day); price != nil && h.SharesOn(day).Sign() > 0 {
			lines = append(lines, fmt.Sprint(h.SharesOn(day), " ", names[h.Security], " have a preference of ", price.Amount.RatString(), " each"))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// begin creates a company with a plan of 400 common shares and no other history. Some issuers
// have a limit, which only a package can state.
func begin(t *testing.T, rt *rapid.T) *life {
	t.Helper()
	l := &life{born: company(t), rt: rt}
	if limit := rapid.SampledFrom([]string{"", "2000", "UNLIMITED"}).Draw(rt, "issuer"); limit != "" {
		l.record(captable.PackageImported{Version: ocf.Version, Issuer: []byte(`{"id":"our-company","object_type":"ISSUER","legal_name":"Ours Ltd",
			"formation_date":"2024-01-01","country_of_formation":"GB","initial_shares_authorized":"` + limit + `"}`)})
	}
	l.now = exact.MustDate("2024-06-01").Time().Add(9 * time.Hour)
	created := l.do(captable.CreatePlan{PlanTerms: captable.PlanTerms{
		PlanDetails: captable.PlanDetails{Name: "Plan", BoardApprovalDate: exact.MustDate("2024-05-01")},
		Pools:       []captable.PoolTerms{{Name: "Main", Security: l.common, TotalShares: number("400")}},
	}})[0].(captable.PlanCreated)
	l.pool = captable.Award{Plan: created.ID, Pool: created.Terms.Pools[0].ID}
	return l
}

// comesBack exports the company and returns it after an import. It checks that the tables of
// several days are equal.
func (l *life) comesBack(t *testing.T) (files fstest.MapFS, again *world) {
	t.Helper()
	files = l.export(l.day().String())
	valid(l.world, files)
	again = setup(t)
	again.now = l.now
	if findings := again.take(files); findings.Refused() {
		l.rt.Fatalf("our own export is refused: %v", findings.Refusals())
	}
	for _, ago := range looked() {
		if got, want := again.table(l.day()-ago), l.table(l.day()-ago); got != want {
			l.rt.Fatalf("the table of %s:\n%s\nwas\n%s", l.day()-ago, got, want)
		}
	}
	return files, again
}

// looked returns the ages in days of the compared tables.
func looked() []captable.Date { return []captable.Date{0, 1, 7, 30, 200} }

func TestHistoriesSurviveExportAndImport(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		l := begin(t, rt)
		actions := l.actions()
		maps.Copy(actions, l.rights())
		rt.Repeat(actions)
		files, again := l.comesBack(t)
		second := again.export(l.day().String())
		for name, file := range files {
			if string(second[name].Data) != string(file.Data) {
				rt.Fatalf("%s is not stable:\n%s\nwas\n%s", name, second[name].Data, file.Data)
			}
		}
	})
}
