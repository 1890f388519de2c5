package http_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/johnfercher/maroto/v2"
	"github.com/johnfercher/maroto/v2/pkg/components/page"
	"github.com/johnfercher/maroto/v2/pkg/components/text"
)

// pdf returns a PDF with one page.
func pdf(tb testing.TB) string {
	tb.Helper()
	document := maroto.New()
	document.AddPages(page.New().Add(text.NewRow(20, "Minutes of the board")))
	made, err := document.Generate()
	if err != nil {
		tb.Fatal(err)
	}
	return string(made.GetBytes())
}

// pdfWords returns the text of a PDF, as another program extracts it.
func pdfWords(tb testing.TB, content string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "read.pdf")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		tb.Fatal(err)
	}
	words, err := exec.CommandContext(tb.Context(), "pdftotext", path, "-").Output()
	if err != nil {
		tb.Fatalf("pdftotext of poppler-utils: %v", err)
	}
	return string(words)
}
