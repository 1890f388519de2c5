package unpack_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"equity/captable/ocf"
	"equity/confine"
	"equity/confine/confinetest"
	"equity/fault"
	"equity/http/api"
	"equity/http/unpack"
)

func work() confine.Work { return unpack.Work(ocf.DefaultLimits().Bytes) }

func TestMain(m *testing.M) { confinetest.Main(m, work()) }

const manifest = `{"file_type":"OCF_MANIFEST_FILE","ocf_version":"1.2.0","issuer":{"id":"acme","object_type":"ISSUER","legal_name":"Acme"},
	"stakeholders_files":[{"filepath":"Stakeholders.ocf.json","md5":""}]}`

const holders = `{"file_type":"OCF_STAKEHOLDERS_FILE","note":1,"items":[
	{"id":"ada","object_type":"STAKEHOLDER","name":{"legal_name":"Ada Lovelace"},"stakeholder_type":"INDIVIDUAL"}, 3]}`

// packed returns an archive with the files, whose names and contents alternate.
func packed(tb testing.TB, files ...string) []byte {
	tb.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		entry, err := w.Create(files[i])
		if err == nil {
			_, err = io.WriteString(entry, files[i+1])
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func file(name string, content []byte) api.File {
	return api.File{Name: name, Content: io.NewSectionReader(bytes.NewReader(content), 0, int64(len(content)))}
}

func reader(tb testing.TB, runner unpack.Runner) *unpack.Reader {
	tb.Helper()
	return unpack.NewReader(runner, tb.TempDir(), ocf.DefaultLimits())
}

// archives returns archives that are read, and those with a problem in each part.
func archives(tb testing.TB) map[string][]byte {
	tb.Helper()
	whole := packed(tb, "a/Manifest.ocf.json", manifest, "a/Stakeholders.ocf.json", holders, "a/inner.zip", "PK", "a/other.json", "{")
	twice := packed(tb, "Manifest.ocf.json", manifest, "x.json", "{}", "x.json", "{}")
	damaged := bytes.Clone(whole)
	damaged[60] ^= 0xff
	return map[string][]byte{
		"a package": whole, "a file twice": twice, "a damaged file": damaged, "no files": packed(tb),
		"a folder and a file of the same name": packed(tb, "a.json/b.json", "{}", "a.json", "{}"),
		"names that lead outside":              packed(tb, "../Manifest.ocf.json", manifest, "/etc/x.json", "{}", "\xff.json", "{}"),
		"beyond the depth":                     packed(tb, "Manifest.ocf.json", strings.Repeat("[", 100_000)),
	}
}

func TestArchiveReadByAChildIsTheSame(t *testing.T) {
	t.Parallel()
	for name, content := range archives(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
			if err != nil {
				t.Fatal(err)
			}
			want, wantFindings := ocf.Read(archive)
			got, findings, err := reader(t, confinetest.Runner(work())).Archive(t.Context(), "", file("a.zip", content))
			if err != nil || !reflect.DeepEqual(findings, wantFindings) || got.Objects != want.Objects {
				t.Errorf("%v, %v, want %v", err, findings, wantFindings)
			}
		})
	}
}

func TestFilesReadByAChildAreTheSameAsTheirArchive(t *testing.T) {
	t.Parallel()
	r := reader(t, confinetest.Runner(work()))
	want, wantFindings, err := r.Archive(t.Context(), "", file("", packed(t, "Manifest.ocf.json", manifest, "Stakeholders.ocf.json", holders)))
	if err != nil || want.Objects != 2 {
		t.Fatalf("%v, %v", err, wantFindings)
	}
	got, findings, err := r.Files(
		t.Context(), "", []api.File{file("Manifest.ocf.json", []byte(manifest)), file("Stakeholders.ocf.json", []byte(holders))},
	)
	if err != nil || !reflect.DeepEqual(findings, wantFindings) || got.Objects != want.Objects {
		t.Errorf("%v, %v, want %v", err, findings, wantFindings)
	}
}

func TestFileThatIsNoArchiveIsRefused(t *testing.T) {
	t.Parallel()
	_, _, err := reader(t, confinetest.Runner(work())).Archive(t.Context(), "", file("a.zip", []byte("PK\x03\x04")))
	refused(t, err, "The file is not a valid zip archive.")
}

// failing fails with the error.
type failing struct{ err error }

func (f failing) Stream(context.Context, string, io.Reader, io.Writer) error { return f.err }

func TestRefusalOfAChildNamesTheFileAndTheLimit(t *testing.T) {
	t.Parallel()
	r := reader(t, failing{&confine.ContentError{Work: "package", Reason: confine.TooMuch}})
	_, _, err := r.Archive(t.Context(), "", file("a.zip", nil))
	refused(t, err, `The file "a.zip" cannot be read within the limits of the server: it exceeded the limit of memory.`)
	_, _, err = r.Files(t.Context(), "", nil)
	refused(t, err, "The package cannot be read within the limits of the server: it exceeded the limit of memory.")
}

func TestFullQueueOfChildrenIsNoFaultOfThePackage(t *testing.T) {
	t.Parallel()
	_, _, err := reader(t, failing{&confine.BusyError{RetryAfter: time.Second}}).Archive(t.Context(), "", file("a.zip", nil))
	if busy, ok := errors.AsType[*fault.FailureError](err); !ok || busy.RetryAfter <= 0 {
		t.Errorf("%v", err)
	}
}

func refused(t *testing.T, err error, message string) {
	t.Helper()
	refusal, ok := errors.AsType[*fault.Error](err)
	if !ok || len(refusal.Fields) != 1 || refusal.Fields[0].Pointer != "/file" || refusal.Fields[0].Message != message {
		t.Errorf("got %+v, want %q", err, message)
	}
}

// FuzzChild requires a package or a refusal of the file from each child.
func FuzzChild(f *testing.F) {
	for _, content := range archives(f) {
		f.Add(content)
	}
	r := reader(f, confinetest.Runner(work()))
	f.Fuzz(func(t *testing.T, content []byte) {
		_, _, err := r.Archive(t.Context(), "", file("a.zip", content))
		if _, refused := errors.AsType[*fault.Error](err); err != nil && !refused {
			t.Fatal(err)
		}
	})
}

// inProcess runs the work in this process, where the coverage guides the inputs.
type inProcess struct{}

func (inProcess) Stream(_ context.Context, _ string, request io.Reader, answer io.Writer) error {
	return work().Do(request, answer)
}

// FuzzUnpack compares the result of the work with that of the reader alone.
func FuzzUnpack(f *testing.F) {
	for _, content := range archives(f) {
		f.Add(content)
	}
	r := reader(f, inProcess{})
	f.Fuzz(func(t *testing.T, content []byte) {
		got, findings, err := r.Archive(t.Context(), "", file("a.zip", content))
		archive, broken := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		if broken != nil || err != nil {
			if _, refused := errors.AsType[*fault.Error](err); !refused {
				t.Fatalf("%v, %v", err, broken)
			}
			return
		}
		want, wantFindings := ocf.Read(archive)
		if got.Objects != want.Objects || len(findings) != len(wantFindings) {
			t.Fatalf("got %v, want %v", findings, wantFindings)
		}
		for i, finding := range findings {
			if finding.Code != wantFindings[i].Code || finding.Pointer != wantFindings[i].Pointer {
				t.Fatalf("got %v, want %v", finding, wantFindings[i])
			}
		}
	})
}
