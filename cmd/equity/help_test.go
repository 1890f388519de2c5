package main

import (
	"io"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestEveryHelpIsReadable checks the help of every command.
func TestEveryHelpIsReadable(t *testing.T) {
	t.Parallel()
	parser, err := newParser(&cli{}, io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	leaves := parser.Model.Leaves(true)
	if len(leaves) < 12 {
		t.Errorf("only %d commands", len(leaves))
	}
	for _, leaf := range leaves {
		words := command(leaf)
		t.Run(strings.Join(words, " "), func(t *testing.T) {
			t.Parallel()
			help := setup(t).run(t, append(words, "--help")...)
			mustContain(t, help, "Usage: equity "+strings.Join(words, " "), leaf.Help, "--config=FILE")
			for line := range strings.Lines(help) {
				if len(line) > 120 {
					t.Errorf("a line is too long to read: %s", line)
				}
			}
		})
	}
}

// command returns the command line of a leaf.
func command(leaf *kong.Node) []string {
	var words []string
	for node := leaf; node.Type == kong.CommandNode; node = node.Parent {
		words = append([]string{node.Name}, words...)
	}
	return words
}

func TestBenchRefusesInvalidFlags(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ flag, want string }{
		{"--rounds=0", "--rounds must be at least 1"},
		{"--seconds=0", "--seconds must be more than 0"},
		{"--events=1999", "--events must be at least 2000"},
		{"--only=nothing", "--only must be part of one of: writes, reads"},
	} {
		mustContain(t, setup(t).refused(t, statusMisuse, "bench", test.flag), test.want)
	}
	s := setup(t)
	mustContain(t, s.refused(t, statusFailed, "bench", "--database-url", "sqlite:///x.db"), "--database-url", "PostgreSQL")
}
