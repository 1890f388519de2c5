package stamp_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"

	"equity/confine"
	"equity/confine/confinetest"
	"equity/http/document/stamp"
)

// seeds adds small contents of every kind.
func seeds(f *testing.F) {
	f.Helper()
	const catalog, tree = "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>"
	const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<<>>>>"
	f.Add(written(catalog, tree, page, stream("/Filter/FlateDecode", bomb(f, 1))))
	f.Add(written(catalog, tree, page, stream("/Filter[/ASCIIHexDecode/RunLengthDecode]", "00>")))
	f.Add(written(catalog, tree, page, stream("/Filter/LZWDecode", "\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01")))
	f.Add(written(catalog, "<</Type/Pages/Kids[2 0 R 2 0 R]/Count 1>>"))
	f.Add(written("<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]>>>>", tree, page, stream("", "BT (a) Tj ET")))
	f.Add([]byte("%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 1 0 R>>endobj\ntrailer<</Root 1 0 R/Size 2>>\nstartxref\n0\n%%EOF"))
}

// request returns the request of a child.
func request(tb testing.TB, content []byte) io.Reader {
	tb.Helper()
	header, err := json.Marshal(reader())
	if err != nil {
		tb.Fatal(err)
	}
	return bytes.NewReader(append(append(header, '\n'), content...))
}

// FuzzChild requires an answer or a refusal of the content from each child, within its time.
func FuzzChild(f *testing.F) {
	seeds(f)
	runner := confinetest.Runner(stamp.Work())
	f.Fuzz(func(t *testing.T, content []byte) {
		begin := time.Now()
		_, err := runner.Run(t.Context(), "", request(t, content))
		if _, refused := errors.AsType[*confine.ContentError](err); err != nil && !refused {
			t.Fatal(err)
		}
		if took := time.Since(begin); took > stamp.Work().Limits.Time+time.Second {
			t.Fatalf("the child ended after %s", took)
		}
	})
}

// FuzzParser runs the parser in this process, where the coverage guides the inputs. An accepted content has stamps on all of its pages.
// A panic ends a child only, as do too much memory and time.
func FuzzParser(f *testing.F) {
	seeds(f)
	work := stamp.Work()
	f.Fuzz(func(t *testing.T, content []byte) {
		var out bytes.Buffer
		done := make(chan error, 1)
		go func() {
			defer func() {
				if recover() != nil {
					done <- io.ErrUnexpectedEOF
				}
			}()
			done <- work.Do(request(t, content), &out)
		}()
		select {
		case err := <-done:
			if err != nil {
				return
			}
		case <-time.After(5 * time.Second):
			return
		}
		conf := model.NewDefaultConfiguration()
		conf.Offline = true
		conf.Cmd = model.REMOVEWATERMARKS
		read, err := api.ReadValidateAndOptimize(bytes.NewReader(out.Bytes()), conf)
		if err != nil {
			return // no reader opens it
		}
		if err := read.EnsurePageCount(); err != nil || read.PageCount == 0 {
			t.Fatalf("%d pages, %v", read.PageCount, err)
		}
	})
}
