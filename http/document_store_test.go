package http_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	equityhttp "equity/http"
	"equity/http/apitest"
	httpdocument "equity/http/document"
	"equity/persistence/blob"
	"equity/persistence/storetest"
)

// brokenObjects is a store that cannot be reached.
type brokenObjects struct{}

func (brokenObjects) Put(context.Context, string, io.Reader, int64) error { return io.ErrClosedPipe }

func (brokenObjects) Open(context.Context, string, int64, int64) (io.ReadCloser, error) {
	return nil, io.ErrClosedPipe
}

func (o brokenObjects) OpenWhole(ctx context.Context, key, _ string, size int64) (io.ReadCloser, error) {
	return o.Open(ctx, key, 0, size)
}

// storedObjects returns the number of objects.
func storedObjects(tb testing.TB, b *apitest.Server) (number int) {
	tb.Helper()
	err := b.Objects.List(context.Background(), "", func(blob.Object) error {
		number++
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return number
}

func TestOversizeUploadLeavesNothing(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	large := strings.Repeat("x", apitest.FileLimit+1)
	for _, path := range []string{"/document", "/document/many", "/file"} {
		f.Upload(t, f.Home+path, http.StatusRequestEntityTooLarge, []apitest.File{{Name: "Large.txt", Content: large}})
	}
	if names := listDocuments(t, f.Client, f.Home, ""); names != "" || storedObjects(t, b) != 0 {
		t.Errorf("%q and %d objects remain", names, storedObjects(t, b))
	}
	f.PutDocument(t, f.Home, "Most.txt", large[:apitest.FileLimit])
}

// The client sends without reading, and without an end.
func TestOversizeUploadIsAnsweredAtTheLimit(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	listening := httptest.NewServer(b.HTTP)
	storetest.Cleanup(t, listening.Close)
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", listening.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() { _ = conn.Close() })
	send := func(text string) error {
		_, err := fmt.Fprintf(conn, "%x\r\n%s\r\n", len(text), text)
		return err
	}
	if _, err := fmt.Fprintf(conn, "POST %s/document HTTP/1.1\r\nHost: equity\r\nCookie: %s\r\n"+
		"Content-Type: multipart/form-data; boundary=B\r\nTransfer-Encoding: chunked\r\n\r\n", f.Home, f.Cookie); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(send("--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"Large.bin\"\r\n\r\n"),
		send(strings.Repeat("x", apitest.FileLimit+4<<10))); err != nil {
		t.Fatal(err)
	}
	got, err := http.ReadResponse(bufio.NewReader(conn), nil) // the client has not sent the end
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	if got.StatusCode != http.StatusRequestEntityTooLarge || !got.Close {
		t.Errorf("%d, closed: %t", got.StatusCode, got.Close)
	}
	const buffers = 32 << 20 // of the system
	sent, piece := 0, strings.Repeat("x", 64<<10)
	for send(piece) == nil {
		if sent += len(piece); sent > apitest.FileLimit+buffers {
			t.Fatal("the server reads on")
		}
	}
}

func TestRefusedUploadThatWasReadKeepsItsConnection(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	listening := httptest.NewServer(b.HTTP)
	storetest.Cleanup(t, listening.Close)
	body, kind := apitest.Form(t, []apitest.File{{Name: "..", Content: "x"}})
	for range 2 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, listening.URL+f.Home+"/document", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Cookie", f.Cookie)
		got, err := listening.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if got.StatusCode != http.StatusBadRequest || got.Close {
			t.Errorf("%d, closed: %t", got.StatusCode, got.Close)
		}
		_ = got.Body.Close()
	}
}

// fullObjects is a store without space.
type fullObjects struct{ brokenObjects }

func (fullObjects) Put(context.Context, string, io.Reader, int64) error {
	return fmt.Errorf("write object: %w", syscall.ENOSPC)
}

func TestFullDiskIsNamedAndLeavesNothing(t *testing.T) {
	t.Parallel()
	for claim, full := range map[string]func(*equityhttp.Settings, *equityhttp.Services){
		"the store": func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Documents.Objects = fullObjects{} },
		"the temporary files": func(s *equityhttp.Settings, _ *equityhttp.Services) {
			s.Imports.Directory = filepath.Join(t.TempDir(), "missing")
		},
	} {
		b := apitest.Setup(t, full)
		f := b.NewFirm(t, "owner@example.com")
		got := f.Upload(t, f.Home+"/document", http.StatusServiceUnavailable, []apitest.File{{Name: "Large.txt", Content: strings.Repeat("x", apitest.FileLimit)}})
		if got.Text(t, "code") != "unavailable" || got.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %s", claim, got.Body)
		}
		if names := listDocuments(t, f.Client, f.Home, ""); names != "" || storedObjects(t, b) != 0 {
			t.Errorf("%s: %q and %d objects remain", claim, names, storedObjects(t, b))
		}
		f.Must(t, "PATCH", f.Home, `{"website":"https://example.com"}`, http.StatusOK)
	}
}

func TestLargeFilesOfOneUploadKeepTheirBytes(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	files := []apitest.File{{Name: "A.txt", Content: strings.Repeat("a", apitest.FileLimit/2)}, {Name: "B.txt", Content: "small"}, {Name: "C.txt", Content: strings.Repeat("c", apitest.FileLimit-1)}}
	f.Upload(t, f.Home+"/document/many", http.StatusCreated, files, "onConflict", "version")
	for _, file := range files {
		id := apitest.TextOf(officeItem(t, f, file.Name), "id")
		if got := f.Must(t, "GET", f.Home+"/document/"+id+"/content", "", http.StatusOK); got.Body != file.Content {
			t.Errorf("%s has %d bytes", file.Name, len(got.Body))
		}
	}
	if rest, err := os.ReadDir(b.Objects.Incoming()); err != nil || len(rest) != 0 {
		t.Errorf("temporary files remain: %v %v", rest, err)
	}
}

func TestUploadWithoutAFileNameIsRefused(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	for _, path := range []string{"/document", "/file"} {
		got := f.Upload(t, f.Home+path, http.StatusBadRequest, nil, "file", "text")
		if got.Text(t, "code") != "missingFileArgument" {
			t.Errorf("%s: %s", path, got.Body)
		}
	}
}

func TestUploadHasAtMostTwentyFiles(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "owner@example.com")
	var files []apitest.File
	for i := range 21 {
		files = append(files, apitest.File{Name: "File " + strconv.Itoa(i) + ".txt", Content: "x"})
	}
	f.Upload(t, f.Home+"/document", http.StatusCreated, files[:20])
	f.Upload(t, f.Home+"/document", http.StatusBadRequest, files)
	f.Upload(t, f.Home+"/document", http.StatusBadRequest, nil, "path", "Legal")
}

func TestAbortedUploadLeavesNothing(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	body, kind := apitest.Form(t, []apitest.File{{Name: "Plan.txt", Content: strings.Repeat("x", 4096)}})
	f.Must(t, "POST", f.Home+"/document", body[:len(body)/2], http.StatusBadRequest, "Content-Type", kind)
	if names := listDocuments(t, f.Client, f.Home, ""); names != "" || storedObjects(t, b) != 0 {
		t.Errorf("%q and %d objects remain", names, storedObjects(t, b))
	}
}

func TestUnreachableStoreRefusesUploadsOnly(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Documents.Objects = brokenObjects{} })
	f := b.NewFirm(t, "owner@example.com")
	f.Upload(t, f.Home+"/document", http.StatusServiceUnavailable, []apitest.File{{Name: "Plan.txt", Content: "x"}})
	if names := listDocuments(t, f.Client, f.Home, ""); names != "" {
		t.Errorf("the record %q has no bytes", names)
	}
	f.NewFolder(t, f.Home, "Legal", "")
}

// TestAlteredContentEndsBeforeItsLastByte alters the first byte in the store.
func TestAlteredContentEndsBeforeItsLastByte(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	content := strings.Repeat("0123456789", 20_000)
	record := f.PutDocument(t, f.Home, "Plan.txt", content)
	key := blob.Key("o/"+f.ID, apitest.TextOf(record, "sha256"))
	if err := b.Objects.Delete(context.Background(), key); err != nil {
		t.Fatal(err)
	}
	if err := b.Objects.Put(context.Background(), key, strings.NewReader("X"+content[1:]), int64(len(content))); err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewServer(b.HTTP)
	storetest.Cleanup(t, listening.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, listening.URL+f.Home+"/document/"+apitest.TextOf(record, "id")+"/content", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Cookie", f.Cookie)
	got, err := listening.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Body.Close() }()
	text, err := io.ReadAll(got.Body)
	if got.StatusCode != http.StatusOK || !errors.Is(err, io.ErrUnexpectedEOF) || len(text) >= len(content) {
		t.Errorf("status %d: %d of %d bytes, %v", got.StatusCode, len(text), len(content), err)
	}
}

func TestMissingObjectIsAnErrorBeforeTheFirstByte(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	record := f.PutDocument(t, f.Home, "Plan.txt", "x")
	if err := b.Objects.Delete(context.Background(), blob.Key("o/"+f.ID, apitest.TextOf(record, "sha256"))); err != nil {
		t.Fatal(err)
	}
	f.Must(t, "GET", f.Home+"/document/"+apitest.TextOf(record, "id")+"/content", "", http.StatusServiceUnavailable)
}

// orderedObjects reports the documents that are listed at the time of a write.
type orderedObjects struct {
	httpdocument.Objects
	before func()
}

func (o orderedObjects) Put(ctx context.Context, key string, content io.Reader, size int64) error {
	err := o.Objects.Put(ctx, key, content, size)
	o.before()
	return err
}

func TestBytesAreStoredBeforeTheRecord(t *testing.T) {
	t.Parallel()
	ordered := &orderedObjects{before: func() {}}
	b := apitest.Setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		ordered.Objects = s.Documents.Objects
		s.Documents.Objects = ordered
	})
	f := b.NewFirm(t, "owner@example.com")
	calls := 0
	ordered.before = func() {
		calls++
		if names := listDocuments(t, f.Client, f.Home, ""); names != "" || storedObjects(t, b) != 1 {
			t.Errorf("%q is listed, and %d objects are stored", names, storedObjects(t, b))
		}
	}
	f.PutDocument(t, f.Home, "Plan.txt", "x")
	if calls != 1 {
		t.Errorf("%d writes", calls)
	}
}

func TestRepeatedUploadWithItsKeyAddsNothing(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		body, kind := apitest.Form(t, []apitest.File{{Name: "Plan.txt", Content: "One"}})
		send := func(body string, status int) apitest.Answer {
			return f.Must(t, "POST", f.Home+"/document", body, status, "Content-Type", kind, "Idempotency-Key", "upload-1")
		}
		first, second := send(body, http.StatusCreated), send(body, http.StatusCreated)
		if first.Body != second.Body {
			t.Errorf("%s\n%s", first.Body, second.Body)
		}
		if got := send(strings.Replace(body, "One", "Two", 1), http.StatusConflict); got.Text(t, "code") != "idempotencyKeyReused" {
			t.Errorf("%s", got.Body)
		}
	})
}

func TestConcurrentUploadsOfAName(t *testing.T) {
	t.Parallel()
	apitest.OnBothEngines(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		const uploads = 8
		var all sync.WaitGroup
		for i := range uploads {
			body, kind := apitest.Form(t, []apitest.File{{Name: "Plan.txt", Content: "Text " + strconv.Itoa(i)}})
			uploader := f.Copy()
			all.Go(func() {
				w := beginRequest(
					context.Background(), uploader, "POST", f.Home+"/document", bytes.NewReader([]byte(body)), "Content-Type", kind,
				)
				if w.Code != http.StatusCreated {
					t.Errorf("%d %s", w.Code, w.Body)
				}
			})
		}
		all.Wait()
		items, _ := f.Must(t, "GET", f.Home+"/document", "", http.StatusOK).Get(t).([]any)
		record, _ := items[0].(map[string]any)
		if len(items) != 1 || record["versions"] != float64(uploads) {
			t.Errorf("%v", items)
		}
	})
}

func TestErasedContentIsGone(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, manager := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "manager@example.com")
	f.Join(t, f.Home, manager, "Manager")
	record := f.PutDocument(t, f.Home, "Plan.txt", "x")
	file := "/v1/file/" + apitest.TextOf(record, "file") + "/content"
	manager.Must(t, "DELETE", file, `{"reason":"A mistake."}`, http.StatusForbidden)
	f.Must(t, "DELETE", file, `{"reason":" "}`, http.StatusBadRequest)
	f.Must(t, "DELETE", file, `{"reason":"A mistake."}`, http.StatusNoContent)
	if got := f.Must(t, "GET", file, "", http.StatusNotFound); got.Text(t, "code") != "contentErased" {
		t.Errorf("%s", got.Body)
	}
}

func TestFilesOfOtherOrganizationsAreUnknown(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, other := b.NewFirm(t, "owner@example.com"), b.NewFirm(t, "other@example.com")
	record := f.PutDocument(t, f.Home, "Plan.txt", "x")
	other.Must(t, "GET", "/v1/file/"+apitest.TextOf(record, "file")+"/content", "", http.StatusNotFound)
	other.Must(t, "GET", other.Home+"/document/"+apitest.TextOf(record, "id")+"/content", "", http.StatusNotFound)
}
