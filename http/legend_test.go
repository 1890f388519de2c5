package http_test

import (
	"net/http"
	"testing"
)

func TestLegendsAreManaged(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		created := f.must(t, "POST", f.home+"/legend", `{"name":"Act","text":"Not registered.","default":true,"externalId":"l-1"}`, http.StatusCreated)
		path := created.header.Get("Location")
		f.legend(t, `{"name":"Refusal","text":"First refusal.","comments":["a"]}`)
		run(t, []scenario{
			{claim: "a legend is read", as: f.client, method: "GET", path: path, status: 200, has: []string{`"text":"Not registered."`, `"default":true`, f.id}},
			{claim: "all legends are listed", as: f.client, method: "GET", path: f.home + "/legend", status: 200, has: []string{`"name":"Act"`, `"name":"Refusal"`}},
			{
				claim: "a patch changes the named fields", as: f.client, method: "PATCH", path: path, status: 200, body: `{"text":"Unregistered."}`,
				has: []string{`"name":"Act"`, `"text":"Unregistered."`},
			},
			{
				claim: "a patch with null clears a field", as: f.client, method: "PATCH", path: path, status: 200, body: `{"externalId":null}`,
				headers: []string{"Content-Type", "application/merge-patch+json"}, lacks: []string{"externalId"},
			},
			{
				claim: "a required field cannot be cleared", as: f.client, method: "PATCH", path: path, status: 400, body: `{"name":null,"text":"","colour":1}`,
				has: []string{"/name", "/text", "/colour"},
			},
			{
				claim: "an earlier version stays readable", as: f.client, method: "GET", path: path + "?knownAt=" + created.version(t), status: 200,
				has: []string{`"text":"Not registered."`},
			},
			{claim: "a legend is not found before its creation", as: f.client, method: "GET", path: path + "?knownAt=1", status: 404},
			{
				claim: "a legend requires a name and a text", as: f.client, method: "POST", path: f.home + "/legend", status: 400, body: `{"name":" "}`,
				has: []string{"/name", "/text"},
			},
			{claim: "an unknown legend is not found", as: f.client, method: "GET", path: f.home + "/legend/" + f.id, status: 404},
			{claim: "an unknown legend cannot be changed", as: f.client, method: "PATCH", path: f.home + "/legend/" + f.id, status: 404, body: `{"text":"x"}`},
			{claim: "an unknown legend has no specimen", as: f.client, method: "GET", path: f.home + "/legend/" + f.id + "/certificate", status: 404},
		})
		f.security(t, `{"name":"B","shareType":"common","authorizedShares":"1","legends":["`+last(path)+`"]}`)
		if got := f.must(t, "DELETE", path, "", http.StatusConflict); got.text(t, "code") != "inUse" {
			t.Errorf("deleting a legend in use: %s", got.body)
		}
		spare := f.home + "/legend/" + f.legend(t, `{"name":"Spare","text":"None."}`)
		tag := f.must(t, "GET", spare, "", 200).header.Get("ETag")
		f.must(t, "PATCH", spare, `{"text":"Other."}`, 200, "If-Match", tag)
		f.must(t, "PATCH", spare, `{"text":"Third."}`, http.StatusPreconditionFailed, "If-Match", tag)
		f.must(t, "DELETE", spare, "", http.StatusPreconditionFailed, "If-Match", tag)
		f.must(t, "DELETE", spare, "", http.StatusNoContent)
		f.must(t, "DELETE", spare, "", http.StatusNotFound)
	})
}

//nolint:tparallel // one scenario builds on another
func TestLegendsRequireCapTablePermissions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	guest, investor := b.person(t, "guest@example.com"), b.person(t, "investor@example.com")
	f.join(t, f.home, guest, "Guest")
	f.join(t, f.home, investor, "Investor")
	path := f.home + "/legend/" + f.legend(t, `{"name":"Act","text":"Not registered."}`)
	run(t, []scenario{
		{claim: "an investor reads a legend", as: investor, method: "GET", path: path, status: 200},
		{claim: "an investor may not change a legend", as: investor, method: "PATCH", path: path, body: `{"text":"x"}`, status: 403},
		{claim: "a guest may not read a legend", as: guest, method: "GET", path: path, status: 403},
		{claim: "an anonymous caller may not read a legend", as: b.anonymous(), method: "GET", path: path, status: 401},
	})
}
