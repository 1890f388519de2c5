package http_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"equity/http/apitest"
	"equity/persistence/blob"
)

func TestConcurrentUploadsStayWithinTheStorageOfTheOrganization(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, other := b.NewFirm(t, "owner@example.com"), b.NewFirm(t, "other@example.com")
	const uploads = apitest.StorageLimit/apitest.FileLimit + 3
	var stored, refused atomic.Int64
	var all sync.WaitGroup
	for i := range uploads {
		all.Go(func() {
			name := strconv.Itoa(i)
			body, kind := apitest.Form(
				t, []apitest.File{{Name: name + ".bin", Content: name + strings.Repeat("x", apitest.FileLimit-len(name))}},
			)
			switch got := f.Copy().Send(t, "POST", f.Home+"/document", body, "Content-Type", kind); {
			case got.Status == http.StatusCreated:
				stored.Add(1)
			case got.Status == http.StatusConflict && strings.Contains(got.Body, "storageLimit") && strings.Contains(
				got.Body, strconv.Itoa(apitest.StorageLimit),
			):
				refused.Add(1)
			default:
				t.Errorf("%d %s", got.Status, got.Body)
			}
		})
	}
	all.Wait()
	if stored.Load() != apitest.StorageLimit/apitest.FileLimit || refused.Load() != 3 {
		t.Errorf("%d stored, %d refused", stored.Load(), refused.Load())
	}
	bytes := int64(0)
	if err := b.Objects.List(t.Context(), "", func(o blob.Object) error { bytes += o.Size; return nil }); err != nil || bytes > apitest.StorageLimit {
		t.Errorf("%d bytes are stored: %v", bytes, err)
	}
	f.Upload(t, f.Home+"/file", http.StatusConflict, []apitest.File{{Name: "Seal.png", Content: apitest.Picture}})
	other.PutDocument(t, other.Home, "Plan.txt", "x")
}
