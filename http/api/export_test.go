package api

import (
	"context"

	"equity/organization"
)

// Rendered exposes the cache of answers to its tests.
type Rendered struct{ *rendered }

// NewRendered returns a cache with the given limit in bytes.
func NewRendered(limit int64) Rendered { return Rendered{newRendered(limit)} }

// Get returns the answer with the tag.
func (r Rendered) Get(tag string) ([]byte, bool) { return r.get(answerKey{content: tag}) }

// Put stores an answer.
func (r Rendered) Put(tag string, body []byte) { r.put(answerKey{content: tag}, body) }

// Size returns the size of the cache in bytes.
func (r Rendered) Size() int64 { return r.answers.Size() }

// Locator exposes the cache of organizations to its tests.
type Locator struct{ *locator }

// NewLocator returns a cache with the maximum number of records.
func NewLocator(index Index, most int64) Locator { return Locator{newLocator(index, most)} }

// Imports exposes the queue of imports to its tests.
type Imports struct{ importQueue }

// NewImports returns a queue with the number of slots.
func NewImports(parallel int) Imports { return Imports{newImports(parallel)} }

// Enter takes a slot for an import of the user into the organization.
func (i Imports) Enter(ctx context.Context, home string, user organization.UserID) error {
	_, err := i.enter(ctx, &Call{Caller: Caller{User: user}, path: map[string]string{"organization": home}})
	return err
}

// Details returns the arguments of a request in words, without the names of records.
func (c *Contract) Details(operation string, path, query map[string]string, body []byte) ([]Detail, error) {
	op := c.operations[operation]
	none := func(context.Context, *Call, func(*Call)) error { return nil }
	found, err := (&Describer{eachHome: none}).Details(context.Background(), &Call{Operation: &op, path: path, query: query, Body: body})
	for i := range found {
		found[i].id = [16]byte{}
	}
	return found, err
}
