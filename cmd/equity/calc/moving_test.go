package calc_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"equity/cmd/equity/calc"
)

// movingCases reads the cases of a kind below sheet/testdata. The files that they name are put into the cases.
func movingCases(tb testing.TB, kind string) []published {
	tb.Helper()
	const folder = "sheet/testdata"
	all := cases(tb, folder+"/"+kind+".json")
	for i := range all {
		input := read(tb, all[i].input).(map[string]any)
		file, _ := input["file"].(map[string]any)
		path, named := file["path"].(string)
		if !named {
			continue
		}
		content, err := os.ReadFile(filepath.Join("..", "..", "..", filepath.FromSlash(folder), path))
		if err != nil {
			tb.Fatal(err)
		}
		input["file"] = map[string]any{"base64": base64.StdEncoding.EncodeToString(content)}
		if all[i].input, err = json.Marshal(input); err != nil {
			tb.Fatal(err)
		}
	}
	return all
}

func TestPublishedCasesOfMoving(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"cells", "column"} {
		for _, c := range movingCases(t, kind) {
			t.Run(c.id, func(t *testing.T) {
				t.Parallel()
				var out bytes.Buffer
				if err := calc.Calculate("moving/"+kind, bytes.NewReader(c.input), &out); err != nil {
					t.Fatal(err)
				}
				contains(t, "", read(t, out.Bytes()), c.expect)
			})
		}
	}
}

// contains requires the expected fields of objects and the expected items of lists. The order of findings is free.
func contains(t *testing.T, at string, got, want any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		fields, _ := got.(map[string]any)
		for name, value := range want {
			found, present := fields[name]
			if !present {
				t.Errorf("%s/%s is missing", at, name)
			}
			contains(t, at+"/"+name, found, value)
		}
		if strings.HasSuffix(at, "/cells") && len(fields) != len(want) {
			t.Errorf("%s: got %v, want %v", at, fields, want)
		}
	case []any:
		items, _ := got.([]any)
		if len(items) != len(want) {
			t.Fatalf("%s: got %v, want %v", at, items, want)
		}
		if strings.HasSuffix(at, "/findings") {
			for _, list := range [][]any{items, want} {
				slices.SortFunc(list, func(a, b any) int { return strings.Compare(placeOf(a), placeOf(b)) })
			}
		}
		for i, value := range want {
			contains(t, fmt.Sprintf("%s/%d", at, i), items[i], value)
		}
	default:
		holds(t, at, got, want)
	}
}

// placeOf returns a text by which findings are ordered.
func placeOf(finding any) string {
	fields, _ := finding.(map[string]any)
	return fmt.Sprint(fields["code"], " ", fields["cell"])
}

func TestFileOfACaseLiesInTheWorkingDirectory(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"../moving_test.go", "/etc/hosts", ""} {
		err := calc.Calculate("moving/cells", strings.NewReader(fmt.Sprintf(`{"file": {"path": %q}}`, path)), &bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), "working directory") {
			t.Errorf("%q: %v", path, err)
		}
	}
}

func TestUnreadableFileIsRefused(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := calc.Calculate("moving/cells", strings.NewReader(`{"file": {"base64": "0M8R4KGxGuE="}}`), &out); err != nil {
		t.Fatal(err)
	}
	if answer := out.String(); !strings.Contains(answer, `"refused": true`) || !strings.Contains(answer, "Save the file as .xlsx or CSV UTF-8.") {
		t.Error(answer)
	}
}
