package certificate_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"equity/certificate"
)

func TestNamesInAnyScript(t *testing.T) {
	t.Parallel()
	for script, name := range map[string]string{
		"Latin with diacritics": "Zoë Åström-Nuñez Łukasz Żółć Þórður",
		"Vietnamese":            "Nguyễn Thị Ánh",
		"Japanese":              "山田太郎 ヤマダ やまだ",
		"Korean":                "홍길동",
		"Arabic":                "محمد بن عبد الله",
		"Devanagari":            "श्रीमती लक्ष्मी क्षत्रिय",
		"several at once":       "Ada 山田 / 홍길동 / محمد / कमला",
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			d := sample()
			d.Holder = name
			words := render(t, d).words(0)
			// Scripts reorder letters, so the test compares the number of each letter: none is lost or replaced.
			missing := counts(name)
			for r, n := range counts(words) {
				missing[r] -= n
			}
			for r, n := range missing {
				if n > 0 {
					t.Errorf("%U %c is missing %d times in %q", r, r, n, words)
				}
			}
		})
	}
}

func counts(s string) map[rune]int {
	count := map[rune]int{}
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.Is(unicode.M, r) {
			count[r]++
		}
	}
	return count
}

func TestRightToLeft(t *testing.T) {
	t.Parallel()
	d := sample()
	d.Holder = "משה כהן"
	letters := []rune(d.Holder)
	slices.Reverse(letters)
	if words := render(t, d).words(0); !strings.Contains(words, string(letters)) {
		t.Errorf("from left to right the name should read %q: %q", string(letters), words)
	}
}

func TestPictographs(t *testing.T) {
	t.Parallel()
	d := sample()
	d.Holder = "Ada 👍🏽 👩‍👩‍👧 🦤 \U0001FAE8 \uFFFD ﷽"
	if words := render(t, d).words(0); !strings.Contains(words, "Ada ") {
		t.Errorf("the name is lost: %q", words)
	}
}

// anyText generates texts from all Unicode characters, and invalid text.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringN(1, 60, -1),
		rapid.StringOfN(rapid.RuneFrom(nil, unicode.Mn, unicode.Arabic, unicode.Devanagari, unicode.Cf, unicode.Co), 1, 40, -1),
		rapid.Custom(func(t *rapid.T) string {
			return string(rapid.SliceOfN(rapid.Byte(), 1, 60).Draw(t, "bytes"))
		}),
	)
}

func TestAnyTextIsPrinted(t *testing.T) {
	t.Parallel()
	const documents = 8 // the fuzz test below uses more documents
	renderer := certificate.NewRenderer()
	seed := 0
	text := func() string {
		seed++
		return anyText().Example(seed)
	}
	for i := range documents {
		d := certificate.Document{
			Kind: certificate.Kind(i % 3), Shares: "12.5",
			Organization: text(), Number: text(), Holder: text(), Security: text(),
			OrganizationType: text(), Jurisdiction: text(), Ended: text(), VerifyURL: text(),
			Legends:     []certificate.Legend{{Name: text(), Text: text()}},
			Signatories: []certificate.Signatory{{Name: text(), Title: text()}},
		}
		if _, err := renderer.Render(d); err != nil {
			t.Fatalf("%#v: %v", d, err)
		}
	}
}

func FuzzRender(f *testing.F) {
	for _, seed := range []string{"Ada", "محمد\u202e", "\x00\xff", "क्क", "👩‍👩‍👧‍👦", "()\\\r\n", "\U0010FFFF", "e\u0301\u0301\u0301"} {
		f.Add(seed, seed)
	}
	renderer := certificate.NewRenderer()
	f.Fuzz(func(t *testing.T, holder, legend string) {
		if holder == "" || len(holder) > 1000 || len(legend) > 5000 {
			return
		}
		d := sample()
		d.Organization, d.Holder = holder, holder
		d.Legends[0].Text = legend
		data, err := renderer.Render(d)
		if err != nil {
			t.Fatal(err)
		}
		if pages := read(t, data).pages; len(pages) == 0 {
			t.Fatal("no page")
		}
	})
}
