package api_test

import (
	"bytes"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"equity/http/api"
)

func TestRenderedEvictsLeastRecentlyUsedAnswers(t *testing.T) {
	t.Parallel()
	cache := api.NewRendered(10_000)
	body := bytes.Repeat([]byte("x"), 1000)
	for i := range 7 {
		cache.Put(strconv.Itoa(i), body)
	}
	if _, ok := cache.Get("0"); !ok {
		t.Fatal("0 was evicted although the cache has room")
	}
	cache.Put("7", body)
	if _, ok := cache.Get("1"); ok {
		t.Error("1 is the least recently used answer and was not evicted")
	}
	if _, ok := cache.Get("0"); !ok {
		t.Error("0 was used recently and was evicted")
	}
	cache.Put("big", bytes.Repeat(body, 3))
	if _, ok := cache.Get("big"); ok {
		t.Error("an answer larger than its share was stored")
	}
}

func TestRenderedStaysWithinItsLimit(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.Int64Range(1000, 20_000).Draw(t, "limit")
		cache := api.NewRendered(limit)
		for range rapid.IntRange(0, 60).Draw(t, "puts") {
			cache.Put(rapid.StringMatching(`[a-z]`).Draw(t, "tag"), make([]byte, rapid.IntRange(0, 4000).Draw(t, "length")))
			if size := cache.Size(); size < 0 || size > limit {
				t.Fatalf("%d bytes of %d", size, limit)
			}
		}
	})
}
