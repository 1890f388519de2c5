package http_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestShareEndsWithTheRightOfItsAuthorToGiveIt(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, f *firm, at, member string){
		"by removal": func(t *testing.T, f *firm, _, member string) {
			t.Helper()
			f.must(t, "DELETE", f.home+"/member/"+member, "", http.StatusOK)
		},
		"by a smaller role": func(t *testing.T, f *firm, _, member string) {
			t.Helper()
			f.must(t, "PATCH", f.home+"/member/"+member, `{"roles":["Auditor"]}`, http.StatusOK)
		},
		"by a restriction of the document": func(t *testing.T, f *firm, at, _ string) {
			t.Helper()
			f.must(t, "PUT", at+"/access", `{"mode":"restricted"}`, http.StatusOK)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			f, legal := b.firm(t, "owner@example.com"), b.person(t, "legal@example.com")
			member := f.join(t, f.home, legal, "Legal")
			at := f.home + "/document/" + textOf(f.put(t, f.home, "Plan.txt", "x"), "id")
			share := legal.must(t, "POST", at+"/share", `{"email":"`+auditor+`","watermark":false,"download":true}`, http.StatusCreated)
			content, cookie := "/v1/share/"+share.text(t, "id")+"/content", b.opens(t, share)
			guest := b.anonymous()
			guest.must(t, "GET", content, "", http.StatusOK, "Cookie", cookie)
			end(t, f, at, member)
			guest.must(t, "GET", content, "", http.StatusNotFound, "Cookie", cookie)
			guest.must(t, "POST", "/v1/share/code", `{"token":`+quoted(t, tokenOf(t, share))+`}`, http.StatusNotFound)
			if listed := f.must(t, "GET", at+"/share", "", http.StatusOK); !strings.Contains(listed.body, `"authorLacksRights":true`) {
				t.Error(listed.body)
			}
		})
	}
}
