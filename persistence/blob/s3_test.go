package blob_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"equity/persistence/blob"
)

func TestUploadToAServiceThatHangsEndsWithItsFirstCall(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		<-r.Context().Done()
	}))
	t.Cleanup(service.Close)
	store, err := blob.OpenS3(blob.S3Options{URL: service.URL, Region: "us-east-1", Bucket: "files", CallTime: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Put(t.Context(), "o/a/b", strings.NewReader("x"), 1); err == nil {
		t.Error("it succeeded")
	}
	if calls.Load() != 1 {
		t.Errorf("%d calls", calls.Load())
	}
}
