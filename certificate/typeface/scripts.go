package typeface

import "github.com/go-text/typesetting/language"

// Style is a style of type on a certificate.
type Style int

// The styles. Plain is used for words with letters missing in Roman: a Vietnamese name is set wholly in it rather
// than in two mixed faces.
const (
	Roman Style = iota
	Bold
	Italic
	Plain
)

func (s Style) file() string {
	switch s {
	case Roman:
		return "old-regular.ttf"
	case Bold:
		return "old-bold.ttf"
	case Italic:
		return "old-italic.ttf"
	case Plain:
		return "serif.ttf"
	}
	return "serif.ttf"
}

// candidates returns the fonts to try, in order, for a character in a run of a script. The East Asian fonts have
// no digits or Latin punctuation, which come from the style, as is usual in print.
func (c *Case) candidates(style Style, script language.Script) []string {
	names := make([]string, 0, 6)
	if own := c.own[script]; own != "" {
		names = append(names, own)
	}
	return append(names, style.file(), "serif.ttf", "han.otf", "hangul.otf", "symbols.ttf")
}

// IsEuropean reports whether a script is one of the three that a style's own font supports.
func IsEuropean(script language.Script) bool {
	return script == language.Latin || script == language.Greek || script == language.Cyrillic
}

// ownFonts returns the font of every script that has a font of its own.
func ownFonts() map[language.Script]string {
	return map[language.Script]string{
		language.Adlam:               "adlam.ttf",
		language.Arabic:              "arabic.ttf",
		language.Armenian:            "armenian.ttf",
		language.Bopomofo:            "han.otf",
		language.Bengali:             "bengali.ttf",
		language.Canadian_Aboriginal: "canadian.ttf",
		language.Cherokee:            "cherokee.ttf",
		language.Devanagari:          "devanagari.ttf",
		language.Ethiopic:            "ethiopic.ttf",
		language.Georgian:            "georgian.ttf",
		language.Gujarati:            "gujarati.ttf",
		language.Gurmukhi:            "gurmukhi.ttf",
		language.Han:                 "han.otf",
		language.Hangul:              "hangul.otf",
		language.Hiragana:            "han.otf",
		language.Katakana:            "han.otf",
		language.Hebrew:              "hebrew.ttf",
		language.Kannada:             "kannada.ttf",
		language.Khmer:               "khmer.ttf",
		language.Lao:                 "lao.ttf",
		language.Malayalam:           "malayalam.ttf",
		language.Myanmar:             "myanmar.ttf",
		language.Nko:                 "nko.ttf",
		language.Oriya:               "oriya.ttf",
		language.Sinhala:             "sinhala.ttf",
		language.Tamil:               "tamil.ttf",
		language.Telugu:              "telugu.ttf",
		language.Thaana:              "thaana.ttf",
		language.Thai:                "thai.ttf",
		language.Tifinagh:            "tifinagh.ttf",
	}
}
