package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"equity/http/apitest"
)

// lent is a document with a share.
type lent struct {
	*apitest.Firm
	at      string // the document
	share   apitest.Answer
	content string
}

const auditor = "auditor@example.com"

// lendShare shares a document with the auditor. The body contains the further terms.
func lendShare(tb testing.TB, b *apitest.Server, name, text, terms string) *lent {
	tb.Helper()
	f := b.NewFirm(tb, "owner@example.com")
	at := f.Home + "/document/" + apitest.TextOf(f.PutDocument(tb, f.Home, name, text), "id")
	share := f.Must(tb, "POST", at+"/share", `{"email":"`+auditor+`"`+terms+`}`, http.StatusCreated)
	return &lent{f, at, share, "/v1/share/" + share.Text(tb, "id") + "/content"}
}

// An organization may have any number of shares for one address, with any name.
func TestSharesAreNoMailBomb(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	l := lendShare(t, b, "Plan.txt", "The plan.", "")
	l.Must(t, "PATCH", l.Home, `{"name":"WIN A PRIZE at evil.example"}`, http.StatusOK)
	sent := 0
	for range 4 {
		share := l.Must(t, "POST", l.at+"/share", `{"email":"`+auditor+`"}`, http.StatusCreated)
		for range 5 {
			got := b.Anonymous().Send(t, "POST", "/v1/share/code", `{"token":`+apitest.Quoted(t, tokenOf(t, share))+`}`)
			if got.Status == http.StatusOK {
				sent++
			} else if got.Status != http.StatusTooManyRequests || got.Header.Get("Retry-After") == "" {
				t.Errorf("%d %s", got.Status, got.Body)
			}
		}
	}
	if mail := b.NewestMail(t, auditor); sent != 10 || strings.Contains(mail.Subject, "PRIZE") {
		t.Errorf("%d mails, subject %q", sent, mail.Subject)
	}
}

func TestSharedDocumentIsReadWithTheMailedCode(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		l := lendShare(t, b, "Plan.txt", "The plan.", `,"watermark":false,"download":true`)
		guest := b.Anonymous()
		guest.Must(t, "GET", l.content, "", http.StatusNotFound)
		cookie := openShare(t, b, l.share)
		if got := guest.Must(t, "GET", l.content, "", http.StatusOK, "Cookie", cookie); got.Body != "The plan." {
			t.Errorf("%q", got.Body)
		}
		other := strings.Replace(cookie, l.share.Text(t, "id"), "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10", 1)
		guest.Must(t, "GET", "/v1/share/01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10/content", "", http.StatusNotFound, "Cookie", other)
	})
}

func TestShareOpensNothingWithoutItsCode(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	l := lendShare(t, b, "Plan.txt", "The plan.", "")
	guest, token := b.Anonymous(), apitest.Quoted(t, tokenOf(t, l.share))
	refused := func(code string) {
		t.Helper()
		got := guest.Must(t, "POST", "/v1/share/open", `{"token":`+token+`,"code":"`+code+`"}`, http.StatusBadRequest)
		if got.Header.Get("Set-Cookie") != "" {
			t.Errorf("%s opened the share", code)
		}
	}
	refused("123456")
	guest.Must(t, "POST", "/v1/share/code", `{"token":`+token+`}`, http.StatusOK)
	code := mailedShareCode(t, b)
	wrong := "0" + code[1:]
	if code[0] == '0' {
		wrong = "1" + code[1:]
	}
	for range 5 {
		refused(wrong)
	}
	refused(code) // after five attempts
	guest.Must(t, "POST", "/v1/share/code", `{"token":`+token+`}`, http.StatusOK)
	code = mailedShareCode(t, b)
	b.Clock.Advance(10 * time.Minute)
	refused(code)
}

func TestShareSendsFiveCodesWithinAnHour(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	l := lendShare(t, b, "Plan.txt", "The plan.", "")
	body := `{"token":` + apitest.Quoted(t, tokenOf(t, l.share)) + `}`
	for range 5 {
		b.Anonymous().Must(t, "POST", "/v1/share/code", body, http.StatusOK)
	}
	if got := b.Anonymous().Must(t, "POST", "/v1/share/code", body, http.StatusTooManyRequests); got.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

func TestShareEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, l *lent){
		"by revocation": func(t *testing.T, l *lent) {
			t.Helper()
			for range 2 {
				l.Must(t, "DELETE", l.at+"/share/"+l.share.Text(t, "id"), "", http.StatusNoContent)
			}
		},
		"with its document": func(t *testing.T, l *lent) {
			t.Helper()
			l.Must(t, "DELETE", l.at, "", http.StatusNoContent)
		},
		"by expiry": func(t *testing.T, l *lent) {
			t.Helper()
			l.Clock.Advance(14 * 24 * time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := apitest.Setup(t)
			l := lendShare(t, b, "Plan.txt", "The plan.", `,"watermark":false,"download":true`)
			cookie := openShare(t, b, l.share)
			end(t, l)
			guest := b.Anonymous()
			guest.Must(t, "GET", l.content, "", http.StatusNotFound, "Cookie", cookie)
			guest.Must(t, "POST", "/v1/share/code", `{"token":`+apitest.Quoted(t, tokenOf(t, l.share))+`}`, http.StatusNotFound)
		})
	}
}

func TestVisitOfAShareEndsAfterEightHours(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	l := lendShare(t, b, "Plan.txt", "The plan.", `,"watermark":false,"download":true`)
	cookie := openShare(t, b, l.share)
	b.Clock.Advance(8*time.Hour - time.Second)
	b.Anonymous().Must(t, "GET", l.content, "", http.StatusOK, "Cookie", cookie)
	b.Clock.Advance(time.Second)
	b.Anonymous().Must(t, "GET", l.content, "", http.StatusNotFound, "Cookie", cookie)
}

func TestSharedPDFHasTheAddressOfItsReader(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	l := lendShare(t, b, "Plan.pdf", pdf(t), "")
	cookie := openShare(t, b, l.share)
	got := b.Anonymous().Must(t, "GET", l.content+"/Plan.pdf", "", http.StatusOK, "Cookie", cookie)
	if text := pdfWords(t, got.Body); !strings.Contains(text, auditor) {
		t.Errorf("%q", text)
	}
	if got := b.Anonymous().Must(t, "GET", l.content, "", http.StatusConflict, "Cookie", cookie); got.Text(t, "code") != "displayOnly" {
		t.Errorf("a download: %s", got.Body)
	}
}

func TestAddressOfAShareIsShownOnce(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	l := lendShare(t, b, "Plan.txt", "The plan.", "")
	list := l.Must(t, "GET", l.at+"/share", "", http.StatusOK)
	if strings.Contains(list.Body, tokenOf(t, l.share)) || !strings.Contains(list.Body, auditor) {
		t.Errorf("%s", list.Body)
	}
	body := `{"email":"` + auditor + `"}`
	first := l.Must(t, "POST", l.at+"/share", body, http.StatusCreated, "Idempotency-Key", "one")
	second := l.Must(t, "POST", l.at+"/share", body, http.StatusCreated, "Idempotency-Key", "one")
	if first.Text(t, "url") != second.Text(t, "url") {
		t.Errorf("a repetition has another address: %s %s", first.Body, second.Body)
	}
	journal := l.Must(t, "GET", l.Home+"/journal", "", http.StatusOK)
	if !strings.Contains(journal.Body, "shareCreated") || strings.Contains(journal.Body, auditor) || strings.Contains(
		journal.Body, tokenOf(t, l.share),
	) {
		t.Errorf("%s", journal.Body)
	}
}

func TestTermsOfSharesAreChecked(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	l := lendShare(t, b, "Plan.txt", "The plan.", "")
	late := b.Clock.Now().Add(90*24*time.Hour + time.Second).Format(time.RFC3339)
	for _, body := range []string{`{}`, `{"email":"nobody"}`, `{"email":"` + auditor + `","expiresAt":"` + late + `"}`, `{"email":"` + auditor + `","expiresAt":"2020-01-01T00:00:00Z"}`} {
		l.Must(t, "POST", l.at+"/share", body, http.StatusBadRequest)
	}
	l.Must(t, "POST", l.Home+"/document/"+l.NewFolder(t, l.Home, "Legal", "")+"/share", `{"email":"`+auditor+`"}`, http.StatusConflict)
}

func TestViewLogHasEachReading(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		l := lendShare(t, b, "Plan.txt", "The plan.", `,"watermark":false,"download":true`)
		l.Must(t, "GET", l.at+"/content", "", http.StatusOK)
		b.Clock.Advance(time.Second)
		cookie := openShare(t, b, l.share)
		b.Anonymous().Must(t, "GET", l.content+"/Plan.txt", "", http.StatusPartialContent, "Cookie", cookie, "Range", "bytes=0-2")
		b.Anonymous().Must(t, "GET", l.content+"/Plan.txt", "", http.StatusPartialContent, "Cookie", cookie, "Range", "bytes=3-8")
		views := l.Must(t, "GET", l.at+"/view", "", http.StatusOK).List(t, "data")
		if len(views) != 2 {
			t.Fatalf("%v", views)
		}
		outside, _ := views[0].(map[string]any)
		inside, _ := views[1].(map[string]any)
		if apitest.TextOf(outside, "email") != auditor || apitest.TextOf(outside, "kind") != "view" || outside["bytes"] != 9.0 || apitest.TextOf(outside, "share") != l.share.Text(t, "id") {
			t.Errorf("%v", outside)
		}
		if apitest.TextOf(inside, "user") != l.User.ID.String() || apitest.TextOf(inside, "kind") != "download" || inside["versionNumber"] != 1.0 {
			t.Errorf("%v", inside)
		}
		page := l.Must(t, "GET", l.at+"/view?limit=1", "", http.StatusOK)
		rest := l.Must(t, "GET", l.at+"/view?limit=1&cursor="+page.Text(t, "nextCursor"), "", http.StatusOK)
		if last := rest.List(t, "data"); len(last) != 1 || strings.Contains(rest.Body, "nextCursor") || strings.Contains(rest.Body, auditor) {
			t.Errorf("%s", rest.Body)
		}
	})
}

func TestPageOfAShareSendsACodeAndOpensTheDocument(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	l := lendShare(t, b, "Plan.txt", "The plan.", `,"watermark":false,"download":true`)
	page, guest := "/share/"+tokenOf(t, l.share), b.Anonymous()
	if got := guest.Must(t, "GET", page, "", http.StatusOK); !strings.Contains(got.Body, "Send me a code") || strings.Contains(got.Body, "Plan.txt") {
		t.Errorf("%s", got.Body)
	}
	if found := b.Mails(t, auditor); len(found) != 0 {
		t.Errorf("the link alone sent a mail: %v", found)
	}
	const form = "application/x-www-form-urlencoded"
	if got := guest.Must(t, "POST", page, "do=send", http.StatusOK, "Content-Type", form); !strings.Contains(got.Body, "The code from the e-mail") {
		t.Errorf("%s", got.Body)
	}
	got := guest.Must(t, "POST", page, "do=open&code="+mailedShareCode(t, b), http.StatusOK, "Content-Type", form)
	cookie, _, _ := strings.Cut(got.Header.Get("Set-Cookie"), ";")
	if !strings.Contains(got.Body, l.content+"/Plan.txt") {
		t.Errorf("%s", got.Body)
	}
	guest.Must(t, "GET", l.content, "", http.StatusOK, "Cookie", cookie)
	if strings.Contains(b.Log.String(), tokenOf(t, l.share)) {
		t.Error("the log has the token")
	}
	guest.Must(t, "POST", "/share/AAAA", "do=send", http.StatusNotFound, "Content-Type", form)
}
