package processtest_test

import (
	"debug/elf"
	"testing"

	"equity/cmd/equity/processtest"
)

// TestProgramOfTheImageIsStatic checks the program that the command of the image builds. The image has no libraries and no interpreter.
func TestProgramOfTheImageIsStatic(t *testing.T) {
	t.Parallel()
	program, err := elf.Open(processtest.PlainProgram(t))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = program.Close() }()
	for _, part := range program.Progs {
		if part.Type == elf.PT_INTERP || part.Type == elf.PT_DYNAMIC {
			t.Errorf("the program has a part %s", part.Type)
		}
	}
}
