package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

func TestShareEndsWithTheRightOfItsAuthorToGiveIt(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, f *apitest.Firm, at, member string){
		"by removal": func(t *testing.T, f *apitest.Firm, _, member string) {
			t.Helper()
			f.Must(t, "DELETE", f.Home+"/member/"+member, "", http.StatusOK)
		},
		"by a smaller role": func(t *testing.T, f *apitest.Firm, _, member string) {
			t.Helper()
			f.Must(t, "PATCH", f.Home+"/member/"+member, `{"roles":["Auditor"]}`, http.StatusOK)
		},
		"by a restriction of the document": func(t *testing.T, f *apitest.Firm, at, _ string) {
			t.Helper()
			f.Must(t, "PUT", at+"/access", `{"mode":"restricted"}`, http.StatusOK)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := apitest.Setup(t)
			f, legal := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "legal@example.com")
			member := f.Join(t, f.Home, legal, "Legal")
			at := f.Home + "/document/" + apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "x"), "id")
			share := legal.Must(t, "POST", at+"/share", `{"email":"`+auditor+`","watermark":false,"download":true}`, http.StatusCreated)
			content, cookie := "/v1/share/"+share.Text(t, "id")+"/content", openShare(t, b, share)
			guest := b.Anonymous()
			guest.Must(t, "GET", content, "", http.StatusOK, "Cookie", cookie)
			end(t, f, at, member)
			guest.Must(t, "GET", content, "", http.StatusNotFound, "Cookie", cookie)
			guest.Must(t, "POST", "/v1/share/code", `{"token":`+apitest.Quoted(t, tokenOf(t, share))+`}`, http.StatusNotFound)
			if listed := f.Must(t, "GET", at+"/share", "", http.StatusOK); !strings.Contains(listed.Body, `"authorLacksRights":true`) {
				t.Error(listed.Body)
			}
		})
	}
}
