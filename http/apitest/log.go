package apitest

import (
	"bytes"
	"sync"
)

// Log is a log with concurrent reads and writes.
type Log struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

// Write appends the text of one record.
func (b *Log) Write(text []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.Write(text)
}

// String returns the whole log.
func (b *Log) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.text.String()
}
