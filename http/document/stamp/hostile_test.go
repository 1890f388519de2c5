package stamp_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"equity/confine"
	"equity/confine/confinetest"
	"equity/http/document/stamp"
)

// written returns a PDF with the objects, numbered from 1. The first one is the catalog.
func written(objects ...string) []byte {
	var file bytes.Buffer
	file.WriteString("%PDF-1.7\n")
	offsets := make([]int, len(objects))
	for i, object := range objects {
		offsets[i] = file.Len()
		fmt.Fprintf(&file, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	begin := file.Len()
	fmt.Fprintf(&file, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&file, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&file, "trailer\n<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, begin)
	return file.Bytes()
}

// bomb returns the bytes of a stream that unpacks to so many mebibytes.
func bomb(tb testing.TB, mebibytes int) string {
	tb.Helper()
	var packed bytes.Buffer
	w := zlib.NewWriter(&packed)
	for range mebibytes {
		if _, err := w.Write(bytes.Repeat([]byte(" "), 1<<20)); err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return packed.String()
}

func stream(fields, content string) string {
	return fmt.Sprintf("<<%s/Length %d>>\nstream\n%s\nendstream", fields, len(content), content)
}

// hostile returns contents that cost much more than their size suggests.
func hostile(tb testing.TB) map[string][]byte {
	tb.Helper()
	const catalog, page = "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<<>>>>"
	const tree = "<</Type/Pages/Kids[3 0 R]/Count 1>>"
	const depth = 8 << 20
	packed := bomb(tb, 400)
	return map[string][]byte{
		"nested lists":        written(catalog, tree, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/X "+strings.Repeat("[", depth)+">>"),
		"nested dictionaries": written(catalog, tree, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/X "+strings.Repeat("<</A ", depth/5)+">>"),
		"bomb": written(catalog, "<</Type/Pages/Kids[3 0 R 5 0 R 6 0 R]/Count 3>>", page, stream("/Filter/FlateDecode", packed),
			strings.ReplaceAll(page, "4 0 R", "7 0 R"), strings.ReplaceAll(page, "4 0 R", "8 0 R"), stream("/Filter/FlateDecode", packed),
			stream("/Filter/FlateDecode", packed)),
		"tree of itself": written(catalog, "<</Type/Pages/Kids[2 0 R 2 0 R 2 0 R]/Count 1>>"),
		"many pages":     written(catalog, "<</Type/Pages/Kids["+strings.Repeat("3 0 R ", 1<<20)+"]/Count 1048576>>", page, stream("", "")),
	}
}

func TestHostileContentNeitherEndsNorOccupiesTheServer(t *testing.T) {
	t.Parallel()
	for name, file := range hostile(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begin := time.Now()
			short := stamp.Work()
			short.Limits.Time = 3 * time.Second
			stamped, err := stamp.NewStamper(confinetest.Runner(short)).PDF(t.Context(), content(file), reader())
			if err != nil && !errors.Is(err, stamp.ErrNotStampable) {
				t.Errorf("%v", err)
			}
			if took := time.Since(begin); took > 2*short.Limits.Time {
				t.Errorf("%s", took)
			}
			t.Logf("%d bytes: %d bytes, %v after %s", len(file), len(stamped), err, time.Since(begin))
		})
	}
}

// counted counts the children.
type counted struct {
	stamp.Runner
	number atomic.Int64
}

func (c *counted) Run(ctx context.Context, group string, request io.Reader) ([]byte, error) {
	c.number.Add(1)
	return c.Runner.Run(ctx, group, request)
}

func TestResultIsKeptByContentAndReader(t *testing.T) {
	t.Parallel()
	one, two, ada, grace := content(pages(t, 1)), content(pages(t, 2)), reader(), reader()
	grace.Email = "grace@example.com"
	later := ada
	later.At = later.At.Add(time.Hour)
	children := &counted{Runner: confinetest.Runner(stamp.Work())}
	stamper := stamp.NewStamper(children)
	for i, c := range []struct {
		content  stamp.Content
		reader   stamp.Reader
		children int64
	}{{one, ada, 1}, {one, ada, 1}, {one, grace, 2}, {two, ada, 3}, {one, ada, 3}, {one, later, 4}} {
		stamped, err := stamper.PDF(t.Context(), c.content, c.reader)
		if err != nil || children.number.Load() != c.children {
			t.Errorf("%d: %d children, %v", i, children.number.Load(), err)
			continue
		}
		if !strings.Contains(words(t, stamped)[0], c.reader.Email) {
			t.Errorf("%d: the page does not name its reader", i)
		}
	}
}

// refusing refuses each content.
type refusing struct{}

func (refusing) Run(context.Context, string, io.Reader) ([]byte, error) {
	return nil, &confine.ContentError{Work: "stamp", Reason: confine.TooLong}
}

func TestHostileContentCostsOneChild(t *testing.T) {
	t.Parallel()
	children := &counted{Runner: refusing{}}
	stamper := stamp.NewStamper(children)
	for i := range 5 {
		other := reader()
		other.Email = fmt.Sprintf("reader%d@example.com", i)
		if _, err := stamper.PDF(t.Context(), content([]byte("hostile")), other); !errors.Is(err, stamp.ErrNotStampable) {
			t.Error(err)
		}
	}
	if children.number.Load() != 1 {
		t.Errorf("%d children", children.number.Load())
	}
}

func TestMissingContentIsNotHostile(t *testing.T) {
	t.Parallel()
	away := content(nil)
	away.Open = func(context.Context) (io.ReadCloser, error) { return nil, io.ErrUnexpectedEOF }
	if _, err := newStamper().PDF(t.Context(), away, reader()); errors.Is(err, stamp.ErrNotStampable) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}
