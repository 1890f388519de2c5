package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
)

// ErrAltered reports that the stored bytes of a content are not those of its record.
var ErrAltered = errors.New("the stored bytes of the file were altered")

// OpenWhole returns all bytes of a content with its recorded size and hash, or [ErrNotFound]. Reading compares the bytes with the hash: if they
// differ, it fails with [ErrAltered] before the last ones, so that nobody receives altered bytes as a complete file. The size is negative if the
// caller does not know it; the reading then fails after the last byte.
func (g *Guarded) OpenWhole(ctx context.Context, key, sum string, size int64) (io.ReadCloser, error) {
	const whole = -1
	content, err := g.Open(ctx, key, 0, whole)
	if err != nil {
		return nil, err
	}
	return &wholeContent{ReadCloser: content, hash: sha256.New(), sum: sum, size: size, altered: func() { g.altered.Add(1) }}, nil
}

// Altered returns the number of contents that were found altered.
func (g *Guarded) Altered() uint64 { return g.altered.Load() }

// wholeContent compares bytes with their hash.
type wholeContent struct {
	io.ReadCloser

	hash       hash.Hash
	sum        string
	size, read int64
	altered    func()
	failed     error
	verified   bool
}

// Read reads bytes. The last ones are returned only if the hash of all is the recorded one.
func (c *wholeContent) Read(into []byte) (int, error) {
	if c.failed != nil {
		return 0, c.failed
	}
	number, err := c.ReadCloser.Read(into)
	_, _ = c.hash.Write(into[:number])
	c.read += int64(number)
	if ended := errors.Is(err, io.EOF); !c.verified && (ended || c.read == c.size) {
		c.verified = c.size < 0 || c.read == c.size
		c.verified = c.verified && hex.EncodeToString(c.hash.Sum(nil)) == c.sum
		if !c.verified {
			return 0, c.fail()
		}
	} else if c.size >= 0 && c.read > c.size {
		return 0, c.fail()
	}
	return number, err
}

func (c *wholeContent) fail() error {
	c.failed = ErrAltered
	c.altered()
	return c.failed
}
