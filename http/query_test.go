package http_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"testing"

	equityhttp "equity/http"
	"equity/http/api"
	"equity/http/apitest"
)

// queryBody returns the body of a query. Each question is an operation and its parameters.
func queryBody(questions ...[2]string) string {
	list := make([]string, len(questions))
	for i, q := range questions {
		list[i] = `{"id":"q` + strconv.Itoa(i) + `","operation":"` + q[0] + `","parameters":{` + q[1] + `}}`
	}
	return `{"queries":[` + strings.Join(list, ",") + `]}`
}

// queryAnswer is one answer of a query.
type queryAnswer struct {
	ID     string
	Status int
	Body   json.RawMessage
}

func askAll(tb testing.TB, c *apitest.Client, questions ...[2]string) []queryAnswer {
	tb.Helper()
	var got struct{ Results []queryAnswer }
	body := c.Must(tb, "POST", "/v1/query", queryBody(questions...), http.StatusOK).Body
	if err := json.Unmarshal([]byte(body), &got); err != nil || len(got.Results) != len(questions) {
		tb.Fatalf("%v: %s", err, body)
	}
	return got.Results
}

func TestQueryAnswersEqualSeparateAnswers(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ours, theirs := b.NewFirm(t, "ours@example.com"), b.NewFirm(t, "theirs@example.com")
	issueToFour(t, ours)
	organization := `"organization":"` + ours.ID + `"`
	cases := []struct {
		operation, parameters, separate string
	}{
		{"currentUser", ``, "/v1/user/current"},
		{"exportCapTable", organization, ours.Home + "/captable"},
		{"exportCapTable", organization + `,"asOf":"2025-12-31","format":"json"`, ours.Home + "/captable?asOf=2025-12-31"},
		{"exportCapTable", organization + `,"asof":"2025-12-31"`, ours.Home + "/captable?asof=2025-12-31"},
		{"exportCapTable", organization + `,"knownAt":2`, ours.Home + "/captable?knownAt=2"},
		{"listShareholdings", organization + `,"limit":1`, ours.Home + "/shareholding?limit=1"},
		{"listShareholdings", organization + `,"limit":"many"`, ours.Home + "/shareholding?limit=many"},
		{"getSecurity", organization + `,"security":"` + ours.Common + `"`, ours.Home + "/security/" + ours.Common},
		{"getSecurity", organization + `,"security":"` + theirs.Common + `"`, ours.Home + "/security/" + theirs.Common},
		{"exportCapTable", `"organization":"` + theirs.ID + `"`, theirs.Home + "/captable"},
		{"exportCapTable", `"organization":"none"`, "/v1/organization/none/captable"},
	}
	var questions [][2]string
	for _, c := range cases {
		questions = append(questions, [2]string{c.operation, c.parameters})
	}
	anonymous := func(body, id string) string { return strings.ReplaceAll(body, id, "") }
	for i, got := range askAll(t, ours.Client, questions...) {
		separate := ours.Send(t, "GET", cases[i].separate, "")
		if got.ID != "q"+strconv.Itoa(i) || got.Status != separate.Status {
			t.Errorf("%v: %s %d, separate %d", cases[i], got.ID, got.Status, separate.Status)
		}
		var failure struct{ RequestID string }
		_ = json.Unmarshal(got.Body, &failure)
		if want := strings.TrimSpace(separate.Body); anonymous(string(got.Body), failure.RequestID) != anonymous(
			want, separate.Header.Get("X-Request-Id"),
		) {
			t.Errorf("%v:\n%s\nalone:\n%s", cases[i], got.Body, want)
		}
	}
}

func TestInvalidQueriesAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	many := make([][2]string, 21)
	for i := range many {
		many[i] = [2]string{"currentUser", ""}
	}
	before := f.JournalLength(t)
	ask := func(claim, body string, has ...string) apitest.Scenario {
		return apitest.Scenario{
			Claim: claim, As: f.Client, Method: "POST", Path: "/v1/query", Body: body, Status: http.StatusBadRequest, Has: has,
		}
	}
	apitest.Run(t, []apitest.Scenario{
		ask("more than twenty questions", queryBody(many...), "/queries", "tooMany"),
		ask("no questions", `{"queries":[]}`, "/queries", "tooFew"),
		ask("a duplicate id", `{"queries":[{"id":"a","operation":"currentUser"},{"id":"a","operation":"currentUser"}]}`, "/queries/1/id", "duplicate"),
		ask("unknown and writing operations together",
			queryBody([2]string{"flyToTheMoon", ""}, [2]string{"issueShareholding", ""}, [2]string{"currentUser", ""}),
			"/queries/0/operation", "unknownReference", "/queries/1/operation", "notARead"),
		ask("a nested query", queryBody([2]string{"query", `"body":{"queries":[]}`}), "/queries/0/operation", "nested"),
		ask("operations that return files", queryBody([2]string{"getCertificate", ""}, [2]string{"getJournalProof", ""}),
			"/queries/0/operation", "/queries/1/operation", "answersAFile"),
		{Claim: "an anonymous caller", As: b.Anonymous(), Method: "POST", Path: "/v1/query", Body: queryBody(many[:1]...), Status: 401},
	})
	if after := f.JournalLength(t); after != before {
		t.Errorf("%d events were recorded", after-before)
	}
	for i, got := range askAll(t, f.Client, [2]string{"exportCapTable", `"organization":"` + f.ID + `","format":"xlsx"`},
		[2]string{"exportCapTable", `"organization":["` + f.ID + `"]`}, [2]string{"exportCapTable", `"organization":null`}) {
		if want := []string{"answersAFile", "wrongType", "wrongType"}[i]; got.Status != 400 || !strings.Contains(string(got.Body), want) {
			t.Errorf("question %d: %d %s", i, got.Status, got.Body)
		}
	}
}

func TestQueryContinuesAfterAFailure(t *testing.T) {
	t.Parallel()
	huge := make([]byte, 11<<20)
	for i := range huge {
		huge[i] = ' '
	}
	copy(huge, "{}")
	b := apitest.Setup(t, func(_ *equityhttp.Settings, services *equityhttp.Services) {
		services.Replace = map[string]api.Handler{
			"listOrganizations": func(context.Context, *api.Call) (api.Answer, error) { panic("a broken promise") },
			"listRoles": func(context.Context, *api.Call) (api.Answer, error) {
				return api.Answer{Rendered: huge, ContentType: "application/json"}, nil
			},
		}
	})
	f := b.NewFirm(t, "owner@example.com")
	roles := [2]string{"listRoles", `"organization":"` + f.ID + `"`}
	results := askAll(t, f.Client, [2]string{"listOrganizations", ""}, roles, roles, [2]string{"currentUser", ""})
	for i, want := range []int{500, 200, 413, 200} {
		if results[i].Status != want {
			t.Errorf("question %d: %d, want %d", i, results[i].Status, want)
		}
	}
	if strings.Contains(string(results[0].Body), "broken promise") || !strings.Contains(b.Log.String(), "broken promise") {
		t.Errorf("the cause must be only in the log: %s", results[0].Body)
	}
}

func TestQueryBoundsItsTotalWork(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) { s.QueryTime = 1 })
	f := b.NewFirm(t, "ours@example.com")
	exit := [2]string{"planExit", `"organization":"` + f.ID + `","body":{"values":["1000000"]}`}
	for i, got := range askAll(t, f.Client, exit, exit, exit) {
		want, code := http.StatusTooManyRequests, true
		if i == 0 {
			want, code = http.StatusOK, false
		}
		if got.Status != want || strings.Contains(string(got.Body), "queryTimeUsed") != code {
			t.Errorf("question %d: %d %s", i, got.Status, got.Body)
		}
	}
}
