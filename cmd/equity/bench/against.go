package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os/exec"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Comparison are the parameters of a comparison of two builds.
type Comparison struct {
	// Ours and Theirs are the programs; Arguments let both measure one round and print their table.
	Ours, Theirs string
	Arguments    []string
	Out, Log     io.Writer
}

const (
	// comparedRounds is the number of rounds of a comparison. Each build is measured once in each.
	comparedRounds = 10
	// comparedAttempts is the number of attempts to measure a build in a round. A busy machine may refuse a request of the preparation, and
	// a comparison takes many minutes.
	comparedAttempts = 3
	// deviations90 is the 95 % quantile of Student's t-distribution with 9 degrees of freedom, which
	// bounds the 90 % interval of the mean of ten values.
	deviations90 = 1.833
)

var errTable = errors.New("the program printed no table of figures")

// measuredRow is one line of a printed table.
type measuredRow struct {
	what, unit string
	ours       float64
}

// Compare measures two builds alternately for ten rounds. For each row of their tables it prints the
// ratio of our figure to theirs, so that more than 1 is better, with its 90 % interval.
func Compare(ctx context.Context, c Comparison) error {
	var order []measuredRow
	logs := map[string][]float64{}
	for round := range comparedRounds {
		var tables [2][]measuredRow
		for turn := range tables {
			side := (turn + round) % len(tables) // each build begins in half of the rounds
			program := []string{c.Ours, c.Theirs}[side]
			_, _ = fmt.Fprintf(c.Log, "round %d of %d: %s\n", round+1, comparedRounds, program)
			table, err := measuredBy(ctx, program, c)
			if err != nil {
				return fmt.Errorf("%s: %w", program, err)
			}
			tables[side] = table
		}
		theirs := map[string]float64{}
		for _, row := range tables[1] {
			theirs[row.what] = row.ours
		}
		for _, row := range tables[0] {
			other, both := theirs[row.what]
			if !both || row.ours <= 0 || other <= 0 {
				continue
			}
			if len(logs[row.what]) == 0 {
				order = append(order, row)
			}
			logs[row.what] = append(logs[row.what], better(row.unit)*math.Log(row.ours/other))
		}
	}
	return printComparison(c.Out, order, logs)
}

// measuredBy returns the table that the program prints. A run that fails is repeated.
func measuredBy(ctx context.Context, program string, c Comparison) (table []measuredRow, err error) {
	for range comparedAttempts {
		if table, err = measuredOnce(ctx, program, c); err == nil || ctx.Err() != nil {
			break
		}
		_, _ = fmt.Fprintf(c.Log, "%s failed: %v\n", program, err)
	}
	return table, err
}

func measuredOnce(ctx context.Context, program string, c Comparison) ([]measuredRow, error) {
	command := exec.CommandContext(ctx, program, c.Arguments...) //nolint:gosec // the operator names the program
	var out bytes.Buffer
	command.Stdout, command.Stderr = &out, c.Log
	if err := command.Run(); err != nil {
		return nil, err
	}
	return readTable(out.String())
}

// readTable reads the rows of a printed table. The columns begin where the words of its first line
// begin.
func readTable(text string) (rows []measuredRow, err error) {
	var what, ours, against, unit, end int
	for line := range strings.Lines(text) {
		switch letters := []rune(strings.TrimRight(line, "\n")); {
		case strings.HasPrefix(line, "measured "):
			what, ours, against = 0, strings.Index(line, "ours"), strings.Index(line, "against")
			unit, end = strings.Index(line, "unit"), strings.Index(line, "ratio")
		case end == 0:
			continue
		case len(letters) < unit:
			return rows, nil // the table has ended
		default:
			cell := func(from, to int) string { return strings.TrimSpace(string(letters[from:min(to, len(letters))])) }
			figure, err := strconv.ParseFloat(cell(ours, against), 64)
			if err != nil {
				return nil, fmt.Errorf("%w: %q", errTable, line)
			}
			rows = append(rows, measuredRow{what: cell(what, ours), unit: cell(unit, end), ours: figure})
		}
	}
	if len(rows) == 0 {
		return nil, errTable
	}
	return rows, nil
}

// better returns 1 if more of the unit is better, as of a rate, else -1.
func better(unit string) float64 {
	if strings.HasSuffix(unit, "/s") {
		return 1
	}
	return -1
}

func printComparison(out io.Writer, order []measuredRow, logs map[string][]float64) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "measured\tunit\tratio\t90 % interval")
	for _, row := range order {
		middle, margin := interval(logs[row.what])
		_, _ = fmt.Fprintf(
			w, "%s\t%s\t%.3f×\t%.3f× to %.3f×\n", row.what, row.unit, math.Exp(middle), math.Exp(middle-margin), math.Exp(middle+margin),
		)
	}
	return w.Flush()
}

// interval returns the mean of the values and half of its 90 % interval.
func interval(values []float64) (mean, margin float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	if len(values) < comparedRounds {
		return mean, math.Inf(1) // a row that is missing in some rounds says nothing
	}
	squares := 0.0
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return mean, deviations90 * math.Sqrt(squares/(n-1)/n)
}
