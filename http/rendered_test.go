package http_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestCachedAnswersDependOnTheCallersPermissions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, guest := b.person(t, "owner@example.com"), b.person(t, "guest@example.com")
	home := owner.company(t)
	owner.join(t, home, guest, "Guest")
	all := owner.must(t, "GET", home+"/member", "", http.StatusOK)
	own := guest.must(t, "GET", home+"/member", "", http.StatusOK)
	if all.header.Get("ETag") == own.header.Get("ETag") || strings.Count(own.body, `"fullName"`) != 1 {
		t.Errorf("%s %s", all.header.Get("ETag"), own.body)
	}
	guest.must(t, "GET", home+"/member", "", http.StatusOK, "If-None-Match", all.header.Get("ETag"))
	limited := owner.must(t, "GET", home+"/member?limit=1", "", http.StatusOK)
	if limited.header.Get("ETag") == all.header.Get("ETag") {
		t.Error("two requests have the same tag")
	}
	owner.must(t, "POST", home+"/member", `{"fullName":"New"}`, http.StatusCreated)
	owner.must(t, "GET", home+"/member", "", http.StatusOK, "If-None-Match", all.header.Get("ETag"))
}
