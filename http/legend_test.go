package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

func TestLegendsAreManaged(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		created := f.Must(t, "POST", f.Home+"/legend", `{"name":"Act","text":"Not registered.","default":true,"externalId":"l-1"}`, http.StatusCreated)
		path := created.Header.Get("Location")
		f.NewLegend(t, `{"name":"Refusal","text":"First refusal.","comments":["a"]}`)
		apitest.Run(t, []apitest.Scenario{
			{Claim: "a legend is read", As: f.Client, Method: "GET", Path: path, Status: 200, Has: []string{`"text":"Not registered."`, `"default":true`, f.ID}},
			{Claim: "all legends are listed", As: f.Client, Method: "GET", Path: f.Home + "/legend", Status: 200, Has: []string{`"name":"Act"`, `"name":"Refusal"`}},
			{
				Claim: "a patch changes the named fields", As: f.Client, Method: "PATCH", Path: path, Status: 200, Body: `{"text":"Unregistered."}`,
				Has: []string{`"name":"Act"`, `"text":"Unregistered."`},
			},
			{
				Claim: "a patch with null clears a field", As: f.Client, Method: "PATCH", Path: path, Status: 200, Body: `{"externalId":null}`,
				Headers: []string{"Content-Type", "application/merge-patch+json"}, Lacks: []string{"externalId"},
			},
			{
				Claim: "a required field cannot be cleared", As: f.Client, Method: "PATCH", Path: path, Status: 400, Body: `{"name":null,"text":"","colour":1}`,
				Has: []string{"/name", "/text", "/colour"},
			},
			{
				Claim: "an earlier version stays readable", As: f.Client, Method: "GET", Path: path + "?knownAt=" + created.Version(t), Status: 200,
				Has: []string{`"text":"Not registered."`},
			},
			{Claim: "a legend is not found before its creation", As: f.Client, Method: "GET", Path: path + "?knownAt=1", Status: 404},
			{
				Claim: "a legend requires a name and a text", As: f.Client, Method: "POST", Path: f.Home + "/legend", Status: 400, Body: `{"name":" "}`,
				Has: []string{"/name", "/text"},
			},
			{Claim: "an unknown legend is not found", As: f.Client, Method: "GET", Path: f.Home + "/legend/" + f.ID, Status: 404},
			{Claim: "an unknown legend cannot be changed", As: f.Client, Method: "PATCH", Path: f.Home + "/legend/" + f.ID, Status: 404, Body: `{"text":"x"}`},
			{Claim: "an unknown legend has no specimen", As: f.Client, Method: "GET", Path: f.Home + "/legend/" + f.ID + "/certificate", Status: 404},
		})
		f.NewSecurity(t, `{"name":"B","shareType":"common","authorizedShares":"1","legends":["`+apitest.IDOf(path)+`"]}`)
		if got := f.Must(t, "DELETE", path, "", http.StatusConflict); got.Text(t, "code") != "inUse" {
			t.Errorf("deleting a legend in use: %s", got.Body)
		}
		spare := f.Home + "/legend/" + f.NewLegend(t, `{"name":"Spare","text":"None."}`)
		tag := f.Must(t, "GET", spare, "", 200).Header.Get("ETag")
		f.Must(t, "PATCH", spare, `{"text":"Other."}`, 200, "If-Match", tag)
		f.Must(t, "PATCH", spare, `{"text":"Third."}`, http.StatusPreconditionFailed, "If-Match", tag)
		f.Must(t, "DELETE", spare, "", http.StatusPreconditionFailed, "If-Match", tag)
		f.Must(t, "DELETE", spare, "", http.StatusNoContent)
		f.Must(t, "DELETE", spare, "", http.StatusNotFound)
	})
}

func TestLegendsRequireCapTablePermissions(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	guest, investor := b.NewPerson(t, "guest@example.com"), b.NewPerson(t, "investor@example.com")
	f.Join(t, f.Home, guest, "Guest")
	f.Join(t, f.Home, investor, "Investor")
	path := f.Home + "/legend/" + f.NewLegend(t, `{"name":"Act","text":"Not registered."}`)
	apitest.Run(t, []apitest.Scenario{
		{Claim: "an investor reads a legend", As: investor, Method: "GET", Path: path, Status: 200},
		{Claim: "an investor may not change a legend", As: investor, Method: "PATCH", Path: path, Body: `{"text":"x"}`, Status: 403},
		{Claim: "a guest may not read a legend", As: guest, Method: "GET", Path: path, Status: 403},
		{Claim: "an anonymous caller may not read a legend", As: b.Anonymous(), Method: "GET", Path: path, Status: 401},
	})
}
