// Package confinetest lets a test program be its own child, so that tests need no other program.
package confinetest

import (
	"context"
	"os"
	"testing"

	"equity/confine"
)

// argument is the first argument of a child.
const argument = "confined"

// Main runs the tests, or the work of a child. A test package calls it from TestMain.
func Main(m *testing.M, works ...confine.Work) {
	if len(os.Args) == 3 && os.Args[1] == argument {
		os.Exit(confine.Child(os.Args[2], works, os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// Runner returns a runner of the work, which is one of those of [Main], without a bound of children.
func Runner(work confine.Work) *confine.Runner {
	return confine.NewRunner(work, free{}, os.Args[0], argument)
}

// free has a place for every child.
type free struct{}

// Enter returns at once.
func (free) Enter(context.Context, string) (func(), error) { return func() {}, nil }
