package http_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"equity/confine/confinetest"
	httpdocument "equity/http/document"
	"equity/http/document/stamp"
	room "equity/organization/document"
	"equity/persistence"
	"equity/persistence/blob"
	"equity/persistence/storetest"
)

// fileLimit is the maximum size of a document in tests.
const fileLimit = 1 << 20

// storageLimit bounds the files of an organization in tests.
const storageLimit = 8 << 20

func newObjects(tb testing.TB) *blob.Folder {
	tb.Helper()
	objects, err := blob.OpenFolder(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	storetest.Cleanup(tb, func() { _ = objects.Close() })
	return objects
}

func roomServices(tb testing.TB, b *bundle) httpdocument.Services {
	tb.Helper()
	return httpdocument.Services{
		Objects: blob.NewGuarded(b.objects), Records: persistence.NewDocuments(b.db), Secrets: persistence.NewSealed(b.db), Users: b.users,
		Stamper: stamp.NewStamper(confinetest.Runner(stamp.Work())), Suite: newSuite(tb, b), Answers: persistence.NewAnswers(b.db),
		Settings: httpdocument.Settings{FileLimit: fileLimit, DocumentLimit: fileLimit, StorageLimit: storageLimit, Scan: room.ScanNone},
	}
}

// upload is a file of a form.
type upload struct{ name, content string }

// form returns a form with files and fields, which are names and values in turn.
func form(tb testing.TB, files []upload, fields ...string) (body, kind string) {
	tb.Helper()
	var packed bytes.Buffer
	w := multipart.NewWriter(&packed)
	for i := 0; i < len(fields); i += 2 {
		if err := w.WriteField(fields[i], fields[i+1]); err != nil {
			tb.Fatal(err)
		}
	}
	for _, file := range files {
		part, err := w.CreateFormFile("file", file.name)
		if err == nil {
			_, err = part.Write([]byte(file.content))
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return packed.String(), w.FormDataContentType()
}

// store uploads the form to the path and requires the status.
func (c *client) store(tb testing.TB, path string, status int, files []upload, fields ...string) answer {
	tb.Helper()
	body, kind := form(tb, files, fields...)
	return c.must(tb, "POST", path, body, status, "Content-Type", kind)
}

// put uploads one document and returns its record.
func (c *client) put(tb testing.TB, home, name, content string, fields ...string) map[string]any {
	tb.Helper()
	list := c.store(tb, home+"/document", http.StatusCreated, []upload{{name, content}}, fields...).list(tb, "data")
	record, _ := list[0].(map[string]any)
	return record
}

// folder creates a folder and returns its id. The parent is an id, or empty for the root.
func (c *client) folder(tb testing.TB, home, name, parent string) string {
	tb.Helper()
	above := "null"
	if parent != "" {
		above = quoted(tb, parent)
	}
	return c.must(tb, "POST", home+"/folder", `{"name":`+quoted(tb, name)+`,"parentFolder":`+above+`}`, http.StatusCreated).text(tb, "id")
}

// filed stores a file for a record and returns its id.
func (f *firm) filed(tb testing.TB) string {
	tb.Helper()
	return f.store(tb, f.home+"/file", http.StatusCreated, []upload{{"Seal.png", picture}}).text(tb, "id")
}

// picture begins as PNG files do.
const picture = "\x89PNG\r\n\x1a\n"

func textOf(record map[string]any, name string) string {
	text, _ := record[name].(string)
	return text
}

// documents fills the data room of the estate.
func (e *estate) documents(tb testing.TB) {
	tb.Helper()
	e.ids["document"] = textOf(e.put(tb, e.home, e.name+".txt", e.name), "id")
	e.ids["parentFolder"] = e.folder(tb, e.home, e.name+" folder", "")
	deleted := e.folder(tb, e.home, e.name+" deleted", "")
	e.must(tb, "DELETE", e.home+"/document/"+deleted, "", http.StatusNoContent)
	e.ids["restoreDocument.document"] = deleted
	e.ids["file"] = e.store(tb, e.home+"/file", http.StatusCreated, []upload{{e.name + ".png", "png"}}).text(tb, "id")
	e.ids["share"] = e.must(tb, "POST", e.home+"/document/"+e.ids["document"]+"/share", `{"email":"`+e.name+`.auditor@example.com"}`, http.StatusCreated).text(tb, "id")
	e.ids["getSharedContentNamed.name"] = "Plan.txt"
	e.ids["getFileContentNamed.name"], e.ids["getDocumentContentNamed.name"] = "Plan.txt", "Plan.txt"
}

// exchange shares the document at the path, opens the share, and ends it.
func (f *firm) exchange(t *testing.T, at string) {
	t.Helper()
	share := f.must(t, "POST", at+"/share", `{"email":"auditor@example.com","watermark":false,"download":true}`, http.StatusCreated)
	guest, cookie := f.anonymous(), f.opens(t, share)
	content := "/v1/share/" + share.text(t, "id") + "/content"
	guest.must(t, "GET", content, "", http.StatusOK, "Cookie", cookie)
	guest.must(t, "GET", content+"/Plan.txt", "", http.StatusOK, "Cookie", cookie)
	f.must(t, "GET", at+"/share", "", http.StatusOK)
	f.must(t, "DELETE", at+"/share/"+share.text(t, "id"), "", http.StatusNoContent)
}

// opens requests the code of a share with the auditor, enters it, and returns the cookie.
func (b *bundle) opens(tb testing.TB, share answer) string {
	tb.Helper()
	guest, token := b.anonymous(), quoted(tb, tokenOf(tb, share))
	guest.must(tb, "POST", "/v1/share/code", `{"token":`+token+`}`, http.StatusOK)
	opened := guest.must(tb, "POST", "/v1/share/open", `{"token":`+token+`,"code":"`+b.shareCode(tb)+`"}`, http.StatusOK)
	cookie, _, _ := strings.Cut(opened.header.Get("Set-Cookie"), ";")
	return cookie
}

// tokenOf returns the token in the address of a share.
func tokenOf(tb testing.TB, share answer) string {
	tb.Helper()
	_, token, found := strings.Cut(share.text(tb, "url"), "/share/")
	if !found {
		tb.Fatalf("no address: %s", share.body)
	}
	return token
}

// shareCode returns the code in the last mail to the auditor.
func (b *bundle) shareCode(tb testing.TB) string {
	tb.Helper()
	code := regexp.MustCompile(`(?m)^[0-9]{6}$`).FindString(b.newest(tb, auditor).Text)
	if code == "" {
		tb.Fatal("the mail has no code")
	}
	return code
}

// fill is the part of the story about the data room.
func (f *firm) fill(t *testing.T) {
	t.Helper()
	folder := f.folder(t, f.home, "Legal", "")
	plan := f.put(t, f.home, "Plan.txt", "First", "parentFolder", folder)
	f.store(t, f.home+"/document/many", http.StatusCreated, []upload{{"A.txt", "A"}, {"B.txt", "B"}})
	at := f.home + "/document/" + textOf(plan, "id")
	f.must(t, "GET", f.home+"/document", "", http.StatusOK)
	f.must(t, "GET", at+"/content", "", http.StatusOK)
	f.must(t, "GET", at+"/content/Plan.txt", "", http.StatusOK)
	f.must(t, "GET", at+"/version", "", http.StatusOK)
	f.must(t, "GET", at+"/view", "", http.StatusOK)
	f.exchange(t, at)
	f.must(t, "POST", at+"/move", `{"name":"Old.txt","parentFolder":null}`, http.StatusOK)
	f.must(t, "PUT", at+"/access", `{"mode":"restricted","roles":["Auditor"],"download":true}`, http.StatusOK)
	f.must(t, "DELETE", at, "", http.StatusNoContent)
	f.must(t, "POST", at+"/restore", "", http.StatusOK)
	f.profileFile(t, "?photo=true", "me.png", pngHead)
	suite := f.firm(t, "suite@example.com").inOfficeSuite(t)
	at = suite.home + "/document/" + textOf(suite.put(t, suite.home, "Plan.txt", "x"), "id")
	suite.must(t, "GET", at+"/preview", "", http.StatusOK)
	file := "/v1/file/" + f.store(t, f.home+"/file", http.StatusCreated, []upload{{"logo.png", "png"}}).text(t, "id")
	f.must(t, "GET", file+"/content", "", http.StatusOK)
	f.must(t, "GET", file+"/content/logo.png", "", http.StatusOK)
	f.must(t, "DELETE", file+"/content", `{"reason":"Uploaded by mistake."}`, http.StatusNoContent)
}
