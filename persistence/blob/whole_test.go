package blob_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/iotest"
	"time"

	"equity/persistence/blob"
)

func TestAlteredContentIsNeverReadCompletely(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, store blob.Store) {
		t.Helper()
		content := bytes.Repeat([]byte("0123456789"), 10_000)
		sum := sha256.Sum256(content)
		recorded, size := hex.EncodeToString(sum[:]), int64(len(content))
		guarded := blob.NewGuarded(store)
		at := func(name string) string { return blob.Key("o/"+name, recorded) }
		altered := bytes.Clone(content)
		altered[3]++
		for name, stored := range map[string][]byte{
			"same": content, "altered": altered, "shorter": content[:len(content)-1], "longer": append(bytes.Clone(altered), 'x'), "empty": nil,
		} {
			if err := store.Put(t.Context(), at(name), bytes.NewReader(stored), int64(len(stored))); err != nil {
				t.Fatal(err)
			}
			for way, wrap := range map[string]func(io.Reader) io.Reader{
				"large reads": func(r io.Reader) io.Reader { return r }, "single bytes": iotest.OneByteReader,
			} {
				opened, err := guarded.OpenWhole(t.Context(), at(name), recorded, size)
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(wrap(opened))
				if closed := opened.Close(); closed != nil {
					t.Error(closed)
				}
				switch {
				case name == "same" && (err != nil || !bytes.Equal(got, content)):
					t.Errorf("%s: %d bytes, %v", way, len(got), err)
				case name != "same" && (!errors.Is(err, blob.ErrAltered) || int64(len(got)) >= size):
					t.Errorf("%s content in %s: %d of %d bytes, %v", name, way, len(got), size, err)
				}
			}
		}
		if number := guarded.Altered(); number != 8 {
			t.Errorf("%d altered contents are counted", number)
		}
		opened, err := guarded.OpenWhole(t.Context(), at("altered"), recorded, -1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, opened); !errors.Is(err, blob.ErrAltered) {
			t.Errorf("without a size: %v", err)
		}
		_ = opened.Close()
	})
}

func TestDownloadFromAServiceThatHangsEnds(t *testing.T) {
	t.Parallel()
	const within = 200 * time.Millisecond
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/files/o/slow" { // it begins in time, and takes longer than a call
			w.Header().Set("Content-Length", "2")
			w.Header().Set("Last-Modified", "Sat, 28 Nov 2026 15:00:00 GMT")
			_, _ = w.Write([]byte("a"))
			_ = http.NewResponseController(w).Flush()
			<-time.After(2 * within)
			_, _ = w.Write([]byte("b"))
			return
		}
		<-r.Context().Done()
	}))
	t.Cleanup(service.Close)
	store, err := blob.OpenS3(blob.S3Options{URL: service.URL, Region: "us-east-1", Bucket: "files", CallTime: within})
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := store.Open(t.Context(), "o/a/b", 0, -1)
		ended <- err
	}()
	select {
	case err := <-ended:
		if err == nil {
			t.Error("it succeeded")
		}
	case <-time.After(20 * within):
		t.Fatal("the header of a download has no deadline")
	}
	content, err := store.Open(t.Context(), "o/slow", 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(content); err != nil || string(text) != "ab" {
		t.Errorf("a download that takes longer than a call: %q, %v", text, err)
	}
	_ = content.Close()
}
