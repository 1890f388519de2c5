package messages

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"equity/organization"
)

// Draws returns the command with ids and random values, of which a digest is independent.
func (c Command) Draws(values ...any) (Command, error) {
	c.Drawn = slices.Clip(c.Drawn)
	for _, value := range values {
		text, err := json.Marshal(value)
		if err != nil {
			return c, fmt.Errorf("drawn value: %w", err)
		}
		c.Drawn = append(c.Drawn, strings.Trim(string(text), `"`))
	}
	return c, nil
}

// DigestOf returns a hash of the types and contents of the events. New ids and random values are replaced by their order, so that two
// decisions about the same command have the same digest.
func DigestOf(events []organization.Event, drawn []string) (Hash, error) {
	replaced := make([]string, 0, 2*len(drawn))
	for i, text := range drawn {
		replaced = append(replaced, text, "#"+strconv.Itoa(i))
	}
	replacer, hash := strings.NewReplacer(replaced...), sha256.New()
	for _, event := range events {
		payload, err := json.Marshal(event)
		if err != nil {
			return Hash{}, fmt.Errorf("digest of %s: %w", event.EventType(), err)
		}
		_, _ = fmt.Fprintf(hash, "%s\x00%s\x00", event.EventType(), replacer.Replace(string(payload)))
	}
	return Hash(hash.Sum(nil)), nil
}

// ToolRun connects the commands of one operation with the preview that a user confirmed. It serves one goroutine.
type ToolRun struct {
	at       time.Time
	key      string
	expected []Hash
	// found are the digests of the decided commands, and Sequence is that of the last reply.
	found    []Hash
	Sequence uint64
}

// NewToolRun returns the run of a call that started at the time.
func NewToolRun(call ToolCall, at time.Time) *ToolRun {
	switch {
	case call.Mode == ToolPreviews:
		return &ToolRun{at: at}
	case call.Mode == ToolExecutes && !call.Previewed.IsZero():
		return &ToolRun{at: call.Previewed.At, key: call.Key, expected: call.Previewed.Digests}
	default:
		return &ToolRun{key: call.Key}
	}
}

// Previewed identifies the decisions of the run.
func (r *ToolRun) Previewed() Previewed { return Previewed{At: r.at, Digests: r.found} }

// prepare sets the conditions of the next command. Its key depends on the number of commands that succeeded before, so that a retry of a
// refused command and a repetition of the run use the key of the first attempt.
func (r *ToolRun) prepare(c *Command) {
	c.DecideAt = r.at
	if c.DryRun {
		return
	}
	done := len(r.found)
	if r.key != "" {
		c.IdempotencyKey, c.Fingerprint = c.By+" "+r.key+" "+strconv.Itoa(done), r.key
	}
	if done < len(r.expected) {
		c.Digest = r.expected[done]
	}
}

// toolRunKey is the key of the [ToolRun] of a context.
type toolRunKey struct{}

// WithToolRun returns a context whose commands belong to the run.
func WithToolRun(ctx context.Context, r *ToolRun) context.Context {
	return context.WithValue(ctx, toolRunKey{}, r)
}

// originKey is the key of the [Origin] of a context.
type originKey struct{}

// WithOrigin returns a context whose commands have the origin.
func WithOrigin(ctx context.Context, origin Origin) context.Context {
	return context.WithValue(ctx, originKey{}, origin)
}

// DoInToolRun carries out a command with the origin and the conditions of the run of the context, if any.
func DoInToolRun(ctx context.Context, do func(context.Context, Command) (Reply, error), command Command) (Reply, error) {
	if origin, stated := ctx.Value(originKey{}).(Origin); stated {
		command.Origin = origin
	}
	run, _ := ctx.Value(toolRunKey{}).(*ToolRun)
	if run == nil {
		return do(ctx, command)
	}
	run.prepare(&command)
	reply, err := do(ctx, command)
	if err == nil && command.Body != nil { // without a body, it only reads the reply to an earlier command
		run.found, run.Sequence = append(run.found, reply.Digest), reply.Sequence
	}
	return reply, err
}
