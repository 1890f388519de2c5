package http

import (
	"container/list"
	"sync"
)

// rendered caches encoded answers and evicts the least recently used first.
type rendered struct {
	limit int64 // bytes

	mutex   sync.Mutex
	size    int64
	entries map[answerKey]*list.Element
	recent  *list.List // the most recently used first
}

type renderedEntry struct {
	key  answerKey
	body []byte
}

// renderedOverhead is the approximate memory of an entry without its body.
const renderedOverhead = 256

func newRendered(limit int64) *rendered {
	return &rendered{limit: limit, entries: map[answerKey]*list.Element{}, recent: list.New()}
}

func (r *rendered) get(key answerKey) ([]byte, bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	element, ok := r.entries[key]
	if !ok {
		return nil, false
	}
	r.recent.MoveToFront(element)
	entry, _ := element.Value.(*renderedEntry)
	return entry.body, true
}

// put stores a body unless it exceeds a quarter of the limit.
func (r *rendered) put(key answerKey, body []byte) {
	const share = 4
	size := int64(len(body)+len(key.parameters)) + renderedOverhead
	if size > r.limit/share {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if _, ok := r.entries[key]; ok {
		return
	}
	r.entries[key] = r.recent.PushFront(&renderedEntry{key, body})
	r.size += size
	for r.size > r.limit {
		oldest := r.recent.Back()
		entry, _ := r.recent.Remove(oldest).(*renderedEntry)
		delete(r.entries, entry.key)
		r.size -= int64(len(entry.body)+len(entry.key.parameters)) + renderedOverhead
	}
}

// render answers a read operation of the call's view: 304 if the caller has the answer, the cached
// answer if there is one, or the answer that produce makes. Cached answers belong to one caller;
// others with the same permissions do not get them.
func (s *Server) render(c *Call, contentType string, produce func() ([]byte, error)) (Answer, error) {
	return s.renderAs(c, c.answerKey(), contentType, produce)
}

// renderShared is render for an answer that is the same for all callers with the same
// permissions.
func (s *Server) renderShared(c *Call, contentType string, produce func() ([]byte, error)) (Answer, error) {
	key := c.answerKey()
	key.scope = scope{permissions: c.Permissions}
	return s.renderAs(c, key, contentType, produce)
}

func (s *Server) renderAs(c *Call, key answerKey, contentType string, produce func() ([]byte, error)) (Answer, error) {
	tag := c.tagOf(key)
	if c.unchanged(tag) {
		return notModified(tag), nil
	}
	body, ok := s.rendered.get(key)
	if !ok {
		var err error
		if body, err = produce(); err != nil {
			return Answer{}, err
		}
		if c.personal {
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
	if c.unchanged(tag) {
		return notModified(tag)
	}
	return Answer{Rendered: body, ContentType: contentType, ETag: tag}
}

// renderRecord is render for a record that becomes JSON.
func (s *Server) renderRecord(c *Call, produce func() (any, error)) (Answer, error) {
	return s.render(c, contentJSON, asJSON(produce))
}

// asJSON encodes the record that produce makes.
func asJSON(produce func() (any, error)) func() ([]byte, error) {
	return func() ([]byte, error) {
		record, err := produce()
		if err != nil {
			return nil, err
		}
		return renderJSON(record)
	}
}
