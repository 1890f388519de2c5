package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

func TestCachedAnswersDependOnTheCallersPermissions(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner, guest := b.NewPerson(t, "owner@example.com"), b.NewPerson(t, "guest@example.com")
	home := owner.NewOrganization(t)
	owner.Join(t, home, guest, "Guest")
	all := owner.Must(t, "GET", home+"/member", "", http.StatusOK)
	own := guest.Must(t, "GET", home+"/member", "", http.StatusOK)
	if all.Header.Get("ETag") == own.Header.Get("ETag") || strings.Count(own.Body, `"fullName"`) != 1 {
		t.Errorf("%s %s", all.Header.Get("ETag"), own.Body)
	}
	guest.Must(t, "GET", home+"/member", "", http.StatusOK, "If-None-Match", all.Header.Get("ETag"))
	limited := owner.Must(t, "GET", home+"/member?limit=1", "", http.StatusOK)
	if limited.Header.Get("ETag") == all.Header.Get("ETag") {
		t.Error("two requests have the same tag")
	}
	owner.Must(t, "POST", home+"/member", `{"fullName":"New"}`, http.StatusCreated)
	owner.Must(t, "GET", home+"/member", "", http.StatusOK, "If-None-Match", all.Header.Get("ETag"))
}
