package http_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	equityhttp "equity/http"
	"equity/http/apitest"
	"equity/persistence/blob"
)

// The first bytes of files determine their types.
const (
	pngHead = "\x89PNG\r\n\x1a\n"
	pdfHead = "%PDF-1.7\n"
)

// putProfileFile uploads a file of the client's own profile and returns its answer.
func putProfileFile(tb testing.TB, c *apitest.Client, query, name, content string) apitest.Answer {
	tb.Helper()
	return c.Upload(
		tb, "/v1/profile/"+c.User.Entity.String()+"/file"+query, http.StatusCreated, []apitest.File{{Name: name, Content: content}},
	)
}

// contentPath returns the path of the content of an uploaded file.
func contentPath(tb testing.TB, uploaded apitest.Answer) string {
	tb.Helper()
	return "/v1/file/" + uploaded.Text(tb, "id") + "/content"
}

func TestPersonStoresAPhoto(t *testing.T) {
	t.Parallel()
	ada := apitest.Setup(t).NewPerson(t, "ada@example.com")
	own := "/v1/profile/" + ada.User.Entity.String()
	made := putProfileFile(t, ada, "?photo=true", "me.jpg", pngHead+"pixels")
	if made.Text(t, "mediaType") != "image/png" || made.Text(t, "profile") != ada.User.Entity.String() || made.Header.Get("Location") != contentPath(t, made) {
		t.Errorf("%v %s", made.Header, made.Body)
	}
	if got := ada.Must(t, "GET", own, "", http.StatusOK); got.Text(t, "photo") != made.Text(t, "id") {
		t.Errorf("%s", got.Body)
	}
	content := ada.Must(t, "GET", contentPath(t, made)+"/me.png", "", http.StatusOK)
	if content.Body != pngHead+"pixels" || !strings.HasPrefix(content.Header.Get("Content-Disposition"), "inline") {
		t.Errorf("%q %v", content.Body, content.Header)
	}
	part := ada.Must(t, "GET", contentPath(t, made), "", http.StatusPartialContent, "Range", "bytes=1-3")
	if part.Body != "PNG" {
		t.Errorf("%q", part.Body)
	}
	ada.Must(t, "DELETE", contentPath(t, made), `{"reason":"old"}`, http.StatusNoContent)
	ada.Must(t, "GET", contentPath(t, made), "", http.StatusNotFound)
	if got := ada.Must(t, "GET", own, "", http.StatusOK); strings.Contains(got.Body, "photo") {
		t.Errorf("the deleted photo remains: %s", got.Body)
	}
}

func TestReadersOfAProfileSeeItsPhotoOnly(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner.photo@example.com")
	viewer, stranger := b.NewPerson(t, "viewer.photo@example.com"), b.NewPerson(t, "stranger.photo@example.com")
	f.Join(t, f.Home, viewer, "Legal")
	photo, paper := putProfileFile(t, f.Client, "?photo=true", "me.png", pngHead), putProfileFile(t, f.Client, "", "passport.pdf", pdfHead)
	viewer.Must(t, "GET", contentPath(t, photo), "", http.StatusOK)
	viewer.Must(t, "GET", contentPath(t, paper), "", http.StatusNotFound)
	viewer.Must(t, "DELETE", contentPath(t, photo), `{"reason":"x"}`, http.StatusForbidden)
	for _, file := range []apitest.Answer{photo, paper} {
		stranger.Must(t, "GET", contentPath(t, file), "", http.StatusNotFound)
		stranger.Must(t, "DELETE", contentPath(t, file), `{"reason":"x"}`, http.StatusNotFound)
		f.Must(t, "GET", contentPath(t, file), "", http.StatusOK)
	}
	stranger.Upload(
		t, "/v1/profile/"+f.User.Entity.String()+"/file", http.StatusNotFound, []apitest.File{{Name: "me.png", Content: pngHead}},
	)
}

func TestOnlyImagesAndPDFAreFilesOfProfiles(t *testing.T) {
	t.Parallel()
	c := apitest.Setup(t).NewPerson(t, "ada.types@example.com")
	path := "/v1/profile/" + c.User.Entity.String() + "/file"
	for name, test := range map[string]struct {
		query  string
		files  []apitest.File
		status int
		code   string
	}{
		"HTML named as an image": {"", []apitest.File{{Name: "me.png", Content: "<html><script>alert(1)</script>"}}, http.StatusBadRequest, "unsupportedFileExtension"},
		"SVG":                    {"", []apitest.File{{Name: "me.svg", Content: `<svg xmlns="http://www.w3.org/2000/svg"/>`}}, http.StatusBadRequest, "unsupportedFileExtension"},
		"PDF as a photo":         {"?photo=true", []apitest.File{{Name: "me.pdf", Content: pdfHead}}, http.StatusBadRequest, "unsupportedFileExtension"},
		"two files":              {"", []apitest.File{{Name: "a.png", Content: pngHead}, {Name: "b.png", Content: pngHead}}, http.StatusBadRequest, "missingFileArgument"},
		"empty file":             {"", []apitest.File{{Name: "a.png", Content: ""}}, http.StatusBadRequest, "unsupportedFileExtension"},
		"too large":              {"", []apitest.File{{Name: "a.png", Content: pngHead + strings.Repeat("x", apitest.FileLimit)}}, http.StatusRequestEntityTooLarge, "tooLarge"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.Copy().Upload(t, path+test.query, test.status, test.files); !strings.Contains(got.Body, test.code) {
				t.Errorf("%s", got.Body)
			}
		})
	}
}

func TestPhotoIsAnImageOfTheProfile(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada, bob := b.NewPerson(t, "ada.image@example.com"), b.NewPerson(t, "bob.image@example.com")
	own := "/v1/profile/" + ada.User.Entity.String()
	image, paper, foreign := putProfileFile(t, ada, "", "a.png", pngHead), putProfileFile(t, ada, "", "a.pdf", pdfHead), putProfileFile(t, bob, "", "b.png", pngHead)
	for _, wrong := range []apitest.Answer{paper, foreign} {
		got := ada.Must(t, "PATCH", own, `{"photo":"`+wrong.Text(t, "id")+`"}`, http.StatusBadRequest)
		if !strings.Contains(got.Body, `"/photo","code":"unknownReference"`) {
			t.Errorf("%s", got.Body)
		}
	}
	ada.Must(t, "PATCH", own, `{"photo":"`+image.Text(t, "id")+`"}`, http.StatusOK)
	if got := ada.Must(t, "PATCH", own, `{"photo":null}`, http.StatusOK); strings.Contains(got.Body, "photo") {
		t.Errorf("%s", got.Body)
	}
}

func TestRepeatedUploadToAProfileIsOneFile(t *testing.T) {
	t.Parallel()
	c := apitest.Setup(t).NewPerson(t, "ada.twice@example.com")
	path, key := "/v1/profile/"+c.User.Entity.String()+"/file", []string{"Idempotency-Key", "one-photo"}
	body, kind := apitest.Form(t, []apitest.File{{Name: "me.png", Content: pngHead}})
	first := c.Must(t, "POST", path, body, http.StatusCreated, append(key, "Content-Type", kind)...)
	again := c.Must(t, "POST", path, body, http.StatusCreated, append(key, "Content-Type", kind)...)
	if again.Body != first.Body {
		t.Errorf("%s is not %s", again.Body, first.Body)
	}
	other, kind := apitest.Form(t, []apitest.File{{Name: "me.png", Content: pngHead + "2"}})
	c.Must(t, "POST", path, other, http.StatusConflict, append(key, "Content-Type", kind)...)
	if got := c.Must(t, "GET", "/v1/user/data", "", http.StatusOK); strings.Count(got.Body, `"mediaType":"image/png"`) != 1 {
		t.Errorf("%s", got.Body)
	}
}

// scanResult is a scanner with one result.
type scanResult struct {
	malware string
	err     error
}

func (v scanResult) Scan(context.Context, io.Reader) (string, error) { return v.malware, v.err }

func TestFilesOfProfilesAreScannedBeforeTheyAreStored(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		scanner scanResult
		status  int
		has     string
	}{
		"clean":        {scanResult{}, http.StatusCreated, `"scan":"clean"`},
		"infected":     {scanResult{malware: "Eicar"}, http.StatusConflict, `"code":"infected"`},
		"scanner down": {scanResult{err: errors.New("no answer")}, http.StatusServiceUnavailable, `"code":"unavailable"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Documents.Scanner = test.scanner }).NewPerson(t, "ada@example.com")
			got := c.Upload(
				t, "/v1/profile/"+c.User.Entity.String()+"/file", test.status, []apitest.File{{Name: "me.png", Content: pngHead}},
			)
			if !strings.Contains(got.Body, test.has) {
				t.Errorf("%s", got.Body)
			}
		})
	}
}

func TestRefusedFileOfAProfileStoresNoBytes(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	for i := range 100 {
		putProfileFile(t, ada, "", "a.png", pngHead+strconv.Itoa(i))
	}
	objects := func() (number int) {
		if err := b.Objects.List(t.Context(), "", func(blob.Object) error { number++; return nil }); err != nil {
			t.Fatal(err)
		}
		return number
	}
	before := objects()
	ada.Upload(
		t, "/v1/profile/"+ada.User.Entity.String()+"/file", http.StatusConflict, []apitest.File{{Name: "b.png", Content: pngHead + "more"}},
	)
	if after := objects(); after != before || before != 100 {
		t.Errorf("%d objects before the refusal, %d after it", before, after)
	}
}
