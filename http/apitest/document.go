package apitest

import (
	"bytes"
	"log/slog"
	"mime/multipart"
	"net/http"
	"testing"
	"time"

	"equity/actors/consumer"
	"equity/actors/office"
	"equity/actors/office/officetest"
	"equity/app"
	"equity/confine/confinetest"
	httpdocument "equity/http/document"
	"equity/http/document/stamp"
	"equity/persistence"
	"equity/persistence/blob"
	"equity/persistence/storetest"
)

// FileLimit is the maximum size of a document in tests.
const FileLimit = 1 << 20

// StorageLimit bounds the files of an organization in tests.
const StorageLimit = 8 << 20

// newObjects returns a store of files in a temporary folder.
func newObjects(tb testing.TB) *blob.Folder {
	tb.Helper()
	objects, err := blob.OpenFolder(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	storetest.Cleanup(tb, func() { _ = objects.Close() })
	return objects
}

// documentServices returns the services of the data room.
func documentServices(tb testing.TB, b *Server, rooms []app.Feature) httpdocument.Services {
	tb.Helper()
	services := httpdocument.Services{
		Objects: blob.NewGuarded(b.Objects), Records: persistence.NewDocuments(b.DB), Secrets: persistence.NewSealed(b.DB), Users: b.Users,
		Stamper: stamp.NewStamper(confinetest.Runner(stamp.Work())), Suite: newSuite(tb, b), Answers: persistence.NewAnswers(b.DB),
		Settings: httpdocument.Settings{FileLimit: FileLimit, DocumentLimit: FileLimit, StorageLimit: StorageLimit, Scan: initialScan(rooms)},
	}
	for _, feature := range rooms {
		if feature.Scanner != nil {
			services.Scanner = feature.Scanner
		}
	}
	return services
}

// File is a file of a form.
type File struct{ Name, Content string }

// Form returns a form with files and fields, which are names and values in turn.
func Form(tb testing.TB, files []File, fields ...string) (body, kind string) {
	tb.Helper()
	var packed bytes.Buffer
	w := multipart.NewWriter(&packed)
	for i := 0; i < len(fields); i += 2 {
		if err := w.WriteField(fields[i], fields[i+1]); err != nil {
			tb.Fatal(err)
		}
	}
	for _, file := range files {
		part, err := w.CreateFormFile("file", file.Name)
		if err == nil {
			_, err = part.Write([]byte(file.Content))
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

// Upload uploads the form to the path and requires the status.
func (c *Client) Upload(tb testing.TB, path string, status int, files []File, fields ...string) Answer {
	tb.Helper()
	body, kind := Form(tb, files, fields...)
	return c.Must(tb, "POST", path, body, status, "Content-Type", kind)
}

// PutDocument uploads one document and returns its record.
func (c *Client) PutDocument(tb testing.TB, home, name, content string, fields ...string) map[string]any {
	tb.Helper()
	list := c.Upload(tb, home+"/document", http.StatusCreated, []File{{name, content}}, fields...).List(tb, "data")
	record, _ := list[0].(map[string]any)
	return record
}

// NewFolder creates a folder and returns its id. The parent is an id, or empty for the root.
func (c *Client) NewFolder(tb testing.TB, home, name, parent string) string {
	tb.Helper()
	above := "null"
	if parent != "" {
		above = Quoted(tb, parent)
	}
	return c.Must(tb, "POST", home+"/folder", `{"name":`+Quoted(tb, name)+`,"parentFolder":`+above+`}`, http.StatusCreated).Text(tb, "id")
}

// StoreFile stores a file for a record and returns its id.
func (f *Firm) StoreFile(tb testing.TB) string {
	tb.Helper()
	return f.Upload(tb, f.Home+"/file", http.StatusCreated, []File{{"Seal.png", Picture}}).Text(tb, "id")
}

// Picture begins as PNG files do.
const Picture = "\x89PNG\r\n\x1a\n"

// NewCertificates returns the certificates in the store.
func NewCertificates(store blob.Store, now func() time.Time, log *slog.Logger) *blob.Certificates {
	return blob.NewCertificates(blob.CertificateOptions{Store: store, Key: []byte("the key of the certificates"), Now: now, Log: log})
}

// newSuite returns the office suite of a test, which calls a fake.
func newSuite(tb testing.TB, b *Server) httpdocument.Suite {
	tb.Helper()
	b.Office = officetest.New(tb)
	client := office.NewClient(b.Office.App(), consumer.NewBreakers(b.Clock.Now), b.Clock.Now, b.pause)
	return office.NewEngine(client, persistence.NewOfficeItems(b.DB), NewID)
}
