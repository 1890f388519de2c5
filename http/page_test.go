package http_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// open follows a link or an address of this site, as a browser does.
func (c *client) open(tb testing.TB, address string) answer {
	tb.Helper()
	return c.send(tb, "GET", strings.TrimPrefix(address, "https://equity.example.com"), "", "Accept", "text/html", "Sec-Fetch-Site", "none")
}

// press posts a page's form, as a browser does, and gives what it comes to.
func (c *client) press(tb testing.TB, path string, fields ...string) answer {
	tb.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return c.send(tb, "POST", path, form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin")
}

// says checks the status of a page and words on it.
func (a answer) says(tb testing.TB, status int, words string) answer {
	tb.Helper()
	if a.status != status || !strings.Contains(a.body, words) {
		tb.Errorf("%d instead of %d, or no %q in %s", a.status, status, words, a.body)
	}
	return a
}

// leads checks where the browser is sent.
func (a answer) leads(tb testing.TB, to string) {
	tb.Helper()
	if a.status != http.StatusSeeOther || a.header.Get("Location") != to {
		tb.Errorf("%d to %q instead of %q: %s", a.status, a.header.Get("Location"), to, a.body)
	}
}

// link is the only address of this site in the newest mail to somebody.
func (b *bundle) link(tb testing.TB, to string) string {
	tb.Helper()
	mail := b.newest(tb, to)
	found := regexp.MustCompile(`(?m)^https://equity\.example\.com/\S+$`).FindAllString(mail.Text, -1)
	if len(found) != 1 || !strings.Contains(mail.HTML, `href="`+strings.ReplaceAll(found[0], "&", "&amp;")+`"`) {
		tb.Fatalf("links %q in %s", found, mail.Text)
	}
	return found[0]
}

func TestAStrangerComesInByTheLinksOfTheirMails(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		owner := b.person(t, "owner@example.com")
		home := owner.company(t)
		owner.asked(t, home, "Investor", "grace@example.com")
		invitation := b.link(t, "grace@example.com")
		grace := b.nobody()
		page := grace.open(t, invitation).says(t, 200, "<h1>Analytical Engines invites you</h1>").says(t, 200, "as <b>Investor</b>")
		registering := regexp.MustCompile(`/register\?invitation=[\w-]+`).FindString(page.body)
		grace.open(t, registering).says(t, 200, "Make an account")
		grace.press(t, "/register", "firstName", "", "lastName", "Hopper", "email", "grace", "password", "short").says(t, 400, `value="Hopper"`).
			says(t, 400, "First name: The text must not be empty.\nE-mail address: Write an e-mail address such as ada@example.com.\nPassword: The text has fewer than 8 characters.\nTerms: ")
		grace.press(t, "/register", "firstName", "Grace", "lastName", "Hopper", "email", "grace@example.com", "password", newPassword, "acceptedTerms", "yes").
			says(t, 200, "Look into your mail")
		confirm := b.link(t, "grace@example.com")
		grace.press(t, "/login", "email", "grace@example.com", "password", newPassword).says(t, 400, "Send the verification mail again")
		grace.open(t, confirm).says(t, 200, "One press")
		code, _ := url.Parse(confirm)
		grace.press(t, "/verify", "code", code.Query().Get("code")).says(t, 200, "<b>grace@example.com</b> is yours")
		token, _ := url.Parse(invitation)
		grace.press(t, "/invitation", "token", token.Query().Get("token"), "do", "accept").leads(t, "/login")
		grace.press(t, "/login", "email", "grace@example.com", "password", newPassword, "invitation", token.Query().Get("token")).leads(t, token.RequestURI())
		grace.open(t, invitation).says(t, 200, "signed in as <b>grace@example.com</b>")
		grace.press(t, "/invitation", "token", token.Query().Get("token"), "do", "accept").says(t, 200, "You are a member now, as Investor")
		grace.open(t, invitation).says(t, 404, "cannot be answered")
		grace.open(t, "/login?authenticated=true").says(t, 200, "<li>Analytical Engines: Investor</li>")
		grace.must(t, "GET", home, "", 200)
		grace.press(t, "/login", "do", "out").leads(t, "/login")
		grace.must(t, "GET", home, "", 401)
	})
}

func TestPagesDoNothingWhenTheyAreOnlyOpened(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	_, member := owner.asked(t, home, "Guest", "ada@example.com").outcome(t)
	link := b.link(t, "ada@example.com")
	for range 3 {
		b.nobody().open(t, link+"&do=decline").says(t, 200, "Decline")
		owner.open(t, link+"&do=accept").says(t, 200, "Decline")
	}
	if got := owner.must(t, "GET", home+"/member/"+member, "", 200); got.text(t, "status") != "invited" {
		t.Error(got.body)
	}
	token, _ := url.Parse(link)
	got := b.nobody().send(t, "POST", "/invitation", url.Values{"token": {token.Query().Get("token")}, "do": {"decline"}}.Encode(),
		"Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example")
	if got.status != http.StatusForbidden {
		t.Errorf("another site may: %d %s", got.status, got.body)
	}
	b.nobody().press(t, "/invitation", "token", token.Query().Get("token"), "do", "decline").says(t, 200, "You have declined")
	if got := owner.must(t, "GET", home+"/member/"+member, "", 200); got.text(t, "status") != "removed" {
		t.Error(got.body)
	}
}

func TestWhoForgotTheirPasswordChoosesAnother(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.person(t, "ada@example.com")
	ada := b.nobody()
	ada.press(t, "/login", "email", "ada@example.com", "do", "reset").says(t, 200, "it contains a temporary password")
	if got := b.link(t, "ada@example.com"); got != "https://equity.example.com/login" {
		t.Error(got)
	}
	ada.press(t, "/login", "email", "ada@example.com", "password", b.temporary(t, "ada@example.com")).leads(t, "/password")
	ada.open(t, "/login").leads(t, "/password")
	ada.open(t, "/password").says(t, 200, "worked for the last time")
	ada.press(t, "/password", "password", "x").says(t, 400, "8")
	ada.press(t, "/password", "password", newPassword).leads(t, "/login?authenticated=true")
	ada.open(t, "/login").says(t, 200, "<b>ada@example.com</b>")
	ada.press(t, "/password", "password", password, "currentPassword", "wrong").says(t, 400, `role="alert"`)
	b.nobody().open(t, "/password").leads(t, "/login")
}

func TestTheSecondFactorIsAskedForOnThePage(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person := b.person(t, "ada@example.com")
	seed, _ := person.secured(t)
	ada := b.nobody()
	if got := ada.press(t, "/login", "email", "ada@example.com", "password", "wrong").says(t, 400, "is wrong"); strings.Contains(got.body, `name="code"`) {
		t.Error("a wrong password tells of the second factor")
	}
	ada.press(t, "/login", "email", "ada@example.com", "password", password).says(t, 200, `name="code"`)
	ada.press(t, "/login", "email", "ada@example.com", "password", password, "code", "000000").says(t, 400, `name="code"`)
	ada.press(t, "/login", "email", "ada@example.com", "password", password, "code", codeAt(seed, b.clock.Now())).leads(t, "/login?authenticated=true")
	for address, words := range map[string]string{"/login?error=auth_failed": "through the identity provider failed", "/login?error=two_factor_required": `name="code"`, "/login?token=x": "Sign in"} {
		b.nobody().open(t, address).says(t, 200, words)
	}
}

func TestPagesHoldNothingButTheirOwn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, path := range []string{"/verify?code=", "/login?email=", "/register?code=", "/invitation?token=", "/register?invitation="} {
		got := b.nobody().open(t, path+url.QueryEscape(`"><script>alert(1)</script>`))
		if strings.Contains(got.body, "<script") {
			t.Errorf("%s: %s", path, got.body)
		}
		style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(got.body)
		digest := sha256.Sum256([]byte(style[1]))
		policy := got.header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "'sha256-"+base64.StdEncoding.EncodeToString(digest[:])+"'") || strings.Contains(policy, "unsafe") ||
			!strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "form-action 'self'") {
			t.Errorf("%s: %s", path, policy)
		}
		if got.header.Get("Cache-Control") != "no-store" || got.header.Get("Referrer-Policy") != "same-origin" {
			t.Errorf("%s: %v", path, got.header)
		}
	}
	b.nobody().must(t, "PUT", "/login", "", http.StatusMethodNotAllowed)
	b.nobody().must(t, "POST", "/login", strings.Repeat("x", 2<<20), http.StatusBadRequest, "Content-Type", "application/x-www-form-urlencoded")
}
