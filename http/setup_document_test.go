package http_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"equity/http/apitest"
)

// documents fills the data room of the estate.
func (e *estate) documents(tb testing.TB) {
	tb.Helper()
	e.ids["document"] = apitest.TextOf(e.PutDocument(tb, e.Home, e.name+".txt", e.name), "id")
	e.ids["parentFolder"] = e.NewFolder(tb, e.Home, e.name+" folder", "")
	deleted := e.NewFolder(tb, e.Home, e.name+" deleted", "")
	e.Must(tb, "DELETE", e.Home+"/document/"+deleted, "", http.StatusNoContent)
	e.ids["restoreDocument.document"] = deleted
	e.ids["file"] = e.Upload(tb, e.Home+"/file", http.StatusCreated, []apitest.File{{Name: e.name + ".png", Content: "png"}}).Text(tb, "id")
	e.ids["share"] = e.Must(tb, "POST", e.Home+"/document/"+e.ids["document"]+"/share", `{"email":"`+e.name+`.auditor@example.com"}`, http.StatusCreated).Text(tb, "id")
	e.ids["getSharedContentNamed.name"] = "Plan.txt"
	e.ids["getFileContentNamed.name"], e.ids["getDocumentContentNamed.name"] = "Plan.txt", "Plan.txt"
}

// shareStory shares the document at the path, opens the share, and ends it.
func shareStory(t *testing.T, f *apitest.Firm, at string) {
	t.Helper()
	share := f.Must(t, "POST", at+"/share", `{"email":"auditor@example.com","watermark":false,"download":true}`, http.StatusCreated)
	guest, cookie := f.Anonymous(), openShare(t, f.Server, share)
	content := "/v1/share/" + share.Text(t, "id") + "/content"
	guest.Must(t, "GET", content, "", http.StatusOK, "Cookie", cookie)
	guest.Must(t, "GET", content+"/Plan.txt", "", http.StatusOK, "Cookie", cookie)
	f.Must(t, "GET", at+"/share", "", http.StatusOK)
	f.Must(t, "DELETE", at+"/share/"+share.Text(t, "id"), "", http.StatusNoContent)
}

// openShare requests the code of a share with the auditor, enters it, and returns the cookie.
func openShare(tb testing.TB, b *apitest.Server, share apitest.Answer) string {
	tb.Helper()
	guest, token := b.Anonymous(), apitest.Quoted(tb, tokenOf(tb, share))
	guest.Must(tb, "POST", "/v1/share/code", `{"token":`+token+`}`, http.StatusOK)
	opened := guest.Must(tb, "POST", "/v1/share/open", `{"token":`+token+`,"code":"`+mailedShareCode(tb, b)+`"}`, http.StatusOK)
	cookie, _, _ := strings.Cut(opened.Header.Get("Set-Cookie"), ";")
	return cookie
}

// tokenOf returns the token in the address of a share.
func tokenOf(tb testing.TB, share apitest.Answer) string {
	tb.Helper()
	_, token, found := strings.Cut(share.Text(tb, "url"), "/share/")
	if !found {
		tb.Fatalf("no address: %s", share.Body)
	}
	return token
}

// mailedShareCode returns the code in the last mail to the auditor.
func mailedShareCode(tb testing.TB, b *apitest.Server) string {
	tb.Helper()
	code := regexp.MustCompile(`(?m)^[0-9]{6}$`).FindString(b.NewestMail(tb, auditor).Text)
	if code == "" {
		tb.Fatal("the mail has no code")
	}
	return code
}

// documentsStory is the part of the story about the data room.
func documentsStory(t *testing.T, f *apitest.Firm) {
	t.Helper()
	folder := f.NewFolder(t, f.Home, "Legal", "")
	plan := f.PutDocument(t, f.Home, "Plan.txt", "First", "parentFolder", folder)
	f.Upload(t, f.Home+"/document/many", http.StatusCreated, []apitest.File{{Name: "A.txt", Content: "A"}, {Name: "B.txt", Content: "B"}})
	at := f.Home + "/document/" + apitest.TextOf(plan, "id")
	f.Must(t, "GET", f.Home+"/document", "", http.StatusOK)
	f.Must(t, "GET", at+"/content", "", http.StatusOK)
	f.Must(t, "GET", at+"/content/Plan.txt", "", http.StatusOK)
	f.Must(t, "GET", at+"/version", "", http.StatusOK)
	f.Must(t, "GET", at+"/view", "", http.StatusOK)
	shareStory(t, f, at)
	f.Must(t, "POST", at+"/move", `{"name":"Old.txt","parentFolder":null}`, http.StatusOK)
	f.Must(t, "PUT", at+"/access", `{"mode":"restricted","roles":["Auditor"],"download":true}`, http.StatusOK)
	f.Must(t, "DELETE", at, "", http.StatusNoContent)
	f.Must(t, "POST", at+"/restore", "", http.StatusOK)
	putProfileFile(t, f.Client, "?photo=true", "me.png", pngHead)
	suite := inOfficeSuite(t, f.NewFirm(t, "suite@example.com"))
	at = suite.Home + "/document/" + apitest.TextOf(suite.PutDocument(t, suite.Home, "Plan.txt", "x"), "id")
	suite.Must(t, "GET", at+"/preview", "", http.StatusOK)
	file := "/v1/file/" + f.Upload(t, f.Home+"/file", http.StatusCreated, []apitest.File{{Name: "logo.png", Content: "png"}}).Text(t, "id")
	f.Must(t, "GET", file+"/content", "", http.StatusOK)
	f.Must(t, "GET", file+"/content/logo.png", "", http.StatusOK)
	f.Must(t, "DELETE", file+"/content", `{"reason":"Uploaded by mistake."}`, http.StatusNoContent)
}
