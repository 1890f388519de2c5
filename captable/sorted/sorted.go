// Package sorted contains copy-on-write collections in order. A copy takes constant time and shares its contents until one of both changes. One
// goroutine may change a collection; any number may read the result of Copy.
//
// The collections are interfaces, because the compiler translates a generic type again in each package that mentions a type that contains
// it. As structures, the trees made each package that mentions a cap table ten times slower to build.
package sorted

import "github.com/tidwall/btree"

// Set contains items in order. Items that are equal in the order exist once.
type Set[E any] interface { //nolint:interfacebloat // the operations of a tree
	// Copy returns an independent copy. It also modifies the receiver, so that goroutines that share a set must not call it concurrently.
	Copy() Set[E]
	Len() int
	Get(key E) (E, bool)
	// Set stores the item and returns the replaced one, if any. Load is Set for items in ascending order.
	Set(item E) (E, bool)
	Load(item E) (E, bool)
	Delete(key E) (E, bool)
	// Scan iterates over the items, Ascend over those from the pivot on, and Descend over those from the pivot backward, until yield
	// returns false.
	Scan(yield func(E) bool)
	Ascend(pivot E, yield func(E) bool)
	Descend(pivot E, yield func(E) bool)
}

// Map contains values in the order of their keys.
type Map[V any] interface {
	// The methods are those of [Set].
	Copy() Map[V]
	Len() int
	Get(key string) (V, bool)
	Set(key string, value V) (V, bool)
	Load(key string, value V) (V, bool)
	Delete(key string) (V, bool)
	Scan(yield func(key string, value V) bool)
}

// NewSet returns an empty set in the order of less.
func NewSet[E any](less func(a, b E) bool) Set[E] {
	return set[E]{btree.NewBTreeGOptions(less, btree.Options{NoLocks: true})}
}

// NewMap returns an empty map.
func NewMap[V any]() Map[V] { return values[V]{&btree.Map[string, V]{}} }

type set[E any] struct{ *btree.BTreeG[E] }

func (s set[E]) Copy() Set[E] { return set[E]{s.BTreeG.Copy()} }

type values[V any] struct{ *btree.Map[string, V] }

func (v values[V]) Copy() Map[V] { return values[V]{v.Map.Copy()} }
