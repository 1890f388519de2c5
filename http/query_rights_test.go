package http_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	equityhttp "equity/http"
	"equity/http/apitest"
)

// queryableReads returns the operations of the contract that a query may contain.
func queryableReads(c *apitest.Contract) (list []declared) {
	for _, d := range declaredOperations(c) {
		if d.reads && d.answersJSON && d.id != "query" {
			list = append(list, d)
		}
	}
	return list
}

// TestEveryReadThroughAQueryReceivesTheStatusOfItsOwnRequest runs each read operation of the contract as each kind of person, directly and in
// a query. A caller who may send no query receives the refusal of a direct request.
func TestEveryReadThroughAQueryReceivesTheStatusOfItsOwnRequest(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) { s.QueryTime = time.Hour })
	e := newEstate(t, b, "zenobia")
	questions := queryableReads(b.Contract)
	if len(questions) == 0 {
		t.Fatal("the contract has no read operation")
	}
	for _, person := range e.people(t) {
		const most = 20 // operations in one query
		for start := 0; start < len(questions); start += most {
			e.checkQuery(t, &person, questions[start:min(start+most, len(questions))])
		}
	}
}

// checkQuery compares the results of a query with the answers to direct requests.
func (e *estate) checkQuery(t *testing.T, person *caller, questions []declared) {
	t.Helper()
	var queries []map[string]any
	for i := range questions {
		queries = append(queries, map[string]any{"id": strconv.Itoa(i), "operation": questions[i].id, "parameters": e.arguments(t, &questions[i])})
	}
	body, err := json.Marshal(map[string]any{"queries": queries})
	if err != nil {
		t.Fatal(err)
	}
	got := person.Copy().Send(t, "POST", "/v1/query", string(body))
	var results struct{ Results []queryAnswer }
	if got.Status == http.StatusOK {
		if err := json.Unmarshal([]byte(got.Body), &results); err != nil {
			t.Fatal(err)
		}
	}
	for i := range questions {
		d := &questions[i]
		direct, status := e.wish(t, d).as(t, person.Copy()), got.Status
		if len(results.Results) > i {
			status = results.Results[i].Status
		} else if slices.Contains([]string{"public", "gateway"}, d.permission) || d.session != "" {
			continue // it needs no session, or none with a permanent password, unlike a query
		}
		if status != direct.Status {
			t.Errorf("%s at %s: status %d in a query, %d directly: %s", person.claim, d.id, status, direct.Status, direct.Body)
		}
	}
}
