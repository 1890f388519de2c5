package http_test

import (
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"equity/persistence/blob"
)

func TestConcurrentUploadsStayWithinTheStorageOfTheOrganization(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f, other := b.firm(t, "owner@example.com"), b.firm(t, "other@example.com")
	const uploads = storageLimit/fileLimit + 3
	var stored, refused atomic.Int64
	var all sync.WaitGroup
	for i := range uploads {
		all.Go(func() {
			name := strconv.Itoa(i)
			body, kind := form(t, []upload{{name + ".bin", name + strings.Repeat("x", fileLimit-len(name))}})
			switch got := f.copy().send(t, "POST", f.home+"/document", body, "Content-Type", kind); {
			case got.status == http.StatusCreated:
				stored.Add(1)
			case got.status == http.StatusConflict && strings.Contains(got.body, "storageLimit") && strings.Contains(
				got.body, strconv.Itoa(storageLimit),
			):
				refused.Add(1)
			default:
				t.Errorf("%d %s", got.status, got.body)
			}
		})
	}
	all.Wait()
	if stored.Load() != storageLimit/fileLimit || refused.Load() != 3 {
		t.Errorf("%d stored, %d refused", stored.Load(), refused.Load())
	}
	bytes := int64(0)
	if err := b.objects.List(t.Context(), "", func(o blob.Object) error { bytes += o.Size; return nil }); err != nil || bytes > storageLimit {
		t.Errorf("%d bytes are stored: %v", bytes, err)
	}
	f.store(t, f.home+"/file", http.StatusConflict, []upload{{"Seal.png", picture}})
	other.put(t, other.home, "Plan.txt", "x")
}
