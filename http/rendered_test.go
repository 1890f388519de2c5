package http_test

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	equityhttp "equity/http"
)

func TestRenderedEvictsLeastRecentlyUsedAnswers(t *testing.T) {
	t.Parallel()
	cache := equityhttp.NewRendered(10_000)
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
		cache := equityhttp.NewRendered(limit)
		for range rapid.IntRange(0, 60).Draw(t, "puts") {
			cache.Put(rapid.StringMatching(`[a-z]`).Draw(t, "tag"), make([]byte, rapid.IntRange(0, 4000).Draw(t, "length")))
			if size := cache.Size(); size < 0 || size > limit {
				t.Fatalf("%d bytes of %d", size, limit)
			}
		}
	})
}

func TestCachedAnswersDependOnTheCallersPermissions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	owner, guest := b.person(t, "owner@example.com"), b.person(t, "guest@example.com")
	home := owner.company(t)
	owner.join(t, home, guest, "Guest")
	all := owner.must(t, "GET", home+"/member", "", http.StatusOK)
	own := guest.must(t, "GET", home+"/member", "", http.StatusOK)
	if all.header.Get("ETag") == own.header.Get("ETag") || strings.Count(own.body, `"fullName"`) != 1 {
		t.Errorf("%s %s", all.header.Get("ETag"), own.body)
	}
	guest.must(t, "GET", home+"/member", "", http.StatusOK, "If-None-Match", all.header.Get("ETag"))
	limited := owner.must(t, "GET", home+"/member?limit=1", "", http.StatusOK)
	if limited.header.Get("ETag") == all.header.Get("ETag") {
		t.Error("two requests have the same tag")
	}
	owner.must(t, "POST", home+"/member", `{"fullName":"New"}`, http.StatusCreated)
	owner.must(t, "GET", home+"/member", "", http.StatusOK, "If-None-Match", all.header.Get("ETag"))
}
