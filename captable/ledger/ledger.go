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
	// issuer is what the company may issue of all classes, nil where it has no limit.
	issuer *exact.Decimal
	// carried are the securities whose split a reissuance carries.
	carried map[string]bool
}

// class is a class of shares.
type class struct {
	id          string
	authorized  *exact.Decimal // nil as long as nothing was authorized
	outstanding exact.Decimal
	treasury    exact.Decimal
}

// issued counts what the company holds itself.
func (c *class) issued() exact.Decimal { return c.outstanding.Add(c.treasury) }

// class gives the class, a new one where it was not heard of.
func (l *ledger) class(id string) *class {
	if l.classes[id] == nil {
		l.classes[id] = &class{id: id}
		l.classOrder = append(l.classOrder, l.classes[id])
	}
	return l.classes[id]
}

// issued is everything that was issued, of all classes.
func (l *ledger) issued() exact.Decimal {
	var sum exact.Decimal
	for _, one := range l.classOrder {
		sum = sum.Add(one.issued())
	}
	return sum
}

// ErrUnknownStep is given for what is no transaction at all.
var ErrUnknownStep = errors.New("there is no such step")

// Replay runs the steps in their order and gives the figures after the last. It gives a
// [StepError] for the first step that cannot be, and [ErrUnknownStep].
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

// take runs one step.
func (l *ledger) take(s Step) error {
	steps := map[string]func(Step) error{
		"authorize": l.authorize, "authorize_issuer": l.authorizeIssuer, "split": l.split,
		"issue": l.issue(stock), "issue_equity": l.issue(equity), "issue_warrant": l.issue(warrant), "issue_convertible": l.issue(convertible),
		"plan": l.plan, "set_pool": l.setPool, "grant": l.grant, "return_to_pool": l.returnToPool,
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

// unnamed is the name of a security that a step left without one; no step can say it.
func unnamed(n int) string { return "\x00" + strconv.Itoa(n) }
