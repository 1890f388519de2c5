package http_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// rereadable returns the paths of one record for each operation that replaces records, with the path of its replacement.
func (f *firm) rereadable(t *testing.T) map[string][2]string {
	t.Helper()
	ada := f.holder(t, "Ada")
	block := f.must(t, "POST", f.home+"/block", `{"name":"Seed","kind":"seed"}`, http.StatusCreated).header.Get("Location")
	plan := f.plan(t, "Grants", "1000").header.Get("Location")
	schedule := f.must(t, "POST", "/v1/vestingSchedule", `{"organization":"`+f.id+`","name":"Standard",`+scheme+`}`, http.StatusCreated).header.Get("Location")
	wallet := f.must(t, "POST", "/v1/wallet", walletBody(f.ownEntity(t), "near", "ada.near"), http.StatusCreated)
	option := f.option(t, plan, ada, "100", inTwo+windows)
	made := map[string][2]string{
		"wallet":    {"/v1/entity/" + wallet.text(t, "entity") + "/wallet/" + wallet.text(t, "id"), "/v1/wallet/" + wallet.text(t, "id")},
		"valuation": {newValuation(t, f), "/v1/valuation"},
	}
	for name, path := range map[string]string{
		"block": block, "plan": plan, "option": option, "schedule": schedule, "role": newRole(t, f), "security": f.home + "/security/" + f.common,
		"settings": f.home + "/shareholding/config", "shareholding": f.issue(t, ada, "100", `"pricePerShare":"0.5"`, `"certificate":"CS-9"`),
		"note": f.issueHolding(t, "convertibleNote", ada, noteTerms), "SAFE": f.issueHolding(t, "safe", ada, safeTerms),
		"warrant": f.issueHolding(t, "warrant", ada, warrantTerms+`,"security":"`+f.common+`"`),
	} {
		made[name] = [2]string{path, path}
	}
	return made
}

// ownEntity returns the entity of the owner.
func (f *firm) ownEntity(t *testing.T) string {
	t.Helper()
	return f.must(t, "GET", "/v1/user/current", "", http.StatusOK).text(t, "entity")
}

func TestRecordsAreWrittenBackAsTheyWereRead(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	records := f.rereadable(t)
	before := f.journalLength(t)
	for _, name := range slices.Sorted(maps.Keys(records)) {
		at := records[name]
		read := f.must(t, "GET", at[0], "", http.StatusOK)
		if written := f.must(t, "PUT", at[1], read.body, http.StatusOK); written.body != read.body {
			t.Errorf("%s: read %s\nwritten %s", name, read.body, written.body)
		}
	}
	if after := f.journalLength(t); after != before {
		t.Errorf("%d events", after-before)
	}
}

// Each replacement of a record is among the tests of this file.
func TestReplacementsOfRecordsAreComplete(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	tested := map[string]bool{}
	for _, at := range f.rereadable(t) {
		tested[f.contract.operation("PUT", at[1]).OperationID] = true
	}
	for _, d := range f.contract.all() {
		without := d.body == nil || d.id == "setDocumentAccess" // no operation reads what these set
		if d.method == "PUT" && !tested[d.id] && !without {
			t.Errorf("%s is not tested", d.id)
		}
	}
}

func TestChangedReadOnlyFieldsAreRefusedByPointer(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	for name, at := range f.rereadable(t) {
		var record map[string]any
		if err := json.Unmarshal([]byte(f.must(t, "GET", at[0], "", http.StatusOK).body), &record); err != nil {
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
		if got := f.must(t, "PUT", at[1], string(body), http.StatusBadRequest); !strings.Contains(got.fieldErrors(t), "/createdAt readOnly") {
			t.Errorf("%s: %s", name, got.body)
		}
	}
}

// A client changes a field of what it read and sends the whole record.
func TestChangedRecordsAreWrittenWithTheirReadOnlyFields(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	records := f.rereadable(t)
	for name, change := range map[string]map[string]any{
		"block": {"name": "Series A"}, "plan": {"name": "Plan B"}, "role": {"name": "Scribe"}, "security": {"name": "Ordinary"},
		"valuation": {"provider": "Appraisers"}, "wallet": {"label": "Cold"}, "shareholding": {"shares": "120", "reason": "Twenty more."},
		"note": {"maturityDate": "2030-01-01", "reason": "A typo."}, "option": {"quantity": "110", "reason": "Ten more."},
	} {
		var record map[string]any
		if err := json.Unmarshal([]byte(f.must(t, "GET", records[name][0], "", http.StatusOK).body), &record); err != nil {
			t.Fatal(err)
		}
		maps.Copy(record, change)
		body, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.send(t, "PUT", records[name][1], string(body)); got.status != http.StatusOK {
			t.Errorf("%s: %d %s", name, got.status, got.body)
		}
	}
}
