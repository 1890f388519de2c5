package api

import (
	"container/list"
	"sync"
)

// lru is a cache that evicts the least recently used entries first. It is safe for concurrent use.
type lru[K comparable, V any] struct {
	limit  int64
	weight func(K, V) int64

	mutex   sync.Mutex
	size    int64
	entries map[K]*list.Element
	recent  *list.List // the most recently used first
}

type lruEntry[K comparable, V any] struct {
	key   K
	value V
}

// newLRU returns an empty cache. The limit bounds the sum of the weights of its entries.
func newLRU[K comparable, V any](limit int64, weight func(K, V) int64) *lru[K, V] {
	return &lru[K, V]{limit: limit, weight: weight, entries: map[K]*list.Element{}, recent: list.New()}
}

// get returns the value of the key; false if the cache does not have it.
func (l *lru[K, V]) get(key K) (value V, ok bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	element, ok := l.entries[key]
	if !ok {
		return value, false
	}
	l.recent.MoveToFront(element)
	entry, _ := element.Value.(lruEntry[K, V])
	return entry.value, true
}

// put stores the value, unless the cache has the key.
func (l *lru[K, V]) put(key K, value V) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if _, ok := l.entries[key]; ok {
		return
	}
	l.entries[key] = l.recent.PushFront(lruEntry[K, V]{key, value})
	l.size += l.weight(key, value)
	for l.size > l.limit {
		entry, _ := l.recent.Remove(l.recent.Back()).(lruEntry[K, V])
		delete(l.entries, entry.key)
		l.size -= l.weight(entry.key, entry.value)
	}
}
