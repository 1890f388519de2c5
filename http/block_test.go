package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

func TestBlockGroupsShares(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		guest := b.NewPerson(t, "guest@example.com")
		f.Join(t, f.Home, guest, "Guest")
		list := f.Home + "/block"
		early := apitest.IDOf(f.Issue(t, f.NewHolder(t, "Ada"), "10", `"block":"series a"`, `"pricePerShare":"2"`))
		made := f.Must(t, "POST", list, `{"name":"Series A","kind":"series","preMoney":{"amount":"8000000","currency":"USD"},"securities":["`+f.Common+`"]}`, http.StatusCreated)
		path, id := made.Header.Get("Location"), made.Text(t, "id")
		f.Must(t, "POST", list, `{"name":"Seed","externalId":"b"}`, http.StatusCreated)
		held := f.Issue(t, guest.Holder, "5", `"block":"SERIES A"`, `"pricePerShare":"3"`)
		apitest.Run(t, []apitest.Scenario{
			{Claim: "shares that named the block by text belong to it", As: f.Client, Method: "GET", Path: path, Status: 200, Has: []string{early, apitest.IDOf(held), `"invested":"35"`}},
			{Claim: "such shares now have the id of the block", As: f.Client, Method: "GET", Path: held, Status: 200, Has: []string{`"block":"` + id + `"`}},
			{Claim: "all blocks are listed", As: f.Client, Method: "GET", Path: list, Status: 200, Has: []string{`"Series A"`, `"Seed"`, `"invested":"0"`}},
			{Claim: "the list is paged", As: f.Client, Method: "GET", Path: list + "?limit=1", Status: 200, Has: []string{"nextCursor"}, Lacks: []string{`"Seed"`}},
			{Claim: "a holder lists the blocks of their own shares", As: guest, Method: "GET", Path: list, Status: 200, Has: []string{apitest.IDOf(held), `"invested":"15"`}, Lacks: []string{early, `"Seed"`}},
			{
				Claim: "a holder reads a block with only their own shares", As: guest, Method: "GET", Path: path, Status: 200,
				Has: []string{apitest.IDOf(held)}, Lacks: []string{early},
			},
			{Claim: "a holder may not delete a block", As: guest, Method: "DELETE", Path: path, Status: 403},
			{Claim: "a block is replaced", As: f.Client, Method: "PUT", Path: path, Body: `{"name":"Series A-1"}`, Status: 200, Has: []string{`"Series A-1"`, apitest.IDOf(held)}, Lacks: []string{"preMoney"}},
			{Claim: "a duplicate name is refused", As: f.Client, Method: "POST", Path: list, Body: `{"name":"seed"}`, Status: 409, Has: []string{`"conflict"`, `"block"`}},
			{Claim: "a duplicate externalId is refused", As: f.Client, Method: "POST", Path: list, Body: `{"name":"B","externalId":"b"}`, Status: 409},
			{Claim: "a block with shares cannot be deleted", As: f.Client, Method: "DELETE", Path: path, Status: 409, Has: []string{`"inUse"`}},
			{
				Claim: "every wrong field is named", As: f.Client, Method: "POST", Path: list, Status: 400,
				Body: `{"name":" ","preMoney":{"amount":"x","currency":"USD"},"securities":["y"],"holdings":[]}`,
				Has:  []string{"/name", "/preMoney/amount", "/securities/0", "/holdings"},
			},
			{Claim: "an unknown security is refused", As: f.Client, Method: "POST", Path: list, Status: 400, Body: `{"name":"C","securities":["` + f.ID + `"]}`, Has: []string{"/securities/0", "unknownReference"}},
			{Claim: "shares of an unknown block are refused", As: f.Client, Method: "PATCH", Path: held, Status: 400, Body: `{"block":"` + f.ID + `"}`, Has: []string{"/block", "unknownReference"}},
			{Claim: "an unknown block is not found", As: f.Client, Method: "GET", Path: list + "/" + f.ID, Status: 404},
			{Claim: "an unknown block cannot be replaced", As: f.Client, Method: "PUT", Path: list + "/" + f.ID, Body: `{"name":"x"}`, Status: 404},
		})
		spare := f.Must(t, "POST", list, `{"name":"Spare"}`, http.StatusCreated).Header.Get("Location")
		tag := f.Must(t, "GET", spare, "", 200).Header.Get("ETag")
		f.Must(t, "PUT", spare, `{"name":"Other"}`, http.StatusOK, "If-Match", tag)
		f.Must(t, "PUT", spare, `{"name":"Third"}`, http.StatusPreconditionFailed, "If-Match", tag)
		f.Must(t, "DELETE", spare+"?dryRun=true", "", http.StatusOK)
		f.Must(t, "DELETE", spare, "", http.StatusNoContent)
		f.Must(t, "GET", spare, "", http.StatusNotFound)
	})
}
