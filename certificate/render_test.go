package certificate_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"testing"

	"equity/certificate"
)

// sample returns a typical certificate.
func sample() certificate.Document {
	return certificate.Document{
		Organization: "Northwind Instruments, Inc.", Jurisdiction: "Delaware", OrganizationType: "corporation",
		Number: "PA-7", Holder: "Ada Lindqvist", Shares: "1250000",
		Security: "Series A Preferred Stock", ParValue: "$0.00001", FullyPaid: true,
		IssueDate: "2023-11-14",
		Legends: []certificate.Legend{{
			Name: "Securities Act",
			Text: "The securities represented hereby have not been registered under the Securities Act of 1933, as amended.",
		}},
		Signatories: []certificate.Signatory{
			{Name: "Maren Okafor", Title: "President"}, {Name: "Lee Ibarra", Title: "Secretary"},
		},
		VerifyURL: "https://equity.example/verify/PA-7",
	}
}

// shared is the renderer of all tests that do not test renderers themselves, because engraving the ornaments takes
// longer than rendering a certificate.
var shared = sync.OnceValue(certificate.NewRenderer)

func render(tb testing.TB, d certificate.Document) *document {
	tb.Helper()
	data, err := shared().Render(d)
	if err != nil {
		tb.Fatalf("render: %v", err)
	}
	return read(tb, data)
}

func TestInvalid(t *testing.T) {
	t.Parallel()
	renderer := certificate.NewRenderer()
	for name, change := range map[string]func(*certificate.Document){
		"organization is empty":  func(d *certificate.Document) { d.Organization = "" },
		"number is empty":        func(d *certificate.Document) { d.Number = "" },
		"holder is empty":        func(d *certificate.Document) { d.Holder = "" },
		"security is empty":      func(d *certificate.Document) { d.Security = "" },
		"shares must be":         func(d *certificate.Document) { d.Shares = "1e6" },
		"is not a date":          func(d *certificate.Document) { d.IssueDate = "2023-02-30" },
		"5 signatories":          func(d *certificate.Document) { d.Signatories = make([]certificate.Signatory, 5) },
		"a name of 1001":         func(d *certificate.Document) { d.Holder = strings.Repeat("x", 1001) },
		"texts of 200":           func(d *certificate.Document) { d.Legends[0].Text = strings.Repeat("x", 200_001) },
		"verification address":   func(d *certificate.Document) { d.VerifyURL = strings.Repeat("x", 601) },
		"a name of 1003 charact": func(d *certificate.Document) { d.Signatories[0].Title = strings.Repeat("é", 1003) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := sample()
			change(&d)
			data, err := renderer.Render(d)
			if !errors.Is(err, certificate.ErrInvalid) || !strings.Contains(err.Error(), name) || data != nil {
				t.Errorf("%d bytes, %v", len(data), err)
			}
		})
	}
}

func TestSameBytes(t *testing.T) {
	t.Parallel()
	d := sample()
	d.Holder, d.Kind = "Ada · 山田太郎 · محمد · 👍", certificate.Copy
	renderer := certificate.NewRenderer()
	want, err := renderer.Render(d)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("CERTIFICATE_HASH") != "" {
		fmt.Printf("hash %x\n", sha256.Sum256(want)) //nolint:forbidigo // read by the parent process of this test
		return
	}

	t.Run("a document has the same bytes after other documents", func(t *testing.T) {
		t.Parallel()
		other := sample()
		other.Holder = "Someone Else, Ξένος"
		if _, err := renderer.Render(other); err != nil {
			t.Fatal(err)
		}
		if got, err := renderer.Render(d); err != nil || !bytes.Equal(got, want) {
			t.Errorf("differ, %v", err)
		}
	})

	t.Run("a document has the same bytes from another renderer", func(t *testing.T) {
		t.Parallel()
		if got, err := certificate.NewRenderer().Render(d); err != nil || !bytes.Equal(got, want) {
			t.Errorf("differ, %v", err)
		}
	})

	t.Run("a document has the same bytes from another process", func(t *testing.T) {
		t.Parallel()
		command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSameBytes$")
		command.Env = append(os.Environ(), "CERTIFICATE_HASH=1")
		output, err := command.CombinedOutput()
		if err != nil || !strings.Contains(string(output), fmt.Sprintf("hash %x", sha256.Sum256(want))) {
			t.Errorf("%v: %s", err, output)
		}
	})

	t.Run("a document for another holder has other bytes", func(t *testing.T) {
		t.Parallel()
		other := d
		other.Holder = "Ada"
		if got, err := renderer.Render(other); err != nil || bytes.Equal(got, want) {
			t.Errorf("same bytes, %v", err)
		}
	})
}

func TestConcurrentRendering(t *testing.T) {
	t.Parallel()
	renderer := certificate.NewRenderer()
	holders := []string{"Ada Lindqvist", "山田太郎", "محمد"}
	want := make([][]byte, len(holders))
	for i, holder := range holders {
		d := sample()
		d.Holder = holder
		var err error
		if want[i], err = certificate.NewRenderer().Render(d); err != nil {
			t.Fatal(err)
		}
	}
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for i := range holders {
				d := sample()
				d.Holder = holders[(i+worker)%len(holders)]
				got, err := renderer.Render(d)
				if err != nil || !bytes.Equal(got, want[(i+worker)%len(holders)]) {
					t.Errorf("%s differs when rendered beside others, %v", d.Holder, err)
				}
			}
		})
	}
	wait.Wait()
}

// TestIdleRenderer is not parallel, because it measures memory.
func TestIdleRenderer(t *testing.T) { //nolint:paralleltest // see above
	renderer := certificate.NewRenderer()
	heap := func() uint64 {
		for range 5 {
			runtime.GC()
		}
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before := heap()
	d := sample()
	d.Holder = "山田太郎 홍길동 محمد 👍"
	if _, err := renderer.Render(d); err != nil {
		t.Fatal(err)
	}
	if after := heap(); after > before+2<<20 {
		t.Errorf("an idle renderer holds %d KB more than a new one", (after-before)>>10)
	}
	runtime.KeepAlive(renderer)
}

func BenchmarkRender(b *testing.B) {
	renderer := certificate.NewRenderer()
	d := sample()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := renderer.Render(d); err != nil {
			b.Fatal(err)
		}
	}
}
