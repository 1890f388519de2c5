package certificate_test

import (
	"strings"
	"testing"

	"equity/certificate"
)

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
			[]string{"One (1)", "non-assessable share of"},
			[]string{"shares of"},
		},
		"an article that fits the noun": {
			func(d *certificate.Document) { d.OrganizationType = "unlimited company" },
			[]string{"an unlimited company organized"},
			nil,
		},
		"an article that fits the sound": {
			func(d *certificate.Document) { d.OrganizationType = "European company" },
			[]string{"a European company organized"},
			nil,
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
			[]string{"Issued on 14 November 2023."},
			[]string{"witness"},
		},
		"the date beside a single signature": {
			func(d *certificate.Document) { d.Signatories = d.Signatories[:1] },
			[]string{"Date", "Maren Okafor", "witness"},
			[]string{"Secretary"},
		},
		"the address where there are no legends": {
			func(d *certificate.Document) { d.Legends = nil },
			[]string{"scan the code or visit https://equity.example/verify/PA-7"},
			nil,
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
