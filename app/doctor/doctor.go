// Package doctor runs checks of an installation and prints their findings. The checks have no lasting effect.
package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
)

// State is the result of a check.
type State string

// The states, from the best to the worst.
const (
	OK      State = "ok"
	Warning State = "warning" // the server runs, but an operator should act
	Failure State = "failure" // the server does not start, or refuses requests
)

// Finding is one line of the report.
type Finding struct {
	Check  string `json:"check"`
	State  State  `json:"state"`
	Detail string `json:"detail"`
	// Repair is the required action; empty if the state is OK.
	Repair string `json:"repair,omitempty"`
}

// Good returns a finding without a required action.
func Good(check, format string, a ...any) Finding {
	return Finding{Check: check, State: OK, Detail: fmt.Sprintf(format, a...)}
}

// Warn returns a finding that the operator should act on.
func Warn(check, repair, format string, a ...any) Finding {
	return Finding{check, Warning, fmt.Sprintf(format, a...), repair}
}

// Fail returns a finding that prevents the work of the server.
func Fail(check, repair, format string, a ...any) Finding {
	return Finding{check, Failure, fmt.Sprintf(format, a...), repair}
}

// Check examines one part of the installation.
type Check func(ctx context.Context) []Finding

// Report is the result of all checks in their order.
type Report struct {
	Status State     `json:"status"` // the worst state
	Checks []Finding `json:"checks"`
}

// Run executes the checks concurrently, because each may wait for a service that does not answer. Each has the time limit.
// Hide replaces the secrets in the findings.
func Run(ctx context.Context, within time.Duration, hide func(text string) string, checks ...Check) Report {
	found := make([][]Finding, len(checks))
	var running sync.WaitGroup
	for i, check := range checks {
		running.Go(func() {
			limited, cancel := context.WithTimeout(ctx, within)
			defer cancel()
			found[i] = check(limited)
		})
	}
	running.Wait()
	return NewReport(hide, slices.Concat(found...))
}

// NewReport returns the report of the findings. Hide replaces their secrets.
func NewReport(hide func(text string) string, findings []Finding) Report {
	r := Report{Status: OK, Checks: findings}
	for i := range r.Checks {
		one := &r.Checks[i]
		one.Detail, one.Repair = oneLine(hide(one.Detail)), oneLine(hide(one.Repair))
		if rank(one.State) > rank(r.Status) {
			r.Status = one.State
		}
	}
	return r
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func rank(s State) int { return slices.Index([]State{OK, Warning, Failure}, s) }

// Print writes one line for each finding.
func (r Report) Print(w io.Writer) error {
	width := 0
	for _, one := range r.Checks {
		width = max(width, len(one.Check))
	}
	for _, one := range r.Checks {
		line := fmt.Sprintf("%-7s  %-*s  %s", one.State, width, one.Check, one.Detail)
		if one.Repair != "" {
			line += "; repair: " + one.Repair
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// JSON writes the report as one object.
func (r Report) JSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}
