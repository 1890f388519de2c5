package http_test

import (
	"net/http"
	"testing"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		ada := f.holder(t, "Ada")
		f.issue(t, ada, "60")
		held := f.issue(t, f.holder(t, "Bob"), "20")
		f.must(t, "POST", held+"/accept", "{}", 200)

		got := f.must(t, "GET", f.home+"/explain?figure=security/"+f.common+"/outstanding", "", 200)

		if got.get(t, "explanation", "value") != "80" || got.get(t, "explanation", "operation") != "sum" {
			t.Errorf("outstanding is %s", got.body)
		}
		second := got.list(t, "explanation", "terms")[1].(map[string]any)
		var types []string
		for _, entry := range second["entries"].([]any) {
			types = append(types, entry.(map[string]any)["type"].(string))
		}
		if len(types) != 2 || types[0] != "shareholdingIssued" || types[1] != "shareholdingAccepted" {
			t.Errorf("what is said of Bob's shares is %v", types)
		}
		f.must(t, "GET", f.home+"/explain?figure=holder/"+ada+"/percentOutstanding", "", 200)
		f.must(t, "GET", f.home+"/explain?figure=holder/"+ada+"/colour", "", http.StatusBadRequest)
		f.must(t, "GET", f.home+"/explain?figure=security/"+ada+"/issued", "", http.StatusNotFound)
		f.must(t, "GET", f.home+"/explain?figure=total/issued", "", http.StatusNotModified,
			"If-None-Match", f.must(t, "GET", f.home+"/explain?figure=total/issued", "", 200).header.Get("ETag"))
	})
}
