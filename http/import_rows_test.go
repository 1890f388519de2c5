package http_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
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
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		f.NewHolder(t, "Grace Hopper")
		f.NewHolder(t, "Bob; Noyce")
		f.NewSchedule(t, "Standard")
		investor := b.NewPerson(t, "investor@example.com")
		f.Join(t, f.Home, investor, "Investor")
		path := f.Home + "/import?kind=shareholdings"
		template := f.Must(t, "GET", path, "", http.StatusOK)
		if !strings.HasPrefix(template.Body, "\ufeffholder,security,shares,issueDate,") || !strings.Contains(
			template.Header.Get("Content-Disposition"), "shareholdings.csv",
		) {
			t.Errorf("the template is %q", template.Body)
		}
		file := "\ufeffHolder;Security;Shares;Issue date;Vesting schedule\r\n\r\nGrace Hopper;common stock;4800;2025-01-31;standard\r\n\"Bob; Noyce\";Common Stock;100;2025-02-01;\r\n"
		as := []string{"Content-Type", csvKind}
		wrong := "holder,security,shares,issueDate,pricePerShare\nGrace Hopper,Common Stock,100,2025-01-01,1\nNobody,None,x,2025-02-30,=1+1\nGrace Hopper,Common Stock,9999999,2025-01-01,\n"
		apitest.Run(t, []apitest.Scenario{
			{Claim: "a dry run reports the result of each row", As: f.Client, Method: "POST", Path: path + "&dryRun=true", Body: file, Headers: as, Status: 200, Has: []string{`"dryRun":true,"accepted":true`, `"shareholdingIssued":`, `{"line":3,"status":"created","fields":{`, `"line":4,"status":"created"`, `"shares":"4800"`}},
			{
				Claim: "a dry run reports the error of each wrong cell", As: f.Client, Method: "POST", Path: path + "&dryRun=true",
				Body: wrong, Headers: as, Status: 200,
				Has: []string{`"accepted":false`, `{"line":2,"status":"created"`, `"line":3,"status":"refused"`, `"column":"shares","cell":"C3","code":"invalidDecimal"`, `"column":"issueDate","cell":"D3","code":"invalidDate"`, `"column":"pricePerShare"`, `"line":4,"status":"refused"`, "insufficientShares"},
			},
			{
				Claim: "one wrong row refuses the file", As: f.Client, Method: "POST", Path: path, Body: wrong, Headers: as, Status: 400,
				Has: []string{"rowsRefused", "/rows/3/shares", "/rows/3/issueDate", "/rows/4", "999900 shares are available"},
			},
			{Claim: "a refused file stores no rows", As: f.Client, Method: "GET", Path: f.Home + "/shareholding", Status: 200, Has: []string{`{"data":[]}`}},
			{
				Claim: "unknown names are refused", As: f.Client, Method: "POST", Path: path,
				Body: "holder,security,shares,issueDate\nNobody,None,1,2025-01-01\n", Headers: as, Status: 400,
				Has: []string{"/rows/2/holder", "/rows/2/security"},
			},
			{
				Claim: "unknown names are reported together with malformed cells", As: f.Client, Method: "POST", Path: path,
				Body: "holder,security,shares,issueDate\nNobody,None,x,2025-02-30\n", Headers: as, Status: 400,
				Has: []string{"/rows/2/holder", "/rows/2/security", "/rows/2/shares", "/rows/2/issueDate"},
			},
			{
				Claim: "duplicate and missing columns are named", As: f.Client, Method: "POST", Path: path,
				Body: "holder,shares,holder\nx,1,z\n", Headers: as, Status: 400,
				Has: []string{"/cells/C1", "duplicateColumn", "/cells/1:1", "required", "issueDate"},
			},
			{
				Claim: "an unreadable file is refused with its line", As: f.Client, Method: "POST", Path: path,
				Body: "holder,security,shares,issueDate\n\"x,y\n", Headers: as, Status: 400, Has: []string{"/rows/2", "unreadable"},
			},
			{
				Claim: "a file without rows is refused", As: f.Client, Method: "POST", Path: path,
				Body: "holder,security,shares,issueDate\n", Headers: as, Status: 400, Has: []string{"empty"},
			},
			{
				Claim: "the kind of the rows is required", As: f.Client, Method: "POST", Path: f.Home + "/import", Body: file, Headers: as,
				Status: 400, Has: []string{"/query/kind"},
			},
			{Claim: "the rows are imported", As: f.Client, Method: "POST", Path: path, Body: file, Headers: as, Status: 201, Has: []string{`"accepted":true`, `"shareholdingIssued":2`, `"line":3,"status":"created","id":"`}},
			{
				Claim: "the last file can be downloaded", As: f.Client, Method: "GET", Path: path + "&file=last", Status: 200,
				Has: []string{"\"Bob; Noyce\";Common Stock;100"},
			},
			{Claim: "an investor may not download the file", As: investor, Method: "GET", Path: path + "&file=last", Status: 403},
			{
				Claim: "the last file of another kind is not found", As: f.Client, Method: "GET",
				Path: f.Home + "/import?kind=members&file=last", Status: 404,
			},
			{Claim: "imported shares have their vesting start", As: f.Client, Method: "GET", Path: f.Home + "/shareholding", Status: 200, Has: []string{`"shares":"4800"`, `"vestingStart":"2025-01-31"`, `"shareholderName":"Bob; Noyce"`}},
		})
	})
}

func TestImportOfOptionRows(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		planner, investor := b.NewPerson(t, "planner@example.com"), b.NewPerson(t, "investor@example.com")
		f.Must(t, "POST", f.Home+"/role", `{"name":"Planner","permissions":["editIncentivePlan","viewIncentivePlan"]}`, http.StatusCreated)
		f.Join(t, f.Home, planner, "Planner")
		f.Join(t, f.Home, investor, "Investor")
		f.NewHolder(t, "Grace Hopper")
		f.NewSchedule(t, "Standard")
		plan := f.NewPlan(t, "Stock Plan", "1000").Header.Get("Location")
		path, as := f.Home+"/import?kind=options", []string{"Content-Type", csvKind}
		const file = "Holder,Plan,Pool,Type,Quantity,Issue date,Vesting schedule,Early exercise,External ID\n" +
			"Grace Hopper,stock plan,,ISO,480,2026-01-02,standard,yes,g-1\nGrace Hopper,stock plan,main,rsu,20,2026-01-02,,,g-2\n"
		const wrong = "holder,plan,type,quantity,issueDate,exercisePrice\nGrace Hopper,Stock Plan,nso,600,2026-01-02,\n" +
			"Nobody,None,gold,many,2026-02-30,-1\nGrace Hopper,Stock Plan,nso,401,2026-01-02,\n"
		keyed := append([]string{"Idempotency-Key", "rows-1"}, as...)
		apitest.Run(t, []apitest.Scenario{
			{
				Claim: "the template has the columns", As: f.Client, Method: "GET", Path: path, Status: 200,
				Has: []string{"\ufeffholder,plan,pool,type,quantity,issueDate,exercisePrice,"},
			},
			{Claim: "a dry run reports the result of each row", As: f.Client, Method: "POST", Path: path + "&dryRun=true", Body: file, Headers: as, Status: 200, Has: []string{`"dryRun":true,"accepted":true`, `{"line":2,"status":"created",`, `{"line":3,"status":"created",`}},
			{
				Claim: "wrong rows refuse the file, each with its line, column and reason", As: f.Client, Method: "POST", Path: path,
				Body: wrong, Headers: as, Status: 400,
				Has: []string{
					"rowsRefused", "/rows/3/quantity", "invalidDecimal", "/rows/3/issueDate", "/rows/4", "insufficientShares",
					"400 shares are available on", "401 were requested",
				},
			},
			{
				Claim: "unknown names are refused", As: f.Client, Method: "POST", Path: path,
				Body: "holder,plan,pool,type,quantity,issueDate\nNobody,Stock Plan,Side,gold,1,2026-01-02\n", Headers: as, Status: 400,
				Has: []string{"/rows/2/holder", "/rows/2/pool", "/rows/2/type"},
			},
			{Claim: "a refused file stores no options", As: f.Client, Method: "GET", Path: f.Home + "/option", Status: 200, Has: []string{`{"data":[]}`}},
			{Claim: "an investor may not import", As: investor, Method: "POST", Path: path, Body: file, Headers: as, Status: 403},
			{Claim: "a plan editor imports the rows", As: planner, Method: "POST", Path: path, Body: file, Headers: keyed, Status: 201, Has: []string{`"optionGranted":2`, `"line":2,"status":"created","id":"`}},
			{Claim: "a plan editor may not import shares", As: planner, Method: "POST", Path: f.Home + "/import?kind=shareholdings", Body: `{"kind":"option"}`, Headers: as, Status: 403},
			{Claim: "the same idempotency key returns the same answer", As: planner, Method: "POST", Path: path, Body: file, Headers: keyed, Status: 201, Has: []string{`"optionGranted":2`}},
			{Claim: "the options have the terms of their rows", As: f.Client, Method: "GET", Path: f.Home + "/option", Status: 200, Has: []string{`"quantity":"480"`, `"exercisePrice":"0.25"`, `"earlyExercise":true`, `"type":"rsu"`, `"externalId":"g-2"`}},
			{Claim: "the options reduce the pool", As: f.Client, Method: "GET", Path: plan, Status: 200, Has: []string{`"granted":"500"`, `"available":"500"`}},
			{
				Claim: "a duplicate externalId is refused", As: f.Client, Method: "POST", Path: path, Body: file, Headers: as, Status: 400,
				Has: []string{"/rows/2", "/rows/3", "externalId"},
			},
		})
	})
}

func TestUploadOfMemberRows(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	stranger, investor := b.NewPerson(t, "stranger@example.com"), b.NewPerson(t, "investor@example.com")
	f.Join(t, f.Home, investor, "Investor")
	upload := func(claim string, as *apitest.Client, query, file string, status int, has ...string) apitest.Scenario {
		body, kind := spreadsheet(t, "members.csv", file, "organization", f.ID)
		return apitest.Scenario{
			Claim: claim, As: as, Method: "POST", Path: "/v1/organization/member/upload" + query, Body: body,
			Headers: []string{"Content-Type", kind}, Status: status, Has: has,
		}
	}
	const heading = "fullName,email,kind,title,phone,startDate,street1,city,country,externalId\n"
	const two = heading + "Grace Hopper,grace@example.com,individual,Engineer,+1 555 0100,2024-01-31,1 Main St,London,GB,g\nFund,,institution,,,,,,,f\n"
	const mixed = heading + "Grace Murray,GRACE@example.com,,Countess,,,,Paris,,g\n,bad,robot,,,2024-02-30,,,XX1,\nEve,eve@example.com,,,,,,,,\nEva,eve@example.com,,,,,,,,\n"
	apitest.Run(t, []apitest.Scenario{
		upload("a dry run stores nothing", f.Client, "?dryRun=true", two, 200, `"dryRun":true`, `{"line":2,"status":"created",`),
		{Claim: "a dry run adds no member", As: f.Client, Method: "GET", Path: f.Home + "/member", Status: 200, Lacks: []string{"Hopper"}},
		upload("members are added", f.Client, "", two, 201, `"memberAdded":2`, `"line":3,"status":"created","id":"`),
		{Claim: "added members have their contact details", As: f.Client, Method: "GET", Path: f.Home + "/member", Status: 200, Has: []string{`"email":"grace@example.com"`, `"city":"London"`, `"title":"Engineer"`, `"startDate":"2024-01-31"`, `"kind":"institution"`}},
		upload(
			"a wrong row refuses the file", f.Client, "", mixed, 400, "rowsRefused", "/rows/3/fullName", "/rows/3/email", "/rows/3/kind",
			"/rows/3/startDate", "/rows/3/country", "/rows/5/email",
		),
		upload("a partial upload stores the correct rows", f.Client, "?partial=true", mixed, 201, `"line":2,"status":"updated","id":"`, `"line":3,"status":"refused"`, `"line":4,"status":"created"`, `"line":5,"status":"refused"`),
		{Claim: "empty cells leave fields unchanged", As: f.Client, Method: "GET", Path: f.Home + "/member", Status: 200, Has: []string{`"fullName":"Grace Murray"`, `"title":"Countess"`, `"street1":"1 Main St"`, `"city":"Paris"`, `"fullName":"Eve"`}, Lacks: []string{"Hopper", "London", "Eva"}},
		upload("an investor may not upload members", investor, "", two, 403),
		upload("a stranger may not upload members", stranger, "", two, 403),
	})
	body, kind := spreadsheet(t, "members.csv", two)
	f.Must(t, "POST", "/v1/organization/member/upload", body, http.StatusBadRequest, "Content-Type", kind)
}
