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

// empty creates an organization without records.
func (b *bundle) empty(t *testing.T, email string) *firm {
	t.Helper()
	f := &firm{client: b.person(t, email)}
	f.home = f.company(t)
	f.id = last(f.home)
	return f
}

func TestImportedPackageFillsTheCapTable(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.empty(t, "owner@example.com")
		path, zipped := f.home+"/import", []string{"Content-Type", "application/zip"}
		preview := f.must(t, "POST", path+"?dryRun=true", validPackage().zip(t), 200, zipped...)
		if preview.get(t, "accepted") != true || preview.get(t, "dryRun") != true || preview.get(t, "objects") != 3.0 || f.journalLength(t) != 2 {
			t.Errorf("preview: %s", preview.body)
		}
		done := f.must(t, "POST", path, validPackage().zip(t), http.StatusCreated, append(zipped, "Idempotency-Key", "import-1")...)
		if done.get(t, "counts", "shareholdingIssued") != 1.0 || done.get(t, "counts", "memberAdded") != 1.0 || done.text(t, "version") != "1.2.0" {
			t.Errorf("import: %s", done.body)
		}
		if !strings.Contains(done.body, `"severity":"warning"`) || !strings.Contains(done.body, "staleChecksum") {
			t.Errorf("the warnings are missing: %s", done.body)
		}
		run(t, []scenario{
			{
				claim: "the cap table has the imported shares", as: f.client, method: "GET", path: f.home + "/captable", status: 200,
				has: []string{`"name":"Ada Lovelace"`, `"outstanding":"600"`, `"invested":"600"`},
			},
			{claim: "the import fills empty profile fields", as: f.client, method: "GET", path: f.home, status: 200, has: []string{`"legalName":"Acme, Inc."`, `"formationDate":"2020-01-01"`}},
			{
				claim: "contact details are shown to the owner", as: f.client, method: "GET", path: f.home + "/member", status: 200,
				has: []string{"ada@private.example"},
			},
			{
				claim: "contact details are absent from the journal", as: f.client, method: "GET", path: f.home + "/journal", status: 200,
				has: []string{"packageImported"}, lacks: []string{"private.example"},
			},
			{
				claim: "a repeated import is refused", as: f.client, method: "POST", path: path, body: validPackage().zip(t),
				headers: zipped, status: 400, has: []string{"packageRefused"},
			},
		})
	})
}

func TestImportAcceptsForms(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.empty(t, "owner@example.com")
	body, kind := validPackage().form(t)
	first := f.must(t, "POST", f.home+"/import", body, http.StatusCreated, "Content-Type", kind, "Idempotency-Key", "k")
	body, kind = validPackage().form(t) // with another form boundary
	again := f.must(t, "POST", f.home+"/import", body, http.StatusCreated, "Content-Type", kind, "Idempotency-Key", "k")
	if again.body != first.body || again.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("the second answer is\n%s\nthe first was\n%s", again.body, first.body)
	}
	single := b.empty(t, "single@example.com")
	body, kind = ocfPackage{"package.zip": validPackage().zip(t)}.form(t)
	single.must(t, "POST", single.home+"/import", body, http.StatusCreated, "Content-Type", kind)
}

//nolint:tparallel // one scenario builds on another
func TestFaultyPackagesAreRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.empty(t, "owner@example.com")
	path, zipped := f.home+"/import", []string{"Content-Type", "application/zip"}
	faulty := validPackage().with(t, `"stakeholder_id":"ada"`, `"stakeholder_id":"eve"`).with(t, `"ocf_version":"1.2.0"`, `"ocf_version":"9.9.9"`).
		with(t, `"class_type":"COMMON"`, `"class_type":"GOLD"`)
	for _, query := range []string{"", "?dryRun=true"} {
		status := map[string]int{"": 400, "?dryRun=true": 200}[query]
		got := f.must(t, "POST", path+query, faulty.zip(t), status, zipped...)
		for _, finding := range []string{
			"danglingReference", "unknownVersion", "/STOCK_CLASS/common/class_type", "/TX_STOCK_ISSUANCE/t1/stakeholder_id",
		} {
			if !strings.Contains(got.body, finding) {
				t.Errorf("%q: %s is missing in %s", query, finding, got.body)
			}
		}
	}
	over := f.must(t, "POST", path, validPackage().with(t, `"quantity":"600"`, `"quantity":"1001"`).zip(t), 400, zipped...)
	if !strings.Contains(over.body, "insufficientShares") || over.text(t, "code") != "packageRefused" {
		t.Errorf("over-issue: %s", over.body)
	}
	form, kind := ocfPackage{"notes.txt": "none"}.form(t)
	strange := strings.ReplaceAll(form, `name="file"`, `name="fil"`)
	run(t, []scenario{
		{
			claim: "an unreadable archive is refused", as: f.client, method: "POST", path: path, body: "PK", headers: zipped, status: 400,
			has: []string{"/file", "unreadable"},
		},
		{
			claim: "a form without a manifest is refused", as: f.client, method: "POST", path: path, body: form,
			headers: []string{"Content-Type", kind}, status: 400, has: []string{"manifestMissing"},
		},
		{
			claim: "an unknown form field is refused", as: f.client, method: "POST", path: path, body: strange,
			headers: []string{"Content-Type", kind}, status: 400, has: []string{"/fil"},
		},
		{claim: "a JSON body is refused", as: f.client, method: "POST", path: path, body: "{}", status: 415},
		{claim: "an empty body is refused", as: f.client, method: "POST", path: path, status: 400},
		{
			claim: "a package above the size limit is refused", as: f.client, method: "POST", path: path,
			body: strings.Repeat("x", 20<<20+1), headers: zipped, status: 413,
		},
	})
	if n := f.journalLength(t); n != 2 {
		t.Errorf("refused packages added %d events", n-2)
	}
	auditor := b.person(t, "auditor@example.com")
	f.join(t, f.home, auditor, "Auditor")
	auditor.must(t, "POST", path, validPackage().zip(t), http.StatusForbidden, zipped...)
}

func TestExportedPackageImportsWithTheSameTotals(t *testing.T) {
	t.Parallel()
	b := setup(t)
	from, to := b.firm(t, "from@example.com"), b.empty(t, "to@example.com")
	from.share(t)
	held := from.issue(t, from.holder(t, "Gail"), "10")
	from.must(t, "POST", from.home+"/shareholding/transfer", `{"shareholding":"`+last(held)+`","to":{"entity":"`+from.holder(t, "Hal")+
		`"},"shares":"4","date":"2026-02-01","kind":"sale"}`, 201)
	packed := from.must(t, "GET", from.home+"/captable?format=ocf", "", 200).body
	to.must(t, "POST", to.home+"/import", packed, http.StatusCreated, "Content-Type", "application/zip")
	got, want := to.must(t, "GET", to.home+"/captable", "", 200), from.must(t, "GET", from.home+"/captable", "", 200)
	for _, field := range []string{"issued", "outstanding", "fullyDiluted", "invested"} {
		if got.text(t, "totals", field) != want.text(t, "totals", field) {
			t.Errorf("%s is %s, want %s", field, got.text(t, "totals", field), want.text(t, "totals", field))
		}
	}
	if len(got.list(t, "holders")) != len(want.list(t, "holders")) {
		t.Errorf("different holders: %s", got.body)
	}
}

// A member invited by address only is named after the local part of the address until the
// invitation is accepted. Exported packages then contain the person's own name.
func TestExportNamesJoinedMemberByTheirOwnName(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		from, to, ada := b.firm(t, "from@example.com"), b.empty(t, "to@example.com"), b.person(t, "countess@example.com")
		_, id := from.invite(t, from.home, "Investor", "countess@example.com").outcome(t)
		member := from.home + "/member/" + id
		invited := from.must(t, "GET", member, "", http.StatusOK)
		held := from.issue(t, invited.text(t, "entity"), "10")
		packed := func() string { return from.must(t, "GET", from.home+"/captable?format=ocf", "", http.StatusOK).body }
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
		ada.must(t, "POST", acceptPath, b.invitedBy(t, "countess@example.com"), http.StatusOK)
		if got := from.must(t, "GET", member, "", http.StatusOK); got.text(t, "fullName") != "Ada Lovelace" {
			t.Errorf("%s", got.body)
		}
		names("Ada Lovelace")
		if got := from.must(t, "GET", held, "", http.StatusOK); got.text(t, "shareholderName") != "countess" {
			t.Errorf("the printed name of issued shares must not change: %s", got.body)
		}
		to.must(t, "POST", to.home+"/import", packed(), http.StatusCreated, "Content-Type", "application/zip")
		if got := to.must(t, "GET", to.home+"/member", "", http.StatusOK); strings.Contains(got.body, `"fullName":"countess"`) {
			t.Errorf("%s", got.body)
		}
	})
}
