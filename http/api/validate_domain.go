package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"equity/fault"
)

// withTrial adds the domain's field errors to those of the contract, so that the caller gets all of
// them at once. It runs the operation as a dry run without the invalid fields; without a dry run it
// only decodes the body. Other errors of the trial are ignored.
func (s *Kernel) withTrial(ctx context.Context, c *Call, err error) error {
	refusal, refused := errors.AsType[*fault.Error](err)
	run := s.trialOf(c.Operation)
	if !refused || refusal.Code != fault.Invalid || c.Operation.body == nil || run == nil {
		return err
	}
	body, readable := without(c.Body, refusal.Fields)
	if !readable {
		return err
	}
	trial := *c
	trial.Body, trial.Files, trial.query, trial.header = body, nil, map[string]string{"dryRun": "true"}, func(string) string { return "" }
	err = run(ctx, &trial)
	if found, refused := errors.AsType[*fault.Error](err); refused && found.Code == fault.Invalid {
		refusal.Fields = fault.Fields(refusal.Fields).WithIndependent(found.Fields)
	}
	return refusal
}

// trialOf returns a read-only trial of an operation; nil if the operation cannot be tried.
func (s *Kernel) trialOf(op *Operation) func(context.Context, *Call) error {
	if op.canBeTried() {
		return func(ctx context.Context, c *Call) error { _, err := op.handler(ctx, c); return err }
	}
	read := s.checks[op.ID]
	if read == nil {
		return nil
	}
	return func(_ context.Context, c *Call) error { return read(c) }
}

// checked runs the check of the body of an operation without a dry run.
func (s *Kernel) checked(c *Call) error {
	if check := s.checks[c.Operation.ID]; check != nil {
		return check(c)
	}
	return nil
}

// without returns the JSON object without the invalid fields; false if the body is not an object.
func without(body []byte, wrong []fault.Field) ([]byte, bool) {
	var object map[string]any
	reader := json.NewDecoder(bytes.NewReader(body))
	reader.UseNumber()
	if err := reader.Decode(&object); err != nil || object == nil {
		return nil, false
	}
	for _, problem := range wrong {
		if steps := strings.Split(problem.Pointer, "/"); len(steps) > 1 && steps[1] != "query" {
			deleteField(object, steps[1:])
		}
	}
	left, err := json.Marshal(object)
	return left, err == nil
}

// deleteField deletes the field from the object. For an item of a list it deletes the whole list, so that
// the indexes of other items remain valid.
func deleteField(object map[string]any, steps []string) {
	owner, name := object, steps[0]
	var at any = object
	for _, step := range steps {
		switch within := at.(type) {
		case map[string]any:
			owner, name, at = within, step, within[step]
		case []any:
			n, err := strconv.Atoi(step)
			if err != nil || n < 0 || n >= len(within) {
				return
			}
			at = within[n]
		}
	}
	delete(owner, name)
}
