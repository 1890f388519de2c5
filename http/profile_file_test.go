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
	"equity/persistence/blob"
)

// The first bytes of files determine their types.
const (
	pngHead = "\x89PNG\r\n\x1a\n"
	pdfHead = "%PDF-1.7\n"
)

// profileFile uploads a file of the client's own profile and returns its answer.
func (c *client) profileFile(tb testing.TB, query, name, content string) answer {
	tb.Helper()
	return c.store(tb, "/v1/profile/"+c.user.Entity.String()+"/file"+query, http.StatusCreated, []upload{{name, content}})
}

// contentPath returns the path of the content of an uploaded file.
func contentPath(tb testing.TB, uploaded answer) string {
	tb.Helper()
	return "/v1/file/" + uploaded.text(tb, "id") + "/content"
}

func TestPersonStoresAPhoto(t *testing.T) {
	t.Parallel()
	ada := setup(t).person(t, "ada@example.com")
	own := "/v1/profile/" + ada.user.Entity.String()
	made := ada.profileFile(t, "?photo=true", "me.jpg", pngHead+"pixels")
	if made.text(t, "mediaType") != "image/png" || made.text(t, "profile") != ada.user.Entity.String() || made.header.Get("Location") != contentPath(t, made) {
		t.Errorf("%v %s", made.header, made.body)
	}
	if got := ada.must(t, "GET", own, "", http.StatusOK); got.text(t, "photo") != made.text(t, "id") {
		t.Errorf("%s", got.body)
	}
	content := ada.must(t, "GET", contentPath(t, made)+"/me.png", "", http.StatusOK)
	if content.body != pngHead+"pixels" || !strings.HasPrefix(content.header.Get("Content-Disposition"), "inline") {
		t.Errorf("%q %v", content.body, content.header)
	}
	part := ada.must(t, "GET", contentPath(t, made), "", http.StatusPartialContent, "Range", "bytes=1-3")
	if part.body != "PNG" {
		t.Errorf("%q", part.body)
	}
	ada.must(t, "DELETE", contentPath(t, made), `{"reason":"old"}`, http.StatusNoContent)
	ada.must(t, "GET", contentPath(t, made), "", http.StatusNotFound)
	if got := ada.must(t, "GET", own, "", http.StatusOK); strings.Contains(got.body, "photo") {
		t.Errorf("the deleted photo remains: %s", got.body)
	}
}

func TestReadersOfAProfileSeeItsPhotoOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner.photo@example.com")
	viewer, stranger := b.person(t, "viewer.photo@example.com"), b.person(t, "stranger.photo@example.com")
	f.join(t, f.home, viewer, "Legal")
	photo, paper := f.profileFile(t, "?photo=true", "me.png", pngHead), f.profileFile(t, "", "passport.pdf", pdfHead)
	viewer.must(t, "GET", contentPath(t, photo), "", http.StatusOK)
	viewer.must(t, "GET", contentPath(t, paper), "", http.StatusNotFound)
	viewer.must(t, "DELETE", contentPath(t, photo), `{"reason":"x"}`, http.StatusForbidden)
	for _, file := range []answer{photo, paper} {
		stranger.must(t, "GET", contentPath(t, file), "", http.StatusNotFound)
		stranger.must(t, "DELETE", contentPath(t, file), `{"reason":"x"}`, http.StatusNotFound)
		f.must(t, "GET", contentPath(t, file), "", http.StatusOK)
	}
	stranger.store(t, "/v1/profile/"+f.user.Entity.String()+"/file", http.StatusNotFound, []upload{{"me.png", pngHead}})
}

func TestOnlyImagesAndPDFAreFilesOfProfiles(t *testing.T) {
	t.Parallel()
	c := setup(t).person(t, "ada.types@example.com")
	path := "/v1/profile/" + c.user.Entity.String() + "/file"
	for name, test := range map[string]struct {
		query  string
		files  []upload
		status int
		code   string
	}{
		"HTML named as an image": {"", []upload{{"me.png", "<html><script>alert(1)</script>"}}, http.StatusBadRequest, "unsupportedFileExtension"},
		"SVG":                    {"", []upload{{"me.svg", `<svg xmlns="http://www.w3.org/2000/svg"/>`}}, http.StatusBadRequest, "unsupportedFileExtension"},
		"PDF as a photo":         {"?photo=true", []upload{{"me.pdf", pdfHead}}, http.StatusBadRequest, "unsupportedFileExtension"},
		"two files":              {"", []upload{{"a.png", pngHead}, {"b.png", pngHead}}, http.StatusBadRequest, "missingFileArgument"},
		"empty file":             {"", []upload{{"a.png", ""}}, http.StatusBadRequest, "unsupportedFileExtension"},
		"too large":              {"", []upload{{"a.png", pngHead + strings.Repeat("x", fileLimit)}}, http.StatusRequestEntityTooLarge, "tooLarge"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.copy().store(t, path+test.query, test.status, test.files); !strings.Contains(got.body, test.code) {
				t.Errorf("%s", got.body)
			}
		})
	}
}

func TestPhotoIsAnImageOfTheProfile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada, bob := b.person(t, "ada.image@example.com"), b.person(t, "bob.image@example.com")
	own := "/v1/profile/" + ada.user.Entity.String()
	image, paper, foreign := ada.profileFile(t, "", "a.png", pngHead), ada.profileFile(t, "", "a.pdf", pdfHead), bob.profileFile(t, "", "b.png", pngHead)
	for _, wrong := range []answer{paper, foreign} {
		got := ada.must(t, "PATCH", own, `{"photo":"`+wrong.text(t, "id")+`"}`, http.StatusBadRequest)
		if !strings.Contains(got.body, `"/photo","code":"unknownReference"`) {
			t.Errorf("%s", got.body)
		}
	}
	ada.must(t, "PATCH", own, `{"photo":"`+image.text(t, "id")+`"}`, http.StatusOK)
	if got := ada.must(t, "PATCH", own, `{"photo":null}`, http.StatusOK); strings.Contains(got.body, "photo") {
		t.Errorf("%s", got.body)
	}
}

func TestRepeatedUploadToAProfileIsOneFile(t *testing.T) {
	t.Parallel()
	c := setup(t).person(t, "ada.twice@example.com")
	path, key := "/v1/profile/"+c.user.Entity.String()+"/file", []string{"Idempotency-Key", "one-photo"}
	body, kind := form(t, []upload{{"me.png", pngHead}})
	first := c.must(t, "POST", path, body, http.StatusCreated, append(key, "Content-Type", kind)...)
	again := c.must(t, "POST", path, body, http.StatusCreated, append(key, "Content-Type", kind)...)
	if again.body != first.body {
		t.Errorf("%s is not %s", again.body, first.body)
	}
	other, kind := form(t, []upload{{"me.png", pngHead + "2"}})
	c.must(t, "POST", path, other, http.StatusConflict, append(key, "Content-Type", kind)...)
	if got := c.must(t, "GET", "/v1/user/data", "", http.StatusOK); strings.Count(got.body, `"mediaType":"image/png"`) != 1 {
		t.Errorf("%s", got.body)
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
			c := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Documents.Scanner = test.scanner }).person(t, "ada@example.com")
			got := c.store(t, "/v1/profile/"+c.user.Entity.String()+"/file", test.status, []upload{{"me.png", pngHead}})
			if !strings.Contains(got.body, test.has) {
				t.Errorf("%s", got.body)
			}
		})
	}
}

func TestRefusedFileOfAProfileStoresNoBytes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ada := b.person(t, "ada@example.com")
	for i := range 100 {
		ada.profileFile(t, "", "a.png", pngHead+strconv.Itoa(i))
	}
	objects := func() (number int) {
		if err := b.objects.List(t.Context(), "", func(blob.Object) error { number++; return nil }); err != nil {
			t.Fatal(err)
		}
		return number
	}
	before := objects()
	ada.store(t, "/v1/profile/"+ada.user.Entity.String()+"/file", http.StatusConflict, []upload{{"b.png", pngHead + "more"}})
	if after := objects(); after != before || before != 100 {
		t.Errorf("%d objects before the refusal, %d after it", before, after)
	}
}
