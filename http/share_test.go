package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// lent is a document with a share.
type lent struct {
	*firm
	at      string // the document
	share   answer
	content string
}

const auditor = "auditor@example.com"

// lend shares a document with the auditor. The body contains the further terms.
func (b *bundle) lend(tb testing.TB, name, text, terms string) *lent {
	tb.Helper()
	f := b.firm(tb, "owner@example.com")
	at := f.home + "/document/" + textOf(f.put(tb, f.home, name, text), "id")
	share := f.must(tb, "POST", at+"/share", `{"email":"`+auditor+`"`+terms+`}`, http.StatusCreated)
	return &lent{f, at, share, "/v1/share/" + share.text(tb, "id") + "/content"}
}

// An organization may have any number of shares for one address, with any name.
func TestSharesAreNoMailBomb(t *testing.T) {
	t.Parallel()
	b := setup(t)
	l := b.lend(t, "Plan.txt", "The plan.", "")
	l.must(t, "PATCH", l.home, `{"name":"WIN A PRIZE at evil.example"}`, http.StatusOK)
	sent := 0
	for range 4 {
		share := l.must(t, "POST", l.at+"/share", `{"email":"`+auditor+`"}`, http.StatusCreated)
		for range 5 {
			got := b.anonymous().send(t, "POST", "/v1/share/code", `{"token":`+quoted(t, tokenOf(t, share))+`}`)
			if got.status == http.StatusOK {
				sent++
			} else if got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") == "" {
				t.Errorf("%d %s", got.status, got.body)
			}
		}
	}
	if mail := b.newest(t, auditor); sent != 10 || strings.Contains(mail.Subject, "PRIZE") {
		t.Errorf("%d mails, subject %q", sent, mail.Subject)
	}
}

func TestSharedDocumentIsReadWithTheMailedCode(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		l := b.lend(t, "Plan.txt", "The plan.", `,"watermark":false,"download":true`)
		guest := b.anonymous()
		guest.must(t, "GET", l.content, "", http.StatusNotFound)
		cookie := b.opens(t, l.share)
		if got := guest.must(t, "GET", l.content, "", http.StatusOK, "Cookie", cookie); got.body != "The plan." {
			t.Errorf("%q", got.body)
		}
		other := strings.Replace(cookie, l.share.text(t, "id"), "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10", 1)
		guest.must(t, "GET", "/v1/share/01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10/content", "", http.StatusNotFound, "Cookie", other)
	})
}

func TestShareOpensNothingWithoutItsCode(t *testing.T) {
	t.Parallel()
	b := setup(t)
	l := b.lend(t, "Plan.txt", "The plan.", "")
	guest, token := b.anonymous(), quoted(t, tokenOf(t, l.share))
	refused := func(code string) {
		t.Helper()
		got := guest.must(t, "POST", "/v1/share/open", `{"token":`+token+`,"code":"`+code+`"}`, http.StatusBadRequest)
		if got.header.Get("Set-Cookie") != "" {
			t.Errorf("%s opened the share", code)
		}
	}
	refused("123456")
	guest.must(t, "POST", "/v1/share/code", `{"token":`+token+`}`, http.StatusOK)
	code := b.shareCode(t)
	wrong := "0" + code[1:]
	if code[0] == '0' {
		wrong = "1" + code[1:]
	}
	for range 5 {
		refused(wrong)
	}
	refused(code) // after five attempts
	guest.must(t, "POST", "/v1/share/code", `{"token":`+token+`}`, http.StatusOK)
	code = b.shareCode(t)
	b.clock.advance(10 * time.Minute)
	refused(code)
}

func TestShareSendsFiveCodesWithinAnHour(t *testing.T) {
	t.Parallel()
	b := setup(t)
	l := b.lend(t, "Plan.txt", "The plan.", "")
	body := `{"token":` + quoted(t, tokenOf(t, l.share)) + `}`
	for range 5 {
		b.anonymous().must(t, "POST", "/v1/share/code", body, http.StatusOK)
	}
	if got := b.anonymous().must(t, "POST", "/v1/share/code", body, http.StatusTooManyRequests); got.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

func TestShareEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, l *lent){
		"by revocation": func(t *testing.T, l *lent) {
			t.Helper()
			for range 2 {
				l.must(t, "DELETE", l.at+"/share/"+l.share.text(t, "id"), "", http.StatusNoContent)
			}
		},
		"with its document": func(t *testing.T, l *lent) {
			t.Helper()
			l.must(t, "DELETE", l.at, "", http.StatusNoContent)
		},
		"by expiry": func(t *testing.T, l *lent) {
			t.Helper()
			l.clock.advance(14 * 24 * time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			l := b.lend(t, "Plan.txt", "The plan.", `,"watermark":false,"download":true`)
			cookie := b.opens(t, l.share)
			end(t, l)
			guest := b.anonymous()
			guest.must(t, "GET", l.content, "", http.StatusNotFound, "Cookie", cookie)
			guest.must(t, "POST", "/v1/share/code", `{"token":`+quoted(t, tokenOf(t, l.share))+`}`, http.StatusNotFound)
		})
	}
}

func TestVisitOfAShareEndsAfterEightHours(t *testing.T) {
	t.Parallel()
	b := setup(t)
	l := b.lend(t, "Plan.txt", "The plan.", `,"watermark":false,"download":true`)
	cookie := b.opens(t, l.share)
	b.clock.advance(8*time.Hour - time.Second)
	b.anonymous().must(t, "GET", l.content, "", http.StatusOK, "Cookie", cookie)
	b.clock.advance(time.Second)
	b.anonymous().must(t, "GET", l.content, "", http.StatusNotFound, "Cookie", cookie)
}

func TestSharedPDFHasTheAddressOfItsReader(t *testing.T) {
	t.Parallel()
	b := setup(t)
	l := b.lend(t, "Plan.pdf", pdf(t), "")
	cookie := b.opens(t, l.share)
	got := b.anonymous().must(t, "GET", l.content+"/Plan.pdf", "", http.StatusOK, "Cookie", cookie)
	if text := pdfWords(t, got.body); !strings.Contains(text, auditor) {
		t.Errorf("%q", text)
	}
	if got := b.anonymous().must(t, "GET", l.content, "", http.StatusConflict, "Cookie", cookie); got.text(t, "code") != "displayOnly" {
		t.Errorf("a download: %s", got.body)
	}
}

func TestAddressOfAShareIsShownOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	l := b.lend(t, "Plan.txt", "The plan.", "")
	list := l.must(t, "GET", l.at+"/share", "", http.StatusOK)
	if strings.Contains(list.body, tokenOf(t, l.share)) || !strings.Contains(list.body, auditor) {
		t.Errorf("%s", list.body)
	}
	body := `{"email":"` + auditor + `"}`
	first := l.must(t, "POST", l.at+"/share", body, http.StatusCreated, "Idempotency-Key", "one")
	second := l.must(t, "POST", l.at+"/share", body, http.StatusCreated, "Idempotency-Key", "one")
	if first.text(t, "url") != second.text(t, "url") {
		t.Errorf("a repetition has another address: %s %s", first.body, second.body)
	}
	journal := l.must(t, "GET", l.home+"/journal", "", http.StatusOK)
	if !strings.Contains(journal.body, "shareCreated") || strings.Contains(journal.body, auditor) || strings.Contains(
		journal.body, tokenOf(t, l.share),
	) {
		t.Errorf("%s", journal.body)
	}
}

func TestTermsOfSharesAreChecked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	l := b.lend(t, "Plan.txt", "The plan.", "")
	late := b.clock.Now().Add(90*24*time.Hour + time.Second).Format(time.RFC3339)
	for _, body := range []string{`{}`, `{"email":"nobody"}`, `{"email":"` + auditor + `","expiresAt":"` + late + `"}`, `{"email":"` + auditor + `","expiresAt":"2020-01-01T00:00:00Z"}`} {
		l.must(t, "POST", l.at+"/share", body, http.StatusBadRequest)
	}
	l.must(t, "POST", l.home+"/document/"+l.folder(t, l.home, "Legal", "")+"/share", `{"email":"`+auditor+`"}`, http.StatusConflict)
}

func TestViewLogHasEachReading(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		l := b.lend(t, "Plan.txt", "The plan.", `,"watermark":false,"download":true`)
		l.must(t, "GET", l.at+"/content", "", http.StatusOK)
		b.clock.advance(time.Second)
		cookie := b.opens(t, l.share)
		b.anonymous().must(t, "GET", l.content+"/Plan.txt", "", http.StatusPartialContent, "Cookie", cookie, "Range", "bytes=0-2")
		b.anonymous().must(t, "GET", l.content+"/Plan.txt", "", http.StatusPartialContent, "Cookie", cookie, "Range", "bytes=3-8")
		views := l.must(t, "GET", l.at+"/view", "", http.StatusOK).list(t, "data")
		if len(views) != 2 {
			t.Fatalf("%v", views)
		}
		outside, _ := views[0].(map[string]any)
		inside, _ := views[1].(map[string]any)
		if textOf(outside, "email") != auditor || textOf(outside, "kind") != "view" || outside["bytes"] != 9.0 || textOf(outside, "share") != l.share.text(t, "id") {
			t.Errorf("%v", outside)
		}
		if textOf(inside, "user") != l.user.ID.String() || textOf(inside, "kind") != "download" || inside["versionNumber"] != 1.0 {
			t.Errorf("%v", inside)
		}
		page := l.must(t, "GET", l.at+"/view?limit=1", "", http.StatusOK)
		rest := l.must(t, "GET", l.at+"/view?limit=1&cursor="+page.text(t, "nextCursor"), "", http.StatusOK)
		if last := rest.list(t, "data"); len(last) != 1 || strings.Contains(rest.body, "nextCursor") || strings.Contains(rest.body, auditor) {
			t.Errorf("%s", rest.body)
		}
	})
}

func TestPageOfAShareSendsACodeAndOpensTheDocument(t *testing.T) {
	t.Parallel()
	b := setup(t)
	l := b.lend(t, "Plan.txt", "The plan.", `,"watermark":false,"download":true`)
	page, guest := "/share/"+tokenOf(t, l.share), b.anonymous()
	if got := guest.must(t, "GET", page, "", http.StatusOK); !strings.Contains(got.body, "Send me a code") || strings.Contains(got.body, "Plan.txt") {
		t.Errorf("%s", got.body)
	}
	if found := b.mails(t, auditor); len(found) != 0 {
		t.Errorf("the link alone sent a mail: %v", found)
	}
	const form = "application/x-www-form-urlencoded"
	if got := guest.must(t, "POST", page, "do=send", http.StatusOK, "Content-Type", form); !strings.Contains(got.body, "The code from the e-mail") {
		t.Errorf("%s", got.body)
	}
	got := guest.must(t, "POST", page, "do=open&code="+b.shareCode(t), http.StatusOK, "Content-Type", form)
	cookie, _, _ := strings.Cut(got.header.Get("Set-Cookie"), ";")
	if !strings.Contains(got.body, l.content+"/Plan.txt") {
		t.Errorf("%s", got.body)
	}
	guest.must(t, "GET", l.content, "", http.StatusOK, "Cookie", cookie)
	if strings.Contains(b.log.String(), tokenOf(t, l.share)) {
		t.Error("the log has the token")
	}
	guest.must(t, "POST", "/share/AAAA", "do=send", http.StatusNotFound, "Content-Type", form)
}
