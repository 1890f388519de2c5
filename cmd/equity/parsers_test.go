package main

import (
	"slices"
	"strings"
	"testing"
)

// TestForeignParsersRunInChildren permits parsers of uploaded contents in the packages of [works] only. Another package requires a work of its
// own, or the proof that it reads no content of others, with a row in docs/security.md.
func TestForeignParsersRunInChildren(t *testing.T) {
	t.Parallel()
	permitted := map[string][]string{
		"github.com/pdfcpu/pdfcpu":   {"http/document/stamp"},
		"github.com/dop251/goja":     {"hooks/transform"},
		"github.com/evanw/esbuild":   {"hooks/transform"},
		"github.com/xuri/excelize":   {"http/equity"},  // writes
		"image/png":                  {"http/account"}, // writes
		"image/jpeg":                 {},
		"image/gif":                  {},
		"golang.org/x/image/tiff":    {},
		"golang.org/x/image/webp":    {},
		"golang.org/x/image/bmp":     {},
		"golang.org/x/net/html":      {},
		"archive/zip":                {"sheet", "http/unpack", "captable/ocf", "cmd/equity", "persistence"}, // the last three: writes; files of the operator
		"encoding/csv":               {"http/equity"},                                                       // writes
		"github.com/johnfercher/mar": {"certificate", "cmd/equity"},                                         // writes
	}
	for _, s := range sources(t) {
		if s.tests() || strings.HasSuffix(s.folder(), "test") {
			continue
		}
		for _, imported := range s.imports() {
			for parser, folders := range permitted {
				if strings.HasPrefix(imported, parser) && !slices.Contains(folders, s.folder()) {
					t.Errorf("%s imports %s: contents of others are parsed in child processes", s.path, imported)
				}
			}
		}
	}
}
