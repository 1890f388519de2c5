package typeface

import "github.com/go-text/typesetting/language"

// Style is one of the hands a certificate is written in.
type Style int

// The styles. Plain is Roman for words that Roman has not all letters of: a
// Vietnamese name is set wholly in it rather than in two faces mixed.
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

// candidates returns the fonts to try, in order, for a character in a run of a
// script. East Asian text takes its digits and Latin punctuation from the style,
// as printers there do; other scripts have their own.
func candidates(style Style, script language.Script) []string {
	names := make([]string, 0, 6)
	if own := ownFont(script); own != "" {
		names = append(names, own)
	}
	return append(names, style.file(), "serif.ttf", "han.otf", "hangul.otf", "symbols.ttf")
}

// IsEuropean tells whether a script is one of the three that a style's own font
// is made for.
func IsEuropean(script language.Script) bool {
	return script == language.Latin || script == language.Greek || script == language.Cyrillic
}

// ownFont names the font of a script that has one of its own, or returns nothing.
//
//nolint:exhaustive // the other scripts have none
func ownFont(script language.Script) string {
	switch script {
	case language.Adlam:
		return "adlam.ttf"
	case language.Arabic:
		return "arabic.ttf"
	case language.Armenian:
		return "armenian.ttf"
	case language.Bengali:
		return "bengali.ttf"
	case language.Canadian_Aboriginal:
		return "canadian.ttf"
	case language.Cherokee:
		return "cherokee.ttf"
	case language.Devanagari:
		return "devanagari.ttf"
	case language.Ethiopic:
		return "ethiopic.ttf"
	case language.Georgian:
		return "georgian.ttf"
	case language.Gujarati:
		return "gujarati.ttf"
	case language.Gurmukhi:
		return "gurmukhi.ttf"
	case language.Hebrew:
		return "hebrew.ttf"
	case language.Kannada:
		return "kannada.ttf"
	case language.Khmer:
		return "khmer.ttf"
	case language.Lao:
		return "lao.ttf"
	case language.Malayalam:
		return "malayalam.ttf"
	case language.Myanmar:
		return "myanmar.ttf"
	case language.Nko:
		return "nko.ttf"
	case language.Oriya:
		return "oriya.ttf"
	case language.Sinhala:
		return "sinhala.ttf"
	case language.Tamil:
		return "tamil.ttf"
	case language.Telugu:
		return "telugu.ttf"
	case language.Thaana:
		return "thaana.ttf"
	case language.Thai:
		return "thai.ttf"
	case language.Tifinagh:
		return "tifinagh.ttf"
	}
	return ""
}
