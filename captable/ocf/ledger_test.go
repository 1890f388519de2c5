package ocf_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// ledgerStep is one step of a case. Numbers are JSON integers.
type ledgerStep struct {
	Do, Class, Holder, Security, Balance, Price, Date string
	ResultOf                                          string `json:"result_of"`
	Shares                                            int
	Results                                           []string
	Ratio                                             []int
	Split                                             bool
}

type ledgerCase struct {
	ID     string
	Steps  []ledgerStep
	Expect struct {
		RefusedAt   *int `json:"refused_at"`
		Outstanding *int
	}
}

// ledgerCases returns the cases that a package can represent. The format has no treasury,
// relative limits or transfers by holder. Cases with plans are also left out.
func ledgerCases(t *testing.T) []ledgerCase {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(shared(t), "cases", "ocf", "ledger.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []ledgerCase }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	told := []string{
		"py-auth-before-issue", "py-totals", "tap-cancel-unknown", "tap-retract", "ocf-part-transfer", "convertible-unknown-holder",
		"convertible-before-issue", "warrant-accept-then-retract", "warrant-cancel-twice", "equity-retract-then-accept",
		"convertible-conversion-same-day", "split-2-for-1-by-reissue", "tap-repurchase-part",
	}
	cases := slices.DeleteFunc(file.Cases, func(c ledgerCase) bool { return !slices.Contains(told, c.ID) })
	equal(t, "cases", len(cases), len(told))
	return cases
}

func TestLedgersAsPackages(t *testing.T) {
	t.Parallel()
	for _, c := range ledgerCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			p := &parcel{version: "1.2.0"}
			for i, step := range c.Steps {
				step.tell(p, strconv.Itoa(i), c.Steps)
			}
			w := setup(t)
			findings := w.take(p.files())
			if c.Expect.RefusedAt != nil {
				step := "step-" + strconv.Itoa(*c.Expect.RefusedAt)
				for _, refusal := range findings.Refusals() {
					if strings.Contains(refusal.Pointer, step) {
						return
					}
				}
				t.Fatalf("%s is not refused: %v", step, findings.Refusals())
			}
			equalLists(t, "refusals", refusals(findings), nil)
			if c.Expect.Outstanding != nil {
				for class, shares := range w.outstanding() {
					equal(t, class, shares, strconv.Itoa(*c.Expect.Outstanding))
				}
			}
		})
	}
}

// tell adds the step to the package as an object with the id step-number.
func (s ledgerStep) tell(p *parcel, number string, all []ledgerStep) {
	date, id := s.Date, `"id":"step-`+number+`"`
	if date == "" {
		date = "2024-01-01"
	}
	if s.Holder != "" && s.Holder != "nobody" && !strings.Contains(strings.Join(p.stakeholders, ""), `"id":"`+s.Holder+`"`) {
		p.stakeholders = append(p.stakeholders, `{"id":"`+s.Holder+`","object_type":"STAKEHOLDER","name":{"legal_name":"`+s.Holder+`"},"stakeholder_type":"INDIVIDUAL"}`)
	}
	shares := s.Shares
	for _, step := range all { // without a number, all shares are affected
		if shares == 0 && step.Do == "issue" && step.Security == s.Security {
			shares = step.Shares
		}
	}
	quantity := `"quantity":"` + strconv.Itoa(shares) + `"`
	more := []string{id, quantity}
	if s.Balance != "" {
		more = append(more, `"balance_security_id":"`+s.Balance+`"`)
	}
	if len(s.Results) > 0 {
		more = append(more, `"resulting_security_ids":["`+strings.Join(s.Results, `","`)+`"]`)
	}
	kind := map[string]string{
		"retract": "RETRACTION", "cancel": "CANCELLATION", "accept": "ACCEPTANCE", "transfer": "TRANSFER", "repurchase": "REPURCHASE",
		"reissue": "REISSUANCE", "convert": "CONVERSION",
	}[s.Do]
	switch s.Do {
	case "authorize":
		p.classes = append(p.classes, class(s.Class, "COMMON", strconv.Itoa(s.Shares), "1"))
		return
	case "split":
		p.transactions = append(p.transactions, split("the-split", s.Class, date, strconv.Itoa(s.Ratio[0]), strconv.Itoa(s.Ratio[1])))
		return
	case "issue":
		if s.Security == "" {
			s.Security = "security-" + number
		}
		p.transactions = append(p.transactions, issue(s.Security, date, s.Holder, s.Class, strconv.Itoa(s.Shares), id))
		return
	case "issue_convertible", "issue_warrant", "issue_equity":
		p.transactions = append(p.transactions, tx(familyOf(all)+"_ISSUANCE", s.Security, date, id, `"stakeholder_id":"`+s.Holder+`"`))
		return
	case "repurchase":
		more = append(more, `"price":{"amount":"`+s.Price+`","currency":"USD"}`)
		for _, step := range all { // the case names the balance, but its issuance is implicit
			if step.Do == "issue" && step.Security == s.Security {
				p.transactions = append(p.transactions, issue(s.Balance, date, step.Holder, step.Class, strconv.Itoa(step.Shares-s.Shares)))
			}
		}
	case "reissue":
		more = []string{id, more[len(more)-1]}
		if s.Split {
			more = append(more, `"split_transaction_id":"the-split"`)
		}
	}
	p.transactions = append(p.transactions, tx(familyOf(all)+"_"+kind, s.Security, date, more...))
}

func familyOf(steps []ledgerStep) string {
	for _, step := range steps {
		switch step.Do {
		case "issue_convertible":
			return "CONVERTIBLE"
		case "issue_warrant":
			return "WARRANT"
		case "issue_equity":
			return "EQUITY_COMPENSATION"
		}
	}
	return "STOCK"
}
