package mcp

import (
	"bytes"
	"net/http"
	"sync"
)

// preparedAnswer inserts prepared JSON into an answer in place of a mark. The library encodes each answer twice, which takes
// milliseconds for the list of all tools; the mark is short.
type preparedAnswer struct {
	http.ResponseWriter
	mark []byte
	// once guards the list, which is the same for all requests of a batch.
	once sync.Once
	list toolTexts
	err  error
}

// toolTexts are the texts of the tools of a list.
type toolTexts [][]byte

// size returns the number of bytes of the list.
func (t toolTexts) size() int {
	size := len("[]")
	for _, text := range t {
		size += len(text) + len(",")
	}
	return size
}

// Write writes a part of the answer that has a mark completely or not at all.
func (a *preparedAnswer) Write(part []byte) (int, error) {
	for rest, first := part, true; ; first = false {
		before, after, marked := bytes.Cut(rest, a.mark)
		if first && !marked {
			return a.ResponseWriter.Write(part)
		}
		if _, err := a.ResponseWriter.Write(before); err != nil {
			return 0, err
		}
		if !marked {
			return len(part), nil
		}
		if err := a.writeList(); err != nil {
			return 0, err
		}
		rest = after
	}
}

func (a *preparedAnswer) writeList() error {
	before := []byte{'['}
	for _, text := range a.list {
		for _, part := range [][]byte{before, text} {
			if _, err := a.ResponseWriter.Write(part); err != nil {
				return err
			}
		}
		before = []byte{','}
	}
	if len(a.list) == 0 {
		before = []byte("[]")
	} else {
		before = []byte{']'}
	}
	_, err := a.ResponseWriter.Write(before)
	return err
}

// Unwrap returns the writer for [http.ResponseController].
func (a *preparedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
