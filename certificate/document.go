// Package certificate renders share certificates as PDF: the certificate itself, its copy, and the specimen that
// shows a legend.
//
// A certificate depends only on its Document. The same document results in the same bytes in every process of one
// [Edition], so a stored certificate can be used in place of a rendering.
//
// The page is laid out with maroto, which places text of one font only. The text is therefore set by package
// typesetting first, in any script. Text and ornaments are then cast into fonts created for the document (package
// truetype). The result consists of vectors only, and the text can be searched and copied.
package certificate

import (
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// Kind is the kind of a rendered certificate.
type Kind int

// The kinds.
const (
	// Original is the certificate.
	Original Kind = iota
	// Copy is the certificate marked COPY on every page.
	Copy
	// Specimen is an example without value, marked SPECIMEN and VOID on every page.
	Specimen
)

// Document contains all printed texts. They may be in any script, and white space in them counts as single blanks.
// Organization, Number, Holder, Shares and Security are required. Other empty texts are omitted.
type Document struct {
	Kind Kind

	Organization     string // full legal name
	Jurisdiction     string // "Delaware"
	OrganizationType string // "corporation", "limited liability company"; empty is "company"

	Number string // the certificate number, "CS-12"
	Holder string // as printed
	// Registered is the name of the holder in the register if it differs from the printed one.
	Registered string `json:",omitempty"`
	Shares     string // exact decimal, at most 19 integer and 10 fractional digits
	Units      bool   // the equity is called units, not shares
	Security   string // "Series A Preferred Stock"
	ParValue   string // "$0.00001"
	// FullyPaid states that the shares are fully paid and non-assessable.
	FullyPaid bool

	IssueDate string // "2023-11-14", printed as 14 November 2023
	Legends   []Legend
	// Signatories are printed under signature lines, at most MaxSignatories.
	Signatories []Signatory

	// VerifyURL is the address for checking the certificate, printed as a QR code, at most MaxURL bytes.
	VerifyURL string
	// Ended is a word such as CANCELLED or TRANSFERRED that is printed across every page of an ended certificate.
	// It is empty for a current one.
	Ended string
}

// Legend is a restriction or notice on the certificate. Line breaks in its text start new paragraphs.
type Legend struct{ Name, Text string }

// Signatory is an officer who signs.
type Signatory struct{ Name, Title string }

const (
	// MaxSignatories is the maximum number of signatures on the page.
	MaxSignatories = 4
	// MaxText is the maximum number of characters of all texts of a document together.
	MaxText = 200_000
	// MaxURL is the maximum number of bytes in a QR code of the printed size that a good camera can read.
	MaxURL = 600
	// MaxName is the maximum number of characters of a text other than a legend.
	MaxName = 1_000
)

// ErrInvalid is wrapped by the errors of Render for a document that cannot be printed. The message contains the
// reason.
var ErrInvalid = errors.New("certificate cannot be printed")

// check refuses documents with missing required texts, or with texts above the limits.
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
		d.Organization, d.Jurisdiction, d.OrganizationType, d.Number, d.Holder, d.Registered,
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
