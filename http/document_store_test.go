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

// stored returns the number of objects.
func (b *bundle) stored(tb testing.TB) (number int) {
	tb.Helper()
	err := b.objects.List(context.Background(), "", func(blob.Object) error {
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
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	large := strings.Repeat("x", fileLimit+1)
	for _, path := range []string{"/document", "/document/many", "/file"} {
		f.store(t, f.home+path, http.StatusRequestEntityTooLarge, []upload{{"Large.txt", large}})
	}
	if names := f.listed(t, f.home, ""); names != "" || b.stored(t) != 0 {
		t.Errorf("%q and %d objects remain", names, b.stored(t))
	}
	f.put(t, f.home, "Most.txt", large[:fileLimit])
}

// The client sends without reading, and without an end.
func TestOversizeUploadIsAnsweredAtTheLimit(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	listening := httptest.NewServer(b.server)
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
		"Content-Type: multipart/form-data; boundary=B\r\nTransfer-Encoding: chunked\r\n\r\n", f.home, f.cookie); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(send("--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"Large.bin\"\r\n\r\n"),
		send(strings.Repeat("x", fileLimit+4<<10))); err != nil {
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
		if sent += len(piece); sent > fileLimit+buffers {
			t.Fatal("the server reads on")
		}
	}
}

func TestRefusedUploadThatWasReadKeepsItsConnection(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	listening := httptest.NewServer(b.server)
	storetest.Cleanup(t, listening.Close)
	body, kind := form(t, []upload{{"..", "x"}})
	for range 2 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, listening.URL+f.home+"/document", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Cookie", f.cookie)
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
		b := setup(t, full)
		f := b.firm(t, "owner@example.com")
		got := f.store(t, f.home+"/document", http.StatusServiceUnavailable, []upload{{"Large.txt", strings.Repeat("x", fileLimit)}})
		if got.text(t, "code") != "unavailable" || got.header.Get("Retry-After") == "" {
			t.Errorf("%s: %s", claim, got.body)
		}
		if names := f.listed(t, f.home, ""); names != "" || b.stored(t) != 0 {
			t.Errorf("%s: %q and %d objects remain", claim, names, b.stored(t))
		}
		f.must(t, "PATCH", f.home, `{"website":"https://example.com"}`, http.StatusOK)
	}
}

func TestLargeFilesOfOneUploadKeepTheirBytes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	files := []upload{{"A.txt", strings.Repeat("a", fileLimit/2)}, {"B.txt", "small"}, {"C.txt", strings.Repeat("c", fileLimit-1)}}
	f.store(t, f.home+"/document/many", http.StatusCreated, files, "onConflict", "version")
	for _, file := range files {
		id := textOf(f.itemOf(t, file.name), "id")
		if got := f.must(t, "GET", f.home+"/document/"+id+"/content", "", http.StatusOK); got.body != file.content {
			t.Errorf("%s has %d bytes", file.name, len(got.body))
		}
	}
	if rest, err := os.ReadDir(b.objects.Incoming()); err != nil || len(rest) != 0 {
		t.Errorf("temporary files remain: %v %v", rest, err)
	}
}

func TestUploadWithoutAFileNameIsRefused(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	for _, path := range []string{"/document", "/file"} {
		got := f.store(t, f.home+path, http.StatusBadRequest, nil, "file", "text")
		if got.text(t, "code") != "missingFileArgument" {
			t.Errorf("%s: %s", path, got.body)
		}
	}
}

func TestUploadHasAtMostTwentyFiles(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "owner@example.com")
	var files []upload
	for i := range 21 {
		files = append(files, upload{"File " + strconv.Itoa(i) + ".txt", "x"})
	}
	f.store(t, f.home+"/document", http.StatusCreated, files[:20])
	f.store(t, f.home+"/document", http.StatusBadRequest, files)
	f.store(t, f.home+"/document", http.StatusBadRequest, nil, "path", "Legal")
}

func TestAbortedUploadLeavesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	body, kind := form(t, []upload{{"Plan.txt", strings.Repeat("x", 4096)}})
	f.must(t, "POST", f.home+"/document", body[:len(body)/2], http.StatusBadRequest, "Content-Type", kind)
	if names := f.listed(t, f.home, ""); names != "" || b.stored(t) != 0 {
		t.Errorf("%q and %d objects remain", names, b.stored(t))
	}
}

func TestUnreachableStoreRefusesUploadsOnly(t *testing.T) {
	t.Parallel()
	b := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) { s.Documents.Objects = brokenObjects{} })
	f := b.firm(t, "owner@example.com")
	f.store(t, f.home+"/document", http.StatusServiceUnavailable, []upload{{"Plan.txt", "x"}})
	if names := f.listed(t, f.home, ""); names != "" {
		t.Errorf("the record %q has no bytes", names)
	}
	f.folder(t, f.home, "Legal", "")
}

// TestAlteredContentEndsBeforeItsLastByte alters the first byte in the store.
func TestAlteredContentEndsBeforeItsLastByte(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	content := strings.Repeat("0123456789", 20_000)
	record := f.put(t, f.home, "Plan.txt", content)
	key := blob.Key("o/"+f.id, textOf(record, "sha256"))
	if err := b.objects.Delete(context.Background(), key); err != nil {
		t.Fatal(err)
	}
	if err := b.objects.Put(context.Background(), key, strings.NewReader("X"+content[1:]), int64(len(content))); err != nil {
		t.Fatal(err)
	}
	listening := httptest.NewServer(b.server)
	storetest.Cleanup(t, listening.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, listening.URL+f.home+"/document/"+textOf(record, "id")+"/content", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Cookie", f.cookie)
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
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	record := f.put(t, f.home, "Plan.txt", "x")
	if err := b.objects.Delete(context.Background(), blob.Key("o/"+f.id, textOf(record, "sha256"))); err != nil {
		t.Fatal(err)
	}
	f.must(t, "GET", f.home+"/document/"+textOf(record, "id")+"/content", "", http.StatusServiceUnavailable)
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
	b := setup(t, func(_ *equityhttp.Settings, s *equityhttp.Services) {
		ordered.Objects = s.Documents.Objects
		s.Documents.Objects = ordered
	})
	f := b.firm(t, "owner@example.com")
	calls := 0
	ordered.before = func() {
		calls++
		if names := f.listed(t, f.home, ""); names != "" || b.stored(t) != 1 {
			t.Errorf("%q is listed, and %d objects are stored", names, b.stored(t))
		}
	}
	f.put(t, f.home, "Plan.txt", "x")
	if calls != 1 {
		t.Errorf("%d writes", calls)
	}
}

func TestRepeatedUploadWithItsKeyAddsNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		body, kind := form(t, []upload{{"Plan.txt", "One"}})
		send := func(body string, status int) answer {
			return f.must(t, "POST", f.home+"/document", body, status, "Content-Type", kind, "Idempotency-Key", "upload-1")
		}
		first, second := send(body, http.StatusCreated), send(body, http.StatusCreated)
		if first.body != second.body {
			t.Errorf("%s\n%s", first.body, second.body)
		}
		if got := send(strings.Replace(body, "One", "Two", 1), http.StatusConflict); got.text(t, "code") != "idempotencyKeyReused" {
			t.Errorf("%s", got.body)
		}
	})
}

func TestConcurrentUploadsOfAName(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		const uploads = 8
		var all sync.WaitGroup
		for i := range uploads {
			body, kind := form(t, []upload{{"Plan.txt", "Text " + strconv.Itoa(i)}})
			uploader := f.copy()
			all.Go(func() {
				w := uploader.begin(context.Background(), "POST", f.home+"/document", bytes.NewReader([]byte(body)), "Content-Type", kind)
				if w.Code != http.StatusCreated {
					t.Errorf("%d %s", w.Code, w.Body)
				}
			})
		}
		all.Wait()
		items, _ := f.must(t, "GET", f.home+"/document", "", http.StatusOK).get(t).([]any)
		record, _ := items[0].(map[string]any)
		if len(items) != 1 || record["versions"] != float64(uploads) {
			t.Errorf("%v", items)
		}
	})
}

func TestErasedContentIsGone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, manager := b.firm(t, "owner@example.com"), b.person(t, "manager@example.com")
	f.join(t, f.home, manager, "Manager")
	record := f.put(t, f.home, "Plan.txt", "x")
	file := "/v1/file/" + textOf(record, "file") + "/content"
	manager.must(t, "DELETE", file, `{"reason":"A mistake."}`, http.StatusForbidden)
	f.must(t, "DELETE", file, `{"reason":" "}`, http.StatusBadRequest)
	f.must(t, "DELETE", file, `{"reason":"A mistake."}`, http.StatusNoContent)
	if got := f.must(t, "GET", file, "", http.StatusNotFound); got.text(t, "code") != "contentErased" {
		t.Errorf("%s", got.body)
	}
}

func TestFilesOfOtherOrganizationsAreUnknown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, other := b.firm(t, "owner@example.com"), b.firm(t, "other@example.com")
	record := f.put(t, f.home, "Plan.txt", "x")
	other.must(t, "GET", "/v1/file/"+textOf(record, "file")+"/content", "", http.StatusNotFound)
	other.must(t, "GET", other.home+"/document/"+textOf(record, "id")+"/content", "", http.StatusNotFound)
}
