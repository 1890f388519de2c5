package sheet_test

import (
	"context"
	"errors"
	"io"
	"reflect"
	"testing"

	"equity/confine"
	"equity/confine/confinetest"
	"equity/http/sheet"
)

func TestMain(m *testing.M) { confinetest.Main(m, sheet.Work()) }

func TestFileReadByAChildIsTheSame(t *testing.T) {
	t.Parallel()
	reader := sheet.NewReader(confinetest.Runner(sheet.Work()))
	for name, file := range map[string][]byte{
		"a workbook": archive(t, nil), "a refused one": archive(t, withRows(`<row><c r="ZZ1"><v>1</v></c></row>`)), "no workbook": []byte("PK\x03\x04"),
		"a CSV file": []byte("a,b\n1,\"<\x01\u2028&\"\n"), "a refused CSV file": []byte("a\n\"b"), "a CSV file without rows": []byte("a,b\n"), "no text": []byte("\xff"),
	} {
		got, gotErr := reader.Read(t.Context(), "organization", file, 10)
		want, wantErr := sheet.ReadWithin(file, 10)
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(gotErr, wantErr) {
			t.Errorf("%s: %v, %v; want %v, %v", name, got, gotErr, want, wantErr)
		}
	}
}

// failing fails with the error.
type failing struct{ err error }

func (f failing) Run(context.Context, string, io.Reader) ([]byte, error) { return nil, f.err }

func TestFileBeyondTheLimitsOfAChildIsRefused(t *testing.T) {
	t.Parallel()
	hostile := sheet.NewReader(failing{&confine.ContentError{Work: "table", Reason: confine.TooMuch}})
	for name, file := range map[string][]byte{"a workbook": archive(t, nil), "a CSV file": []byte("a,b\n1,2\n")} {
		if _, err := hostile.Read(t.Context(), "", file, 10); !isCode(err, "unreadable") {
			t.Errorf("%s: %v", name, err)
		}
	}
	away := sheet.NewReader(failing{confine.ErrLimits})
	if _, err := away.Read(t.Context(), "", archive(t, nil), 10); !errors.Is(err, confine.ErrLimits) {
		t.Error(err)
	}
}

func isCode(err error, code string) bool {
	refusal, ok := errors.AsType[*sheet.Error](err)
	return ok && refusal.Code == code
}

// FuzzChild requires a table or a refusal from each child.
func FuzzChild(f *testing.F) {
	f.Add(archive(f, nil))
	f.Add([]byte("PK\x03\x04"))
	f.Add([]byte("a;b\n1;\"2\n3\"\n"))
	reader := sheet.NewReader(confinetest.Runner(sheet.Work()))
	f.Fuzz(func(t *testing.T, content []byte) {
		_, err := reader.Read(t.Context(), "", content, 100)
		if _, refused := errors.AsType[*sheet.Error](err); err != nil && !refused {
			t.Fatal(err)
		}
	})
}
