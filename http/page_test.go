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
		form.Add(fields[i], fields[i+1])
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
		invitation, token := b.link(t, "grace@example.com"), b.invitedBy(t, "grace@example.com")
		grace := b.anonymous()
		grace.open(t, invitation).expect(t, 200, startPage)
		read := grace.must(t, "POST", "/v1/invitation/read", token, 200)
		if read.text(t, "organization", "name") != "Analytical Engines" || !strings.Contains(read.body, `"roles":["Investor"]`) {
			t.Error(read.body)
		}
		grace.must(t, "POST", acceptPath, token, 401)
		grace.must(t, "POST", "/v1/user", registration, 201)
		confirm := b.link(t, "grace@example.com")
		if got := grace.must(t, "POST", "/v1/user/login", graceLogin, 400); got.text(t, "key") != "emailNotVerified" {
			t.Error(got.body)
		}
		grace.open(t, confirm).expect(t, 200, startPage)
		code, _ := url.Parse(confirm)
		grace.must(t, "POST", "/v1/user/email/verify", `{"choosePassword":true,"code":"`+code.Query().Get("code")+`"}`, 200)
		grace.must(t, "POST", "/v1/user/login", graceLogin, 200)
		if got := grace.must(t, "POST", acceptPath, token, 200); !strings.Contains(got.body, `"roles":["Investor"]`) {
			t.Error(got.body)
		}
		grace.must(t, "POST", "/v1/invitation/read", token, 404)
		grace.must(t, "GET", home, "", 200)
		grace.must(t, "POST", "/v1/user/logout", "", 204)
		grace.must(t, "GET", home, "", 401)
	})
}

func TestOpeningAPageChangesNoState(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner := b.person(t, "owner@example.com")
	home := owner.company(t)
	_, member := owner.invite(t, home, "Guest", "ada@example.com").outcome(t)
	link, token := b.link(t, "ada@example.com"), b.invitedBy(t, "ada@example.com")
	b.anonymous().must(t, "POST", "/v1/user", registration, http.StatusCreated)
	verify := b.link(t, "grace@example.com")
	for range 3 {
		b.anonymous().open(t, link+"&do=decline").expect(t, 200, startPage)
		owner.open(t, link+"&do=accept").expect(t, 200, startPage)
		b.anonymous().open(t, verify).expect(t, 200, startPage)
	}
	if got := owner.must(t, "GET", home+"/member/"+member, "", 200); got.text(t, "status") != "invited" {
		t.Error(got.body)
	}
	b.anonymous().must(t, "POST", "/v1/user/login", graceLogin, http.StatusBadRequest)
	got := b.anonymous().send(t, "POST", declinePath, token, "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example")
	if got.status != http.StatusForbidden {
		t.Errorf("another site may decline: %d %s", got.status, got.body)
	}
	form := url.Values{"do": {"decline"}}.Encode()
	b.anonymous().must(t, "POST", "/invitation", form, http.StatusMethodNotAllowed, "Content-Type", "application/x-www-form-urlencoded")
	b.anonymous().must(t, "POST", declinePath, token, http.StatusNoContent)
	if got := owner.must(t, "GET", home+"/member/"+member, "", 200); got.text(t, "status") != "removed" {
		t.Error(got.body)
	}
}

func TestForgottenPasswordIsReplacedByMail(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.person(t, "ada@example.com")
	b.anonymous().must(t, "POST", "/v1/user/password/reset", resetAda, 200)
	if got := b.link(t, "ada@example.com"); got != "https://equity.example.com/login" {
		t.Error(got)
	}
	ada := b.anonymous()
	in := ada.must(t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+b.temporary(t, "ada@example.com")+`"}`, 200)
	again := ada.must(t, "GET", "/v1/user/current", "", 200) // after a reload
	if in.get(t, "mustChangePassword") != true || again.get(t, "mustChangePassword") != true {
		t.Errorf("%s %s", in.body, again.body)
	}
	ada.must(t, "POST", "/v1/user/password", `{"password":"x"}`, 400)
	ada.must(t, "POST", "/v1/user/password", `{"password":"`+newPassword+`"}`, 200)
	wrong := ada.must(t, "POST", "/v1/user/password", `{"password":"`+password+`","currentPassword":"wrong"}`, 400)
	if wrong.text(t, "key") != "invalidCredentials" {
		t.Error(wrong.body)
	}
	b.anonymous().must(t, "POST", "/v1/user/password", `{"password":"`+newPassword+`"}`, 401)
}

func TestPagesContainNoForeignContent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	planted := url.QueryEscape(`"><script>alert(1)</script>`)
	for _, path := range []string{"/verify?code=", "/login?email=", "/register?code=", "/invitation?token=", "/nowhere?"} {
		if got := b.anonymous().open(t, path+planted).expect(t, 200, startPage); strings.Contains(got.body, "alert") {
			t.Errorf("%s: %s", path, got.body)
		}
	}
	for _, path := range []string{"/share/x?" + planted, "/oauth/authorize?client_id=" + planted} {
		got := b.anonymous().open(t, path)
		style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(got.body)
		if style == nil || strings.Contains(got.body, "<script") {
			t.Fatalf("%s: %s", path, got.body)
		}
		digest := sha256.Sum256([]byte(style[1]))
		policy := got.header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "'sha256-"+base64.StdEncoding.EncodeToString(digest[:])+"'") || strings.Contains(policy, "unsafe") ||
			!strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "form-action 'self'") {
			t.Errorf("%s: %s", path, policy)
		}
		if got.header.Get("Cache-Control") != "no-store" || got.header.Get("Referrer-Policy") != "strict-origin" {
			t.Errorf("%s: %v", path, got.header)
		}
	}
	b.anonymous().must(t, "PUT", "/share/x", "", http.StatusMethodNotAllowed)
	b.anonymous().must(t, "POST", "/share/x", strings.Repeat("x", 2<<20), http.StatusBadRequest, "Content-Type", "application/x-www-form-urlencoded")
}
