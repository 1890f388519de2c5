package typeface_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode"

	"github.com/go-text/typesetting/language"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"

	"equity/certificate/typeface"
)

func setup(t *testing.T) (*typeface.Library, *typeface.Case) {
	t.Helper()
	library := typeface.NewLibrary()
	return library, typeface.NewCase(library)
}

func TestEveryFontIsUsable(t *testing.T) {
	t.Parallel()
	library, fonts := setup(t)
	// One letter for each font, in a run of its script.
	letters := "A Ж Ω ạ م א क ক ਕ ક କ க క ಕ ക ක ไ ລ ក က ა Ա ሀ ހ Ꭰ ᐁ ߊ ⴰ 𞤀 張 홍 ★"
	used := map[string]bool{}
	for _, style := range []typeface.Style{typeface.Roman, typeface.Bold, typeface.Italic, typeface.Plain} {
		for letter := range strings.FieldsSeq(letters) {
			r := []rune(letter)[0]
			face, ok := fonts.Face(style, language.LookupScript(r), r)
			if !ok {
				t.Errorf("no font has %c", r)
				continue
			}
			glyph, _ := face.NominalGlyph(r)
			if typeface.Outline(face, glyph).Points() == 0 {
				t.Errorf("%c in %s draws nothing", r, fonts.Name(face))
			}
			used[fonts.Name(face)] = true
		}
	}
	for _, name := range library.Names() {
		if !used[name] {
			t.Errorf("%s is never picked", name)
		}
	}
}

// missing returns the characters without a font.
func missing(t *testing.T, runes []rune) string {
	t.Helper()
	_, fonts := setup(t)
	var b strings.Builder
	for _, r := range runes {
		if _, ok := fonts.Face(typeface.Roman, language.LookupScript(r), r); !ok {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func TestNationalCharacterSets(t *testing.T) {
	t.Parallel()
	for name, charset := range map[string]encoding.Encoding{
		"GB 2312":   simplifiedchinese.HZGB2312,
		"Big5":      traditionalchinese.Big5,
		"Shift JIS": japanese.ShiftJIS,
		"KS X 1001": korean.EUCKR,
	} {
		t.Run("all letters of "+name+" are there", func(t *testing.T) {
			t.Parallel()
			encoder := charset.NewEncoder()
			var runes []rune
			for _, table := range []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul} {
				for _, r := range expand(table) {
					if _, err := encoder.Bytes([]byte(string(r))); err == nil {
						runes = append(runes, r)
					}
				}
			}
			if len(runes) < 2000 {
				t.Fatalf("only %d letters to look for", len(runes))
			}
			allowed := 0
			if name == "Big5" {
				allowed = len(runes) / 3 // the encoder includes the Hong Kong additions, which are not guaranteed
			}
			if lacking := []rune(missing(t, runes)); len(lacking) > allowed {
				t.Errorf("%d of %d are missing: %s", len(lacking), len(runes), string(lacking))
			}
		})
	}
}

func TestAlphabets(t *testing.T) {
	t.Parallel()
	for name, letters := range map[string]string{
		"Latin of Europe":     "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿĀāĂăĄąĆćČčĎďĐđĒēĖėĘęĚěĞğĢģĪīĮįİıĶķĹĺĻļĽľŁłŃńŅņŇňŐőŒœŔŕŘřŚśŞşŠšŢţŤťŪūŮůŰűŲųŹźŻżŽžȘșȚțẞ",
		"Vietnamese":          "ĂăÂâĐđÊêÔôƠơƯưẠạẢảẤấẦầẨẩẪẫẬậẮắẰằẲẳẴẵẶặẸẹẺẻẼẽẾếỀềỂểỄễỆệỈỉỊịỌọỎỏỐốỒồỔổỖỗỘộỚớỜờỞởỠỡỢợỤụỦủỨứỪừỬửỮữỰựỲỳỴỵỶỷỸỹ",
		"Greek":               "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρσςτυφχψωΆΈΉΊΌΎΏάέήίόύώϊϋΐΰ",
		"Cyrillic":            "АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдеёжзийклмнопрстуфхцчшщъыьэюяЄІЇҐєіїґЎўЂЉЊЋЏђљњћџӘәҒғҚқҢңӨөҰұҮүҺһ",
		"signs and currency":  "–—‘’“”„‚«»‹›…•†‡§¶©®™№€£¥₹₩₽₺₴₫₱₦°±×÷½¼¾",
		"common pictographs":  "★☆♥✓✗☎✉😀👍🚀🎉🌍",
		"fullwidth and marks": "、。「」『』（）【】・ー〜％＆",
	} {
		t.Run("all of "+name+" are there", func(t *testing.T) {
			t.Parallel()
			if lacking := missing(t, []rune(letters)); lacking != "" {
				t.Errorf("missing: %s", lacking)
			}
		})
	}
}

func expand(table *unicode.RangeTable) []rune {
	var runes []rune
	for _, r := range table.R16 {
		for c := rune(r.Lo); c <= rune(r.Hi); c += rune(r.Stride) {
			runes = append(runes, c)
		}
	}
	return runes
}

func TestFace(t *testing.T) {
	t.Parallel()

	t.Run("styles differ for European letters only", func(t *testing.T) {
		t.Parallel()
		_, fonts := setup(t)
		roman, _ := fonts.Face(typeface.Roman, language.Latin, 'a')
		bold, _ := fonts.Face(typeface.Bold, language.Latin, 'a')
		if roman == bold {
			t.Error("bold is roman")
		}
		first, _ := fonts.Face(typeface.Roman, language.Thai, 'ก')
		second, _ := fonts.Face(typeface.Italic, language.Thai, 'ก')
		if first != second {
			t.Error("Thai has two fonts")
		}
	})

	t.Run("a digit in Thai text is Thai, in Chinese text it is the style's", func(t *testing.T) {
		t.Parallel()
		_, fonts := setup(t)
		roman, _ := fonts.Face(typeface.Roman, language.Latin, '1')
		chinese, _ := fonts.Face(typeface.Roman, language.Han, '1')
		thai, _ := fonts.Face(typeface.Roman, language.Thai, '๑')
		if chinese != roman || thai == roman {
			t.Error("digits come from the wrong font")
		}
	})

	t.Run("a character that no font has is reported and still gets a face", func(t *testing.T) {
		t.Parallel()
		_, fonts := setup(t)
		face, ok := fonts.Face(typeface.Roman, language.Cuneiform, '\U00012000')
		if ok || face == nil {
			t.Errorf("face %v, %v", face, ok)
		}
	})

	t.Run("holes turn against their letter in both kinds of fonts", func(t *testing.T) {
		t.Parallel()
		_, fonts := setup(t)
		for _, r := range "o口" {
			face, _ := fonts.Face(typeface.Roman, language.LookupScript(r), r)
			glyph, _ := face.NominalGlyph(r)
			shape := typeface.Outline(face, glyph)
			// Hatching leaves a hole only where contours have opposite directions.
			x0, _, x1, _, _ := shape.Bounds()
			filled := 0.0
			for _, line := range shape.Hatch(0.01, 0.01, 0) {
				filled += (line[1].X - line[0].X) * 0.01
			}
			if filled > 0.75*(x1-x0)*(x1-x0) {
				t.Errorf("%c is filled", r)
			}
		}
	})
}

// TestRelease is not parallel, because it depends on the garbage collector.
func TestRelease(t *testing.T) { //nolint:paralleltest // see above
	library := typeface.NewLibrary()
	fonts := typeface.NewCase(library)
	for _, r := range "A張홍م" {
		fonts.Face(typeface.Roman, language.LookupScript(r), r)
	}
	if got := library.Loaded(); got != 4 {
		t.Fatalf("%d fonts in memory, want 4", got)
	}
	other := typeface.NewCase(library)
	other.Face(typeface.Roman, language.Latin, 'B')
	if got := library.Loaded(); got != 4 {
		t.Errorf("a second case loads a font again: %d", got)
	}
	runtime.KeepAlive(fonts)
	runtime.KeepAlive(other)
	for range 10 { // both cases are garbage at this point
		runtime.GC()
	}
	if got := library.Loaded(); got != 0 {
		t.Errorf("%d fonts stay in memory that nobody uses", got)
	}
}

func TestLicences(t *testing.T) {
	t.Parallel()
	licences, err := filepath.Glob("fonts/LICENSE.*.txt")
	if err != nil || len(licences) == 0 {
		t.Fatalf("no licences beside the fonts: %v", err)
	}
	script, err := os.ReadFile("fonts/build.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, licence := range licences {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(licence), "LICENSE."), ".txt")
		if !bytes.Contains(script, []byte(name)) {
			t.Errorf("%s belongs to no package the fonts are made from", licence)
		}
	}
}
