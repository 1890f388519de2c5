package http_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"equity/http/apitest"
)

// openPage requests a link or an address of this site, like a browser.
func openPage(tb testing.TB, c *apitest.Client, address string) apitest.Answer {
	tb.Helper()
	return c.Send(tb, "GET", strings.TrimPrefix(address, "https://equity.example.com"), "", "Accept", "text/html", "Sec-Fetch-Site", "none")
}

// submitPage posts a page's form, like a browser, and returns the answer.
func submitPage(tb testing.TB, c *apitest.Client, path string, fields ...string) apitest.Answer {
	tb.Helper()
	form := url.Values{}
	for i := 0; i+1 < len(fields); i += 2 {
		form.Add(fields[i], fields[i+1])
	}
	return c.Send(tb, "POST", path, form.Encode(), "Content-Type", "application/x-www-form-urlencoded", "Sec-Fetch-Site", "same-origin")
}

// expectPage checks the status of a page and that it contains the words.
func expectPage(tb testing.TB, a apitest.Answer, status int, words string) apitest.Answer {
	tb.Helper()
	if a.Status != status || !strings.Contains(a.Body, words) {
		tb.Errorf("status %d, want %d with %q in %s", a.Status, status, words, a.Body)
	}
	return a
}

// mailedLink returns the only address of this site in the newest mail to the recipient.
func mailedLink(tb testing.TB, b *apitest.Server, to string) string {
	tb.Helper()
	mail := b.NewestMail(tb, to)
	found := regexp.MustCompile(`(?m)^https://equity\.example\.com/\S+$`).FindAllString(mail.Text, -1)
	if len(found) != 1 || !strings.Contains(mail.HTML, `href="`+strings.ReplaceAll(found[0], "&", "&amp;")+`"`) {
		tb.Fatalf("links %q in %s", found, mail.Text)
	}
	return found[0]
}

func TestInvitedStrangerRegistersAndJoinsByMailLinks(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		owner := b.NewPerson(t, "owner@example.com")
		home := owner.NewOrganization(t)
		owner.Invite(t, home, "Investor", "grace@example.com")
		invitation, token := mailedLink(t, b, "grace@example.com"), b.InvitationAnswer(t, "grace@example.com")
		grace := b.Anonymous()
		expectPage(t, openPage(t, grace, invitation), 200, apitest.StartPage)
		read := grace.Must(t, "POST", "/v1/invitation/read", token, 200)
		if read.Text(t, "organization", "name") != "Analytical Engines" || !strings.Contains(read.Body, `"roles":["Investor"]`) {
			t.Error(read.Body)
		}
		grace.Must(t, "POST", apitest.AcceptPath, token, 401)
		grace.Must(t, "POST", "/v1/user", registration, 201)
		confirm := mailedLink(t, b, "grace@example.com")
		if got := grace.Must(t, "POST", "/v1/user/login", graceLogin, 400); got.Text(t, "key") != "emailNotVerified" {
			t.Error(got.Body)
		}
		expectPage(t, openPage(t, grace, confirm), 200, apitest.StartPage)
		code, _ := url.Parse(confirm)
		grace.Must(t, "POST", "/v1/user/email/verify", `{"choosePassword":true,"code":"`+code.Query().Get("code")+`"}`, 200)
		grace.Must(t, "POST", "/v1/user/login", graceLogin, 200)
		if got := grace.Must(t, "POST", apitest.AcceptPath, token, 200); !strings.Contains(got.Body, `"roles":["Investor"]`) {
			t.Error(got.Body)
		}
		grace.Must(t, "POST", "/v1/invitation/read", token, 404)
		grace.Must(t, "GET", home, "", 200)
		grace.Must(t, "POST", "/v1/user/logout", "", 204)
		grace.Must(t, "GET", home, "", 401)
	})
}

func TestOpeningAPageChangesNoState(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	_, member := owner.Invite(t, home, "Guest", "ada@example.com").InvitationOutcome(t)
	link, token := mailedLink(t, b, "ada@example.com"), b.InvitationAnswer(t, "ada@example.com")
	b.Anonymous().Must(t, "POST", "/v1/user", registration, http.StatusCreated)
	verify := mailedLink(t, b, "grace@example.com")
	for range 3 {
		expectPage(t, openPage(t, b.Anonymous(), link+"&do=decline"), 200, apitest.StartPage)
		expectPage(t, openPage(t, owner, link+"&do=accept"), 200, apitest.StartPage)
		expectPage(t, openPage(t, b.Anonymous(), verify), 200, apitest.StartPage)
	}
	if got := owner.Must(t, "GET", home+"/member/"+member, "", 200); got.Text(t, "status") != "invited" {
		t.Error(got.Body)
	}
	b.Anonymous().Must(t, "POST", "/v1/user/login", graceLogin, http.StatusBadRequest)
	got := b.Anonymous().Send(t, "POST", apitest.DeclinePath, token, "Sec-Fetch-Site", "cross-site", "Origin", "https://evil.example")
	if got.Status != http.StatusForbidden {
		t.Errorf("another site may decline: %d %s", got.Status, got.Body)
	}
	form := url.Values{"do": {"decline"}}.Encode()
	b.Anonymous().Must(t, "POST", "/invitation", form, http.StatusMethodNotAllowed, "Content-Type", "application/x-www-form-urlencoded")
	b.Anonymous().Must(t, "POST", apitest.DeclinePath, token, http.StatusNoContent)
	if got := owner.Must(t, "GET", home+"/member/"+member, "", 200); got.Text(t, "status") != "removed" {
		t.Error(got.Body)
	}
}

func TestForgottenPasswordIsReplacedByMail(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	b.NewPerson(t, "ada@example.com")
	b.Anonymous().Must(t, "POST", "/v1/user/password/reset", resetAda, 200)
	if got := mailedLink(t, b, "ada@example.com"); got != "https://equity.example.com/login" {
		t.Error(got)
	}
	ada := b.Anonymous()
	in := ada.Must(
		t, "POST", "/v1/user/login", `{"email":"ada@example.com","password":"`+temporaryPassword(t, b, "ada@example.com")+`"}`, 200,
	)
	again := ada.Must(t, "GET", "/v1/user/current", "", 200) // after a reload
	if in.Get(t, "mustChangePassword") != true || again.Get(t, "mustChangePassword") != true {
		t.Errorf("%s %s", in.Body, again.Body)
	}
	ada.Must(t, "POST", "/v1/user/password", `{"password":"x"}`, 400)
	ada.Must(t, "POST", "/v1/user/password", `{"password":"`+newPassword+`"}`, 200)
	wrong := ada.Must(t, "POST", "/v1/user/password", `{"password":"`+apitest.Password+`","currentPassword":"wrong"}`, 400)
	if wrong.Text(t, "key") != "invalidCredentials" {
		t.Error(wrong.Body)
	}
	b.Anonymous().Must(t, "POST", "/v1/user/password", `{"password":"`+newPassword+`"}`, 401)
}

func TestPagesContainNoForeignContent(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	planted := url.QueryEscape(`"><script>alert(1)</script>`)
	for _, path := range []string{"/verify?code=", "/login?email=", "/register?code=", "/invitation?token=", "/nowhere?"} {
		if got := expectPage(t, openPage(t, b.Anonymous(), path+planted), 200, apitest.StartPage); strings.Contains(got.Body, "alert") {
			t.Errorf("%s: %s", path, got.Body)
		}
	}
	for _, path := range []string{"/share/x?" + planted, "/oauth/authorize?client_id=" + planted} {
		got := openPage(t, b.Anonymous(), path)
		style := regexp.MustCompile(`(?s)<style>(.*)</style>`).FindStringSubmatch(got.Body)
		if style == nil || strings.Contains(got.Body, "<script") {
			t.Fatalf("%s: %s", path, got.Body)
		}
		digest := sha256.Sum256([]byte(style[1]))
		policy := got.Header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "'sha256-"+base64.StdEncoding.EncodeToString(digest[:])+"'") || strings.Contains(policy, "unsafe") ||
			!strings.Contains(policy, "default-src 'none'") || !strings.Contains(policy, "form-action 'self'") {
			t.Errorf("%s: %s", path, policy)
		}
		if got.Header.Get("Cache-Control") != "no-store" || got.Header.Get("Referrer-Policy") != "strict-origin" {
			t.Errorf("%s: %v", path, got.Header)
		}
	}
	b.Anonymous().Must(t, "PUT", "/share/x", "", http.StatusMethodNotAllowed)
	b.Anonymous().Must(t, "POST", "/share/x", strings.Repeat("x", 2<<20), http.StatusBadRequest, "Content-Type", "application/x-www-form-urlencoded")
}
