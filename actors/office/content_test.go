package office_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"equity/actors/office"
	"equity/actors/office/officetest"
	"equity/fault"
)

// plain is a content that cannot be repeated.
type plain struct{ io.Reader }

// content opens and reads the content of a file.
func (b *bundle) content(id, rng string) (office.Content, string) {
	b.Helper()
	opened, err := b.client.Open(b.Context(), id, rng)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = opened.Body.Close() }()
	text, err := io.ReadAll(opened.Body)
	if err != nil {
		b.Fatal(err)
	}
	return opened, string(text)
}

func TestStoredContentIsRead(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, text := range map[string]string{"empty": "", "short": "content", "large": strings.Repeat("0123456789abcdef", 5<<16)} {
		stored, err := b.client.Upload(t.Context(), officetest.Root, name, office.Fail, plain{strings.NewReader(text)}, int64(len(text)))
		if err != nil || stored.Size != int64(len(text)) || stored.Name != name || stored.ParentID != officetest.Root {
			t.Fatalf("%s: %+v %v", name, stored, err)
		}
		opened, got := b.content(stored.ID, "")
		if got != text || opened.Size != int64(len(text)) || opened.Status != http.StatusOK || opened.Range != "" {
			t.Errorf("%s: %d bytes, %+v", name, len(got), opened)
		}
	}
}

func TestRangesOfAContent(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := b.server.Put(officetest.Root, "file", "0123456789")
	for rng, want := range map[string]struct{ text, content string }{
		"bytes=2-4":     {"234", "bytes 2-4/10"},
		"bytes=7-":      {"789", "bytes 7-9/10"},
		"bytes=-2":      {"89", "bytes 8-9/10"},
		"bytes=5-99":    {"56789", "bytes 5-9/10"},
		"":              {"0123456789", ""},
		"items=1-2":     {"0123456789", ""},
		"bytes=1-2\r\n": {"0123456789", ""},
	} {
		opened, text := b.content(file, rng)
		status := http.StatusPartialContent
		if want.content == "" {
			status = http.StatusOK
		}
		if text != want.text || opened.Range != want.content || opened.Status != status || opened.Size != int64(len(want.text)) {
			t.Errorf("%q: %q %+v", rng, text, opened)
		}
	}
	if _, err := b.client.Open(t.Context(), file, "bytes=10-"); !errors.Is(err, office.ErrRange) {
		t.Error(err)
	}
}

func TestContentWithoutARedirectionIsAccepted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := b.server.Put(officetest.Root, "file", "0123456789")
	b.server.Break(officetest.Faults{Direct: true})
	if opened, text := b.content(file, "bytes=2-4"); text != "0123456789" || opened.Status != http.StatusOK || opened.Size != 10 {
		t.Errorf("%q %+v", text, opened)
	}
}

func TestContentThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	b := setup(t)
	infected, gone := b.server.Put(officetest.Root, "infected", "EICAR"), b.server.Put(officetest.Root, "gone", "")
	b.server.Infect(infected)
	b.server.Delete(gone)
	for id, want := range map[string]error{
		infected: office.ErrMalware, gone: office.ErrNotFound, "unknown": office.ErrNotFound, "": office.ErrNotFound,
		officetest.Root: office.ErrRefused,
	} {
		if _, err := b.client.Open(t.Context(), id, ""); !errors.Is(err, want) {
			t.Errorf("%q: %v", id, err)
		}
	}
	if found, err := b.client.Item(t.Context(), infected); err != nil || !found.MalwareDetected {
		t.Errorf("%+v %v", found, err)
	}
}

func TestFailuresOfPreSignedAddresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status int
		want   error
	}{
		{http.StatusNotFound, office.ErrNotFound},
		{http.StatusGone, office.ErrNotFound},
		{http.StatusUnauthorized, nil},
		{http.StatusForbidden, nil},
		{http.StatusBadRequest, nil},
		{http.StatusConflict, nil},
		{http.StatusFound, nil},
		{http.StatusInternalServerError, nil},
	} {
		b := setup(t)
		file := b.server.Put(officetest.Root, "file", "content")
		b.server.Break(officetest.Faults{Kind: "bytes", Status: test.status})
		_, err := b.client.Open(t.Context(), file, "")
		if test.want == nil {
			b.isUnavailable(err)
		} else if !errors.Is(err, test.want) {
			t.Errorf("%d: %v", test.status, err)
		}
		b.hasNoSecret(err)
	}
}

func TestBusyContentGetsANewAddress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := b.server.Put(officetest.Root, "file", "content")
	b.server.Break(officetest.Faults{Kind: "bytes", Status: http.StatusServiceUnavailable, RetryAfter: "1", Times: 2})
	if _, text := b.content(file, ""); text != "content" {
		t.Error(text)
	}
	if addresses, downloads := b.server.Calls("download"), b.server.Calls("bytes"); addresses != 3 || downloads != 3 {
		t.Errorf("%d addresses, %d downloads", addresses, downloads)
	}
}

func TestPreSignedAddressesAreInNoError(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"http://127.0.0.1:1/x?tempauth=secret", "ht!tp://%zz/x?tempauth=secret", "ftp://host/x?tempauth=secret", "http://u:p@h/?tempauth=secret",
		"http:///?tempauth=secret", "http://host:port/?tempauth=secret", "http://" + strings.Repeat("h", 300) + "/?tempauth=secret",
	} {
		b := setup(t)
		file := b.server.Put(officetest.Root, "file", "content")
		b.server.Break(officetest.Faults{SignedURL: address})
		_, err := b.client.Open(t.Context(), file, "")
		b.isUnavailable(err)
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestBrokenDownloadIsAnError(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := b.server.Put(officetest.Root, "file", "0123456789")
	b.server.Break(officetest.Faults{Break: 4})
	opened, err := b.client.Open(t.Context(), file, "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = opened.Body.Close() }()
	text, err := io.ReadAll(opened.Body)
	if string(text) != "0123" {
		t.Errorf("%q", text)
	}
	b.isUnavailable(err)
}

func TestStalledDownloadEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := b.server.Put(officetest.Root, "file", "0123456789")
	b.server.Break(officetest.Faults{Break: 4, Stall: true})
	b.client.Limit(time.Minute, 50*time.Millisecond)
	opened, err := b.client.Open(t.Context(), file, "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = opened.Body.Close() }()
	text, err := io.ReadAll(opened.Body)
	if string(text) != "0123" || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%q %v", text, err)
	}
	b.isUnavailable(err)
}

func TestDownloadOfAnEndedCallerEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := b.server.Put(officetest.Root, "file", "0123456789")
	b.server.Break(officetest.Faults{Break: 4, Stall: true})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opened, err := b.client.Open(ctx, file, "")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = opened.Body.Close() }()
	if _, err := io.ReadFull(opened.Body, make([]byte, 4)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := io.ReadAll(opened.Body); !errors.Is(err, context.Canceled) || fault.Is(err, fault.Unavailable) {
		t.Error(err)
	}
}

func TestUploadOfATakenNameIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	file := b.server.Put(officetest.Root, "Plan.txt", "before")
	b.server.Folder(officetest.Root, "Board")
	for _, name := range []string{"plan.TXT", "board"} {
		if _, err := b.client.Upload(
			t.Context(), officetest.Root, name, office.Fail, strings.NewReader("after"), 5,
		); !errors.Is(err, office.ErrExists) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if content, _ := b.server.Content(file); content != "before" {
		t.Errorf("%q", content)
	}
	if _, err := b.client.Upload(t.Context(), "unknown", "x", office.Fail, strings.NewReader("after"), 5); !errors.Is(err, office.ErrNotFound) {
		t.Error(err)
	}
}

func TestUploadIsRepeatedOnlyIfItsContentCanBe(t *testing.T) {
	t.Parallel()
	seeker := func() io.Reader {
		content := strings.NewReader("skip:content")
		_, _ = io.CopyN(io.Discard, content, 5)
		return content
	}
	for name, test := range map[string]struct {
		content io.Reader
		faults  officetest.Faults
		stored  bool
		uploads int
	}{
		"busy, seeker":        {seeker(), officetest.Faults{Kind: "upload", Status: 429, RetryAfter: "1", Times: 2}, true, 3},
		"busy, reader":        {plain{seeker()}, officetest.Faults{Kind: "upload", Status: 503, RetryAfter: "1", Times: 1}, false, 1},
		"expired, seeker":     {seeker(), officetest.Faults{Kind: "upload", Status: 401, Times: 1}, true, 2},
		"expired, reader":     {plain{seeker()}, officetest.Faults{Kind: "upload", Status: 401, Times: 1}, false, 1},
		"busy login, reader":  {plain{seeker()}, officetest.Faults{Kind: "token", Status: 429, RetryAfter: "1", Times: 2}, true, 1},
		"failing, seeker":     {seeker(), officetest.Faults{Kind: "upload", Status: 500, Times: 1}, false, 1},
		"full, seeker":        {seeker(), officetest.Faults{Kind: "upload", Status: 507, Times: 1}, false, 1},
		"without any, reader": {plain{seeker()}, officetest.Faults{}, true, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.server.Break(test.faults)
			stored, err := b.client.Upload(t.Context(), officetest.Root, "file", office.Fail, test.content, 7)
			if (err == nil) != test.stored || b.server.Calls("upload") != test.uploads {
				t.Fatalf("%d uploads: %v", b.server.Calls("upload"), err)
			}
			if content, _ := b.server.Content(stored.ID); test.stored && content != "content" {
				t.Errorf("%q", content)
			}
		})
	}
}

func TestContentWithoutItsSizeIsNotStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	broken := errors.New("the disk is broken")
	for name, test := range map[string]struct {
		content io.Reader
		size    int64
		want    error
	}{
		"short":    {strings.NewReader("content"), 8, nil},
		"negative": {strings.NewReader("content"), -1, nil},
		"broken":   {io.MultiReader(strings.NewReader("cont"), iotest.ErrReader(broken)), 7, broken},
	} {
		for range 6 { // more than a breaker permits
			_, err := b.client.Upload(t.Context(), officetest.Root, name, office.Fail, test.content, test.size)
			if err == nil || fault.Is(err, fault.Unavailable) || test.want != nil && !errors.Is(err, test.want) {
				t.Errorf("%s: %v", name, err)
			}
			test.content = iotest.ErrReader(broken)
		}
	}
	if names := b.server.Names(officetest.Root); len(names) != 0 {
		t.Errorf("%v", names)
	}
	if err := b.call(); err != nil {
		t.Errorf("the breaker counted failures of contents: %v", err)
	}
}

func TestLongContentIsNotStored(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, size := range []int64{0, 1, 6} {
		_, err := b.client.Upload(t.Context(), officetest.Root, "file", office.Fail, strings.NewReader("content"), size)
		if err == nil || fault.Is(err, fault.Unavailable) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	if names := b.server.Names(officetest.Root); len(names) != 0 {
		t.Errorf("%v", names)
	}
}

func TestUploadBeyondTheLimitIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.client.Upload(t.Context(), officetest.Root, "file", office.Fail, strings.NewReader(""), 250<<20+1)
	if !fault.Is(err, fault.TooLarge) || b.server.Calls("all") != 0 {
		t.Error(err)
	}
}

func TestStalledUploadEnds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if err := b.call(); err != nil {
		t.Fatal(err)
	}
	b.client.Limit(time.Minute, 50*time.Millisecond)
	release := b.server.Hold()
	defer release()
	_, err := b.client.Upload(t.Context(), officetest.Root, "file", office.Fail, strings.NewReader("content"), 7)
	b.isUnavailable(err)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// ended is a content that no one may read after its end.
type ended struct {
	*bytes.Reader
	over bool
}

func (e *ended) Read(p []byte) (int, error) {
	if e.over {
		panic("the content was read after the upload") // the race detector reports it too
	}
	return e.Reader.Read(p)
}

func TestContentIsNotReadAfterTheUpload(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.server.Break(officetest.Faults{Kind: "upload", Status: http.StatusConflict, Code: "nameAlreadyExists"})
	for range 20 {
		content := &ended{Reader: bytes.NewReader(make([]byte, 8<<20))}
		_, err := b.client.Upload(t.Context(), officetest.Root, "file", office.Fail, content, 8<<20)
		content.over = true
		if err == nil {
			t.Error("it was stored")
		}
	}
}
