package http_test

import (
	"net/http"
	"testing"

	"equity/http/apitest"
)

// valuationBody returns the body of a valuation of the firm's common stock, with additional fields.
func valuationBody(f *apitest.Firm, price, on, more string) string {
	return `{"organization":"` + f.ID + `","security":"` + f.Common + `","type":"409A","effectiveDate":"` + on +
		`","pricePerShare":{"amount":"` + price + `","currency":"USD"}` + more + `}`
}

func TestValuationsAreStatedAndListed(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		created := f.Must(t, "PUT", "/v1/valuation", valuationBody(f, "1.25", "2026-01-01", `,"expiresOn":"2026-02-01","externalId":"v"`), http.StatusCreated)
		path := created.Header.Get("Location")
		id := created.Text(t, "id")
		f.Must(t, "PUT", "/v1/valuation", valuationBody(f, "1.5", "2026-01-10", ""), http.StatusCreated)
		list := f.Home + "/valuation"
		apitest.Run(t, []apitest.Scenario{
			{Claim: "a valuation is read", As: f.Client, Method: "GET", Path: path, Status: 200, Has: []string{`"amount":"1.25"`, `"type":"409A"`, f.ID}},
			{Claim: "all valuations are listed", As: f.Client, Method: "GET", Path: list, Status: 200, Has: []string{`"1.25"`, `"1.5"`}},
			{Claim: "valuations in force on a date are listed", As: f.Client, Method: "GET", Path: list + "?asOf=2026-01-05", Status: 200, Has: []string{`"1.25"`}, Lacks: []string{`"1.5"`}},
			{Claim: "a valuation expires on its expiry date", As: f.Client, Method: "GET", Path: list + "?asOf=2026-02-01", Status: 200, Has: []string{`"1.5"`}, Lacks: []string{`"1.25"`}},
			{Claim: "the list is filtered by security", As: f.Client, Method: "GET", Path: list + "?security=" + f.Common, Status: 200, Has: []string{`"1.25"`}},
			{Claim: "another security has no valuations", As: f.Client, Method: "GET", Path: list + "?security=" + f.ID, Status: 200, Has: []string{`{"data":[]}`}},
			{Claim: "the list is paged", As: f.Client, Method: "GET", Path: list + "?limit=1", Status: 200, Has: []string{"nextCursor"}, Lacks: []string{`"1.5"`}},
			{
				Claim: "a dry run changes nothing", As: f.Client, Method: "PUT", Path: "/v1/valuation?dryRun=true", Body: valuationBody(f, "9", "2026-01-01", `,"id":"`+id+`"`), Status: 200,
				Has: []string{`"dryRun":true`, `"valuationChanged"`, `"amount":"9"`},
			},
			{Claim: "a valuation is replaced by its id", As: f.Client, Method: "PUT", Path: "/v1/valuation", Body: valuationBody(f, "2", "2026-01-01", `,"id":"`+id+`"`), Status: 200, Has: []string{`"amount":"2"`}, Lacks: []string{"expiresOn"}},
			{Claim: "an earlier version stays readable", As: f.Client, Method: "GET", Path: path + "?knownAt=" + created.Version(t), Status: 200, Has: []string{`"1.25"`}},
			{Claim: "an unknown valuation cannot be replaced", As: f.Client, Method: "PUT", Path: "/v1/valuation", Body: valuationBody(f, "2", "2026-01-01", `,"id":"`+f.ID+`"`), Status: 404},
			{Claim: "an unknown valuation is not found", As: f.Client, Method: "GET", Path: "/v1/valuation/" + f.Common, Status: 404},
			{Claim: "a security with a valuation cannot be deleted", As: f.Client, Method: "DELETE", Path: f.Home + "/security/" + f.Common, Status: 409, Has: []string{`"inUse"`, `"valuation"`}},
			{
				Claim: "every malformed field is named", As: f.Client, Method: "PUT", Path: "/v1/valuation", Status: 400,
				Body: `{"organization":"` + f.ID + `","type":"x","effectiveDate":"2026-02-30","pricePerShare":{"amount":1,"currency":"USD"},"colour":1}`,
				Has:  []string{"/type", "/effectiveDate", "/pricePerShare/amount", "/colour"},
			},
			{
				Claim: "every invalid value is named", As: f.Client, Method: "PUT", Path: "/v1/valuation", Status: 400,
				Body: `{"organization":"` + f.ID + `","type":"409A","effectiveDate":"2199-01-01","expiresOn":"2198-01-01","security":"` + f.ID + `"}`,
				Has:  []string{"/effectiveDate", "/expiresOn", "/pricePerShare", "/security"},
			},
		})
		tag := f.Must(t, "GET", path, "", 200).Header.Get("ETag")
		again := valuationBody(f, "3", "2026-01-01", `,"id":"`+id+`"`)
		f.Must(t, "GET", path, "", http.StatusNotModified, "If-None-Match", tag)
		f.Must(t, "PUT", "/v1/valuation", again, http.StatusOK, "If-Match", tag)
		f.Must(t, "PUT", "/v1/valuation", again, http.StatusPreconditionFailed, "If-Match", tag)
	})
}

func TestOrganizationInTheBodyIsAuthorized(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, theirs := b.NewFirm(t, "owner@example.com"), b.NewFirm(t, "theirs@example.com")
	investor := b.NewPerson(t, "investor@example.com")
	f.Join(t, f.Home, investor, "Investor")
	guest := b.NewPerson(t, "guest@example.com")
	f.Join(t, f.Home, guest, "Guest")
	body := valuationBody(f, "1", "2026-01-01", "")
	path := f.Must(t, "PUT", "/v1/valuation", body, http.StatusCreated).Header.Get("Location")
	entity := "/v1/entity/" + f.NewHolder(t, "Ada") + "/capitalChange"
	contribution := `{"organization":"` + f.ID + `","kind":"contribution","amount":{"amount":"1","currency":"USD"},"date":"2026-01-01"}`
	apitest.Run(t, []apitest.Scenario{
		{Claim: "an anonymous caller is refused", As: b.Anonymous(), Method: "PUT", Path: "/v1/valuation", Body: body, Status: 401},
		{Claim: "a stranger is refused", As: theirs.Client, Method: "PUT", Path: "/v1/valuation", Body: body, Status: 403},
		{Claim: "a stranger receives no field errors", As: theirs.Client, Method: "PUT", Path: "/v1/valuation", Body: `{"organization":"` + f.ID + `","type":5}`, Status: 403, Lacks: []string{"/type"}},
		{Claim: "an investor may not state a valuation", As: investor, Method: "PUT", Path: "/v1/valuation", Body: body, Status: 403},
		{Claim: "an investor may not enter a contribution", As: investor, Method: "POST", Path: entity, Body: contribution, Status: 403},
		{Claim: "an investor reads a valuation", As: investor, Method: "GET", Path: path, Status: 200},
		{Claim: "a guest may not read a valuation", As: guest, Method: "GET", Path: path, Status: 403},
		{Claim: "a stranger finds no valuation", As: theirs.Client, Method: "GET", Path: path, Status: 404},
		{Claim: "the organization is required", As: f.Client, Method: "PUT", Path: "/v1/valuation", Body: `{"type":"board"}`, Status: 400, Has: []string{"/organization"}},
		{Claim: "the organization must be an id", As: f.Client, Method: "PUT", Path: "/v1/valuation", Body: `{"organization":5}`, Status: 400, Has: []string{"/organization"}},
		{Claim: "the organization must not be null", As: f.Client, Method: "PATCH", Path: entity, Body: `{"organization":null,"id":null}`, Status: 400, Has: []string{"/organization"}},
		{Claim: "an unknown organization is not found", As: f.Client, Method: "PUT", Path: "/v1/valuation", Body: `{"organization":"` + f.Common + `","type":"board","effectiveDate":"2026-01-01"}`, Status: 404},
		{Claim: "malformed JSON is refused", As: f.Client, Method: "PUT", Path: "/v1/valuation", Body: `{`, Status: 400, Has: []string{"syntax"}},
		{Claim: "a missing body is refused", As: f.Client, Method: "PUT", Path: "/v1/valuation", Status: 400},
		{
			Claim: "a valuation cannot be replaced from another organization", As: theirs.Client, Method: "PUT", Path: "/v1/valuation", Status: 404,
			Body: valuationBody(theirs, "1", "2026-01-01", `,"id":"`+apitest.IDOf(path)+`"`),
		},
	})
}
