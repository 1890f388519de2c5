package stamp_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/johnfercher/maroto/v2"
	"github.com/johnfercher/maroto/v2/pkg/components/page"
	"github.com/johnfercher/maroto/v2/pkg/components/text"

	"equity/confine/confinetest"
	"equity/http/document/stamp"
)

func TestMain(m *testing.M) { confinetest.Main(m, stamp.Work()) }

func newStamper() *stamp.Stamper { return stamp.NewStamper(confinetest.Runner(stamp.Work())) }

// content returns the bytes as a stored content.
func content(bytesOf []byte) stamp.Content {
	hash := sha256.Sum256(bytesOf)
	return stamp.Content{
		Group: "organization", SHA256: hex.EncodeToString(hash[:]),
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(bytesOf)), nil },
	}
}

func reader() stamp.Reader {
	return stamp.Reader{Name: "Žofia Nováková", Email: "zofia@example.com", At: time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)}
}

// pages returns a PDF with so many pages.
func pages(t *testing.T, number int) []byte {
	t.Helper()
	document := maroto.New()
	for range number {
		document.AddPages(page.New().Add(text.NewRow(20, "Minutes of the board")))
	}
	made, err := document.Generate()
	if err != nil {
		t.Fatal(err)
	}
	return made.GetBytes()
}

// words returns the text of each page of a PDF, as another program extracts it.
func words(t *testing.T, content []byte) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "stamped.pdf")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "pdftotext", path, "-").Output()
	if err != nil {
		t.Fatalf("pdftotext of poppler-utils: %v", err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\f"), "\f")
}

func TestEachPageNamesItsReaderAndTheTime(t *testing.T) {
	t.Parallel()
	stamped, err := newStamper().PDF(t.Context(), content(pages(t, 3)), reader())
	if err != nil {
		t.Fatal(err)
	}
	found := words(t, stamped)
	if len(found) != 3 {
		t.Fatalf("%d pages", len(found))
	}
	for i, page := range found {
		for _, want := range []string{"Minutes of the board", "zofia@example.com", "2026-03-01 09:30:00 UTC"} {
			if !strings.Contains(page, want) {
				t.Errorf("page %d lacks %q: %s", i+1, want, page)
			}
		}
	}
}

func TestContentThatIsNoReadablePDFIsRefused(t *testing.T) {
	t.Parallel()
	whole := pages(t, 1)
	for name, hostile := range map[string][]byte{
		"empty": nil, "text": []byte("hello"), "half": whole[:len(whole)/2], "header only": []byte("%PDF-1.7\n%%EOF"),
		"endless references": []byte("%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 1 0 R>>endobj\ntrailer<</Root 1 0 R/Size 2>>\nstartxref\n0\n%%EOF"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := newStamper().PDF(t.Context(), content(hostile), reader()); !errors.Is(err, stamp.ErrNotStampable) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestContentsAreStampedConcurrently(t *testing.T) {
	t.Parallel()
	stamper, two := newStamper(), content(pages(t, 2))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if _, err := stamper.PDF(t.Context(), two, reader()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

func TestPercentSignIsNoPlaceholder(t *testing.T) {
	t.Parallel()
	strange := reader()
	strange.Name = "100%p of %P\n(a)"
	stamped, err := newStamper().PDF(t.Context(), content(pages(t, 1)), strange)
	if err != nil {
		t.Fatal(err)
	}
	if page := words(t, stamped)[0]; !strings.Contains(page, "100?p of ?P (a) zofia@example.com") {
		t.Error(page)
	}
}
