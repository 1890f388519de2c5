package letter_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"equity/http/letter"
)

// facts is the union of the fields of all mails.
type facts struct {
	Name, Link, Code, Password, What, Message, Organization, Roles, Holder, Author, New string
	Days                                                                                int
}

// typicalFacts returns the facts of an ordinary mail.
func typicalFacts() facts {
	return facts{
		Name: "Ada Lovelace", Link: "https://equity.example.com/verify?code=c0-de_", Code: "c0-de_", Password: "kxwlp-qmzrt-bvnhj-dfgsa",
		What: "the password of your account was changed. All other sessions were signed out.", Message: "Have a look.\nYours, A.",
		Organization: "Analytical Engines Inc.", Roles: "Investor, Guest", Days: 14,
		Holder: "Grace Hopper", Author: "Charles Babbage", New: "grace@example.com",
	}
}

// hostileFacts returns facts that try to forge the content of the mail.
func hostileFacts() facts {
	const forged = "Eve\r\nBcc: all@example.com\r\n\r\nYour account is locked.\u2028Pay\u202e here <a href=\"https://evil.example\">now</a>"
	f := typicalFacts()
	f.Name, f.Organization, f.Roles, f.Message, f.Holder, f.Author, f.New = forged, forged, forged, forged, forged, forged, forged
	return f
}

func TestTextAndHTMLOfMailsAgree(t *testing.T) {
	t.Parallel()
	for _, occasion := range letter.Occasions() {
		text, page, err := letter.WriteLetter(occasion, "A subject", "https://equity.example.com", typicalFacts())
		if err != nil {
			t.Fatal(err)
		}
		if keep := os.Getenv("MAIL_PAGES"); keep != "" { // optional output for inspection
			if err := os.WriteFile(filepath.Join(keep, occasion+".html"), []byte(page), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, part := range []string{
			typicalFacts().Name, typicalFacts().Link, typicalFacts().Password, "Have a look.", "Grace Hopper", "Charles Babbage",
			"grace@example.com",
		} {
			if strings.Contains(text, part) != strings.Contains(page, part) {
				t.Errorf("%s: %q is in only one version:\n%s\n%s", occasion, part, text, page)
			}
		}
		if strings.Contains(text, "<") || strings.Contains(text+page, "<no value>") || strings.Contains(text, "\n\n\n") {
			t.Errorf("%s:\n%s", occasion, text)
		}
		if !strings.Contains(page, "<title>A subject</title>") || !strings.Contains(page, "Sent by Equity, <a href=\"https://equity.example.com\"") {
			t.Errorf("%s:\n%s", occasion, page)
		}
	}
}

func TestNamesCannotForgeMailContent(t *testing.T) {
	t.Parallel()
	for _, occasion := range letter.Occasions() {
		text, page, err := letter.WriteLetter(occasion, "A subject", "https://equity.example.com", hostileFacts())
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "Bcc") || strings.HasPrefix(line, "Your account") {
				t.Errorf("%s: forged line: %q", occasion, line)
			}
		}
		if strings.ContainsAny(text+page, "\u2028\u202e\r") {
			t.Errorf("%s: %q %q", occasion, text, page)
		}
		if to := links(t, page); strings.Contains(strings.Join(to, " "), "evil") || len(to) > 2 {
			t.Errorf("%s links to %v", occasion, to)
		}
	}
}

// links returns the targets of the links of a page.
func links(t *testing.T, page string) (to []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	for node := range root.Descendants() {
		for _, attribute := range node.Attr {
			if attribute.Key == "href" {
				to = append(to, attribute.Val)
			}
		}
	}
	return to
}
