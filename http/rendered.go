package http

import (
	"container/list"
	"crypto/sha256"
	"encoding/hex"
	"sync"

	"equity/organization"
)

// rendered keeps answers that are ready to be sent, so that the same question costs
// no rendering until something changes. What is asked for least recently goes first.
type rendered struct {
	limit int64 // bytes

	mutex   sync.Mutex
	size    int64
	entries map[renderedKey]*list.Element
	recent  *list.List // the latest asked for first
}

// renderedKey is everything that such an answer depends on: the tag holds the
// sequence, the scope and the question.
type renderedKey struct {
	organization organization.ID
	tag          string
}

type renderedEntry struct {
	key  renderedKey
	body []byte
}

// renderedOverhead is about what an entry takes besides its bytes.
const renderedOverhead = 256

func newRendered(limit int64) *rendered {
	return &rendered{limit: limit, entries: map[renderedKey]*list.Element{}, recent: list.New()}
}

func (r *rendered) get(key renderedKey) ([]byte, bool) {
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

// put keeps a body unless it alone would take a quarter of the room.
func (r *rendered) put(key renderedKey, body []byte) {
	const share = 4
	size := int64(len(body)) + renderedOverhead
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
		r.size -= int64(len(entry.body)) + renderedOverhead
	}
}

// render answers a question about the call's view: 304 when the caller has the
// answer, else what was rendered before, else what produce gives. The content type may
// be any; also is what the answer depends on besides view, scope and query.
func (s *Server) render(c *Call, contentType string, produce func() ([]byte, error), also ...string) (Answer, error) {
	tag := c.tag(also...)
	if c.unchanged(tag) {
		return notModified(tag), nil
	}
	key := renderedKey{c.Organization, tag}
	body, ok := s.rendered.get(key)
	if !ok {
		var err error
		if body, err = produce(); err != nil {
			return Answer{}, err
		}
		if c.personal {
			return c.personalAnswer(contentType, body), nil
		}
		s.rendered.put(key, body)
	}
	return Answer{Rendered: body, ContentType: contentType, ETag: tag}, nil
}

// personalAnswer is an answer with particulars of people. Its tag digests the content: an erasure changes it.
func (c *Call) personalAnswer(contentType string, body []byte) Answer {
	tag := c.tag(digestOf(body))
	if c.unchanged(tag) {
		return notModified(tag)
	}
	return Answer{Rendered: body, ContentType: contentType, ETag: tag}
}

// digestOf is a digest for tags.
func digestOf(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:])
}

// renderRecord is render for a record that becomes JSON.
func (s *Server) renderRecord(c *Call, produce func() (any, error)) (Answer, error) {
	return s.render(c, contentJSON, func() ([]byte, error) {
		record, err := produce()
		if err != nil {
			return nil, err
		}
		return renderJSON(record)
	})
}
