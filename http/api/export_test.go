package api

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
