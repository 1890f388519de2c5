package http_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/http/apitest"
	"equity/messages"
	"equity/organization"
)

// namesFile reports whether a field names a file of the organization.
func namesFile(field *openapi3.Schema) bool { return field.Extensions["x-file"] == true }

// fileFields returns the pointers to the fields of the operation's body that name files.
func (d *declared) fileFields() []string {
	if d.json() == nil {
		return nil
	}
	return slices.Compact(slices.Sorted(slices.Values(
		fieldsIn(d.json().Schema, "", map[*openapi3.Schema]bool{}, namesFile))))
}

// naming returns the example of the operation with the file in the field. Fields of options need an option.
func (e *estate) naming(tb testing.TB, d *declared, pointer, file string) *wish {
	tb.Helper()
	w := e.wish(tb, d)
	if pointer == "/agreement" {
		for _, p := range d.parameters {
			if p.Name == "holding" {
				w.path = strings.Replace(w.path, e.record(tb, d, p), e.ids["releaseOption.option"], 1)
			}
		}
		w.body = "{}"
		if d.method != "PATCH" {
			w.body = e.fill(`{"kind":"option","entity":"{entity}","plan":"{plan}","pool":"{pool}","issueDate":"2024-01-01","quantity":"100","type":"rsu"}`)
			w.body = withID(tb, w.body, map[string]string{"POST": "/organization", "PUT": "/reason"}[d.method], e.ID)
		}
	}
	w.body = withID(tb, w.body, pointer, file)
	if strings.HasPrefix(pointer, "/documents/") {
		w.body = withID(tb, w.body, "/documents/0/kind", "plan")
	}
	return w
}

// everything adds a member who has each permission and is no Owner.
func (e *estate) everything(tb testing.TB) *apitest.Client {
	tb.Helper()
	names := (organization.Permissions(organization.ViewSelf)<<1 - 1).Names()
	e.Must(tb, "POST", e.Home+"/role", `{"name":"Everything","permissions":["`+strings.Join(names, `","`)+`"]}`, http.StatusCreated)
	return e.member(tb, "everything", "Everything")
}

// restrictedPicture stores a picture in a document that only Owners may read, and returns the id of its file.
func restrictedPicture(tb testing.TB, f *apitest.Firm, name string) string {
	tb.Helper()
	stored := f.PutDocument(tb, f.Home, name, apitest.Picture+name)
	f.Must(tb, "PUT", f.Home+"/document/"+apitest.TextOf(stored, "id")+"/access", `{"mode":"restricted"}`, http.StatusOK)
	return apitest.TextOf(stored, "file")
}

// TestNamedFilesAreResolvedAsTheCaller names a restricted file in every field of the contract that names a file.
func TestNamedFilesAreResolvedAsTheCaller(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	e := newEstate(t, b, "zenobia")
	secret := restrictedPicture(t, e.Firm, "Secret.png")
	other := e.everything(t)
	tried := 0
	for _, d := range declaredOperations(b.Contract) {
		for _, pointer := range d.fileFields() {
			tried++
			founds := d.permission == "session" // a new organization has no files
			if got := e.naming(t, &d, pointer, secret).as(t, e.Client); !founds && got.Status >= http.StatusMultipleChoices {
				t.Errorf("%s %s by the Owner: %d %s", d.id, pointer, got.Status, got.Body)
			}
			got := e.naming(t, &d, pointer, secret).as(t, other)
			if got.Status != http.StatusBadRequest || !strings.Contains(got.Body, `"pointer":"`+pointer+`"`) || !strings.Contains(got.Body, "unknownReference") {
				t.Errorf("%s %s by another member: %d %s", d.id, pointer, got.Status, got.Body)
			}
		}
	}
	if tried == 0 {
		t.Error("the contract marks no field with x-file")
	}
}

// TestFieldsThatNameFilesAreMarked compares the descriptions of the contract with its marks.
func TestFieldsThatNameFilesAreMarked(t *testing.T) {
	t.Parallel()
	described := regexp.MustCompile(`(?i)^(the file\b|the id of an? (file|image|document)\b)`)
	for _, d := range declaredOperations(apitest.Setup(t).Contract) {
		if d.body == nil || d.body.Content["application/json"] == nil {
			continue
		}
		unmarked := func(field *openapi3.Schema) bool {
			return described.MatchString(field.Description) && field.Extensions["x-file"] == nil && field.Format != "binary"
		}
		for _, pointer := range fieldsIn(d.body.Content["application/json"].Schema, "", map[*openapi3.Schema]bool{}, unmarked) {
			t.Errorf("%s %s: mark the field with x-file", d.id, pointer)
		}
	}
}

// namedFile is a record that names a restricted file, and a request that replaces the record without the file.
type namedFile struct {
	file, at           string
	method, path, body string
}

// namedFiles makes the records of the firm name a restricted file each.
func namedFiles(tb testing.TB, f *apitest.Firm) (list []namedFile) {
	tb.Helper()
	for i, use := range fileUses(tb, f) {
		file := restrictedPicture(tb, f, string(rune('A'+i))+".png")
		got := f.Send(tb, use[0], use[1], strings.ReplaceAll(use[2], "{file}", file))
		if got.Status >= http.StatusMultipleChoices {
			tb.Fatalf("%s %s: %d %s", use[0], use[1], got.Status, got.Body)
		}
		one := namedFile{file: file, at: use[1], method: use[0], path: use[1], body: use[2]}
		switch location := got.Header.Get("Location"); {
		case use[0] == "PATCH":
			one.body = strings.ReplaceAll(one.body, `"{file}"`, "null")
		case strings.HasSuffix(use[1], "/plan"):
			one.method, one.path, one.at, one.body = "PUT", location, location, `{"name":"Other","documents":[]}`
		case location != "": // a valuation
			one.at = location
			one.body = strings.ReplaceAll(one.body, `"document":"{file}"`, `"id":`+apitest.Quoted(tb, apitest.IDOf(location)))
		default:
			one.body = strings.ReplaceAll(one.body, `"operatingAgreement":{"file":"{file}","date":"2026-01-01"},`, "")
		}
		list = append(list, one)
	}
	return list
}

func TestRecordsOmitFilesThatTheirReadersMayNotRead(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		var files []string
		for _, named := range namedFiles(t, f) {
			files = append(files, named.file)
		}
		manager := b.NewPerson(t, "manager@example.com")
		f.Join(t, f.Home, manager, "Manager")
		for _, file := range files {
			manager.Must(t, "GET", "/v1/file/"+file+"/content", "", http.StatusNotFound)
			f.Must(t, "GET", "/v1/file/"+file+"/content", "", http.StatusOK)
		}
		seen := map[string]bool{}
		for _, path := range []string{
			f.Home, f.Home + "/plan", f.Home + "/option", f.Home + "/valuation", f.Home + "/shareholding/config", "/v1/incentive/documents",
			"/v1/organization",
			f.Home + "/journal?limit=200", f.Home + "/journal/proof", f.Home + "/captable?format=ocf", "/v1/captable/" + f.ID + "/dashboard",
		} {
			owners, others := f.Must(t, "GET", path, "", http.StatusOK), manager.Must(t, "GET", path, "", http.StatusOK)
			for _, file := range files {
				seen[file] = seen[file] || strings.Contains(owners.Body, file)
				if strings.Contains(others.Body, file) {
					t.Errorf("%s names %s: %s", path, file, others.Body)
				}
			}
			if strings.HasSuffix(path, "proof") {
				if header, err := messages.CheckProof(strings.NewReader(others.Body)); err != nil || header.Unproven != 0 {
					t.Errorf("%+v %v", header, err)
				}
			}
		}
		for i, file := range files {
			if !seen[file] {
				t.Errorf("the owner does not see file %d", i)
			}
		}
	})
}

func TestReplacementKeepsFilesThatItsAuthorDoesNotSee(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	named := namedFiles(t, f)
	manager := b.NewPerson(t, "manager@example.com")
	f.Join(t, f.Home, manager, "Manager")
	for _, one := range named {
		if preview := manager.Send(t, one.method, one.path+"?dryRun=true", one.body); strings.Contains(preview.Body, one.file) {
			t.Errorf("the preview of %s %s names the file: %s", one.method, one.path, preview.Body)
		}
		got := manager.Send(t, one.method, one.path, one.body)
		if got.Status >= http.StatusMultipleChoices || strings.Contains(got.Body, one.file) {
			t.Errorf("%s %s: %d %s", one.method, one.path, got.Status, got.Body)
		}
		if shown := f.Must(t, "GET", one.at, "", http.StatusOK); !strings.Contains(shown.Body, one.file) {
			t.Errorf("%s %s removed the file: %s", one.method, one.path, shown.Body)
		}
	}
}

func TestNamedFileKeepsTheConditionsOfItsDocument(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	holder := b.NewPerson(t, "holder@example.com")
	f.Join(t, f.Home, holder, "Guest")
	document := f.PutDocument(t, f.Home, "Plan.png", apitest.Picture)
	plan := f.NewPlan(t, "2026", "1000", `"documents":[{"kind":"plan","file":"`+apitest.TextOf(document, "file")+`"}]`)
	f.GrantOption(t, plan.Header.Get("Location"), holder.Holder, "10", "")
	content := "/v1/file/" + apitest.TextOf(document, "file") + "/content"
	holder.Must(t, "GET", content, "", http.StatusOK)
	access := f.Home + "/document/" + apitest.TextOf(document, "id") + "/access"
	f.Must(t, "PUT", access, `{"mode":"inherit","download":false}`, http.StatusOK)
	if got := holder.Must(t, "GET", content, "", http.StatusConflict); got.Text(t, "code") != "displayOnly" {
		t.Error(got.Body)
	}
	holder.Must(t, "GET", content+"/Plan.png", "", http.StatusOK)
	f.Must(t, "PUT", access, `{"mode":"restricted"}`, http.StatusOK)
	holder.Must(t, "GET", content+"/Plan.png", "", http.StatusNotFound)
}
