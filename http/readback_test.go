package http_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"equity/http/apitest"
)

// rereadable returns the paths of one record for each operation that replaces records, with the path of its replacement.
func rereadable(t *testing.T, f *apitest.Firm) map[string][2]string {
	t.Helper()
	ada := f.NewHolder(t, "Ada")
	block := f.Must(t, "POST", f.Home+"/block", `{"name":"Seed","kind":"seed"}`, http.StatusCreated).Header.Get("Location")
	plan := f.NewPlan(t, "Grants", "1000").Header.Get("Location")
	schedule := f.Must(t, "POST", "/v1/vestingSchedule", `{"organization":"`+f.ID+`","name":"Standard",`+apitest.FourYears+`}`, http.StatusCreated).Header.Get("Location")
	wallet := f.Must(t, "POST", "/v1/wallet", walletBody(ownEntity(t, f), "near", "ada.near"), http.StatusCreated)
	option := f.GrantOption(t, plan, ada, "100", apitest.VestsInTwo+apitest.TerminationWindows)
	made := map[string][2]string{
		"wallet":    {"/v1/entity/" + wallet.Text(t, "entity") + "/wallet/" + wallet.Text(t, "id"), "/v1/wallet/" + wallet.Text(t, "id")},
		"valuation": {f.Must(t, "PUT", "/v1/valuation", valuationBody(f, "1", "2026-01-01", ""), http.StatusCreated).Header.Get("Location"), "/v1/valuation"},
	}
	for name, path := range map[string]string{
		"block": block, "plan": plan, "option": option, "schedule": schedule, "role": newRole(t, f), "security": f.Home + "/security/" + f.Common,
		"settings": f.Home + "/shareholding/config", "shareholding": f.Issue(t, ada, "100", `"pricePerShare":"0.5"`, `"certificate":"CS-9"`),
		"note": f.IssueHolding(t, "convertibleNote", ada, apitest.NoteTerms), "SAFE": f.IssueHolding(t, "safe", ada, apitest.SafeTerms),
		"warrant": f.IssueHolding(t, "warrant", ada, apitest.WarrantTerms+`,"security":"`+f.Common+`"`),
	} {
		made[name] = [2]string{path, path}
	}
	return made
}

// ownEntity returns the entity of the owner.
func ownEntity(t *testing.T, f *apitest.Firm) string {
	t.Helper()
	return f.Must(t, "GET", "/v1/user/current", "", http.StatusOK).Text(t, "entity")
}

func TestRecordsAreWrittenBackAsTheyWereRead(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	records := rereadable(t, f)
	before := f.JournalLength(t)
	for _, name := range slices.Sorted(maps.Keys(records)) {
		at := records[name]
		read := f.Must(t, "GET", at[0], "", http.StatusOK)
		if written := f.Must(t, "PUT", at[1], read.Body, http.StatusOK); written.Body != read.Body {
			t.Errorf("%s: read %s\nwritten %s", name, read.Body, written.Body)
		}
	}
	if after := f.JournalLength(t); after != before {
		t.Errorf("%d events", after-before)
	}
}

// Each replacement of a record is among the tests of this file.
func TestReplacementsOfRecordsAreComplete(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	tested := map[string]bool{}
	for _, at := range rereadable(t, f) {
		tested[f.Contract.Operation("PUT", at[1]).OperationID] = true
	}
	for _, d := range declaredOperations(f.Contract) {
		without := d.body == nil || d.id == "setDocumentAccess" // no operation reads what these set
		if d.method == "PUT" && !tested[d.id] && !without {
			t.Errorf("%s is not tested", d.id)
		}
	}
}

func TestChangedReadOnlyFieldsAreRefusedByPointer(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	for name, at := range rereadable(t, f) {
		var record map[string]any
		if err := json.Unmarshal([]byte(f.Must(t, "GET", at[0], "", http.StatusOK).Body), &record); err != nil {
			t.Fatal(err)
		}
		if _, has := record["createdAt"]; !has {
			continue
		}
		record["createdAt"] = "2020-01-01T00:00:00Z"
		body, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Must(t, "PUT", at[1], string(body), http.StatusBadRequest); !strings.Contains(got.FieldErrors(t), "/createdAt readOnly") {
			t.Errorf("%s: %s", name, got.Body)
		}
	}
}

// A client changes a field of what it read and sends the whole record.
func TestChangedRecordsAreWrittenWithTheirReadOnlyFields(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	records := rereadable(t, f)
	for name, change := range map[string]map[string]any{
		"block": {"name": "Series A"}, "plan": {"name": "Plan B"}, "role": {"name": "Scribe"}, "security": {"name": "Ordinary"},
		"valuation": {"provider": "Appraisers"}, "wallet": {"label": "Cold"}, "shareholding": {"shares": "120", "reason": "Twenty more."},
		"note": {"maturityDate": "2030-01-01", "reason": "A typo."}, "option": {"quantity": "110", "reason": "Ten more."},
	} {
		var record map[string]any
		if err := json.Unmarshal([]byte(f.Must(t, "GET", records[name][0], "", http.StatusOK).Body), &record); err != nil {
			t.Fatal(err)
		}
		maps.Copy(record, change)
		body, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Send(t, "PUT", records[name][1], string(body)); got.Status != http.StatusOK {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
}

// newRole creates a role and returns its path.
func newRole(t *testing.T, f *apitest.Firm) string {
	t.Helper()
	return f.Must(t, "POST", f.Home+"/role", `{"name":"Clerk","permissions":["viewMembers"]}`, http.StatusCreated).Header.Get("Location")
}
