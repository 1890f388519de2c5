package http

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"equity/captable"
)

// withTrial adds the domain's field errors to those of the contract, so that the caller gets all of
// them at once. It runs the operation as a dry run without the invalid fields; without a dry run it
// only decodes the body. Other errors of the trial are ignored.
func (s *Server) withTrial(ctx context.Context, c *Call, err error) error {
	refusal, refused := errors.AsType[*captable.Error](err)
	attempt := s.attempt(c.operation)
	if !refused || refusal.Code != captable.CodeInvalid || c.operation.body == nil || attempt == nil {
		return err
	}
	body, readable := without(c.Body, refusal.Fields)
	if !readable {
		return err
	}
	trial := *c
	trial.Body, trial.Files, trial.query, trial.header = body, nil, map[string]string{"dryRun": "true"}, func(string) string { return "" }
	err = attempt(ctx, &trial)
	if found, refused := errors.AsType[*captable.Error](err); refused && found.Code == captable.CodeInvalid {
		refusal.Fields = captable.Faults(refusal.Fields).Beside(found.Fields)
	}
	return refusal
}

// attempt returns the trial of an operation, which changes nothing; nil if there is none.
func (s *Server) attempt(op *operation) func(context.Context, *Call) error {
	if op.canBeTried() {
		return func(ctx context.Context, c *Call) error { _, err := op.handler(ctx, c); return err }
	}
	read := map[string]func(*Call) error{
		"addWallet":      func(c *Call) error { _, err := readWallet(c); return err },
		"transferCredit": func(c *Call) error { _, err := s.readTransfer(c); return err },
		"referCompany":   func(c *Call) error { _, _, err := readCompany(c); return err },
		"registerUser":   func(c *Call) error { _, err := s.readRegistration(c); return err },
	}[op.id]
	if read == nil {
		return nil
	}
	return func(_ context.Context, c *Call) error { return read(c) }
}

// without returns the JSON object without the invalid fields; false if the body is not an object.
func without(body []byte, wrong []captable.FieldError) ([]byte, bool) {
	var object map[string]any
	reader := json.NewDecoder(bytes.NewReader(body))
	reader.UseNumber()
	if err := reader.Decode(&object); err != nil || object == nil {
		return nil, false
	}
	for _, fault := range wrong {
		if steps := strings.Split(fault.Pointer, "/"); len(steps) > 1 && steps[1] != "query" {
			leaveOut(object, steps[1:])
		}
	}
	left, err := json.Marshal(object)
	return left, err == nil
}

// leaveOut deletes the field from the object. For an item of a list it deletes the whole list, so that
// the indexes of other items remain valid.
func leaveOut(object map[string]any, steps []string) {
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
