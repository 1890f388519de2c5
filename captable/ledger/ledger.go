package ledger

import (
	"errors"
	"strconv"

	"equity/captable/exact"
)

// ledger is the state between two steps.
type ledger struct {
	classes    map[string]*class
	classOrder []*class
	plans      map[string]*plan
	securities map[string]*security
	order      []*security // in order of issue
	ended      []string
	unnamed    int
	step       int
	// issuer is the number of authorized shares of all classes, or nil without a limit.
	issuer *exact.Decimal
	// carried contains the securities with a split carried by a reissuance.
	carried map[string]bool
}

// class is a class of shares.
type class struct {
	id          string
	authorized  *exact.Decimal // nil before the first authorization
	outstanding exact.Decimal
	treasury    exact.Decimal
}

// issued includes treasury shares.
func (c *class) issued() exact.Decimal { return c.outstanding.Add(c.treasury) }

// class returns the class, and creates it if needed.
func (l *ledger) class(id string) *class {
	if l.classes[id] == nil {
		l.classes[id] = &class{id: id}
		l.classOrder = append(l.classOrder, l.classes[id])
	}
	return l.classes[id]
}

// issued returns the issued shares of all classes.
func (l *ledger) issued() exact.Decimal {
	var sum exact.Decimal
	for _, one := range l.classOrder {
		sum = sum.Add(one.issued())
	}
	return sum
}

// ErrUnknownStep is the error of an unknown transaction name.
var ErrUnknownStep = errors.New("unknown step")

// Replay executes the steps in order and returns the final figures. The error is a [StepError] for the first
// invalid step, or [ErrUnknownStep].
func Replay(steps []Step) (Figures, error) {
	l := &ledger{classes: map[string]*class{}, plans: map[string]*plan{}, securities: map[string]*security{}, carried: map[string]bool{}}
	for _, step := range steps {
		if step.Do == "reissue" && step.Split {
			l.carried[step.Security] = true
		}
	}
	for i, step := range steps {
		l.step = i
		if err := l.take(step); err != nil {
			return Figures{}, at(i, err)
		}
	}
	for _, s := range l.order {
		if s.loose {
			return Figures{}, StepError{s.made, "No transaction has the security " + quote(s.id) + " as its result."}
		}
	}
	return l.figures(), nil
}

func at(step int, err error) error {
	if refused, ok := errors.AsType[StepError](err); ok {
		refused.Step = step
		return refused
	}
	return err
}

// take executes one step.
func (l *ledger) take(s Step) error {
	steps := map[string]func(Step) error{
		"authorize": l.authorize, "authorize_issuer": l.authorizeIssuer, "split": l.split,
		"issue": l.issue(stock), "issue_equity": l.issue(equity), "issue_warrant": l.issue(warrant),
		"issue_convertible": l.issue(convertible),
		"plan":              l.plan, "set_pool": l.setPool, "grant": l.grant, "return_to_pool": l.returnToPool,
		"accept": l.accept, "retract": l.retract, "cancel": l.cancel, "repurchase": l.repurchase, "retire": l.retire,
		"transfer": l.transfer, "transfer_by_holder": l.transferByHolder, "reissue": l.reissue, "consolidate": l.consolidate,
		"convert": l.convert, "exercise": l.exercise, "release": l.exercise,
	}
	take := steps[s.Do]
	if take == nil {
		return errors.Join(ErrUnknownStep, errors.New(quote(s.Do)))
	}
	return take(s)
}

func quote(id string) string { return strconv.Quote(id) }

// unnamed returns the name of a security without a name in its step. Steps cannot contain this name.
func unnamed(n int) string { return "\x00" + strconv.Itoa(n) }
