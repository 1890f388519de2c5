package main

import (
	"fmt"
	"strings"

	"equity/cmd/equity/calc"
)

// calcCommand is `equity calc`.
type calcCommand struct {
	Kind string `arg:"" help:"Kind of calculation, from the list above."`
}

// Help is shown by `equity calc --help`.
func (calcCommand) Help() string {
	var help strings.Builder
	help.WriteString(`An offline calculator: it reads one case as JSON on standard input and prints
the answer as JSON. It needs no store and no settings, and uses the same functions
as the server. The kinds of cases:

`)
	for _, kind := range calc.Kinds() {
		fmt.Fprintf(&help, "  %-13s %s\n", kind.Name, kind.About)
	}
	help.WriteString(`
Example: one month after the last day of January:

  echo '{"base": "2025-01-31", "add": 1, "unit": "months"}' | equity calc date
  "2025-02-28"

For a case without an answer the command prints {"refused": true, "why": …} and
exits with status 0. For invalid input it prints an error and exits with status 2.`)
	return help.String()
}

// Run calculates one case.
func (c calcCommand) Run(p program) error { return calc.Calculate(c.Kind, p.in, p.out) }
