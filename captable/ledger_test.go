package captable_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"equity/captable"
	"equity/captable/exact"
)

// ledgerCase is a short public ledger: steps and the expected state after them. Steps about
// warrants, convertibles and options are carried out with shares, because the cases state only
// the life cycle, which is the same for all securities.
type ledgerCase struct {
	ID     string
	Source map[string]string
	Steps  []ledgerStep
	Expect struct {
		RefusedAt   *int `json:"refused_at"`
		Authorized  json.Number
		Issued      json.Number
		Outstanding json.Number
		Issuable    json.Number
		Holders     map[string]json.Number
		Lots        map[string][]json.Number
		Ended       []string
	}
}

type ledgerStep struct {
	Do       string
	Class    string
	Holder   string
	From, To string
	Shares   json.Number
	Delta    json.Number
	Security string
	Results  []string
	Balance  string
	Into     string
	Date     string
	Ratio    []json.Number
	ResultOf string `json:"result_of"`
	Price    string
}

// ledger carries out the steps of a case. It maps the names of the case to identifiers.
type ledger struct {
	*bundle
	class   captable.SecurityID
	ids     map[string]captable.ShareholdingID
	stated  map[string]ledgerStep // results that a later step creates
	restate []captable.ShareholdingID
	ratio   *captable.Ratio
}

func TestLedgers(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("testdata/ledger.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct{ Cases []ledgerCase }
	if err := json.Unmarshal(file, &all); err != nil {
		t.Fatal(err)
	}
	for _, c := range all.Cases {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			l := &ledger{bundle: setup(t), ids: map[string]captable.ShareholdingID{}, stated: map[string]ledgerStep{}}
			for i, step := range c.Steps {
				err := l.step(step, c.Steps[i:])
				if refused := c.Expect.RefusedAt != nil && i == *c.Expect.RefusedAt; refused != (err != nil) {
					t.Fatalf("step %d of %s: %v", i, c.Source["test"], err)
				}
			}
			if c.Expect.RefusedAt == nil {
				l.expect(c)
			}
		})
	}
}

// step carries out one step. It only stores a result that a later step creates.
func (l *ledger) step(s ledgerStep, rest []ledgerStep) error {
	if s.ResultOf != "" {
		l.stated[s.Security] = s
		return nil
	}
	for i, command := range l.commands(s, rest) {
		events, err := l.decide(command)
		if err != nil {
			return err
		}
		l.apply(events)
		if issued, ok := events[0].(captable.ShareholdingIssued); ok {
			l.ids[s.Security] = issued.ID
		}
		if ending, ok := events[0].(captable.ShareholdingEnded); ok && i == 0 {
			for j, result := range ending.Results {
				l.ids[s.Results[j]] = result.ID
			}
			if ending.Balance != nil {
				l.ids[s.Balance] = ending.Balance.ID
			}
		}
	}
	return nil
}

func (l *ledger) commands(s ledgerStep, rest []ledgerStep) []captable.Command {
	id, day := l.ids[s.Security], exact.MustDate(today)
	if s.Date != "" {
		day = exact.MustDate(s.Date)
	}
	switch strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(s.Do, "_warrant"), "_convertible"), "_equity") {
	case "authorize":
		if s.Delta != "" {
			return []captable.Command{captable.AuthorizeShares{ID: l.class, Quantity: number(s.Delta.String()), EffectiveDate: day}}
		}
		l.class = l.common(s.Shares.String())
		return nil
	case "issue":
		if strings.Contains(s.Do, "_") { // the case states neither class nor quantity
			l.class = l.common("1000")
			s.Holder, s.Shares = "A", "1000"
		}
		return []captable.Command{
			captable.IssueShareholding{HolderRef: person(s.Holder), Security: l.class, Shares: number(s.Shares.String()), IssueDate: day},
		}
	case "transfer_by_holder":
		for held := range l.state.ShareholdingsOf(person(s.From).Entity) {
			return []captable.Command{captable.TransferShareholding{
				Shareholding: held.ID, To: person(s.To), Shares: number(s.Shares.String()), Date: day, Kind: "sale",
			}}
		}
	case "accept":
		return []captable.Command{captable.AcceptShareholding{ID: id, Date: day}}
	case "retract":
		return []captable.Command{captable.RetractShareholding{ID: id, Date: day}}
	case "cancel":
		command := captable.CancelShareholding{ID: id, Date: day, Reason: "r"}
		if s.Shares != "" {
			command.Shares = figure(s.Shares.String())
		}
		return []captable.Command{command}
	case "repurchase", "retire":
		return l.repurchase(s, id, day)
	case "split":
		l.ratio = &captable.Ratio{Numerator: number(s.Ratio[0].String()), Denominator: number(s.Ratio[1].String())}
		for _, later := range rest {
			if later.Do == "reissue" {
				l.restate = append(l.restate, l.ids[later.Security])
			}
		}
		return []captable.Command{captable.SplitSecurity{
			ID: l.class, Numerator: l.ratio.Numerator, Denominator: l.ratio.Denominator, Date: day, Restated: l.restate, KeepAuthorized: true,
		}}
	case "transfer":
		return []captable.Command{l.replacing(captable.StatusTransferred, s, day)}
	case "reissue":
		return []captable.Command{l.replacing(captable.StatusReissued, s, day)}
	}
	l.Fatalf("no such step: %s", s.Do)
	return nil
}

func (l *ledger) repurchase(s ledgerStep, id captable.ShareholdingID, day captable.Date) []captable.Command {
	command := captable.RepurchaseShareholding{ID: id, Shares: l.holding(id).Shares, Price: price("0"), Date: day, ToTreasury: s.Into == "treasury"}
	if s.Shares != "" {
		command.Shares = number(s.Shares.String())
	}
	if s.Do == "repurchase" {
		return []captable.Command{command}
	}
	terms := l.bundle.class(l.class).SecurityTerms // a retirement also reduces the authorized shares
	terms.AuthorizedShares = captable.AuthorizedOf(terms.AuthorizedShares.Shares.Sub(command.Shares))
	return []captable.Command{command, captable.ReplaceSecurity{ID: l.class, SecurityTerms: terms}}
}

func (l *ledger) replacing(kind captable.Status, s ledgerStep, day captable.Date) captable.Command {
	command := captable.ReplaceShareholding{Kind: kind, From: []captable.ShareholdingID{l.ids[s.Security]}, Date: day}
	if s.Shares != "" {
		command.Shares = number(s.Shares.String())
	}
	if kind == captable.StatusReissued {
		command.Ratio = l.ratio
	}
	stated := func(name string) captable.Result {
		return captable.Result{Holder: person(l.stated[name].Holder), Security: l.class, Shares: number(l.stated[name].Shares.String())}
	}
	for _, name := range s.Results {
		command.Results = append(command.Results, stated(name))
	}
	if s.Balance != "" {
		command.Balance = new(stated(s.Balance))
	}
	return command
}

// person returns the holder for a name of a case.
func person(name string) captable.HolderRef {
	people := map[string]captable.EntityID{"A": ada, "PG": ada, "Bob": ada, "jane": ada, "B": bob, "GB": bob, "Frank": bob}
	return captable.HolderRef{Entity: people[name]}
}

func (l *ledger) expect(c ledgerCase) {
	l.Helper()
	s := l.bundle.class(l.class)
	for what, pair := range map[string][2]string{
		"authorized": {c.Expect.Authorized.String(), s.AuthorizedShares.String()}, "issued": {c.Expect.Issued.String(), s.Issued.String()},
		"outstanding": {c.Expect.Outstanding.String(), s.Outstanding().String()}, "issuable": {c.Expect.Issuable.String(), s.Available().String()},
	} {
		if pair[0] != "" {
			equal(l, what, pair[1], pair[0])
		}
	}
	lots := map[captable.EntityID][]string{}
	sums := map[captable.EntityID]captable.Decimal{}
	for held := range l.state.Shareholdings() {
		if held.Status.Outstanding() {
			lots[held.Entity] = append(lots[held.Entity], held.Shares.String())
			sums[held.Entity] = sums[held.Entity].Add(held.Shares)
		}
	}
	for name, want := range c.Expect.Holders {
		equal(l, "shares of "+name, sums[person(name).Entity].String(), want.String())
	}
	for name, want := range c.Expect.Lots {
		got := lots[person(name).Entity]
		if !slices.EqualFunc(want, got, func(a json.Number, b string) bool { return a.String() == b }) {
			l.Errorf("lots of %s: got %v, want %v", name, got, want)
		}
	}
	for _, name := range c.Expect.Ended {
		equal(l, name+" is held", l.holding(l.ids[name]).Status.Outstanding(), false)
	}
}
