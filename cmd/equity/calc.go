package main

import (
	"fmt"
	"strings"

	"equity/cmd/equity/calc"
)

// calcCommand is `equity calc`.
type calcCommand struct {
	Kind string `arg:"" help:"What to calculate; the list above names the kinds."`
}

// Help is shown by `equity calc --help`.
func (calcCommand) Help() string {
	var help strings.Builder
	help.WriteString(`An offline calculator: it reads one case as JSON on standard input and prints
the answer as JSON. It needs no store and no settings, and calculates with the
very functions that the server does. The kinds of cases:

`)
	for _, kind := range calc.Kinds() {
		fmt.Fprintf(&help, "  %-10s %s\n", kind.Name, kind.About)
	}
	help.WriteString(`
An example, a month after the last of January:

  echo '{"base": "2025-01-31", "add": 1, "unit": "months"}' | equity calc date
  "2025-02-28"

A case that has no answer prints {"refused": true, "why": …} and ends with status
0. Input that is no case of its kind ends with status 2 and a sentence.`)
	return help.String()
}

// Run calculates one case.
func (c calcCommand) Run(p program) error { return calc.Calculate(c.Kind, p.in, p.out) }
