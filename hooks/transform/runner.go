package transform

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"equity/confine"
	"equity/hooks"
	"equity/messages"
)

var (
	// ErrTransform reports that the module failed.
	ErrTransform = errors.New("the transform failed")
	// ErrLimit reports that the module exceeded a limit.
	ErrLimit = errors.New("the transform exceeded its time or its memory")
)

// Work returns the work of a child: its request is a [Request] and its answer a [Response], in JSON.
func Work() confine.Work {
	return confine.Work{
		Name: "transform", Do: do,
		Limits: confine.Limits{Memory: 128 << 20, Processor: 4 * time.Second, Time: 4500 * time.Millisecond, Output: 1 << 20},
	}
}

func do(in io.Reader, out io.Writer) error {
	var request Request
	if err := json.NewDecoder(in).Decode(&request); err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(Run(request))
}

// Confined runs the [Work] of transforms.
type Confined interface {
	Run(ctx context.Context, group string, request io.Reader) ([]byte, error)
}

// Runner runs transforms in child processes. It is safe for concurrent use.
type Runner struct{ confined Confined }

// NewRunner returns a Runner with the runner of its [Work].
func NewRunner(confined Confined) *Runner { return &Runner{confined} }

// Transform runs the function of a module, in turns between organizations.
func (p *Runner) Transform(ctx context.Context, module hooks.TransformModule, in hooks.TransformInput) (hooks.TransformResult, error) {
	request, err := json.Marshal(Request{
		Folder: module.Folder, Module: module.Path, Export: module.Export, Payload: string(in.Payload), Headers: in.Headers, URL: in.URL,
		Path: in.Path,
	})
	if err != nil {
		return hooks.TransformResult{}, err
	}
	answer, err := p.confined.Run(ctx, in.Organization.String(), bytes.NewReader(request))
	if refusal, ok := errors.AsType[*confine.ContentError](err); ok {
		return hooks.TransformResult{}, limit(refusal)
	}
	if busy, ok := errors.AsType[*confine.BusyError](err); ok {
		return hooks.TransformResult{}, &messages.CallLimitError{After: busy.RetryAfter}
	}
	if err != nil {
		return hooks.TransformResult{}, fmt.Errorf("%w: %w", ErrTransform, err)
	}
	var out Response
	if err := json.Unmarshal(answer, &out); err != nil {
		return hooks.TransformResult{}, fmt.Errorf("%w: %w", ErrTransform, err)
	}
	if out.Error != "" {
		return hooks.TransformResult{}, fmt.Errorf("%w: %s", ErrTransform, out.Error)
	}
	return hooks.TransformResult{Skip: out.Skip, Override: out.Fields}, nil
}

// limit returns the error of a child that ended without an answer.
func limit(refusal *confine.ContentError) error {
	if slices.Contains([]confine.Reason{confine.TooLong, confine.TooMuch, confine.TooDeep}, refusal.Reason) {
		return fmt.Errorf("%w: %w", ErrLimit, refusal)
	}
	return fmt.Errorf("%w: %w", ErrTransform, refusal)
}
