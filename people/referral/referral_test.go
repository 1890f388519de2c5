package referral_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"equity/people/referral"
)

func TestCodesAreDrawnAndParsed(t *testing.T) {
	t.Parallel()
	drawn, err := referral.DrawCode(bytes.NewReader([]byte{0x3f, 0xa9, 0x01}))
	if err != nil || drawn != "3fa901" {
		t.Fatalf("%s %v", drawn, err)
	}
	if _, err := referral.DrawCode(bytes.NewReader([]byte{1})); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("without randomness: %v", err)
	}
	if code, ok := referral.ParseCode(" 3FA901 "); !ok || code != drawn {
		t.Errorf("in the other case: %s", code)
	}
	for _, text := range []string{"", "3fa90", "3fa9011", "3fa90g", "0x3fa9"} {
		if _, ok := referral.ParseCode(text); ok {
			t.Errorf("%q is a code", text)
		}
	}
}

func TestSiteIgnoresSpelling(t *testing.T) {
	t.Parallel()
	for _, website := range []string{"example.com", "https://Example.com", "http://www.example.com/about?x=1", " www.EXAMPLE.com. ", "https://example.com:8443/"} {
		if site, ok := referral.Site(website); !ok || site != "example.com" {
			t.Errorf("%q: %q %v", website, site, ok)
		}
	}
	if site, ok := referral.Site("www.com"); !ok || site != "www.com" {
		t.Errorf("a company named www: %q", site)
	}
	for _, website := range []string{
		"", "example", "localhost", "ftp://example.com", "javascript:alert(1)", "https://user@example.com", "127.0.0.1", "https://[::1]/",
		"exa mple.com", "a..com", "https://", "-a.com",
	} {
		if site, ok := referral.Site(website); ok {
			t.Errorf("%q: %q", website, site)
		}
	}
}

func FuzzSite(f *testing.F) {
	f.Add("https://www.example.com/")
	f.Fuzz(func(t *testing.T, website string) {
		site, ok := referral.Site(website)
		if again, still := referral.Site(site); ok && (!still || again != site) && site[:min(4, len(site))] != "www." {
			t.Errorf("Site(%q) = %q, but Site of the result = %q", website, site, again)
		}
	})
}
