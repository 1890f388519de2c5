package ledger_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/captable/exact"
	"equity/captable/ledger"
)

// replay executes steps in the form of JSON objects, one per line.
func replay(tb testing.TB, lines string) (ledger.Figures, error) {
	tb.Helper()
	var steps []ledger.Step
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		var step ledger.Step
		if err := json.Unmarshal([]byte(line), &step); err != nil {
			tb.Fatalf("%v: %s", err, line)
		}
		steps = append(steps, step)
	}
	return ledger.Replay(steps)
}

func equal[T comparable](tb interface {
	Helper()
	Errorf(format string, arguments ...any)
}, what string, got, want T,
) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// begin is a class of 100 shares, 60 of which are issued to a holder.
const begin = `
	{"do": "authorize", "class": "C", "shares": "100"}
	{"do": "issue", "class": "C", "holder": "A", "shares": "60", "security": "S", "date": "2024-01-10"}
`

// summary formats the figures as one line.
func summary(f ledger.Figures) string {
	text := []string{f.Authorized.String() + " authorized, " + f.Issued.String() + " issued, " + f.Outstanding.String() + " outstanding, " + f.Issuable.String() + " issuable"}
	for _, holder := range []string{"A", "B"} {
		if lots := f.Lots[holder]; len(lots) > 0 {
			text = append(text, holder+": "+strings.Trim(fmt.Sprint(lots), "[]"))
		}
	}
	if pool, ok := f.Pools["P"]; ok {
		text = append(text, "pool "+pool.Available.String()+" of "+pool.Reserved.String())
	}
	return strings.Join(append(text, "ended "+strings.Join(f.Ended, " ")), ", ")
}

func TestFigures(t *testing.T) {
	t.Parallel()
	for claim, c := range map[string]struct{ lines, want string }{
		"the remainder of a cancellation is a security": {
			`{"do": "cancel", "security": "S", "shares": "20", "balance": "S2"}
			{"do": "cancel", "security": "S2", "shares": "10"}`,
			"100 authorized, 30 issued, 30 outstanding, 70 issuable, A: 30, ended S S2",
		},
		"a part becomes treasury shares, some of which are retired": {
			`{"do": "repurchase", "security": "S", "shares": "20", "treasury": true}
			{"do": "retire", "security": "S", "shares": "5", "reducesAuthorized": true}`,
			"95 authorized, 55 issued, 40 outstanding, 55 issuable, A: 40, ended S",
		},
		"a transfer by holder takes the oldest first": {
			`{"do": "issue", "class": "C", "holder": "A", "shares": "40", "security": "T"}
			{"do": "transfer_by_holder", "from": "A", "to": "B", "shares": "70"}`,
			"100 authorized, 100 issued, 100 outstanding, 0 issuable, A: 30, B: 60 10, ended S T",
		},
		"a split without reissuances multiplies": {
			`{"do": "split", "class": "C", "ratio": ["3", "2"]}`,
			"100 authorized, 90 issued, 90 outstanding, 10 issuable, A: 90, ended ",
		},
		"a consolidation results in one security": {
			`{"do": "issue", "class": "C", "holder": "A", "shares": "40", "security": "T"}
			{"do": "issue", "class": "C", "holder": "A", "shares": "100", "security": "U", "resultOf": "x"}
			{"do": "consolidate", "securities": ["S", "T"], "results": ["U"]}`,
			"100 authorized, 100 issued, 100 outstanding, 0 issuable, A: 100, ended S T",
		},
		"an exercise reduces the options and not the pool": {
			`{"do": "plan", "plan": "P", "reserved": "30"}
			{"do": "grant", "plan": "P", "security": "O", "holder": "B", "shares": "20"}
			{"do": "issue", "class": "C", "holder": "B", "shares": "15", "security": "X", "resultOf": "x"}
			{"do": "exercise", "security": "O", "shares": "15", "results": ["X"]}
			{"do": "issue", "class": "C", "holder": "B", "shares": "5", "security": "Y", "resultOf": "x"}
			{"do": "exercise", "security": "O", "results": ["Y"]}`,
			"100 authorized, 80 issued, 80 outstanding, 20 issuable, A: 60, B: 15 5, pool 10 of 30, ended O",
		},
		"a retracted grant returns to its pool": {
			`{"do": "plan", "plan": "P", "reserved": "30"}
			{"do": "grant", "plan": "P", "security": "O", "shares": "20"}
			{"do": "retract", "security": "O"}`,
			"100 authorized, 60 issued, 60 outstanding, 40 issuable, A: 60, pool 30 of 30, ended O",
		},
		"an automatic return to the pool happens once": {
			`{"do": "plan", "plan": "P", "reserved": "30", "returns": true}
			{"do": "grant", "plan": "P", "security": "O", "shares": "20"}
			{"do": "cancel", "security": "O", "shares": "8"}
			{"do": "return_to_pool", "plan": "P", "security": "O", "shares": "8"}`,
			"100 authorized, 60 issued, 60 outstanding, 40 issuable, A: 60, pool 18 of 30, ended O",
		},
		"a convertible converts into stock of its holder": {
			`{"do": "issue_convertible", "security": "N", "holder": "B"}
			{"do": "issue", "class": "D", "holder": "B", "shares": "7", "security": "X", "resultOf": "x"}
			{"do": "convert", "security": "N", "results": ["X"]}`,
			"100 authorized, 67 issued, 67 outstanding, 40 issuable, A: 60, B: 7, ended N",
		},
		"a warrant ends with its exercise": {
			`{"do": "issue_warrant", "security": "W", "holder": "B"}
			{"do": "issue", "class": "C", "holder": "B", "shares": "7", "security": "X", "resultOf": "x"}
			{"do": "exercise", "security": "W", "results": ["X"]}`,
			"100 authorized, 67 issued, 67 outstanding, 33 issuable, A: 60, B: 7, ended W",
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			got, err := replay(t, begin+c.lines)
			if err != nil {
				t.Fatal(err)
			}
			equal(t, "figures", summary(got), c.want)
		})
	}
}

// Each case is refused at its last line.
func TestRefusals(t *testing.T) {
	t.Parallel()
	const plan = `{"do": "plan", "plan": "P", "reserved": "30", "board": "2024-01-01"}
		{"do": "grant", "plan": "P", "security": "O", "shares": "20", "date": "2024-02-01"}
		`
	for claim, c := range map[string]struct{ lines, why string }{
		"an issue beyond the authorized shares":    {`{"do": "issue", "class": "C", "holder": "A", "shares": "41"}`, "At most 40 more shares"},
		"an issue of zero shares":                  {`{"do": "issue", "class": "C", "holder": "A", "shares": "0"}`, "above zero"},
		"a duplicate security":                     {`{"do": "issue", "class": "C", "holder": "A", "shares": "1", "security": "S"}`, "already"},
		"an authorization below the issued shares": {`{"do": "authorize", "class": "C", "delta": "-41"}`, "must not be below"},
		"an issue beyond the company's authorized shares": {
			`{"do": "authorize_issuer", "shares": "100"}
			{"do": "authorize", "class": "D", "shares": "100"}
			{"do": "issue", "class": "D", "holder": "A", "shares": "41"}`, "exceeds the authorized shares of the company",
		},
		"a class above its company": {
			`{"do": "authorize_issuer", "shares": "100"}
			{"do": "authorize", "class": "D", "shares": "101"}`, "The company authorizes 100 shares",
		},
		"a change of a class above its company": {
			`{"do": "authorize_issuer", "shares": "100"}
			{"do": "authorize", "class": "C", "delta": "1"}`, "The company authorizes 100 shares",
		},
		"a company below one of its classes": {`{"do": "authorize_issuer", "shares": "99"}`, "more than 99 of the company"},
		"a change that is not the total":     {`{"do": "authorize", "class": "C", "delta": "50", "shares": "160"}`, "contradict each other: 100 and the change are 150, not 160"},
		"a first change that is not the total": {
			`{"do": "authorize", "class": "D", "delta": "50", "shares": "60"}`, "0 and the change are 50, not 60",
		},
		"a change of the company that is not its total": {
			`{"do": "authorize_issuer", "shares": "200"}
			{"do": "authorize_issuer", "delta": "-10", "shares": "180"}`, "200 and the change are 190, not 180",
		},
		"a cancellation beyond the quantity": {`{"do": "cancel", "security": "S", "shares": "61"}`, "has 60, not 61"},
		"a negative part":                    {`{"do": "cancel", "security": "S", "shares": "-1"}`, "above zero"},
		"an end before the issue date":       {`{"do": "cancel", "security": "S", "date": "2024-01-09"}`, "is not issued before"},
		"a second acceptance": {
			"{\"do\": \"accept\", \"security\": \"S\"}\n{\"do\": \"accept\", \"security\": \"S\"}", "accepted already",
		},
		"a transfer without a new holder":       {`{"do": "transfer", "security": "S"}`, "results or a new holder"},
		"a transfer beyond the holder's shares": {`{"do": "transfer_by_holder", "from": "A", "to": "B", "shares": "61"}`, "has 60, not 61"},
		"an unknown result":                     {`{"do": "transfer", "security": "S", "results": ["X"]}`, "for the result"},
		"a result of another transaction":       {`{"do": "reissue", "security": "S", "results": ["S"]}`, "not issued as the result"},
		"a reissuance without results":          {`{"do": "reissue", "security": "S"}`, "no results"},
		"a consolidation without securities":    {`{"do": "consolidate"}`, "requires securities"},
		"a split with a zero ratio":             {`{"do": "split", "class": "C", "ratio": ["2", "0"]}`, "two numbers above zero"},
		"a split beyond the range":              {`{"do": "split", "class": "C", "ratio": ["9999999999999999999", "1"]}`, "exceeds the range"},
		"an exercise of stock":                  {`{"do": "exercise", "security": "S"}`, "Only options"},
		"results that do not add up":            {"{\"do\": \"issue\", \"class\": \"C\", \"holder\": \"B\", \"shares\": \"59\", \"security\": \"X\", \"resultOf\": \"x\"}\n{\"do\": \"transfer\", \"security\": \"S\", \"results\": [\"X\"]}", "are 59, not 60"},
		"a conversion into the same class":      {"{\"do\": \"issue\", \"class\": \"C\", \"holder\": \"A\", \"shares\": \"60\", \"security\": \"X\", \"resultOf\": \"x\"}\n{\"do\": \"convert\", \"security\": \"S\", \"results\": [\"X\"]}", "another class"},
		"a result without its transaction":      {`{"do": "issue", "class": "C", "holder": "A", "shares": "1", "security": "X", "resultOf": "x"}`, "as its result"},
		"a grant of an unknown plan":            {`{"do": "grant", "plan": "Q", "security": "O", "shares": "20"}`, "no plan"},
		"a duplicate plan":                      {plan + `{"do": "plan", "plan": "P", "reserved": "1"}`, "already"},
		"a grant before the plan's approval":    {plan + `{"do": "grant", "plan": "P", "security": "Q", "shares": "1", "date": "2023-12-31"}`, "is not approved before"},
		"a pool below the granted shares":       {plan + `{"do": "set_pool", "plan": "P", "reserved": "19"}`, "has granted 20"},
		"a return without a cancellation":       {plan + `{"do": "return_to_pool", "plan": "P", "security": "O", "shares": "1"}`, "has 0 cancelled shares"},
		"a return of another security":          {plan + `{"do": "return_to_pool", "plan": "P", "security": "S", "shares": "1"}`, "not granted under"},
		"a second return": {
			plan + `{"do": "cancel", "security": "O"}
			{"do": "return_to_pool", "plan": "P", "security": "O"}
			{"do": "return_to_pool", "plan": "P", "security": "O"}`, "has already returned",
		},
		"a retraction after acceptance": {
			"{\"do\": \"accept\", \"security\": \"S\"}\n{\"do\": \"retract\", \"security\": \"S\"}", "cannot be retracted",
		},
		"an authorization without a number":       {`{"do": "authorize", "class": "C"}`, "requires a number"},
		"a negative authorization":                {`{"do": "authorize", "class": "D", "delta": "-1"}`, "must not be negative"},
		"a company limit below the issued shares": {`{"do": "authorize_issuer", "shares": "59"}`, "below the issued shares: 60"},
		"an issue without an authorization":       {`{"do": "issue", "class": "D", "holder": "A", "shares": "1"}`, "No shares are authorized"},
		"an issue without a holder":               {`{"do": "issue", "class": "C", "holder": "nobody", "shares": "1"}`, "not a stakeholder"},
		"a second end": {
			"{\"do\": \"cancel\", \"security\": \"S\"}\n{\"do\": \"cancel\", \"security\": \"S\"}", "no longer outstanding",
		},
		"an end of an unknown security": {`{"do": "cancel", "security": "X"}`, "no security"},
		"a balance without a remainder": {`{"do": "cancel", "security": "S", "balance": "S2"}`, "No quantity remains"},
		"a balance of another holder": {
			`{"do": "issue", "class": "C", "holder": "B", "shares": "40", "security": "X", "resultOf": "x"}
			{"do": "cancel", "security": "S", "shares": "20", "balance": "X"}`, "same holder and class",
		},
		"a balance of another quantity": {
			`{"do": "issue", "class": "C", "holder": "A", "shares": "39", "security": "X", "resultOf": "x"}
			{"do": "cancel", "security": "S", "shares": "20", "balance": "X"}`, "the remainder: 40",
		},
		"a result of another day": {
			`{"do": "issue", "class": "C", "holder": "B", "shares": "60", "security": "X", "resultOf": "x", "date": "2024-03-01"}
			{"do": "transfer", "security": "S", "results": ["X"], "date": "2024-03-02"}`, "not on the day",
		},
		"a transfer into another class": {
			`{"do": "issue", "class": "D", "holder": "B", "shares": "60", "security": "X", "resultOf": "x"}
			{"do": "transfer", "security": "S", "results": ["X"]}`, "of another class",
		},
		"a transfer of zero shares by holder": {`{"do": "transfer_by_holder", "from": "A", "to": "B", "shares": "0"}`, "above zero"},
		"a retirement beyond the treasury shares": {
			`{"do": "repurchase", "security": "S", "shares": "20", "treasury": true}
			{"do": "retire", "security": "S", "shares": "21"}`, "The treasury has 20",
		},
		"a consolidation of two holders": {
			`{"do": "issue", "class": "C", "holder": "B", "shares": "1", "security": "T"}
			{"do": "consolidate", "securities": ["S", "T"]}`, "the same holder and class",
		},
		"an exercise for another holder": {
			plan + `{"do": "grant", "plan": "P", "security": "Q", "holder": "B", "shares": "1"}
			{"do": "issue", "class": "C", "holder": "A", "shares": "1", "security": "X", "resultOf": "x"}
			{"do": "exercise", "security": "Q", "results": ["X"]}`, "stock for the same holder",
		},
		"a negative pool":            {`{"do": "plan", "plan": "P", "reserved": "-1"}`, "must not be negative"},
		"a grant without a quantity": {plan + `{"do": "grant", "plan": "P", "security": "Q"}`, "above zero"},
		"a grant beyond the pool":    {plan + `{"do": "grant", "plan": "P", "security": "Q", "shares": "11"}`, "has 10 available shares"},
		"a pool of an unknown plan":  {`{"do": "set_pool", "plan": "Q", "reserved": "1"}`, "no plan"},
		"a repurchase of options":    {plan + `{"do": "repurchase", "security": "O"}`, "Only stock"},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			_, err := replay(t, begin+c.lines)
			var refused ledger.StepError
			if !errors.As(err, &refused) || !strings.Contains(refused.Why, c.why) {
				t.Fatalf("got %v, want %q", err, c.why)
			}
			equal(t, "step", refused.Step, strings.Count(begin+c.lines, `"do"`)-1)
		})
	}
	t.Run("an unknown step is another error", func(t *testing.T) {
		t.Parallel()
		if _, err := replay(t, `{"do": "dance"}`); !errors.Is(err, ledger.ErrUnknownStep) {
			t.Errorf("got %v", err)
		}
	})
}

func TestManySecurities(t *testing.T) {
	t.Parallel()
	one, all := exact.NewDecimal(1), exact.NewDecimal(ledger.MostSecurities/2)
	steps := []ledger.Step{{Do: "authorize", Class: "C", Shares: &all}}
	for range ledger.MostSecurities / 2 {
		steps = append(steps, ledger.Step{Do: "issue", Class: "C", Holder: "A", Shares: &one})
	}
	handOver := ledger.Step{Do: "transfer_by_holder", From: "A", To: "A", Shares: &all}
	if _, err := ledger.Replay(append(steps, handOver)); err != nil {
		t.Fatal(err)
	}
	_, err := ledger.Replay(append(steps, handOver, handOver))
	if refused, ok := errors.AsType[ledger.StepError](err); !ok || !strings.Contains(refused.Why, "too many securities") {
		t.Errorf("got %v", err)
	}
}

// Transfers change neither the number of shares nor the sum of the holdings.
func TestTransfersKeepTotals(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		hundred := exact.NewDecimal(100)
		steps := []ledger.Step{
			{Do: "authorize", Class: "C", Shares: &hundred},
			{Do: "issue", Class: "C", Holder: "A", Shares: &hundred, Security: "S"},
		}
		holders := rapid.SampledFrom([]string{"A", "B", "C"})
		for range rapid.IntRange(0, 20).Draw(t, "transfers") {
			shares := exact.NewDecimal(rapid.Int64Range(1, 40).Draw(t, "shares"))
			next := append(steps, ledger.Step{Do: "transfer_by_holder", From: holders.Draw(t, "from"), To: holders.Draw(t, "to"), Shares: &shares})
			if _, err := ledger.Replay(next); err == nil {
				steps = next
			}
		}
		got, err := ledger.Replay(steps)
		if err != nil {
			t.Fatal(err)
		}
		var held exact.Decimal
		for _, shares := range got.Holders {
			held = held.Add(shares)
		}
		equal(t, "outstanding", got.Outstanding, hundred)
		equal(t, "held", held, hundred)
	})
}
