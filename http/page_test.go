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

// open requests a link or an address of this site, like a browser.
func (c *client) open(tb testing.TB, address string) answer {
	tb.Helper()
	return c.send(tb, "GET", strings.TrimPrefix(address, "https://equity.example.com"), "", "Accept", "text/html", "Sec-Fetch-Site", "none")
}

// submit posts a page's form, like a browser, and returns the answer.
func (c *client) submit(tb testing.TB, path string, fields ...string) answer {
	tb.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return c.send(tb, "POST", path, form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin")
}

// expect checks the status of a page and that it contains the words.
func (a answer) expect(tb testing.TB, status int, words string) answer {
	tb.Helper()
	if a.status != status || !strings.Contains(a.body, words) {
		tb.Errorf("status %d, want %d with %q in %s", a.status, status, words, a.body)
	}
	return a
}

// expectRedirect checks the redirect target.
func (a answer) expectRedirect(tb testing.TB, to string) {
	tb.Helper()
	if a.status != http.StatusSeeOther || a.header.Get("Location") != to {
		tb.Errorf("status %d to %q, want a redirect to %q: %s", a.status, a.header.Get("Location"), to, a.body)
	}
}

// link returns the only address of this site in the newest mail to the recipient.
func (b *bundle) link(tb testing.TB, to string) string {
	tb.Helper()
	mail := b.newest(tb, to)
	found := regexp.MustCompile(`(?m)^https://equity\.example\.com/\S+$`).FindAllString(mail.Text, -1)
	if len(found) != 1 || !strings.Contains(mail.HTML, `href="`+strings.ReplaceAll(found[0], "&", "&amp;")+`"`) {
		tb.Fatalf("links %q in %s", found, mail.Text)
	}
	return found[0]
}

func TestInvitedStrangerRegistersAndJoinsByMailLinks(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		owner := b.person(t, "owner@example.com")
		home := owner.company(t)
		owner.invite(t, home, "Investor", "grace@example.com")
		invitation := b.link(t, "grace@example.com")
		grace := b.anonymous()
		page := grace.open(t, invitation).expect(t, 200, "<h1>Analytical Engines invites you</h1>").expect(t, 200, "as <b>Investor</b>")
		registering := regexp.MustCompile(`/register\?invitation=[\w-]+`).FindString(page.body)
		grace.open(t, registering).expect(t, 200, "Make an account")
		grace.submit(t, "/register", "firstName", "", "lastName", "Hopper", "email", "grace", "password", "short").expect(t, 400, `value="Hopper"`).
			expect(t, 400, "First name: The text must not be empty.\nE-mail address: Write an e-mail address such as ada@example.com.\nPassword: The text has fewer than 8 characters.\nTerms: ")
		grace.submit(t, "/register", "firstName", "Grace", "lastName", "Hopper", "email", "grace@example.com", "password", newPassword, "acceptedTerms", "yes").
			expect(t, 200, "Look into your mail")
		confirm := b.link(t, "grace@example.com")
		grace.submit(t, "/login", "email", "grace@example.com", "password", newPassword).expect(t, 400, "Send the verification mail again")
		grace.open(t, confirm).expect(t, 200, "One press")
		code, _ := url.Parse(confirm)
		grace.submit(t, "/verify", "code", code.Query().Get("code")).expect(t, 200, "<b>grace@example.com</b> is yours")
		token, _ := url.Parse(invitation)
		grace.submit(t, "/invitation", "token", token.Query().Get("token"), "do", "accept").expectRedirect(t, "/login")
		grace.submit(t, "/login", "email", "grace@example.com", "password", newPassword, "invitation", token.Query().Get("token")).expectRedirect(t, token.RequestURI())
		grace.open(t, invitation).expect(t, 200, "signed in as <b>grace@example.com</b>")
		grace.submit(t, "/invitation", "token", token.Query().Get("token"), "do", "accept").expect(t, 200, "You are a member now, as Investor")
		grace.open(t, invitation).expect(t, 404, "cannot be answered")
		grace.open(t, "/login?authenticated=true").expect(t, 200, "<li>Analytical Engines: Investor</li>")
		grace.must(t, "GET", home, "", 200)
		grace.submit(t, "/login", "do", "out").expectRedirect(t, "/login")
		grace.must(t, "GET", home, "", 401)
	})
}

func TestOpeningAPageChangesNoState(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	_, member := owner.invite(t, home, "Guest", "ada@example.com").outcome(t)
	link := b.link(t, "ada@example.com")
	for range 3 {
		b.anonymous().open(t, link+"&do=decline").expect(t, 200, "Decline")
		owner.open(t, link+"&do=accept").expect(t, 200, "Decline")
	}
	if got := owner.must(t, "GET", home+"/member/"+member, "", 200); got.text(t, "status") != "invited" {
		t.Error(got.body)
	}
	token, _ := url.Parse(link)
	got := b.anonymous().send(t, "POST", "/invitation", url.Values{"token": {token.Query().Get("token")}, "do": {"decline"}}.Encode(),
		"Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example")
	if got.status != http.StatusForbidden {
		t.Errorf("another site may submit the form: %d %s", got.status, got.body)
	}
	b.anonymous().submit(t, "/invitation", "token", token.Query().Get("token"), "do", "decline").expect(t, 200, "You have declined")
	if got := owner.must(t, "GET", home+"/member/"+member, "", 200); got.text(t, "status") != "removed" {
		t.Error(got.body)
	}
}

func TestForgottenPasswordIsReplacedOnThePages(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.person(t, "ada@example.com")
	ada := b.anonymous()
	ada.submit(t, "/login", "email", "ada@example.com", "do", "reset").expect(t, 200, "a password that works once")
	if got := b.link(t, "ada@example.com"); got != "https://equity.example.com/login" {
		t.Error(got)
	}
	ada.submit(t, "/login", "email", "ada@example.com", "password", b.temporary(t, "ada@example.com")).expectRedirect(t, "/password")
	ada.open(t, "/login").expectRedirect(t, "/password")
	ada.open(t, "/password").expect(t, 200, "worked for the last time")
	ada.submit(t, "/password", "password", "x").expect(t, 400, "8")
	ada.submit(t, "/password", "password", newPassword).expectRedirect(t, "/login?authenticated=true")
	ada.open(t, "/login").expect(t, 200, "<b>ada@example.com</b>")
	ada.submit(t, "/password", "password", password, "currentPassword", "wrong").expect(t, 400, `role="alert"`)
	b.anonymous().open(t, "/password").expectRedirect(t, "/login")
}

func TestSignInPageRequestsTheSecondFactor(t *testing.T) {
	t.Parallel()
	b := setup(t)
	person := b.person(t, "ada@example.com")
	seed, _ := person.enableSecondFactor(t)
	ada := b.anonymous()
	if got := ada.submit(t, "/login", "email", "ada@example.com", "password", "wrong").expect(t, 400, "is wrong"); strings.Contains(got.body, `name="code"`) {
		t.Error("a wrong password reveals the second factor")
	}
	ada.submit(t, "/login", "email", "ada@example.com", "password", password).expect(t, 200, `name="code"`)
	ada.submit(t, "/login", "email", "ada@example.com", "password", password, "code", "000000").expect(t, 400, `name="code"`)
	ada.submit(t, "/login", "email", "ada@example.com", "password", password, "code", codeAt(seed, b.clock.Now())).expectRedirect(t, "/login?authenticated=true")
	for address, words := range map[string]string{"/login?error=auth_failed": "did not work", "/login?error=two_factor_required": `name="code"`, "/login?token=x": "Sign in"} {
		b.anonymous().open(t, address).expect(t, 200, words)
	}
}

func TestPagesContainNoForeignContent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, path := range []string{"/verify?code=", "/login?email=", "/register?code=", "/invitation?token=", "/register?invitation="} {
		got := b.anonymous().open(t, path+url.QueryEscape(`"><script>alert(1)</script>`))
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
	b.anonymous().must(t, "PUT", "/login", "", http.StatusMethodNotAllowed)
	b.anonymous().must(t, "POST", "/login", strings.Repeat("x", 2<<20), http.StatusBadRequest, "Content-Type", "application/x-www-form-urlencoded")
}
