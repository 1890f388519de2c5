package bench

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// row is one line of the printed table.
type row struct {
	what string
	// ours and theirs are the values of both sides; theirs is 0 for a single figure.
	ours, theirs float64
	unit         string
	// figure is the ratio or the single figure.
	figure float64
	reach  string
	note   string
}

// ratio compares the medians of both sides. For rates, higher is better.
func ratio(what, unit, reach string, ours, theirs []float64) row {
	a, b := median(ours), median(theirs)
	return row{what: what, ours: a, theirs: b, unit: unit, figure: a / b, reach: reach}
}

// median returns the median of at least one value.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 0 {
		return (sorted[middle-1] + sorted[middle]) / 2
	}
	return sorted[middle]
}

func printTable(out io.Writer, rows []row) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "measured\tours\tagainst\tunit\tratio\treach\tnote")
	for _, r := range rows {
		against, figure := "", fmt.Sprintf("%.2f", r.figure)
		if r.theirs != 0 {
			against, figure = number(r.theirs), figure+"×"
		} else {
			figure = ""
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.what, number(r.ours), against, r.unit, figure, r.reach, r.note)
	}
	return w.Flush()
}

func number(v float64) string {
	switch {
	case v >= 1000:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.3f", v)
	}
}
