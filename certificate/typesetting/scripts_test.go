package typesetting_test

import (
	"testing"
	"unicode"

	"equity/certificate/typeface"
	"equity/certificate/typesetting"
)

func TestEveryScript(t *testing.T) {
	t.Parallel()
	for script, name := range map[string]string{
		"Latin with diacritics": "Zoë Åström-Nuñez Łukasz Żółć Þórður",
		"Vietnamese":            "Nguyễn Thị Ánh",
		"Greek":                 "Ξενοφών Παπαδόπουλος",
		"Cyrillic":              "Екатерина Щёголева",
		"Chinese":               "张伟 張偉",
		"Japanese":              "山田太郎 ヤマダ やまだ",
		"Korean":                "홍길동",
		"Arabic":                "محمد بن عبد الله",
		"Persian":               "پروین اعتصامی",
		"Hebrew":                "משה כהן",
		"Devanagari":            "श्रीमती लक्ष्मी क्षत्रिय",
		"Bengali":               "রহিম চৌধুরী",
		"Gurmukhi":              "ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ",
		"Gujarati":              "નરેન્દ્ર પટેલ",
		"Odia":                  "ପ୍ରିୟଙ୍କା",
		"Tamil":                 "தமிழ்ச்செல்வன்",
		"Telugu":                "వెంకటేశ్వర్లు",
		"Kannada":               "ಕೃಷ್ಣಮೂರ್ತಿ",
		"Malayalam":             "ശ്രീനിവാസൻ",
		"Sinhala":               "ශ්\u200dරී ලංකා",
		"Thai":                  "สมชาย ใจดี",
		"Lao":                   "ສົມພອນ",
		"Khmer":                 "សុខ ស្រីមុំ",
		"Burmese":               "အောင်ဆန်း",
		"Georgian":              "გიორგი მელაძე",
		"Armenian":              "Արամ Խաչատրյան",
		"Amharic":               "አበበ በቀለ",
		"Thaana":                "މުޙައްމަދު",
		"Cherokee":              "ᏍᏏᏉᏯ",
		"N'Ko":                  "ߒߞߏ",
		"Tifinagh":              "ⵎⵓⵃⵎⵎⴷ",
		"several at once":       "Ada 山田 / 홍길동 / محمد / कमला",
	} {
		t.Run(script+" is set without loss", func(t *testing.T) {
			t.Parallel()
			for _, hand := range []typeface.Style{typeface.Roman, typeface.Bold, typeface.Italic} {
				line := setup(t).Shape(name, typesetting.Style{Hand: hand}).Line()
				missing := map[rune]int{}
				for _, r := range name {
					if unicode.IsLetter(r) || unicode.Is(unicode.M, r) {
						missing[r]++
					}
				}
				for _, sort := range line.Sorts {
					if sort.Key[0] == '?' {
						t.Errorf("no font has %q", sort.Chars)
					}
					if !sort.Blank && sort.Outline.Points() == 0 {
						t.Errorf("%q draws nothing", sort.Chars)
					}
					for _, r := range sort.Chars {
						missing[r]--
					}
				}
				for r, n := range missing {
					if n > 0 {
						t.Errorf("%U %c is missing %d times", r, r, n)
					}
				}
			}
		})
	}
}
