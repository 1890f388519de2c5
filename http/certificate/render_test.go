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

	"equity/http/certificate"
)

// sample is a certificate as most are.
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

// shared is the renderer of all tests that do not look at renderers themselves:
// engraving the ornaments takes longer than a certificate.
var shared = sync.OnceValue(certificate.NewRenderer)

func render(t testing.TB, d certificate.Document) *document {
	t.Helper()
	data, err := shared().Render(d)
	if err != nil {
		t.Fatalf("render: %v", err)
	}
	return read(t, data)
}

func TestWhatIsPrinted(t *testing.T) {
	t.Parallel()
	said := func(t *testing.T, d certificate.Document) string {
		t.Helper()
		return strings.Join(strings.Fields(render(t, d).words(0)), " ")
	}
	for name, c := range map[string]struct {
		change       func(*certificate.Document)
		want, absent []string
	}{
		"everything that was given": {
			func(*certificate.Document) {},
			[]string{
				"Northwind Instruments, Inc.", "Incorporated under the laws of Delaware", "NUMBER", "PA-7", "SHARES",
				"1,250,000", "SHARE CERTIFICATE", "This certifies that", "Ada Lindqvist", "is the registered holder of",
				"One Million Two Hundred Fifty Thousand (1,250,000)", "Series A Preferred Stock", "$0.00001 per share",
				"fully paid and non-assessable shares", "14 November 2023", "Securities Act", "Maren Okafor", "President",
				"Lee Ibarra", "Secretary", "SCAN TO VERIFY",
			},
			[]string{"Date", "overleaf"},
		},
		"units of a limited liability company": {
			func(d *certificate.Document) {
				d.Units, d.OrganizationType, d.Shares = true, "limited liability company", "10.50"
			},
			[]string{
				"UNIT CERTIFICATE", "UNITS", "10.5", "Ten and 5/10 (10.5)", "Organized under the laws of Delaware",
				"a limited liability company", "per unit",
			},
			[]string{"Incorporated", "share"},
		},
		"one share in the singular": {
			func(d *certificate.Document) { d.Shares = "1.000" },
			[]string{"One (1)", "non-assessable share of"}, []string{"shares of"},
		},
		"an article that fits the noun": {
			func(d *certificate.Document) { d.OrganizationType = "unlimited company" },
			[]string{"an unlimited company organized"}, nil,
		},
		"an article that fits the sound": {
			func(d *certificate.Document) { d.OrganizationType = "European company" },
			[]string{"a European company organized"}, nil,
		},
		"only what is known": {
			func(d *certificate.Document) {
				*d = certificate.Document{Organization: "Acme", Number: "1", Holder: "Bo", Shares: "2", Security: "Common"}
			},
			[]string{"Acme", "Two (2)", "shares of Common, of Acme, a company, transferable"},
			[]string{"laws", "par value", "fully paid", "witness", "Issued", "SCAN", "verify"},
		},
		"a date where nobody signs": {
			func(d *certificate.Document) { d.Signatories = nil },
			[]string{"Issued on 14 November 2023."}, []string{"witness"},
		},
		"the date beside a single signature": {
			func(d *certificate.Document) { d.Signatories = d.Signatories[:1] },
			[]string{"Date", "Maren Okafor", "witness"}, []string{"Secretary"},
		},
		"the address where there are no legends": {
			func(d *certificate.Document) { d.Legends = nil },
			[]string{"scan the code or visit https://equity.example/verify/PA-7"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := sample()
			c.change(&d)
			words := said(t, d)
			for _, want := range c.want {
				if !strings.Contains(words, want) {
					t.Errorf("%q is not printed in: %s", want, words)
				}
			}
			for _, absent := range c.absent {
				if strings.Contains(words, absent) {
					t.Errorf("%q is printed in: %s", absent, words)
				}
			}
		})
	}
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
		"a name of 2001":         func(d *certificate.Document) { d.Holder = strings.Repeat("x", 2001) },
		"texts of 200":           func(d *certificate.Document) { d.Legends[0].Text = strings.Repeat("x", 200_001) },
		"verification address":   func(d *certificate.Document) { d.VerifyURL = strings.Repeat("x", 601) },
		"a name of 2003 charact": func(d *certificate.Document) { d.Signatories[0].Title = strings.Repeat("é", 2003) },
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

func TestKinds(t *testing.T) {
	t.Parallel()
	long := sample()
	long.Legends[0].Text = strings.Repeat(long.Legends[0].Text+" ", 40)
	drawn := func(d certificate.Document) []int {
		var counts []int
		for _, page := range render(t, d).pages {
			n := 0
			for _, text := range page {
				if strings.HasPrefix(text.font, "drawings") {
					n++
				}
			}
			counts = append(counts, n)
		}
		return counts
	}
	plain := drawn(long)
	if len(plain) < 2 {
		t.Fatalf("%d pages, want several", len(plain))
	}
	for name, change := range map[string]func(*certificate.Document){
		"copy":     func(d *certificate.Document) { d.Kind = certificate.Copy },
		"specimen": func(d *certificate.Document) { d.Kind = certificate.Specimen },
		"ended":    func(d *certificate.Document) { d.Ended = "CANCELLED" },
	} {
		t.Run(name+" is marked on every page", func(t *testing.T) {
			t.Parallel()
			d := long
			change(&d)
			for i, n := range drawn(d) {
				if n <= plain[i] {
					t.Errorf("page %d has no mark", i+1)
				}
			}
		})
	}
}

func TestLegends(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("The holder may not sell or transfer these securities. ", 37) + "End."
	for name, c := range map[string]struct {
		legends, length int
		pages           int
	}{
		"none":                           {0, 0, 1},
		"a short one stays on the front": {1, 200, 1},
		"three short ones too":           {3, 150, 1},
		"a long one goes overleaf":       {1, 2000, 2},
		"ten long ones fill four pages":  {10, 2000, 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := sample()
			d.Legends = nil
			for i := range c.legends {
				d.Legends = append(d.Legends, certificate.Legend{Name: fmt.Sprintf("Legend no. %d", i+1), Text: text[len(text)-c.length:]})
			}
			document := render(t, d)
			if len(document.pages) != c.pages {
				t.Fatalf("%d pages, want %d", len(document.pages), c.pages)
			}
			all := ""
			for i := range document.pages {
				all += document.words(i) + "\n"
			}
			if got := strings.Count(all, "End."); got != c.legends {
				t.Errorf("%d legends are complete, want %d", got, c.legends)
			}
			for i := range d.Legends {
				if !strings.Contains(all, d.Legends[i].Name) {
					t.Errorf("%s is missing", d.Legends[i].Name)
				}
			}
			if c.pages > 1 && !strings.Contains(all, fmt.Sprintf("Page %d of %d", c.pages, c.pages)) {
				t.Error("the last page has no number")
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
		fmt.Printf("hash %x\n", sha256.Sum256(want)) //nolint:forbidigo // read by the test that started this process
		return
	}

	t.Run("again, after other documents", func(t *testing.T) {
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

	t.Run("from another renderer", func(t *testing.T) {
		t.Parallel()
		if got, err := certificate.NewRenderer().Render(d); err != nil || !bytes.Equal(got, want) {
			t.Errorf("differ, %v", err)
		}
	})

	t.Run("from another process", func(t *testing.T) {
		t.Parallel()
		command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSameBytes$")
		command.Env = append(os.Environ(), "CERTIFICATE_HASH=1")
		output, err := command.CombinedOutput()
		if err != nil || !strings.Contains(string(output), fmt.Sprintf("hash %x", sha256.Sum256(want))) {
			t.Errorf("%v: %s", err, output)
		}
	})

	t.Run("but others for another holder", func(t *testing.T) {
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

// TestIdleRenderer is not parallel: it measures memory.
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
