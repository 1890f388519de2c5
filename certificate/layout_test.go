package certificate_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"equity/certificate"
)

const (
	pageWidth, pageHeight = 841.89, 595.28
	// margin is the unprintable margin, and frameDepth the inner edge of the frame.
	margin, frameDepth = 17.0, 59.5
)

// variants returns documents with extreme layouts.
func variants() map[string]func(*certificate.Document) {
	long := "The International Consolidated Manufacturing and Scientific Instruments Trading Company of the Northern Territories"
	return map[string]func(*certificate.Document){
		"a plain one": func(*certificate.Document) {},
		"short texts": func(d *certificate.Document) {
			d.Organization, d.Holder, d.Security, d.Number, d.Shares = "A", "B", "C", "1", "1"
		},
		"long texts": func(d *certificate.Document) {
			d.Organization = long + " (Holdings), Limited Partnership"
			d.Holder = "The Trustees for the time being of the Wolfeschlegelsteinhausenbergerdorff Family Trust, " + long
			d.Security = "Class B Non-Voting Convertible Redeemable Participating Preferred Stock, Series 2023-A"
			d.Shares = "9223372036854775807.1234567891"
			d.Number, d.Jurisdiction = "PREFERRED-B-000000000042", "the Commonwealth of the Northern Mariana Islands"
			d.OrganizationType = "limited partnership with limited liability of all partners"
		},
		"very long texts": func(d *certificate.Document) {
			d.Organization, d.Holder = strings.Repeat(long+" ", 5), strings.Repeat(long+" ", 8)
			d.Security, d.Jurisdiction = strings.Repeat("Series ", 90), strings.Repeat("Delaware ", 60)
			d.Number, d.ParValue = strings.Repeat("X", 300), strings.Repeat("9", 200)
		},
		"a word that never ends": func(d *certificate.Document) {
			d.Organization, d.Holder = strings.Repeat("W", 400), strings.Repeat("m", 700)
		},
		"four signatories": func(d *certificate.Document) {
			d.Signatories = []certificate.Signatory{
				{Name: "Maximilian von Hohenstaufen-Württemberg", Title: "President and Chief Executive Officer"},
				{Name: "Bo", Title: "Secretary"},
				{Name: "Alexandrina Konstantinopolskaya-Wolkenstein", Title: strings.Repeat("Vice President of Affairs ", 8)},
				{Name: strings.Repeat("Signatory ", 30), Title: ""},
			}
		},
		"three signatories": func(d *certificate.Document) {
			d.Signatories = append(d.Signatories, certificate.Signatory{Name: "Cy", Title: "Treasurer"})
		},
		"no signatories":   func(d *certificate.Document) { d.Signatories = nil },
		"no code":          func(d *certificate.Document) { d.VerifyURL = "" },
		"no legends":       func(d *certificate.Document) { d.Legends = nil },
		"nothing below":    func(d *certificate.Document) { d.Legends, d.VerifyURL, d.Signatories = nil, "", nil },
		"a long address":   func(d *certificate.Document) { d.Legends = nil; d.VerifyURL += strings.Repeat("/abcdefghi", 40) },
		"legends in front": func(d *certificate.Document) { d.Legends[0].Text = strings.Repeat("No sale without consent. ", 30) },
		"legends overleaf": func(d *certificate.Document) {
			for i := range 12 {
				d.Legends = append(d.Legends, certificate.Legend{
					Name: fmt.Sprintf("%d %s", i, long), Text: strings.Repeat("No sale without consent.\n", 9*i),
				})
			}
		},
		"tall letters": func(d *certificate.Document) {
			d.Organization, d.Holder = "Ǻỗ Ṩṻ Ấẫ Ếễ ᾏᾟ", "ཀ Ǻỗẫ ཧཱུྃ ကြွန်ုပ် ក្រុមហ៊ុន ปิ่นที่ ञ्ज्ञू ܣܘ"
			d.Security = "Ấẫẩ préférentielles Åộ"
		},
		"Japanese, Korean and Chinese": func(d *certificate.Document) {
			d.Organization, d.Holder, d.Jurisdiction = "株式会社ノースウィンド計器", strings.Repeat("山田太郎 홍길동 张伟 ", 9), "日本"
			d.Signatories[0] = certificate.Signatory{Name: "佐藤花子", Title: "代表取締役"}
		},
		"Arabic and Hebrew": func(d *certificate.Document) {
			d.Organization, d.Holder = "شركة الرياح الشمالية 123 للأجهزة المحدودة", "محمد بن عبد الله (משה כהן) آل سعود"
			d.Signatories[1] = certificate.Signatory{Name: "أحمد", Title: "أمين السر"}
		},
	}
}

// TestNothingOverlaps checks the ink of every letter: it must stay inside the frame, and no line may touch
// another.
func TestNothingOverlaps(t *testing.T) {
	t.Parallel()
	for name, change := range variants() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := sample()
			change(&d)
			rendered := render(t, d)
			for page := range rendered.pages {
				checkPage(t, rendered, page)
			}
		})
	}
}

type inked struct {
	box
	text
}

func checkPage(t *testing.T, rendered *document, page int) {
	t.Helper()
	inset := frameDepth
	if page > 0 {
		inset = margin
	}
	var letters []inked
	for _, s := range rendered.pages[page] {
		if !strings.HasPrefix(s.font, "letters") {
			continue
		}
		for _, b := range rendered.ink(s) {
			if b.x0 < inset || b.x1 > pageWidth-inset || b.y0 < inset || b.y1 > pageHeight-inset {
				t.Errorf("page %d: %q at %.1f, %.1f leaves the page", page+1, s.chars, s.x, s.y)
			}
			letters = append(letters, inked{b, s})
		}
	}
	const touch = 0.2 // overlap allowed for boxes, which are wider than ink, in points
	slices.SortFunc(letters, func(a, b inked) int { return cmp.Compare(a.x0, b.x0) })
	for i, a := range letters {
		for _, b := range letters[i+1:] {
			if b.x0 > a.x1-touch {
				break
			}
			if a.y == b.y || min(a.x1, b.x1)-b.x0 < touch || min(a.y1, b.y1)-max(a.y0, b.y0) < touch {
				continue
			}
			t.Errorf("page %d: %q at %.1f, %.1f is over %q at %.1f, %.1f", page+1, a.chars, a.x, a.y, b.chars, b.x, b.y)
			return
		}
	}
}

// TestSignatureLines checks that all signature lines are at one height, and that the groups on both sides of the
// seal are symmetric.
func TestSignatureLines(t *testing.T) {
	t.Parallel()
	for count := 1; count <= certificate.MaxSignatories; count++ {
		t.Run(fmt.Sprintf("of %d signatories", count), func(t *testing.T) {
			t.Parallel()
			d := sample()
			d.Signatories = nil
			for range count {
				d.Signatories = append(d.Signatories, certificate.Signatory{Name: "Maren Okafor", Title: "President"})
			}
			lines := render(t, d).lines[0]
			if want := count + count%2; len(lines) != want {
				t.Fatalf("%d lines, want %d", len(lines), want)
			}
			for i, line := range lines {
				mirror := lines[len(lines)-1-i]
				if line.y0 != lines[0].y0 || line.y1 != line.y0 || line.x1-line.x0 < 60 || line.x0+mirror.x1-pageWidth > 0.1 || line.x0+mirror.x1-pageWidth < -0.1 {
					t.Errorf("line %d runs from %.1f to %.1f at %.1f, its mirror ends at %.1f", i, line.x0, line.x1, line.y0, mirror.x1)
				}
			}
		})
	}
}
