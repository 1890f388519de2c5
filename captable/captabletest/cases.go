package captabletest

import (
	"encoding/json"
	"io/fs"
	"testing"
)

// Cases reads the published cases of a file in the folder testdata: {"cases": […]}.
func Cases[C any](tb testing.TB, files fs.FS, name string) []C {
	tb.Helper()
	text, err := fs.ReadFile(files, "testdata/"+name)
	if err != nil {
		tb.Fatal(err)
	}
	var content struct{ Cases []C }
	if err := json.Unmarshal(text, &content); err != nil {
		tb.Fatal(err)
	}
	return content.Cases
}
