package api

import (
	"crypto/sha256"
	"io"

	"equity/http/lru"
)

// rendered caches encoded answers and evicts the least recently used first.
type rendered struct{ answers *lru.Cache[answerKey, []byte] }

// renderedOverhead is the approximate memory of an entry without its body.
const renderedOverhead = 256

// newRendered returns an empty cache with a limit in bytes.
func newRendered(limit int64) *rendered { return &rendered{lru.New(limit, renderedSize)} }

func renderedSize(key answerKey, body []byte) int64 {
	return int64(len(body)+len(key.parameters)) + renderedOverhead
}

func (r *rendered) get(key answerKey) ([]byte, bool) { return r.answers.Get(key) }

// put stores a body unless it exceeds a quarter of the limit.
func (r *rendered) put(key answerKey, body []byte) {
	const share = 4
	if renderedSize(key, body) <= r.answers.Limit()/share {
		r.answers.Put(key, body)
	}
}

// Render answers a read operation of the call's view: 304 if the caller has the answer, else the cached answer, else the result of produce. Cached answers belong to one caller;
// others with the same permissions do not get them.
func (s *Kernel) Render(c *Call, contentType string, produce func() ([]byte, error)) (Answer, error) {
	return s.renderAs(c, c.answerKey(), contentType, produce)
}

// RenderShared is render for an answer that is the same for all callers with the same
// permissions.
func (s *Kernel) RenderShared(c *Call, contentType string, produce func() ([]byte, error)) (Answer, error) {
	key := c.answerKey()
	key.scope = scope{permissions: c.Permissions}
	return s.renderAs(c, key, contentType, produce)
}

func (s *Kernel) renderAs(c *Call, key answerKey, contentType string, produce func() ([]byte, error)) (Answer, error) {
	tag := c.tagOf(key)
	if c.Unchanged(tag) {
		return NotModified(tag), nil
	}
	body, ok := s.rendered.get(key)
	if !ok {
		var err error
		if body, err = produce(); err != nil {
			return Answer{}, err
		}
		if c.Personal {
			return c.personalAnswer(key, contentType, body), nil
		}
		s.rendered.put(key, body)
	}
	return Answer{Rendered: body, ContentType: contentType, ETag: tag}, nil
}

// personalAnswer returns an answer with particulars of people. Its ETag covers the content, as an erasure changes it.
func (c *Call) personalAnswer(key answerKey, contentType string, body []byte) Answer {
	key.content = string(body)
	tag := c.tagOf(key)
	if c.Unchanged(tag) {
		return NotModified(tag)
	}
	return Answer{Rendered: body, ContentType: contentType, ETag: tag}
}

// StreamShared answers like RenderShared with a file that is not cached. Produce returns a hash of the file and the function
// that writes it. An error of produce has its own status; an error of the function aborts the connection.
func (c *Call) StreamShared(contentType, name string, produce func() (sum []byte, write func(io.Writer) error, err error)) (Answer, error) {
	key := c.answerKey()
	key.scope = scope{permissions: c.Permissions}
	if tag := c.tagOf(key); !c.Personal && c.Unchanged(tag) {
		return NotModified(tag), nil
	}
	sum, write, err := produce()
	if err != nil {
		return Answer{}, err
	}
	if c.Personal { // an erasure changes the content
		key.content = string(sum)
	}
	tag := c.tagOf(key)
	if c.Unchanged(tag) {
		return NotModified(tag), nil
	}
	return Answer{ContentType: contentType, ETag: tag, FileName: name, Stream: write}, nil
}

// RenderRecord is render for a record that becomes JSON.
func (s *Kernel) RenderRecord(c *Call, produce func() (any, error)) (Answer, error) {
	return s.Render(c, ContentJSON, AsJSON(produce))
}

// AsJSON encodes the record that produce makes.
func AsJSON(produce func() (any, error)) func() ([]byte, error) {
	return func() ([]byte, error) {
		record, err := produce()
		if err != nil {
			return nil, err
		}
		return RenderJSON(record)
	}
}

// RenderContent is render for an answer that depends only on the given facts, so that other changes of the
// organization do not invalidate it. Kind distinguishes answers with equal facts.
func (s *Kernel) RenderContent(c *Call, kind string, facts []byte, contentType string, produce func() ([]byte, error)) (Answer, error) {
	sum := sha256.Sum256(facts)
	key := answerKey{organization: c.Organization, operation: kind, content: string(sum[:])}
	tag := c.tagOf(key)
	if c.Unchanged(tag) {
		return NotModified(tag), nil
	}
	content, ok := s.rendered.get(key)
	if !ok {
		var err error
		if content, err = produce(); err != nil {
			return Answer{}, err
		}
		s.rendered.put(key, content)
	}
	return Answer{Rendered: content, ContentType: contentType, ETag: tag}, nil
}
