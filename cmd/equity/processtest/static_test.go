package processtest_test

import (
	"debug/elf"
	"os"
	"regexp"
	"runtime"
	"testing"

	"equity/cmd/equity/processtest"
)

// TestProgramIsStatic checks that the tested program is built like that of the image, which contains neither a dynamic linker nor libraries.
func TestProgramIsStatic(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../deploy/container/Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^\s*CGO_ENABLED=0 .*\bgo build .* \./cmd/equity$`).Match(text) {
		t.Error("the image is not built with CGO_ENABLED=0")
	}
	path := processtest.PlainProgram(t)
	if runtime.GOOS != "linux" { // other systems have other formats, and the image has none of them
		return
	}
	program, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = program.Close() }()
	for _, segment := range program.Progs {
		if segment.Type == elf.PT_INTERP || segment.Type == elf.PT_DYNAMIC {
			t.Errorf("the program has a segment %s", segment.Type)
		}
	}
	if program.SectionByType(elf.SHT_DYNAMIC) != nil {
		t.Error("the program has a dynamic section")
	}
	if libraries, err := program.ImportedLibraries(); err != nil || len(libraries) > 0 {
		t.Errorf("the program needs %v %v", libraries, err)
	}
}
