package http_test

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

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
			w.body = withID(tb, w.body, map[string]string{"POST": "/organization", "PUT": "/reason"}[d.method], e.id)
		}
	}
	w.body = withID(tb, w.body, pointer, file)
	if strings.HasPrefix(pointer, "/documents/") {
		w.body = withID(tb, w.body, "/documents/0/kind", "plan")
	}
	return w
}

// everything adds a member who has each permission and is no Owner.
func (e *estate) everything(tb testing.TB) *client {
	tb.Helper()
	names := (organization.Permissions(organization.ViewSelf)<<1 - 1).Names()
	e.must(tb, "POST", e.home+"/role", `{"name":"Everything","permissions":["`+strings.Join(names, `","`)+`"]}`, http.StatusCreated)
	return e.member(tb, "everything", "Everything")
}

// restrictedPicture stores a picture in a document that only Owners may read, and returns the id of its file.
func (f *firm) restrictedPicture(tb testing.TB, name string) string {
	tb.Helper()
	stored := f.put(tb, f.home, name, picture+name)
	f.must(tb, "PUT", f.home+"/document/"+textOf(stored, "id")+"/access", `{"mode":"restricted"}`, http.StatusOK)
	return textOf(stored, "file")
}

// TestNamedFilesAreResolvedAsTheCaller names a restricted file in every field of the contract that names a file.
func TestNamedFilesAreResolvedAsTheCaller(t *testing.T) {
	t.Parallel()
	b := setup(t)
	e := b.estate(t, "zenobia")
	secret := e.restrictedPicture(t, "Secret.png")
	other := e.everything(t)
	tried := 0
	for _, d := range b.contract.all() {
		for _, pointer := range d.fileFields() {
			tried++
			founds := d.permission == "session" // a new organization has no files
			if got := e.naming(t, &d, pointer, secret).as(t, e.client); !founds && got.status >= http.StatusMultipleChoices {
				t.Errorf("%s %s by the Owner: %d %s", d.id, pointer, got.status, got.body)
			}
			got := e.naming(t, &d, pointer, secret).as(t, other)
			if got.status != http.StatusBadRequest || !strings.Contains(got.body, `"pointer":"`+pointer+`"`) || !strings.Contains(got.body, "unknownReference") {
				t.Errorf("%s %s by another member: %d %s", d.id, pointer, got.status, got.body)
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
	for _, d := range setup(t).contract.all() {
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

// named makes the records of the firm name a restricted file each.
func (f *firm) named(tb testing.TB) (list []namedFile) {
	tb.Helper()
	for i, use := range f.uses(tb) {
		file := f.restrictedPicture(tb, string(rune('A'+i))+".png")
		got := f.send(tb, use[0], use[1], strings.ReplaceAll(use[2], "{file}", file))
		if got.status >= http.StatusMultipleChoices {
			tb.Fatalf("%s %s: %d %s", use[0], use[1], got.status, got.body)
		}
		one := namedFile{file: file, at: use[1], method: use[0], path: use[1], body: use[2]}
		switch location := got.header.Get("Location"); {
		case use[0] == "PATCH":
			one.body = strings.ReplaceAll(one.body, `"{file}"`, "null")
		case strings.HasSuffix(use[1], "/plan"):
			one.method, one.path, one.at, one.body = "PUT", location, location, `{"name":"Other","documents":[]}`
		case location != "": // a valuation
			one.at = location
			one.body = strings.ReplaceAll(one.body, `"document":"{file}"`, `"id":`+quoted(tb, last(location)))
		default:
			one.body = strings.ReplaceAll(one.body, `"operatingAgreement":{"file":"{file}","date":"2026-01-01"},`, "")
		}
		list = append(list, one)
	}
	return list
}

func TestRecordsOmitFilesThatTheirReadersMayNotRead(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		var files []string
		for _, named := range f.named(t) {
			files = append(files, named.file)
		}
		manager := b.person(t, "manager@example.com")
		f.join(t, f.home, manager, "Manager")
		for _, file := range files {
			manager.must(t, "GET", "/v1/file/"+file+"/content", "", http.StatusNotFound)
			f.must(t, "GET", "/v1/file/"+file+"/content", "", http.StatusOK)
		}
		seen := map[string]bool{}
		for _, path := range []string{
			f.home, f.home + "/plan", f.home + "/option", f.home + "/valuation", f.home + "/shareholding/config", "/v1/incentive/documents",
			"/v1/organization",
			f.home + "/journal?limit=200", f.home + "/journal/proof", f.home + "/captable?format=ocf", "/v1/captable/" + f.id + "/dashboard",
		} {
			owners, others := f.must(t, "GET", path, "", http.StatusOK), manager.must(t, "GET", path, "", http.StatusOK)
			for _, file := range files {
				seen[file] = seen[file] || strings.Contains(owners.body, file)
				if strings.Contains(others.body, file) {
					t.Errorf("%s names %s: %s", path, file, others.body)
				}
			}
			if strings.HasSuffix(path, "proof") {
				if header, err := messages.CheckProof(strings.NewReader(others.body)); err != nil || header.Unproven != 0 {
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
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	named := f.named(t)
	manager := b.person(t, "manager@example.com")
	f.join(t, f.home, manager, "Manager")
	for _, one := range named {
		if preview := manager.send(t, one.method, one.path+"?dryRun=true", one.body); strings.Contains(preview.body, one.file) {
			t.Errorf("the preview of %s %s names the file: %s", one.method, one.path, preview.body)
		}
		got := manager.send(t, one.method, one.path, one.body)
		if got.status >= http.StatusMultipleChoices || strings.Contains(got.body, one.file) {
			t.Errorf("%s %s: %d %s", one.method, one.path, got.status, got.body)
		}
		if shown := f.must(t, "GET", one.at, "", http.StatusOK); !strings.Contains(shown.body, one.file) {
			t.Errorf("%s %s removed the file: %s", one.method, one.path, shown.body)
		}
	}
}

func TestNamedFileKeepsTheConditionsOfItsDocument(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	holder := b.person(t, "holder@example.com")
	f.join(t, f.home, holder, "Guest")
	document := f.put(t, f.home, "Plan.png", picture)
	plan := f.plan(t, "2026", "1000", `"documents":[{"kind":"plan","file":"`+textOf(document, "file")+`"}]`)
	f.option(t, plan.header.Get("Location"), holder.holder, "10", "")
	content := "/v1/file/" + textOf(document, "file") + "/content"
	holder.must(t, "GET", content, "", http.StatusOK)
	access := f.home + "/document/" + textOf(document, "id") + "/access"
	f.must(t, "PUT", access, `{"mode":"inherit","download":false}`, http.StatusOK)
	if got := holder.must(t, "GET", content, "", http.StatusConflict); got.text(t, "code") != "displayOnly" {
		t.Error(got.body)
	}
	holder.must(t, "GET", content+"/Plan.png", "", http.StatusOK)
	f.must(t, "PUT", access, `{"mode":"restricted"}`, http.StatusOK)
	holder.must(t, "GET", content+"/Plan.png", "", http.StatusNotFound)
}
