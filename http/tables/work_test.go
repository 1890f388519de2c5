package tables_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"equity/captable/exact"
	"equity/confine"
	"equity/confine/confinetest"
	"equity/fault"
	"equity/http/tables"
	"equity/sheet"
)

func TestMain(m *testing.M) { confinetest.Main(m, tables.Work()) }

// asked is a request for records of a kind.
func asked(kind string, rows int) tables.Request {
	return tables.Request{
		Options: sheet.Options{Rows: rows}, Question: sheet.Question{Kind: kind, Currency: "USD", Today: exact.MustDate("2026-11-28")},
	}
}

// workbook returns a workbook with two tables.
func workbook(tb testing.TB) []byte {
	tb.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "sheet", "testdata", "two-sheets-and-lists.xlsx"))
	if err != nil {
		tb.Fatal(err)
	}
	return content
}

func TestFileReadByAChildIsTheSame(t *testing.T) {
	t.Parallel()
	registry, err := sheet.NewRegistry()
	if err != nil {
		t.Fatal(err)
	}
	reader := tables.NewReader(confinetest.Runner(tables.Work()))
	for name, file := range map[string][]byte{
		"a workbook": workbook(t), "a CSV file": []byte("holder,shares\nAda,1.000\n\"<\x01\u2028&\",5\n"),
		"a file in Windows-1252": []byte("holder;shares\nJ\xf6rg;5\n"),
		"a matrix":               []byte("Shareholder,Common,Options\nAda,5,7\n"),
	} {
		request := asked("shareholdings", 10)
		book, err := sheet.Read(file, request.Options)
		if err != nil {
			t.Fatal(err)
		}
		want := registry.Tables(book, request.Question)
		got, err := reader.Read(t.Context(), "organization", file, request)
		if err != nil || encoded(t, got) != encoded(t, want) {
			t.Errorf("%s: %s, %v; want %s", name, encoded(t, got), err, encoded(t, want))
		}
	}
}

func encoded(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFileWithoutARecordIsRefusedWithItsReason(t *testing.T) {
	t.Parallel()
	reader := tables.NewReader(confinetest.Runner(tables.Work()))
	for file, want := range map[string]string{
		"":                             "/file empty",
		"\n , \n\n":                    "/file empty",
		"a,b\n1,2\n":                   "/file noTable",
		"fullName\n\"x,y\n":            "/rows/2 unreadable",
		"fullName\nAda\nBo\nCy\n":      "/rows/4 tooLarge",
		"fullName\nM\xfcller \x81\n":   "/file encodingUnknown",
		"PK\x03\x04 and no more":       "/file unreadable",
		"\xd0\xcf\x11\xe0 and no more": "/file unreadable",
		"fullName\na\x00b\n":           "/file notText",
	} {
		_, err := reader.Read(t.Context(), "", []byte(file), asked("members", 2))
		if got := refusal(err); got != want {
			t.Errorf("%q: got %q (%v), want %q", file, got, err, want)
		}
	}
}

// refusal returns the first field of a refusal and its code.
func refusal(err error) string {
	refused, ok := errors.AsType[*fault.Error](err)
	if !ok || len(refused.Fields) == 0 {
		return ""
	}
	return refused.Fields[0].Pointer + " " + refused.Fields[0].Code
}

// failing fails with the error.
type failing struct{ err error }

func (f failing) Run(context.Context, string, io.Reader) ([]byte, error) { return nil, f.err }

func TestFileBeyondTheLimitsOfAChildIsRefused(t *testing.T) {
	t.Parallel()
	hostile := tables.NewReader(failing{&confine.ContentError{Work: "table", Reason: confine.TooMuch}})
	for name, file := range map[string][]byte{"a workbook": workbook(t), "a CSV file": []byte("fullName\nAda\n")} {
		if _, err := hostile.Read(t.Context(), "", file, asked("members", 10)); refusal(err) != "/file unreadable" {
			t.Errorf("%s: %v", name, err)
		}
	}
	away := tables.NewReader(failing{confine.ErrLimits})
	if _, err := away.Read(t.Context(), "", workbook(t), asked("members", 10)); !errors.Is(err, confine.ErrLimits) {
		t.Error(err)
	}
}

// FuzzChild requires tables or a refusal from each child.
func FuzzChild(f *testing.F) {
	f.Add(workbook(f))
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("holder;shares\n1;\"2\n3\"\n"))
	f.Add([]byte("Shareholder,Common,Total\nAda,1.000,5\nTotal,1,\n"))
	fuzz(f, confinetest.Runner(tables.Work()))
}

// inProcess runs the work in this process, where the coverage guides the inputs.
type inProcess struct{}

func (inProcess) Run(_ context.Context, _ string, request io.Reader) ([]byte, error) {
	var answer bytes.Buffer
	err := tables.Work().Do(request, &answer)
	return answer.Bytes(), err
}

// FuzzRecognition requires tables or a refusal from each file.
func FuzzRecognition(f *testing.F) {
	f.Add([]byte("holder;shares;price\nAda;1.000;$5\nTotal;1;\n"))
	f.Add([]byte("Shareholder,Common,Total\nAda,1.000,5\nOption pool,1,\n"))
	fuzz(f, inProcess{})
}

func fuzz(f *testing.F, runner tables.Runner) {
	f.Helper()
	reader := tables.NewReader(runner)
	f.Fuzz(func(t *testing.T, content []byte) {
		for kind := range strings.FieldsSeq("shareholdings members options") {
			_, err := reader.Read(t.Context(), "", content, asked(kind, 100))
			if _, refused := errors.AsType[*fault.Error](err); err != nil && !refused {
				t.Fatal(err)
			}
		}
	})
}
