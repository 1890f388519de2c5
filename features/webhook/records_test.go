package webhook_test

import (
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"equity/features/webhook/webhooktest"
	"equity/http/apitest"
)

// occasion is an operation that causes an event of webhooks.
type occasion struct {
	event string
	// prepare creates the records that the operation needs, and returns the path of the record before the operation, which may be
	// empty, and the operation. The operation returns the path of the record after it; empty for a deleted one.
	prepare func(t *testing.T, f *apitest.Firm) (path string, operate func() string)
}

// changing is an occasion that changes the record at a path.
func changing(event, method, suffix, body string, made func(t *testing.T, f *apitest.Firm) string) occasion {
	return occasion{event, func(t *testing.T, f *apitest.Firm) (string, func() string) {
		t.Helper()
		path := made(t, f)
		return path, func() string {
			if got := f.Send(t, method, path+suffix, body); got.Status >= http.StatusMultipleChoices {
				t.Fatalf("%s: %d %s", event, got.Status, got.Body)
			}
			return path
		}
	}}
}

// creating is an occasion that creates the record.
func creating(event string, made func(t *testing.T, f *apitest.Firm) string) occasion {
	return occasion{event, func(t *testing.T, f *apitest.Firm) (string, func() string) {
		t.Helper()
		return "", func() string { return made(t, f) }
	}}
}

// deleting is an occasion that deletes the record at a path.
func deleting(event string, made func(t *testing.T, f *apitest.Firm) string) occasion {
	return occasion{event, func(t *testing.T, f *apitest.Firm) (string, func() string) {
		t.Helper()
		path := made(t, f)
		return path, func() string {
			f.Must(t, "DELETE", path, "", http.StatusNoContent)
			return ""
		}
	}}
}

// The paths of new records.
func newShares(t *testing.T, f *apitest.Firm) string {
	t.Helper()
	return f.Issue(t, f.NewHolder(t, "Ada"), "100", `"pricePerShare":"0.5"`)
}

func newNote(t *testing.T, f *apitest.Firm) string {
	t.Helper()
	return f.IssueHolding(t, "convertibleNote", f.NewHolder(t, "Ada"), apitest.NoteTerms)
}

func newOption(t *testing.T, f *apitest.Firm) string {
	t.Helper()
	return f.GrantOption(t, f.NewPlan(t, "Grants", "1000").Header.Get("Location"), f.NewHolder(t, "Ada"), "100", apitest.VestsInTwo+apitest.TerminationWindows)
}

func newSecurity(t *testing.T, f *apitest.Firm) string {
	t.Helper()
	return f.Home + "/security/" + f.NewSecurity(t, `{"name":"Units","shareType":"unit","authorizedShares":"1000"}`)
}

func newRole(t *testing.T, f *apitest.Firm) string {
	t.Helper()
	return f.Must(t, "POST", f.Home+"/role", `{"name":"Clerk","permissions":["viewMembers"]}`, http.StatusCreated).Header.Get("Location")
}

func newMember(t *testing.T, f *apitest.Firm) string {
	t.Helper()
	return f.Must(t, "POST", f.Home+"/member", `{"fullName":"Charles","phone":"+44 20 7946 0000"}`, http.StatusCreated).Header.Get("Location")
}

func newValuation(t *testing.T, f *apitest.Firm) string {
	t.Helper()
	return f.Must(t, "PUT", "/v1/valuation", appraisalBody(f, ""), http.StatusCreated).Header.Get("Location")
}

// appraisalBody returns the body of a valuation. more holds additional fields.
func appraisalBody(f *apitest.Firm, more string) string {
	return `{"organization":"` + f.ID + `","security":"` + f.Common + `","type":"409A","effectiveDate":"2026-01-01",` +
		`"pricePerShare":{"amount":"1","currency":"USD"}` + more + `}`
}

// occasions has one row for each line of the table of events whose events exist, and each kind of cause in it.
func occasions() []occasion {
	return []occasion{
		creating("shareholding.created", newShares),
		changing("shareholding.updated", "PATCH", "", `{"certificate":"CS-77"}`, newShares),
		changing("shareholding.updated", "POST", "/accept", `{"date":"2026-01-02"}`, newShares),
		{"shareholding.updated", correct},
		changing("shareholding.voided", "DELETE", "?reason=mistake", "", newShares),
		{"shareholding.transferred", transfer(false)},
		{"shareholding.created", transfer(true)},
		creating("security.created", newSecurity),
		deleting("security.deleted", newSecurity),
		changing("security.updated", "PUT", "", `{"name":"Shares","shareType":"unit","authorizedShares":"1000"}`, newSecurity),
		changing("security.updated", "POST", "/shares", `{"quantity":"5","effectiveDate":"2026-01-01"}`, newSecurity),
		creating("holding.created", newNote),
		creating("holding.created", newOption),
		changing("holding.updated", "PATCH", "", `{"externalId":"N-1"}`, newNote),
		changing("holding.updated", "POST", "/accept", `{"date":"2026-01-02"}`, newNote),
		changing("holding.updated", "PATCH", "", `{"externalId":"O-1"}`, newOption),
		{"holding.updated", reprice},
		changing("holding.deleted", "DELETE", "?reason=mistake", "", newNote),
		changing("holding.deleted", "DELETE", "?reason=mistake", "", newOption),
		{"holding.converted", convert},
		changing("holding.repaid", "POST", "/repay", `{"amount":"5","date":"2026-01-10"}`, newNote),
		{"option.exercised", exercise("", `{"quantity":"5","date":"2026-02-01"}`)},
		{"option.exercise_requested", exercise("/request", `{"quantity":"5"}`)},
		creating("valuation.created", newValuation),
		{"valuation.updated", revalue},
		creating("role.created", newRole),
		changing("role.updated", "PUT", "", `{"name":"Clerk","permissions":["viewSelf"]}`, newRole),
		deleting("role.deleted", newRole),
		changing("organization.updated", "PATCH", "", `{"website":"https://example.com"}`, func(_ *testing.T, f *apitest.Firm) string { return f.Home }),
		creating("member.invited", func(t *testing.T, f *apitest.Firm) string {
			t.Helper()
			_, member := f.Invite(t, f.Home, "Guest", "joan@example.com").InvitationOutcome(t)
			return f.Home + "/member/" + member
		}),
		{"member.added", accept},
		changing("member.updated", "PATCH", "", `{"title":"Inventor","phone":"+44 20 7946 0001"}`, joined),
		changing("member.removed", "DELETE", "", "", newMember),
		changing("journal.shareholdingAmended", "PATCH", "", `{"certificate":"CS-77"}`, newShares),
	}
}

// transfer moves shares, and returns the path of the ended or of the new shareholding.
func transfer(created bool) func(t *testing.T, f *apitest.Firm) (string, func() string) {
	return func(t *testing.T, f *apitest.Firm) (string, func() string) {
		t.Helper()
		held, bob := newShares(t, f), f.NewHolder(t, "Bob")
		return "", func() string {
			got := f.Must(t, "POST", f.Home+"/shareholding/transfer",
				`{"shareholding":"`+apitest.IDOf(held)+`","to":{"entity":"`+bob+`"},"shares":"100","date":"2026-02-01","kind":"gift"}`, http.StatusCreated)
			if created {
				return "/v1/shareholding/" + got.Text(t, "to", "id")
			}
			return held
		}
	}
}

func correct(t *testing.T, f *apitest.Firm) (string, func() string) {
	t.Helper()
	ada := f.NewHolder(t, "Ada")
	held := f.Issue(t, ada, "100")
	return held, func() string {
		f.Must(t, "PUT", held, f.IssuanceBody(ada, "101", `"reason":"One too few."`), http.StatusOK)
		return held
	}
}

func reprice(t *testing.T, f *apitest.Firm) (string, func() string) {
	t.Helper()
	plan := f.NewPlan(t, "Grants", "1000").Header.Get("Location")
	held := f.GrantOption(t, plan, f.NewHolder(t, "Ada"), "100", "")
	return held, func() string {
		f.Must(t, "POST", plan+"/reprice", `{"exercisePrice":"0.1","date":"2026-02-01"}`, http.StatusOK)
		return held
	}
}

func convert(t *testing.T, f *apitest.Firm) (string, func() string) {
	t.Helper()
	note := newNote(t, f)
	return "", func() string {
		f.Must(t, "POST", note+"/convert", `{"security":"`+f.Common+`","date":"2026-03-01","pricePerShare":"2"}`, http.StatusCreated)
		return note
	}
}

func exercise(suffix, body string) func(t *testing.T, f *apitest.Firm) (string, func() string) {
	return func(t *testing.T, f *apitest.Firm) (string, func() string) {
		t.Helper()
		plan := f.NewPlan(t, "Grants", "1000").Header.Get("Location")
		held := f.GrantOption(t, plan, f.NewHolder(t, "Ada"), "100", apitest.VestsInTwo+apitest.TerminationWindows)
		return "", func() string {
			f.Must(t, "POST", plan+"/pool/"+f.FirstPool(t, plan)+"/option/"+apitest.IDOf(held)+"/exercise"+suffix, body, http.StatusCreated)
			return held
		}
	}
}

func revalue(t *testing.T, f *apitest.Firm) (string, func() string) {
	t.Helper()
	at := newValuation(t, f)
	return at, func() string {
		f.Must(t, "PUT", "/v1/valuation", appraisalBody(f, `,"id":"`+apitest.IDOf(at)+`","provider":"Appraisers"`), http.StatusOK)
		return at
	}
}

// accept makes an invited person a member.
func accept(t *testing.T, f *apitest.Firm) (string, func() string) {
	t.Helper()
	_, member := f.Invite(t, f.Home, "Guest", "joan@example.com").InvitationOutcome(t)
	token, joan := f.InvitationAnswer(t, "joan@example.com"), f.NewPerson(t, "joan@example.com")
	return "", func() string {
		joan.Must(t, "POST", "/v1/invitation/accept", token, http.StatusOK)
		return f.Home + "/member/" + member
	}
}

// joined returns the path of a member with an account.
func joined(t *testing.T, f *apitest.Firm) string {
	t.Helper()
	return f.Home + "/member/" + f.Join(t, f.Home, f.NewPerson(t, "guest@example.com"), "Guest")
}

// sent is the body of a delivery.
type sent struct {
	ID           string `json:"id"`
	Type         string `json:"type"`
	APIVersion   string `json:"api_version"` //nolint:tagliatelle // of the interface
	Created      string `json:"created"`
	Organization string `json:"organization"`
	Data         struct {
		Object   map[string]any `json:"object"`
		Previous map[string]any `json:"previous_attributes"` //nolint:tagliatelle // of the interface
	} `json:"data"`
}

// sequence returns the sequence in the id of the event.
func (s *sent) sequence(t *testing.T) string {
	t.Helper()
	key, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(strings.ToUpper(strings.TrimPrefix(s.ID, "evt_")))
	if err != nil {
		t.Fatal(err)
	}
	return strconv.FormatUint(binary.BigEndian.Uint64(key[16:]), 10)
}

// readRecord returns the answer of the operation that reads a record, without particulars.
func readRecord(t *testing.T, f *apitest.Firm, path string) map[string]any {
	t.Helper()
	var record map[string]any
	if err := json.Unmarshal([]byte(f.Must(t, "GET", path, "", http.StatusOK).Body), &record); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(path, "/member/") {
		for _, particular := range []string{"email", "dateOfBirth", "phone", "address", "taxResidence"} {
			delete(record, particular)
		}
	}
	if path == f.Home || strings.HasPrefix(path, f.Home+"?") { // the sequence of the organization is not part of its record
		delete(record, "sequence")
	}
	return record
}

// knownAt returns the query for the record as of the sequence. Members and organizations are read in their present state.
func knownAt(path, sequence string) string {
	if strings.Contains(path, "/member/") || strings.Count(path, "/") == 3 && strings.HasPrefix(path, "/v1/organization/") {
		return path
	}
	return path + "?knownAt=" + sequence
}

// differences returns the values of the first record that differ in the second one; null for fields that it lacks.
func differences(old, now map[string]any) map[string]any {
	found := map[string]any{}
	for name, value := range old {
		if !reflect.DeepEqual(value, now[name]) {
			found[name] = value
		}
	}
	for name := range now {
		if _, known := old[name]; !known {
			found[name] = nil
		}
	}
	return found
}

// The object of each event is the record as the operation that reads it shows it at the sequence of the event.
func TestWebhookSendsTheRecordAsTheAPIShowsIt(t *testing.T) {
	t.Parallel()
	for i, of := range occasions() {
		t.Run(of.event+" "+strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			f := apitest.Setup(t).NewFirm(t, "owner@example.com")
			path, operate := of.prepare(t, f)
			var before map[string]any
			if path != "" {
				before = readRecord(t, f, path)
			}
			url, received := webhooktest.Receiver(t, http.StatusOK)
			f.Must(t, "POST", f.Home+"/webhook", `{"url":"`+url+`","events":["`+of.event+`"]}`, http.StatusCreated)
			after := operate()
			var got sent
			if body := webhooktest.Next(t, received).Body; json.Unmarshal([]byte(body), &got) != nil || got.Type != of.event || got.Organization != f.ID {
				t.Fatal(body)
			}
			object, want := got.Data.Object, before
			if after != "" {
				want = readRecord(t, f, knownAt(after, got.sequence(t)))
			}
			if strings.HasPrefix(of.event, "journal.") {
				if object["origin"] != "request" {
					t.Errorf("the origin is %v", object["origin"])
				}
				records, _ := object["records"].([]any)
				object, _ = records[0].(map[string]any)
			}
			if !reflect.DeepEqual(object, want) {
				t.Errorf("object %v\nrecord %v", object, want)
			}
			previous := map[string]any{}
			if strings.HasSuffix(of.event, ".updated") {
				previous = differences(before, want)
				if len(previous) < 2 { // a field and the version
					t.Errorf("the operation changed %v", previous)
				}
			}
			if !reflect.DeepEqual(got.Data.Previous, previous) {
				t.Errorf("previous_attributes %v, want %v", got.Data.Previous, previous)
			}
		})
	}
}

func TestCreationOfAnOrganizationIsReplayed(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	f := &apitest.Firm{Client: owner, Home: owner.NewOrganization(t)}
	record := readRecord(t, f, f.Home)
	url, received := webhooktest.Receiver(t, http.StatusOK)
	at := f.Must(t, "POST", f.Home+"/webhook", `{"url":"`+url+`","events":["organization.created"]}`, http.StatusCreated).Header.Get("Location")
	f.Must(t, "POST", at+"/replay", `{"fromSequence":1}`, http.StatusAccepted)
	var got sent
	if err := json.Unmarshal([]byte(webhooktest.Next(t, received).Body), &got); err != nil || got.Type != "organization.created" {
		t.Fatalf("%v %+v", err, got)
	}
	for _, later := range []string{"version", "updatedAt"} { // the founder became a member in the next event
		delete(record, later)
		delete(got.Data.Object, later)
	}
	if !reflect.DeepEqual(got.Data.Object, record) || len(got.Data.Previous) > 0 {
		t.Errorf("object %v\nrecord %v", got.Data.Object, record)
	}
}
