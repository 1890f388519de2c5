package http_test

import (
	"archive/zip"
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"equity/http/apitest"
)

// ocfPackage is an Open Cap Format package, as a map of names to files.
type ocfPackage map[string]string

// validPackage returns a small valid package: Ada has 600 of 1,000 shares.
func validPackage() ocfPackage {
	listed := func(name string) string {
		return `[{"filepath":"./` + name + `","md5":"00000000000000000000000000000000"}]`
	}
	return ocfPackage{
		"Manifest.ocf.json": `{"file_type":"OCF_MANIFEST_FILE","ocf_version":"1.2.0","as_of":"2024-06-30","generated_at":"2024-06-30T00:00:00Z",
			"issuer":{"id":"acme","object_type":"ISSUER","legal_name":"Acme, Inc.","formation_date":"2020-01-01","country_of_formation":"US","tax_ids":[]},
			"stakeholders_files":` + listed("Stakeholders.ocf.json") + `,"stock_classes_files":` + listed("StockClasses.ocf.json") + `,
			"transactions_files":` + listed("Transactions.ocf.json") + `,"stock_plans_files":[],"stock_legend_templates_files":[],"vesting_terms_files":[],"valuations_files":[]}`,
		"Stakeholders.ocf.json": `{"file_type":"OCF_STAKEHOLDERS_FILE","items":[
			{"id":"ada","object_type":"STAKEHOLDER","name":{"legal_name":"Ada Lovelace"},"stakeholder_type":"INDIVIDUAL",
			 "contact_info":{"name":{"legal_name":"Ada Lovelace"},"emails":[{"email_type":"PERSONAL","email_address":"ada@private.example"}],"phone_numbers":[]}}]}`,
		"StockClasses.ocf.json": `{"file_type":"OCF_STOCK_CLASSES_FILE","items":[
			{"id":"common","object_type":"STOCK_CLASS","name":"Common","class_type":"COMMON","default_id_prefix":"CS-",
			 "initial_shares_authorized":"1000","votes_per_share":"1","seniority":"1"}]}`,
		"Transactions.ocf.json": `{"file_type":"OCF_TRANSACTIONS_FILE","items":[
			{"id":"t1","object_type":"TX_STOCK_ISSUANCE","date":"2024-01-01","security_id":"s1","custom_id":"CS-1","stakeholder_id":"ada",
			 "stock_class_id":"common","quantity":"600","share_price":{"amount":"1.00","currency":"USD"},"stock_legend_ids":[],"security_law_exemptions":[]}]}`,
	}
}

// with returns the package with a text replaced in every file.
func (p ocfPackage) with(t *testing.T, old, replacement string) ocfPackage {
	t.Helper()
	changed, found := ocfPackage{}, false
	for name, text := range p {
		found = found || strings.Contains(text, old)
		changed[name] = strings.ReplaceAll(text, old, replacement)
	}
	if !found {
		t.Fatalf("%q is not in the package", old)
	}
	return changed
}

// zip returns the package as an archive.
func (p ocfPackage) zip(t *testing.T) string {
	t.Helper()
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for name, text := range p {
		entry, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(entry, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.String()
}

// form returns the files of the package as a form, and its content type.
func (p ocfPackage) form(t *testing.T) (body, kind string) {
	t.Helper()
	var packed bytes.Buffer
	w := multipart.NewWriter(&packed)
	names := make([]string, 0, len(p))
	for name := range p {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		part, err := w.CreateFormFile("file", name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(part, p[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.String(), w.FormDataContentType()
}

func content(t *testing.T, file *zip.File) string {
	t.Helper()
	r, err := file.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// firmWithoutClass creates an organization without records.
func firmWithoutClass(t *testing.T, b *apitest.Server, email string) *apitest.Firm {
	t.Helper()
	f := &apitest.Firm{Client: b.NewPerson(t, email)}
	f.Home = f.NewOrganization(t)
	f.ID = apitest.IDOf(f.Home)
	return f
}

func TestImportedPackageFillsTheCapTable(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := firmWithoutClass(t, b, "owner@example.com")
		path, zipped := f.Home+"/import", []string{"Content-Type", "application/zip"}
		preview := f.Must(t, "POST", path+"?dryRun=true", validPackage().zip(t), 200, zipped...)
		if preview.Get(t, "accepted") != true || preview.Get(t, "dryRun") != true || preview.Get(t, "objects") != 3.0 || f.JournalLength(t) != 2 {
			t.Errorf("preview: %s", preview.Body)
		}
		done := f.Must(t, "POST", path, validPackage().zip(t), http.StatusCreated, append(zipped, "Idempotency-Key", "import-1")...)
		if done.Get(t, "counts", "shareholdingIssued") != 1.0 || done.Get(t, "counts", "memberAdded") != 1.0 || done.Text(t, "version") != "1.2.0" {
			t.Errorf("import: %s", done.Body)
		}
		if !strings.Contains(done.Body, `"severity":"warning"`) || !strings.Contains(done.Body, "staleChecksum") {
			t.Errorf("the warnings are missing: %s", done.Body)
		}
		apitest.Run(t, []apitest.Scenario{
			{
				Claim: "the cap table has the imported shares", As: f.Client, Method: "GET", Path: f.Home + "/captable", Status: 200,
				Has: []string{`"name":"Ada Lovelace"`, `"outstanding":"600"`, `"invested":"600"`},
			},
			{Claim: "the import fills empty profile fields", As: f.Client, Method: "GET", Path: f.Home, Status: 200, Has: []string{`"legalName":"Acme, Inc."`, `"formationDate":"2020-01-01"`}},
			{
				Claim: "contact details are shown to the owner", As: f.Client, Method: "GET", Path: f.Home + "/member", Status: 200,
				Has: []string{"ada@private.example"},
			},
			{
				Claim: "contact details are absent from the journal", As: f.Client, Method: "GET", Path: f.Home + "/journal", Status: 200,
				Has: []string{"packageImported"}, Lacks: []string{"private.example"},
			},
			{
				Claim: "a repeated import is refused", As: f.Client, Method: "POST", Path: path, Body: validPackage().zip(t),
				Headers: zipped, Status: 400, Has: []string{"packageRefused"},
			},
		})
	})
}

func TestImportAcceptsForms(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := firmWithoutClass(t, b, "owner@example.com")
	body, kind := validPackage().form(t)
	first := f.Must(t, "POST", f.Home+"/import", body, http.StatusCreated, "Content-Type", kind, "Idempotency-Key", "k")
	body, kind = validPackage().form(t) // with another form boundary
	again := f.Must(t, "POST", f.Home+"/import", body, http.StatusCreated, "Content-Type", kind, "Idempotency-Key", "k")
	if again.Body != first.Body || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("the second answer is\n%s\nthe first was\n%s", again.Body, first.Body)
	}
	single := firmWithoutClass(t, b, "single@example.com")
	body, kind = ocfPackage{"package.zip": validPackage().zip(t)}.form(t)
	single.Must(t, "POST", single.Home+"/import", body, http.StatusCreated, "Content-Type", kind)
}

func TestFaultyPackagesAreRefused(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := firmWithoutClass(t, b, "owner@example.com")
	path, zipped := f.Home+"/import", []string{"Content-Type", "application/zip"}
	faulty := validPackage().with(t, `"stakeholder_id":"ada"`, `"stakeholder_id":"eve"`).with(t, `"ocf_version":"1.2.0"`, `"ocf_version":"9.9.9"`).
		with(t, `"class_type":"COMMON"`, `"class_type":"GOLD"`)
	for _, query := range []string{"", "?dryRun=true"} {
		status := map[string]int{"": 400, "?dryRun=true": 200}[query]
		got := f.Must(t, "POST", path+query, faulty.zip(t), status, zipped...)
		for _, finding := range []string{
			"danglingReference", "unknownVersion", "/STOCK_CLASS/common/class_type", "/TX_STOCK_ISSUANCE/t1/stakeholder_id",
		} {
			if !strings.Contains(got.Body, finding) {
				t.Errorf("%q: %s is missing in %s", query, finding, got.Body)
			}
		}
	}
	over := f.Must(t, "POST", path, validPackage().with(t, `"quantity":"600"`, `"quantity":"1001"`).zip(t), 400, zipped...)
	if !strings.Contains(over.Body, "insufficientShares") || over.Text(t, "code") != "packageRefused" {
		t.Errorf("over-issue: %s", over.Body)
	}
	form, kind := ocfPackage{"notes.txt": "none"}.form(t)
	strange := strings.ReplaceAll(form, `name="file"`, `name="fil"`)
	apitest.Run(t, []apitest.Scenario{
		{
			Claim: "an unreadable archive is refused", As: f.Client, Method: "POST", Path: path, Body: "PK", Headers: zipped, Status: 400,
			Has: []string{"/file", "unreadable"},
		},
		{
			Claim: "a form without a manifest is refused", As: f.Client, Method: "POST", Path: path, Body: form,
			Headers: []string{"Content-Type", kind}, Status: 400, Has: []string{"manifestMissing"},
		},
		{
			Claim: "an unknown form field is refused", As: f.Client, Method: "POST", Path: path, Body: strange,
			Headers: []string{"Content-Type", kind}, Status: 400, Has: []string{"/fil"},
		},
		{Claim: "a JSON body is refused", As: f.Client, Method: "POST", Path: path, Body: "{}", Status: 415},
		{Claim: "an empty body is refused", As: f.Client, Method: "POST", Path: path, Status: 400},
		{
			Claim: "a package above the size limit is refused", As: f.Client, Method: "POST", Path: path,
			Body: strings.Repeat("x", 20<<20+1), Headers: zipped, Status: 413,
		},
	})
	if n := f.JournalLength(t); n != 2 {
		t.Errorf("refused packages added %d events", n-2)
	}
	auditor := b.NewPerson(t, "auditor@example.com")
	f.Join(t, f.Home, auditor, "Auditor")
	auditor.Must(t, "POST", path, validPackage().zip(t), http.StatusForbidden, zipped...)
}

func TestExportedPackageImportsWithTheSameTotals(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	from, to := b.NewFirm(t, "from@example.com"), firmWithoutClass(t, b, "to@example.com")
	issueToFour(t, from)
	held := from.Issue(t, from.NewHolder(t, "Gail"), "10")
	from.Must(t, "POST", from.Home+"/shareholding/transfer", `{"shareholding":"`+apitest.IDOf(held)+`","to":{"entity":"`+from.NewHolder(t, "Hal")+
		`"},"shares":"4","date":"2026-02-01","kind":"sale"}`, 201)
	packed := from.Must(t, "GET", from.Home+"/captable?format=ocf", "", 200).Body
	to.Must(t, "POST", to.Home+"/import", packed, http.StatusCreated, "Content-Type", "application/zip")
	got, want := to.Must(t, "GET", to.Home+"/captable", "", 200), from.Must(t, "GET", from.Home+"/captable", "", 200)
	for _, field := range []string{"issued", "outstanding", "fullyDiluted", "invested"} {
		if got.Text(t, "totals", field) != want.Text(t, "totals", field) {
			t.Errorf("%s is %s, want %s", field, got.Text(t, "totals", field), want.Text(t, "totals", field))
		}
	}
	if len(got.List(t, "holders")) != len(want.List(t, "holders")) {
		t.Errorf("different holders: %s", got.Body)
	}
}

// A member invited by address only is named after the local part of the address until the
// invitation is accepted. Exported packages then contain the person's own name.
func TestExportNamesJoinedMemberByTheirOwnName(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		from, to, ada := b.NewFirm(t, "from@example.com"), firmWithoutClass(t, b, "to@example.com"), b.NewPerson(t, "countess@example.com")
		_, id := from.Invite(t, from.Home, "Investor", "countess@example.com").InvitationOutcome(t)
		member := from.Home + "/member/" + id
		invited := from.Must(t, "GET", member, "", http.StatusOK)
		held := from.Issue(t, invited.Text(t, "entity"), "10")
		packed := func() string { return from.Must(t, "GET", from.Home+"/captable?format=ocf", "", http.StatusOK).Body }
		names := func(want ...string) {
			t.Helper()
			archive, err := zip.NewReader(strings.NewReader(packed()), int64(len(packed())))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, file := range archive.File {
				for _, found := range regexp.MustCompile(`"legal_name": ?"([^"]+)"`).FindAllStringSubmatch(content(t, file), -1) {
					if file.Name == "Stakeholders.ocf.json" {
						got = append(got, found[1])
					}
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%q, want %q", got, want)
			}
		}
		names("countess")
		ada.Must(t, "POST", apitest.AcceptPath, b.InvitationAnswer(t, "countess@example.com"), http.StatusOK)
		if got := from.Must(t, "GET", member, "", http.StatusOK); got.Text(t, "fullName") != "Ada Lovelace" {
			t.Errorf("%s", got.Body)
		}
		names("Ada Lovelace")
		if got := from.Must(t, "GET", held, "", http.StatusOK); got.Text(t, "shareholderName") != "countess" {
			t.Errorf("the printed name of issued shares must not change: %s", got.Body)
		}
		to.Must(t, "POST", to.Home+"/import", packed(), http.StatusCreated, "Content-Type", "application/zip")
		if got := to.Must(t, "GET", to.Home+"/member", "", http.StatusOK); strings.Contains(got.Body, `"fullName":"countess"`) {
			t.Errorf("%s", got.Body)
		}
	})
}
