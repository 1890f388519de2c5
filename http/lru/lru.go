// Package lru has a cache that evicts the least recently used entries first.
package lru

import (
	"container/list"
	"sync"
)

// Cache is a cache that evicts the least recently used entries first. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	limit  int64
	weight func(K, V) int64

	mutex   sync.Mutex
	size    int64
	entries map[K]*list.Element
	recent  *list.List // the most recently used first
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// New returns an empty cache. The limit bounds the sum of the weights of its entries.
func New[K comparable, V any](limit int64, weight func(K, V) int64) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, weight: weight, entries: map[K]*list.Element{}, recent: list.New()}
}

// Get returns the value of the key; false if the cache does not have it.
func (l *Cache[K, V]) Get(key K) (value V, ok bool) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	element, ok := l.entries[key]
	if !ok {
		return value, false
	}
	l.recent.MoveToFront(element)
	found, _ := element.Value.(entry[K, V])
	return found.value, true
}

// Put stores the value, unless the cache has the key.
func (l *Cache[K, V]) Put(key K, value V) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if _, ok := l.entries[key]; ok {
		return
	}
	l.entries[key] = l.recent.PushFront(entry[K, V]{key, value})
	l.size += l.weight(key, value)
	for l.size > l.limit {
		oldest, _ := l.recent.Remove(l.recent.Back()).(entry[K, V])
		delete(l.entries, oldest.key)
		l.size -= l.weight(oldest.key, oldest.value)
	}
}

// Limit returns the bound of the sum of the weights.
func (l *Cache[K, V]) Limit() int64 { return l.limit }

// Size returns the sum of the weights.
func (l *Cache[K, V]) Size() int64 {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.size
}
