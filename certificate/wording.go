package certificate

import (
	"strings"
	"time"
	"unicode"

	"equity/certificate/typesetting"
)

// wording is the text of the front page of a valid document.
type wording struct {
	title        string // SHARE CERTIFICATE
	authority    string // Incorporated under the laws of Delaware
	amountLabel  string // SHARES
	amount       string // 1,250,000
	inWords      string // One Million Two Hundred Fifty Thousand (1,250,000)
	body         string
	witness      string
	date         string // 14 November 2023
	organization string // the name of the organization after its first mention
}

func word(d Document) wording {
	amount, _ := parseDecimal(d.Shares)
	figures, _ := InFigures(d.Shares)
	spelled, _ := InWords(d.Shares)
	noun := "share"
	if d.Units {
		noun = "unit"
	}
	w := wording{
		title:        strings.ToUpper(noun) + " CERTIFICATE",
		amountLabel:  strings.ToUpper(noun) + "S",
		amount:       figures,
		inWords:      spelled + " (" + figures + ")",
		date:         longDate(d.IssueDate),
		organization: d.OrganizationType,
	}
	if w.organization == "" {
		w.organization = "company"
	}
	if d.Jurisdiction != "" {
		w.authority = w.formed(true) + typesetting.Isolate(d.Jurisdiction)
	}
	plural := noun + "s"
	if amount.isOne() {
		plural = noun
	}
	w.body = w.entitlement(d, noun, plural)
	w.witness = w.attestation(len(d.Signatories) > 0)
	return w
}

// formed returns the start of the phrase about the organization's governing law.
func (w wording) formed(sentence bool) string {
	verb := "organized"
	if strings.Contains(strings.ToLower(w.organization), "corporation") {
		verb = "incorporated"
	}
	if sentence {
		verb = strings.ToUpper(verb[:1]) + verb[1:]
	}
	return verb + " under the laws of "
}

// entitlement returns the sentence that follows the amount in words.
func (w wording) entitlement(d Document, noun, plural string) string {
	var b strings.Builder
	if d.FullyPaid {
		b.WriteString("fully paid and non-assessable ")
	}
	b.WriteString(plural + " of " + typesetting.Isolate(d.Security))
	if d.ParValue != "" {
		b.WriteString(", par value " + typesetting.Isolate(d.ParValue) + " per " + noun)
	}
	b.WriteString(", of " + typesetting.Isolate(d.Organization) + ", " + article(w.organization) + " " + w.organization)
	if d.Jurisdiction != "" {
		b.WriteString(" " + w.formed(false) + typesetting.Isolate(d.Jurisdiction))
	}
	b.WriteString(", transferable only on the books of the " + w.organization +
		" by the holder hereof, in person or by duly authorized attorney," +
		" upon surrender of this certificate properly endorsed.")
	return b.String()
}

// attestation returns the closing sentence, or an empty string if it does not apply.
func (w wording) attestation(signed bool) string {
	switch {
	case signed && w.date != "":
		return "In witness whereof, the " + w.organization +
			" has caused this certificate to be signed by its duly authorized officers on " + w.date + "."
	case signed:
		return "In witness whereof, the " + w.organization +
			" has caused this certificate to be signed by its duly authorized officers."
	case w.date != "":
		return "Issued on " + w.date + "."
	}
	return ""
}

// article returns the indefinite article of a noun by its first letters: "an unlimited company", but "a European
// company".
func article(noun string) string {
	noun = strings.ToLower(noun)
	for _, begin := range []struct{ letters, article string }{
		{"unin", "an"},
		{"uni", "a"},
		{"use", "a"},
		{"uti", "a"},
		{"eu", "a"},
		{"one", "a"},
	} {
		if strings.HasPrefix(noun, begin.letters) {
			return begin.article
		}
	}
	if strings.ContainsAny(noun[:1], "aeiou") {
		return "an"
	}
	return "a"
}

func longDate(date string) string {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return ""
	}
	return day.Format("2 January 2006")
}

// titleOfFile returns the document title shown by viewers.
func (j *job) titleOfFile() string {
	return labelled(j.title[:1] + strings.ToLower(j.title[1:]) + " " + j.Number + ", " + j.Organization)
}

// labelled returns a text that is valid in the file's properties: the PDF writer supports neither invalid text nor
// characters beyond the basic plane.
func labelled(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r > 0xFFFF:
			return '\uFFFD'
		case unicode.IsControl(r):
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}
