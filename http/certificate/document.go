// Package certificate renders share certificates as PDF: the certificate
// itself, its copy, and the specimen that shows a legend.
//
// A certificate is made from a Document and nothing else. The same document
// gives the same bytes in every process, so a certificate can be made again
// whenever it is asked for and need not be kept.
//
// The page is laid out with maroto. Since maroto places text of one font, the
// words are first set by package typesetting, in any script, and words and
// ornaments alike are cast into fonts made for the document (package truetype):
// everything is vector, and the text can be searched and copied.
package certificate

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// Kind is what a rendered certificate is.
type Kind int

// The kinds.
const (
	// Original is the certificate.
	Original Kind = iota
	// Copy is the certificate with COPY across every page.
	Copy
	// Specimen shows what a certificate looks like and is worth nothing: it has
	// SPECIMEN and VOID across every page.
	Specimen
)

// Document is everything that is printed. Texts may be in any script; white space
// in them counts as single blanks. Only Organization, Number, Holder, Shares and
// Security must be given: what is empty is left out.
type Document struct {
	Kind Kind

	Organization     string // full legal name
	Jurisdiction     string // "Delaware"
	OrganizationType string // "corporation", "limited liability company"; empty is "company"

	Number   string // the certificate's, "CS-12"
	Holder   string // as printed
	Shares   string // exact decimal, at most 19 integer and 10 fractional digits
	Units    bool   // equity is called units, not shares
	Security string // "Series A Preferred Stock"
	ParValue string // "$0.00001"
	// FullyPaid says that the shares are fully paid and non-assessable.
	FullyPaid bool

	IssueDate string // "2023-11-14", printed as 14 November 2023
	Legends   []Legend
	// Signatories are printed under lines to sign on; at most MaxSignatories.
	Signatories []Signatory

	// VerifyURL is where anyone can ask whether the certificate is current; at most
	// MaxURL bytes. It goes into a QR code.
	VerifyURL string
	// Ended is a word such as CANCELLED or TRANSFERRED that crosses every page of
	// a certificate that is no longer current; empty while it is.
	Ended string
}

// Legend is a restriction or notice that the certificate carries. Line ends in
// its text start new paragraphs.
type Legend struct{ Name, Text string }

// Signatory is an officer who signs.
type Signatory struct{ Name, Title string }

const (
	// MaxSignatories is how many signatures the page has room for.
	MaxSignatories = 4
	// MaxText is the most characters that all texts of a document may have
	// together.
	MaxText = 200_000
	// MaxURL is how many bytes a QR code of the size printed can hold and still be
	// read by a good camera.
	MaxURL = 600
	// MaxName is the most characters of any text but a legend's.
	MaxName = 1_000
)

// ErrInvalid is wrapped by what Render returns for a document that cannot be
// printed; the message tells why.
var ErrInvalid = errors.New("certificate cannot be printed")

// check refuses documents that lack what a certificate cannot do without, or
// that would not fit.
func (d Document) check() error {
	for _, field := range []struct{ name, value string }{
		{"organization", d.Organization},
		{"number", d.Number},
		{"holder", d.Holder},
		{"security", d.Security},
	} {
		if field.value == "" {
			return fmt.Errorf("%w: %s is empty", ErrInvalid, field.name)
		}
	}
	if _, err := parseDecimal(d.Shares); err != nil {
		return fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	if d.IssueDate != "" {
		if _, err := time.Parse(time.DateOnly, d.IssueDate); err != nil {
			return fmt.Errorf("%w: issue date %q is not a date", ErrInvalid, d.IssueDate)
		}
	}
	if len(d.Signatories) > MaxSignatories {
		return fmt.Errorf("%w: %d signatories, at most %d", ErrInvalid, len(d.Signatories), MaxSignatories)
	}
	if len(d.VerifyURL) > MaxURL {
		return fmt.Errorf("%w: verification address of %d bytes, at most %d", ErrInvalid, len(d.VerifyURL), MaxURL)
	}
	return d.checkLengths()
}

func (d Document) checkLengths() error {
	names := []string{
		d.Organization, d.Jurisdiction, d.OrganizationType, d.Number, d.Holder,
		d.Security, d.ParValue, d.VerifyURL, d.Ended,
	}
	for _, s := range d.Signatories {
		names = append(names, s.Name, s.Title)
	}
	total := 0
	for _, l := range d.Legends {
		names = append(names, l.Name)
		total += utf8.RuneCountInString(l.Text)
	}
	for _, name := range names {
		n := utf8.RuneCountInString(name)
		if n > MaxName {
			return fmt.Errorf("%w: a name of %d characters, at most %d", ErrInvalid, n, MaxName)
		}
		total += n
	}
	if total > MaxText {
		return fmt.Errorf("%w: texts of %d characters, at most %d", ErrInvalid, total, MaxText)
	}
	return nil
}
