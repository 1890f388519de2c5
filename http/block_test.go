package http_test

import (
	"net/http"
	"testing"
)

func TestBlockGroupsShares(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		guest := b.person(t, "guest@example.com")
		f.join(t, f.home, guest, "Guest")
		list := f.home + "/block"
		early := last(f.issue(t, f.holder(t, "Ada"), "10", `"block":"series a"`, `"pricePerShare":"2"`))
		made := f.must(t, "POST", list, `{"name":"Series A","kind":"series","preMoney":{"amount":"8000000","currency":"USD"},"securities":["`+f.common+`"]}`, http.StatusCreated)
		path, id := made.header.Get("Location"), made.text(t, "id")
		f.must(t, "POST", list, `{"name":"Seed","externalId":"b"}`, http.StatusCreated)
		held := f.issue(t, guest.holder, "5", `"block":"SERIES A"`, `"pricePerShare":"3"`)
		run(t, []scenario{
			{claim: "shares that named the block by text belong to it", as: f.client, method: "GET", path: path, status: 200, has: []string{early, last(held), `"invested":"35"`}},
			{claim: "such shares now have the id of the block", as: f.client, method: "GET", path: held, status: 200, has: []string{`"block":"` + id + `"`}},
			{claim: "all blocks are listed", as: f.client, method: "GET", path: list, status: 200, has: []string{`"Series A"`, `"Seed"`, `"invested":"0"`}},
			{claim: "the list is paged", as: f.client, method: "GET", path: list + "?limit=1", status: 200, has: []string{"nextCursor"}, lacks: []string{`"Seed"`}},
			{claim: "a holder lists the blocks of their own shares", as: guest, method: "GET", path: list, status: 200, has: []string{last(held), `"invested":"15"`}, lacks: []string{early, `"Seed"`}},
			{
				claim: "a holder reads a block with only their own shares", as: guest, method: "GET", path: path, status: 200,
				has: []string{last(held)}, lacks: []string{early},
			},
			{claim: "a holder may not delete a block", as: guest, method: "DELETE", path: path, status: 403},
			{claim: "a block is replaced", as: f.client, method: "PUT", path: path, body: `{"name":"Series A-1"}`, status: 200, has: []string{`"Series A-1"`, last(held)}, lacks: []string{"preMoney"}},
			{claim: "a duplicate name is refused", as: f.client, method: "POST", path: list, body: `{"name":"seed"}`, status: 409, has: []string{`"conflict"`, `"block"`}},
			{claim: "a duplicate externalId is refused", as: f.client, method: "POST", path: list, body: `{"name":"B","externalId":"b"}`, status: 409},
			{claim: "a block with shares cannot be deleted", as: f.client, method: "DELETE", path: path, status: 409, has: []string{`"inUse"`}},
			{
				claim: "every wrong field is named", as: f.client, method: "POST", path: list, status: 400,
				body: `{"name":" ","preMoney":{"amount":"x","currency":"USD"},"securities":["y"],"holdings":[]}`,
				has:  []string{"/name", "/preMoney/amount", "/securities/0", "/holdings"},
			},
			{claim: "an unknown security is refused", as: f.client, method: "POST", path: list, status: 400, body: `{"name":"C","securities":["` + f.id + `"]}`, has: []string{"/securities/0", "unknownReference"}},
			{claim: "shares of an unknown block are refused", as: f.client, method: "PATCH", path: held, status: 400, body: `{"block":"` + f.id + `"}`, has: []string{"/block", "unknownReference"}},
			{claim: "an unknown block is not found", as: f.client, method: "GET", path: list + "/" + f.id, status: 404},
			{claim: "an unknown block cannot be replaced", as: f.client, method: "PUT", path: list + "/" + f.id, body: `{"name":"x"}`, status: 404},
		})
		spare := f.must(t, "POST", list, `{"name":"Spare"}`, http.StatusCreated).header.Get("Location")
		tag := f.must(t, "GET", spare, "", 200).header.Get("ETag")
		f.must(t, "PUT", spare, `{"name":"Other"}`, http.StatusOK, "If-Match", tag)
		f.must(t, "PUT", spare, `{"name":"Third"}`, http.StatusPreconditionFailed, "If-Match", tag)
		f.must(t, "DELETE", spare+"?dryRun=true", "", http.StatusOK)
		f.must(t, "DELETE", spare, "", http.StatusNoContent)
		f.must(t, "GET", spare, "", http.StatusNotFound)
	})
}
