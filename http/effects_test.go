package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

// effectsOf returns the values of the changed figures in a preview, as "before after", by path.
func effectsOf(tb testing.TB, preview apitest.Answer) map[string]string {
	tb.Helper()
	effects, _ := preview.Get(tb, "effects").(map[string]any)
	changed := map[string]string{}
	for _, name := range []string{"totals", "holders", "securities", "pools"} {
		lines, ok := effects[name].([]any)
		if !ok {
			tb.Fatalf("the effects have no %s: %s", name, preview.Body)
		}
		for _, line := range lines {
			fields, _ := line.(map[string]any)
			changed[fields["figure"].(string)] = fields["before"].(string) + " " + fields["after"].(string)
		}
	}
	return changed
}

func TestDryRunsHaveTheEffectsOfTheChange(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		ada, bob := f.NewHolder(t, "Ada"), f.NewHolder(t, "Bob")
		f.Issue(t, ada, "300")
		issue := func(query string, status int) apitest.Answer {
			return f.Must(t, "POST", f.Home+"/shareholding"+query, f.IssuanceBody(bob, "100"), status)
		}
		explained := func(figure string) string {
			got := f.Must(t, "GET", f.Home+"/explain?figure="+figure, "", http.StatusOK)
			value, _ := got.Get(t, "explanation").(map[string]any)["value"].(string)
			return value
		}
		first := effectsOf(t, issue("?dryRun=true", http.StatusOK))
		if got := first["holder/"+bob+"/shares"] + ", " + first["total/outstanding"]; got != "0 100, 300 400" {
			t.Errorf("the effects are %s", got)
		}
		if got := first["holder/"+ada+"/percentOutstanding"]; got != "" {
			t.Errorf("a diluted holder is listed: %s", got)
		}
		again := effectsOf(t, issue("?dryRun=true", http.StatusOK))
		was := map[string]string{}
		for figure := range first {
			if again[figure] != first[figure] {
				t.Errorf("%s is first %s, then %s", figure, first[figure], again[figure])
			}
			if was[figure] = "0"; figure[:6] != "holder" {
				was[figure] = explained(figure)
			}
		}
		issue("", http.StatusCreated)
		for figure, change := range first {
			if got := was[figure] + " " + explained(figure); got != change {
				t.Errorf("%s has the effect %s and changed from %s", figure, change, got)
			}
		}
		if second := effectsOf(t, issue("?dryRun=true", http.StatusOK)); second["holder/"+bob+"/shares"] != "100 200" {
			t.Errorf("after the change, the effects are %v", second)
		}
	})
}

func TestEffectsNeedPermissionToViewTheCapTable(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	ada, clerk := f.NewHolder(t, "Ada"), b.NewPerson(t, "clerk@example.com")
	f.Must(t, "POST", f.Home+"/role", `{"name":"Clerk","permissions":["editCapTable","viewSelf"]}`, http.StatusCreated)
	f.Join(t, f.Home, clerk, "Clerk")
	body := f.IssuanceBody(ada, "100")
	if got := clerk.Must(t, "POST", f.Home+"/shareholding?dryRun=true", body, http.StatusOK); got.Get(t, "effects") != nil {
		t.Errorf("the clerk sees effects: %s", got.Body)
	}
	if got := f.Must(t, "POST", f.Home+"/member?dryRun=true", `{"fullName":"Eve"}`, http.StatusOK); got.Get(t, "effects") != nil {
		t.Errorf("a change of members has effects: %s", got.Body)
	}
	if got := f.Must(t, "POST", f.Home+"/legend?dryRun=true", `{"name":"Act","text":"Not registered."}`, http.StatusOK); len(effectsOf(t, got)) != 0 {
		t.Errorf("a legend has effects: %s", got.Body)
	}
}
