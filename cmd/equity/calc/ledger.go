package calc

import (
	"errors"
	"strconv"

	"equity/captable/exact"
	"equity/captable/ledger"
)

// ledgerCase is a list of transactions.
type ledgerCase struct {
	Steps []ledgerStep `json:"steps"`
}

// ledgerStep is a transaction. Its kind determines the required fields.
type ledgerStep struct {
	Do         string     `json:"do"`
	Date       exact.Date `json:"date"`
	Class      string     `json:"class"`
	Plan       string     `json:"plan"`
	Holder     string     `json:"holder"`
	Security   string     `json:"security"`
	Securities []string   `json:"securities"`
	Shares     *number    `json:"shares"`
	Delta      *number    `json:"delta"`
	ResultOf   string     `json:"result_of"`
	Results    []string   `json:"results"`
	Balance    string     `json:"balance"`
	From       string     `json:"from"`
	To         string     `json:"to"`
	Ratio      []number   `json:"ratio"`
	Split      bool       `json:"split"`
	Into       string     `json:"into"`
	Reduces    bool       `json:"reduces_authorized"`
	Reserved   number     `json:"reserved"`
	Board      exact.Date `json:"board"`
	Default    string     `json:"default_cancellation_behavior"`
}

// ledgerAnswer contains the totals of the transactions.
type ledgerAnswer struct {
	Authorized  shares                `json:"authorized"`
	Issued      shares                `json:"issued"`
	Outstanding shares                `json:"outstanding"`
	Issuable    shares                `json:"issuable"`
	Holders     map[string]shares     `json:"holders"`
	Lots        map[string][]shares   `json:"lots"`
	Ended       []string              `json:"ended"`
	Pools       map[string]ledgerPool `json:"pools"`
}

type ledgerPool struct {
	Reserved  shares `json:"reserved"`
	Available shares `json:"available"`
}

// ledgerRefusal is the answer to a case with a refused step.
type ledgerRefusal struct {
	RefusedAt int    `json:"refused_at"`
	Why       string `json:"why"`
}

// mostSteps bounds the calculation time, because a step may search all previous steps.
const mostSteps = 10_000

// ledgerOf replays the transactions.
func ledgerOf(c ledgerCase) (any, error) {
	if len(c.Steps) == 0 {
		return nil, errors.New("a case has steps")
	}
	if len(c.Steps) > mostSteps {
		return nil, refuse("a case has at most " + strconv.Itoa(mostSteps) + " steps")
	}
	steps := make([]ledger.Step, len(c.Steps))
	for i, one := range c.Steps {
		steps[i] = one.read()
	}
	figures, err := ledger.Replay(steps)
	var refused ledger.StepError
	switch {
	case errors.As(err, &refused):
		return ledgerRefusal{refused.Step, refused.Why}, nil
	case err != nil:
		return nil, err
	}
	return printed(figures), nil
}

// read converts the step to the domain's type.
func (s ledgerStep) read() ledger.Step {
	out := ledger.Step{
		Do: s.Do, Date: s.Date, Class: s.Class, Plan: s.Plan, Holder: s.Holder, Security: s.Security, Securities: s.Securities,
		Shares: s.Shares.given(), Delta: s.Delta.given(), ResultOf: s.ResultOf, Results: s.Results, Balance: s.Balance,
		From: s.From, To: s.To, Split: s.Split, Treasury: s.Into == "treasury", ReducesAuthorized: s.Reduces,
		Reserved: s.Reserved.Decimal, Board: s.Board, Returns: s.Default == "RETURN_TO_POOL",
	}
	if len(s.Ratio) == len(out.Ratio) {
		out.Ratio = [2]exact.Decimal{s.Ratio[0].Decimal, s.Ratio[1].Decimal}
	}
	return out
}

// given returns the number, or nil if it is missing.
func (n *number) given() *exact.Decimal {
	if n == nil {
		return nil
	}
	return &n.Decimal
}

// printed returns the figures in the format of the cases.
func printed(f ledger.Figures) ledgerAnswer {
	out := ledgerAnswer{
		Authorized: shares(f.Authorized), Issued: shares(f.Issued), Outstanding: shares(f.Outstanding), Issuable: shares(f.Issuable),
		Holders: map[string]shares{}, Lots: map[string][]shares{}, Ended: f.Ended, Pools: map[string]ledgerPool{},
	}
	for holder, held := range f.Holders {
		out.Holders[holder] = shares(held)
	}
	for holder, lots := range f.Lots {
		for _, lot := range lots {
			out.Lots[holder] = append(out.Lots[holder], shares(lot))
		}
	}
	for plan, pool := range f.Pools {
		out.Pools[plan] = ledgerPool{shares(pool.Reserved), shares(pool.Available)}
	}
	return out
}
