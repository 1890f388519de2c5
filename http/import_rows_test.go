package http_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
)

// spreadsheet returns a form with the file and additional fields, given as names and values,
// and its content type.
func spreadsheet(tb testing.TB, name, content string, more ...string) (body, kind string) {
	tb.Helper()
	var packed bytes.Buffer
	w := multipart.NewWriter(&packed)
	part, err := w.CreateFormFile("file", name)
	if err == nil {
		_, err = part.Write([]byte(content))
	}
	for i := 0; err == nil && i < len(more); i += 2 {
		err = w.WriteField(more[i], more[i+1])
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		tb.Fatal(err)
	}
	return packed.String(), w.FormDataContentType()
}

const csvKind = "text/csv"

func TestImportOfShareholdingRows(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		f.holder(t, "Grace Hopper")
		f.holder(t, "Bob; Noyce")
		f.schedule(t, "Standard")
		investor := b.person(t, "investor@example.com")
		f.join(t, f.home, investor, "Investor")
		path := f.home + "/import?kind=shareholdings"
		template := f.must(t, "GET", path, "", http.StatusOK)
		if !strings.HasPrefix(template.body, "\ufeffholder,security,shares,issueDate,") || !strings.Contains(
			template.header.Get("Content-Disposition"), "shareholdings.csv",
		) {
			t.Errorf("the template is %q", template.body)
		}
		file := "\ufeffHolder;Security;Shares;Issue date;Vesting schedule\r\n\r\nGrace Hopper;common stock;4800;2025-01-31;standard\r\n\"Bob; Noyce\";Common Stock;100;2025-02-01;\r\n"
		as := []string{"Content-Type", csvKind}
		wrong := "holder,security,shares,issueDate,pricePerShare\nGrace Hopper,Common Stock,100,2025-01-01,1\nNobody,None,x,2025-02-30,=1+1\nGrace Hopper,Common Stock,9999999,2025-01-01,\n"
		run(t, []scenario{
			{claim: "a dry run reports the result of each row", as: f.client, method: "POST", path: path + "&dryRun=true", body: file, headers: as, status: 200, has: []string{`"dryRun":true,"accepted":true`, `"shareholdingIssued":`, `{"line":3,"status":"created","fields":{`, `"line":4,"status":"created"`, `"shares":"4800"`}},
			{
				claim: "a dry run reports the error of each wrong cell", as: f.client, method: "POST", path: path + "&dryRun=true",
				body: wrong, headers: as, status: 200,
				has: []string{`"accepted":false`, `{"line":2,"status":"created"`, `"line":3,"status":"refused"`, `"column":"shares","cell":"C3","code":"invalidDecimal"`, `"column":"issueDate","cell":"D3","code":"invalidDate"`, `"column":"pricePerShare"`, `"line":4,"status":"refused"`, "insufficientShares"},
			},
			{
				claim: "one wrong row refuses the file", as: f.client, method: "POST", path: path, body: wrong, headers: as, status: 400,
				has: []string{"rowsRefused", "/rows/3/shares", "/rows/3/issueDate", "/rows/4", "999900 shares are available"},
			},
			{claim: "a refused file stores no rows", as: f.client, method: "GET", path: f.home + "/shareholding", status: 200, has: []string{`{"data":[]}`}},
			{
				claim: "unknown names are refused", as: f.client, method: "POST", path: path,
				body: "holder,security,shares,issueDate\nNobody,None,1,2025-01-01\n", headers: as, status: 400,
				has: []string{"/rows/2/holder", "/rows/2/security"},
			},
			{
				claim: "unknown names are reported together with malformed cells", as: f.client, method: "POST", path: path,
				body: "holder,security,shares,issueDate\nNobody,None,x,2025-02-30\n", headers: as, status: 400,
				has: []string{"/rows/2/holder", "/rows/2/security", "/rows/2/shares", "/rows/2/issueDate"},
			},
			{
				claim: "duplicate and missing columns are named", as: f.client, method: "POST", path: path,
				body: "holder,shares,holder\nx,1,z\n", headers: as, status: 400,
				has: []string{"/cells/C1", "duplicateColumn", "/cells/1:1", "required", "issueDate"},
			},
			{
				claim: "an unreadable file is refused with its line", as: f.client, method: "POST", path: path,
				body: "holder,security,shares,issueDate\n\"x,y\n", headers: as, status: 400, has: []string{"/rows/2", "unreadable"},
			},
			{
				claim: "a file without rows is refused", as: f.client, method: "POST", path: path,
				body: "holder,security,shares,issueDate\n", headers: as, status: 400, has: []string{"empty"},
			},
			{
				claim: "the kind of the rows is required", as: f.client, method: "POST", path: f.home + "/import", body: file, headers: as,
				status: 400, has: []string{"/query/kind"},
			},
			{claim: "the rows are imported", as: f.client, method: "POST", path: path, body: file, headers: as, status: 201, has: []string{`"accepted":true`, `"shareholdingIssued":2`, `"line":3,"status":"created","id":"`}},
			{
				claim: "the last file can be downloaded", as: f.client, method: "GET", path: path + "&file=last", status: 200,
				has: []string{"\"Bob; Noyce\";Common Stock;100"},
			},
			{claim: "an investor may not download the file", as: investor, method: "GET", path: path + "&file=last", status: 403},
			{
				claim: "the last file of another kind is not found", as: f.client, method: "GET",
				path: f.home + "/import?kind=members&file=last", status: 404,
			},
			{claim: "imported shares have their vesting start", as: f.client, method: "GET", path: f.home + "/shareholding", status: 200, has: []string{`"shares":"4800"`, `"vestingStart":"2025-01-31"`, `"shareholderName":"Bob; Noyce"`}},
		})
	})
}

func TestImportOfOptionRows(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		planner, investor := b.person(t, "planner@example.com"), b.person(t, "investor@example.com")
		f.must(t, "POST", f.home+"/role", `{"name":"Planner","permissions":["editIncentivePlan","viewIncentivePlan"]}`, http.StatusCreated)
		f.join(t, f.home, planner, "Planner")
		f.join(t, f.home, investor, "Investor")
		f.holder(t, "Grace Hopper")
		f.schedule(t, "Standard")
		plan := f.plan(t, "Stock Plan", "1000").header.Get("Location")
		path, as := f.home+"/import?kind=options", []string{"Content-Type", csvKind}
		const file = "Holder,Plan,Pool,Type,Quantity,Issue date,Vesting schedule,Early exercise,External ID\n" +
			"Grace Hopper,stock plan,,ISO,480,2026-01-02,standard,yes,g-1\nGrace Hopper,stock plan,main,rsu,20,2026-01-02,,,g-2\n"
		const wrong = "holder,plan,type,quantity,issueDate,exercisePrice\nGrace Hopper,Stock Plan,nso,600,2026-01-02,\n" +
			"Nobody,None,gold,many,2026-02-30,-1\nGrace Hopper,Stock Plan,nso,401,2026-01-02,\n"
		keyed := append([]string{"Idempotency-Key", "rows-1"}, as...)
		run(t, []scenario{
			{
				claim: "the template has the columns", as: f.client, method: "GET", path: path, status: 200,
				has: []string{"\ufeffholder,plan,pool,type,quantity,issueDate,exercisePrice,"},
			},
			{claim: "a dry run reports the result of each row", as: f.client, method: "POST", path: path + "&dryRun=true", body: file, headers: as, status: 200, has: []string{`"dryRun":true,"accepted":true`, `{"line":2,"status":"created",`, `{"line":3,"status":"created",`}},
			{
				claim: "wrong rows refuse the file, each with its line, column and reason", as: f.client, method: "POST", path: path,
				body: wrong, headers: as, status: 400,
				has: []string{
					"rowsRefused", "/rows/3/quantity", "invalidDecimal", "/rows/3/issueDate", "/rows/4", "insufficientShares",
					"400 shares are available on", "401 were requested",
				},
			},
			{
				claim: "unknown names are refused", as: f.client, method: "POST", path: path,
				body: "holder,plan,pool,type,quantity,issueDate\nNobody,Stock Plan,Side,gold,1,2026-01-02\n", headers: as, status: 400,
				has: []string{"/rows/2/holder", "/rows/2/pool", "/rows/2/type"},
			},
			{claim: "a refused file stores no options", as: f.client, method: "GET", path: f.home + "/option", status: 200, has: []string{`{"data":[]}`}},
			{claim: "an investor may not import", as: investor, method: "POST", path: path, body: file, headers: as, status: 403},
			{claim: "a plan editor imports the rows", as: planner, method: "POST", path: path, body: file, headers: keyed, status: 201, has: []string{`"optionGranted":2`, `"line":2,"status":"created","id":"`}},
			{claim: "a plan editor may not import shares", as: planner, method: "POST", path: f.home + "/import?kind=shareholdings", body: `{"kind":"option"}`, headers: as, status: 403},
			{claim: "the same idempotency key returns the same answer", as: planner, method: "POST", path: path, body: file, headers: keyed, status: 201, has: []string{`"optionGranted":2`}},
			{claim: "the options have the terms of their rows", as: f.client, method: "GET", path: f.home + "/option", status: 200, has: []string{`"quantity":"480"`, `"exercisePrice":"0.25"`, `"earlyExercise":true`, `"type":"rsu"`, `"externalId":"g-2"`}},
			{claim: "the options reduce the pool", as: f.client, method: "GET", path: plan, status: 200, has: []string{`"granted":"500"`, `"available":"500"`}},
			{
				claim: "a duplicate externalId is refused", as: f.client, method: "POST", path: path, body: file, headers: as, status: 400,
				has: []string{"/rows/2", "/rows/3", "externalId"},
			},
		})
	})
}

//nolint:tparallel // one scenario builds on another
func TestUploadOfMemberRows(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	stranger, investor := b.person(t, "stranger@example.com"), b.person(t, "investor@example.com")
	f.join(t, f.home, investor, "Investor")
	upload := func(claim string, as *client, query, file string, status int, has ...string) scenario {
		body, kind := spreadsheet(t, "members.csv", file, "organization", f.id)
		return scenario{
			claim: claim, as: as, method: "POST", path: "/v1/organization/member/upload" + query, body: body,
			headers: []string{"Content-Type", kind}, status: status, has: has,
		}
	}
	const heading = "fullName,email,kind,title,phone,startDate,street1,city,country,externalId\n"
	const two = heading + "Grace Hopper,grace@example.com,individual,Engineer,+1 555 0100,2024-01-31,1 Main St,London,GB,g\nFund,,institution,,,,,,,f\n"
	const mixed = heading + "Grace Murray,GRACE@example.com,,Countess,,,,Paris,,g\n,bad,robot,,,2024-02-30,,,XX1,\nEve,eve@example.com,,,,,,,,\nEva,eve@example.com,,,,,,,,\n"
	run(t, []scenario{
		upload("a dry run stores nothing", f.client, "?dryRun=true", two, 200, `"dryRun":true`, `{"line":2,"status":"created",`),
		{claim: "a dry run adds no member", as: f.client, method: "GET", path: f.home + "/member", status: 200, lacks: []string{"Hopper"}},
		upload("members are added", f.client, "", two, 201, `"memberAdded":2`, `"line":3,"status":"created","id":"`),
		{claim: "added members have their contact details", as: f.client, method: "GET", path: f.home + "/member", status: 200, has: []string{`"email":"grace@example.com"`, `"city":"London"`, `"title":"Engineer"`, `"startDate":"2024-01-31"`, `"kind":"institution"`}},
		upload(
			"a wrong row refuses the file", f.client, "", mixed, 400, "rowsRefused", "/rows/3/fullName", "/rows/3/email", "/rows/3/kind",
			"/rows/3/startDate", "/rows/3/country", "/rows/5/email",
		),
		upload("a partial upload stores the correct rows", f.client, "?partial=true", mixed, 201, `"line":2,"status":"updated","id":"`, `"line":3,"status":"refused"`, `"line":4,"status":"created"`, `"line":5,"status":"refused"`),
		{claim: "empty cells leave fields unchanged", as: f.client, method: "GET", path: f.home + "/member", status: 200, has: []string{`"fullName":"Grace Murray"`, `"title":"Countess"`, `"street1":"1 Main St"`, `"city":"Paris"`, `"fullName":"Eve"`}, lacks: []string{"Hopper", "London", "Eva"}},
		upload("an investor may not upload members", investor, "", two, 403),
		upload("a stranger may not upload members", stranger, "", two, 403),
	})
	body, kind := spreadsheet(t, "members.csv", two)
	f.must(t, "POST", "/v1/organization/member/upload", body, http.StatusBadRequest, "Content-Type", kind)
}
